#!/usr/bin/env python3
"""Do the programs end with the exit statuses of docs/administration.md, and do the manual pages have the same table?
check-exit-status.py FOLDER-OF-THE-BUILD"""
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading

build = os.path.abspath(sys.argv[1])
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
mistakes = []
seen = {"myna": set(), "myna-playground": set()}


def text_of(*path):
    with open(os.path.join(root, *path), encoding="utf-8") as page:
        return page.read()


def ends(status, program, *words, stdout=subprocess.DEVNULL, says=None, stdin=subprocess.DEVNULL):
    try:
        run = subprocess.run([os.path.join(build, program), *words], stdin=stdin, stdout=stdout, stderr=subprocess.PIPE,
                             timeout=120, text=True, check=False)
    except subprocess.TimeoutExpired:
        mistakes.append(f"{program} {' '.join(words)} does not end")
        return
    seen[program].add(run.returncode)
    if run.returncode != status:
        mistakes.append(f"{program} {' '.join(words)}: {run.returncode} and not {status}: {run.stderr.strip()}")
    if says and says not in run.stderr:
        mistakes.append(f"{program} {' '.join(words)} does not say \"{says}\" but \"{run.stderr.strip()}\"")


def commands():
    help_text = subprocess.run([build + "/myna", "help"], capture_output=True, text=True, check=True).stdout
    return sorted(set(re.findall(r"^  myna ([a-z]+)", help_text, re.M)) - {"help"})


class DeafGateway:
    """Takes requests and never answers."""
    def __init__(self, path):
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(path)
        self.server.listen()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            peer, _ = self.server.accept()
            peer.recv(65536)
            peer.close()


def try_myna(folder):
    conf, broken, deaf = (os.path.join(folder, name) for name in ("myna.conf", "broken.conf", "deaf.conf"))
    with open(conf, "w", encoding="utf-8") as file:
        file.write(f'state = "{folder}/state";\n')
    with open(broken, "w", encoding="utf-8") as file:
        file.write("state = 7;\n")
    with open(deaf, "w", encoding="utf-8") as file:
        file.write(f'state = "{folder}/state"; control = "{folder}/deaf.sock";\n')
    ends(0, "myna", "--version")
    ends(0, "myna", "-c", conf, "check")
    ends(1, "myna", "-c", broken, "check")
    ends(1, "myna", "-c", broken, "run")
    ends(1, "myna", "-c", conf, "compact")
    ends(1, "myna", "-c", conf, "tool", "run", "read_file", '{"path":"none"}')
    for words in (["reload"], ["status"], ["prompt", "a:b"], ["dead", "list"], ["send", "a:b", "text"]):
        ends(3, "myna", "-c", conf, *words)
    DeafGateway(f"{folder}/deaf.sock")
    for words in (["reload"], ["status", "--json"], ["prompt", "a:b"], ["send", "--json", "a:b", "text"]):
        ends(2, "myna", "-c", deaf, *words)
    ends(64, "myna")
    ends(64, "myna", "nonsense")
    ends(64, "myna", "-c")
    for command in commands():
        ends(64, "myna", "-c", conf, command, "--nonsense", says=f"{command} has no option '--nonsense'")
        ends(64, "myna", "-c", conf, command, "one", "two", "three", "four")
    ends(64, "myna", "-c", conf, "init", "--telegram-tokn=1", says="Did you mean '--telegram-token'?")
    ends(64, "myna", "-c", conf, "init", "--telegram-allow=Ann", says="--telegram-allow: an id, not a name")
    ends(64, "myna", "-c", conf, "init", "--model", says="--model needs ANSWER after it")
    with open("/dev/full", "w", encoding="utf-8") as full:
        ends(74, "myna", "help", stdout=full)
        ends(74, "myna", "settings", stdout=full)
        ends(74, "myna-playground", "--help", stdout=full)


def try_playground(folder):
    good, wrong, bad = (os.path.join(folder, name) for name in ("good.flow", "wrong.flow", "bad.flow"))
    for path, text in ((good, "chat telegram private Ann\nsay Ann hello\n"), (bad, "nonsense\n"),
                       (wrong, "chat telegram private Ann\nsay Ann hello\nwithin 0.1\nexpect hello\n")):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    ends(0, "myna-playground", "--version")
    ends(0, "myna-playground", "--flow", good)
    ends(1, "myna-playground", "--flow", wrong)
    ends(1, "myna-playground", "--script", "/nonexistent.json")
    ends(1, "myna-playground", "--report", "http://127.0.0.1:1")
    for words in (["--nonsense"], ["extra"], ["--listen", "nowhere"], ["--listen"], ["--gateway-model", "x"], ["--junit", "x"],
                  ["--flow", bad], ["--flow", "/nonexistent.flow"]):
        ends(64, "myna-playground", *words)


def table_of_docs():
    section = text_of("docs", "administration.md").split("### Exit status\n", 1)[1].split("\n#", 1)[0]
    return {int(n): meaning for n, meaning in re.findall(r"^\| (\d+) \| (.*) \|$", section, re.M)}


def table_of_manual(page):
    section = text_of("docs", "man", page).split(".SH EXIT STATUS\n", 1)[1].split("\n.SH", 1)[0]
    return {int(n): meaning for n, meaning in re.findall(r"^\.TP\n\.B (\d+)\n(.*)$", section, re.M)}


with tempfile.TemporaryDirectory() as workplace:
    try_myna(workplace)
    try_playground(workplace)
documented = table_of_docs()
if set(documented) != seen["myna"]:
    mistakes.append(f"docs/administration.md has the statuses {sorted(documented)}, and myna ended with {sorted(seen['myna'])}")
for program, page in (("myna", "myna.1.in"), ("myna-playground", "myna-playground.1")):
    manual = table_of_manual(page)
    if set(manual) != seen[program]:
        mistakes.append(f"{page} has the statuses {sorted(manual)}, and {program} ended with {sorted(seen[program])}")
    for number, meaning in manual.items():
        if documented.get(number) != meaning:
            mistakes.append(f"{page} says of {number} \"{meaning}\", and docs/administration.md \"{documented.get(number)}\"")
print("\n".join(mistakes) or f"exit status: {len(documented)}, as the pages say")
sys.exit(1 if mistakes else 0)
