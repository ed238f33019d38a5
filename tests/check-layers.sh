#!/bin/sh
# Checks what the tree promises: which folder includes which, that nothing includes in circles, and how full a folder is.
# And what costs money: a model, or a service that turns speech into text, is called only where budgets are kept, and by the
# probe. Prints one line a violation and a summary; exit status 1 when there is one.
cd "$(dirname "$0")/.." || exit 2

exec python3 - <<'PYTHON'
import os
import re
import sys

# Which layers each layer may include, besides itself.
SEES = {"base": []}
SEES["net"] = ["base"]
SEES["bus"] = ["base"]
SEES["channels"] = ["bus", "net", "base"]
below = SEES["channels"]
for name in "llm store tools agent session".split():
    SEES[name] = below
    below = [name] + below
below = ["channels"] + below
for name in "config ops control gateway".split():
    SEES[name] = below
    below = [name] + below
SEES["chat"] = ["net", "base"]
SEES["cli"] = ["chat"] + below
SEES["main"] = ["cli", "base"]
SEES["helpers/sandbox"] = []
SEES["helpers/reader"] = ["base"]
SEES["helpers/image"] = ["helpers/reader", "base"]
SEES["playground"] = ["net", "base"]

# The only files in which a name may stand, and each must have it.
ONLY = {
    "llm_complete": "src/llm/complete.c src/agent/ask_model.c",
    "llm_transcribe": "src/llm/transcribe.c src/agent/ask_model.c",
    "ops->complete": "src/llm/complete.c src/llm/probe.c",
    "llm_probe": "src/llm/probe.c src/ops/probe.c",
    "probe_all": "src/ops/probe.c src/cli/check.c",
}
# A simulated platform is one state that all of its folders change: they stand in no order.
UNORDERED = ["playground/telegram", "playground/slack", "playground/discord"]
SOURCES_MAX = 40  # in a folder, without its subfolders

violations = []


def folder_of(path):
    """The names of its folders; src itself is none."""
    return os.path.dirname(path).removeprefix("src").strip("/").split("/")


def layer(path):
    parts = folder_of(path)
    return "/".join(parts[:2] if parts[0] == "helpers" else parts[:1]) or "main"


def read_includes(path, lines):
    """The files of the tree that path includes, each with its line."""
    found = {}
    for n, line in enumerate(lines, 1):
        match = re.match(r'\s*#\s*include\s+"(.*)"', line)
        if match and match[1] != "config.h":
            target = match[1] if match[1] in lines_of else "src/" + match[1]
            if target in lines_of:
                found[target] = n
            else:
                violations.append(f"{path}:{n}: includes {match[1]}, which is not in the tree")
    return found


def check_include(path, line, target):
    if layer(target) not in [layer(path)] + SEES.get(layer(path), []):
        violations.append(f"{path}:{line}: {layer(path)} must not include {target}")
    if target.endswith("_internal.h") and not path.startswith(os.path.dirname(target) + "/"):
        violations.append(f"{path}:{line}: {target} is internal to its folder and the subfolders")


def check_payers(path, lines):
    code = [line for line in lines if not re.match(r"\s*(/\*|\*)", line)]
    for name, files in ONLY.items():
        used = any(re.search(r"(?<!\w)" + name + r"(?!\w)", line) for line in code)
        if used and path not in files.split():
            violations.append(f"{path}: {name} must not be used here: no budget is asked")
        if not used and path in files.split():
            violations.append(f"{path}: {name} is not in it any more")


def check_folder(folder, paths):
    if folder == "src":
        violations.extend(f"{path}: in src stands main.c alone" for path in paths if path != "src/main.c")
    sources = sum(path.endswith(".c") for path in paths)
    if sources > SOURCES_MAX:
        violations.append(f"{folder}: {sources} sources, at most {SOURCES_MAX}: make subfolders")


def siblings(path, target):
    """The two folders beside each other where the paths part; None when one contains the other."""
    a, b = folder_of(path), folder_of(target)
    common = os.path.commonprefix([a, b])
    n = len(common) + 1
    if len(common) == min(len(a), len(b)) or "/".join(common) in UNORDERED:
        return None
    return "/".join(a[:n]), "/".join(b[:n])


def check_circles(edges, what):
    """edges: {from: {to: where}}. Reports each circle once, where it closes."""
    done, path = set(), []

    def visit(node):
        path.append(node)
        for to, where in sorted(edges.get(node, {}).items()):
            if to in path:
                circle = " > ".join(path[path.index(to):] + [to])
                violations.append(f"{where}: {what} include each other: {circle}")
            elif to not in done:
                visit(to)
        done.add(path.pop())

    for node in sorted(edges):
        if node not in done:
            visit(node)


lines_of = {}
for top in ("src", "channels", "playground"):
    for folder, _, names in os.walk(top):
        paths = sorted(os.path.join(folder, name) for name in names if name.endswith((".c", ".h")))
        check_folder(folder, paths)
        lines_of.update({p: open(p, encoding="utf-8").read().splitlines() for p in paths})

headers, folders = {}, {}
for path, lines in sorted(lines_of.items()):
    if path.startswith("src/") and path.endswith(".c"):
        check_payers(path, lines)
    for target, n in read_includes(path, lines).items():
        check_include(path, n, target)
        if path.endswith(".h"):
            headers.setdefault(path, {})[target] = f"{path}:{n}"
        if pair := siblings(path, target):
            folders.setdefault(pair[0], {}).setdefault(pair[1], f"{path}:{n}")
check_circles(headers, "headers")
check_circles(folders, "folders beside each other")

print("\n".join(violations + [f"layers: {len(lines_of)} files, {len(violations)} violations"]))
sys.exit(bool(violations))
PYTHON
