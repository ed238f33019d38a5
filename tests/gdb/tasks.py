"""For gdb: `tasks` lists the tasks of a process or a core, `tasks NAME` shows where those of that name wait.
A stack is shown of a process alone, because gdb sets no registers of a core.

    gdb -x tests/gdb/tasks.py --args build/quickstart/myna -c FILE run
"""
import gdb

# The words that stack_switch pushes, from the lowest up, and how many.
PUSHED = {"i386:x86-64": ("r15 r14 r13 r12 rbx rbp rip".split(), 7, "rsp"),
          "aarch64": ([f"x{i}" for i in range(19, 31)], 20, "sp")}
# Where a coroutine's registers are kept with swapcontext.
GREGS = "r8 r9 r10 r11 r12 r13 r14 r15 rdi rsi rbp rbx rdx rax rcx rsp rip".split()


def pushed_registers(top):
    names, count, stack = PUSHED[gdb.selected_frame().architecture().name()]
    words = {name: int(top[i].cast(gdb.lookup_type("unsigned long"))) for i, name in enumerate(names)}
    words[stack] = int(top.cast(gdb.lookup_type("unsigned long"))) + 8 * count
    return words if "rip" in words else words | {"pc": words["x30"]}


def saved_registers(task):
    saved = task["coroutine"]["saved"]
    if saved["top"]:
        return pushed_registers(saved["top"])
    machine = saved["context"].dereference()["uc_mcontext"]
    if "gregs" in [f.name for f in machine.type.strip_typedefs().fields()]:
        return {name: int(machine["gregs"][i]) & (2**64 - 1) for i, name in enumerate(GREGS)}
    named = {"sp": int(machine["sp"]), "pc": int(machine["pc"])}
    return {f"x{i}": int(machine["regs"][i]) for i in range(31)} | named


def set_registers(values):
    for name, value in values.items():
        gdb.execute(f"set ${name} = {value:#x}", to_string=True)


def backtrace(task):
    gdb.execute("frame 0", to_string=True)
    own = {name: int(gdb.parse_and_eval(f"(unsigned long)${name}")) for name in saved_registers(task)}
    try:
        set_registers(saved_registers(task))
        return gdb.execute("backtrace", to_string=True)
    finally:
        set_registers(own)


def all_tasks():
    head = gdb.lookup_static_symbol("all_tasks").value()
    task_type = gdb.lookup_type("struct task")
    offset = next(f.bitpos // 8 for f in task_type.fields() if f.name == "all")
    link = head["next"]
    while link != head.address:
        yield (link.cast(gdb.lookup_type("char").pointer()) - offset).cast(task_type.pointer()).dereference()
        link = link["next"]


class Tasks(gdb.Command):
    """tasks [NAME]: the tasks, or where those of that name wait."""

    def __init__(self):
        super().__init__("tasks", gdb.COMMAND_STACK)

    def invoke(self, wanted, from_tty):
        for task in all_tasks():
            name, state = task["coroutine"]["name"].string(), str(task["state"])
            if wanted and name != wanted:
                continue
            waits = f" {task['waits'].string()}" if state == "TASK_WAITING" else ""
            print(f"{name}: {state.removeprefix('TASK_').lower()}{waits}")
            # One that runs is what `backtrace` shows; one that has not begun has no stack.
            if wanted and state != "TASK_RUNNING" and task["coroutine"]["stack"]:
                print(backtrace(task))


Tasks()
