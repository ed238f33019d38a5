"""The pages: their blocks of commands, and what each is said to print."""
import re
from dataclasses import dataclass

FENCE = re.compile(r"^(\s*)```(\S*)\s*(.*)$")


@dataclass
class Block:
    page: str
    line: int
    language: str
    mark: str      # the rest of the line after the language
    text: str
    shown: str = None   # the output that stands below


def blocks_of(path, name):
    """All fenced blocks; a block of text right below commands is what they print."""
    found, open_block, since = [], None, None
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        fence = FENCE.match(line)
        if open_block is None and fence:
            open_block, indent, lines = Block(name, number, fence[2], fence[3], ""), len(fence[1]), []
        elif open_block is not None and line.strip() == "```":
            open_block.text = "".join(lines)
            if open_block.language == "text" and since is not None and found[-1].language == "sh":
                found[-1].shown = open_block.text
            else:
                found.append(open_block)
            open_block, since = None, number
        elif open_block is not None:
            lines.append(line[indent:] if line[:indent].isspace() else line)
        elif line.strip():
            since = None
    return found


def difference(shown, said):
    """None when the output is what the page shows; … in the page stands for anything, a line of it for any lines."""
    pattern = "".join(r"(.*\n)*?" if line.strip() == "…" else ".*?".join(map(re.escape, line.split("…"))) + r"\s*?\n"
                      for line in shown.splitlines())
    if re.fullmatch(pattern, said if said.endswith("\n") or not said else said + "\n"):
        return None
    return f"the page shows\n{shown}and it printed\n{said}"
