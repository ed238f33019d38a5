"""The tables of methods and types (*.table) for scripts: spec.h describes the form.

What a person adds stays when a table is written anew: `simulated` and notes after #, the words of errors in quotes,
and the flags below. A line with `extra` is not in what the platform publishes, nor is an error with a +; one with `differs` differs from it."""
import re

HAND = re.compile(r"simulated|left_out|no_effect|may_be_empty|legacy|extra|differs|form|app_token|no_token|scope=.*|as=.*|limit=.*|people=.*|unbound|record=.*|by=.*|needs=.*|place=.*|waits|like=.*")
TOKEN = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+')


def tokens(line):
    """The words of a line, and its note."""
    words, at = [], 0
    while match := TOKEN.search(line, at):
        if match[0].startswith("#"):
            return words, line[match.start() + 1:].strip()
        words.append(match[0])
        at = match.end()
    return words, ""


class Line:
    """A member, or the first line of a record: its name, its type or value, flags, the words of its error, its note."""

    def __init__(self, name, value="", flags=(), said="", note=""):
        self.name, self.value, self.said, self.note = name, value, said, note
        self.flags = list(flags)

    @classmethod
    def read(cls, words, note, typed=True):
        value, rest = ("".join(words[1:2]), words[2:]) if typed else ("", words[1:])
        said = [w for w in rest if w.startswith('"')]
        return cls(words[0], value, [w for w in rest if not w.startswith('"')], "".join(said[:1]), note)

    def __str__(self):
        words = [self.name, self.value] + self.flags + [self.said]
        return " ".join(w for w in words if w) + (f" # {self.note}" if self.note else "")

    def take_hand(self, old, sample=False):
        """What a person wrote in the old line. Samples do not say what is required."""
        if "differs" in old.flags:
            self.value, self.flags = old.value, old.flags
        elif sample:
            self.flags = old.flags
        else:
            flags = [f for f in self.flags if f == "legacy" or not HAND.fullmatch(f)]
            self.flags = flags + [f for f in old.flags if HAND.fullmatch(f) and f not in flags]
        self.said, self.note = old.said, old.note


class Record:
    """A method, an object or a type, with its members and the errors that are documented for it."""

    def __init__(self, kind, line):
        self.kind, self.line, self.members, self.errors = kind, line, {}, []

    @property
    def name(self):
        return self.line.name

    def add(self, *args, **kwargs):
        line = Line(*args, **kwargs)
        self.members[line.name] = line

    def attribute(self, key):
        for word in self.line.flags:
            if word.startswith(key + "="):
                return word[len(key) + 1:]
        return None

    def has(self, flag):
        return flag in self.line.flags

    def take_hand(self, old):
        self.line.take_hand(old.line)
        merged = {}
        for name, line in self.members.items():
            if name in old.members:
                line.take_hand(old.members[name], self.has("sample"))
            merged[name] = line
        for name, line in old.members.items():
            if "extra" in line.flags:
                merged[name] = line
        self.members = merged
        self.errors += [error for error in old.errors if error.startswith("+")]

    def __str__(self):
        lines = [f"{self.kind} {self.line}"] + [f"\t{m}" for m in self.members.values()]
        row = "\t!"
        for error in self.errors:
            if len(row) + len(error) > 110:
                lines.append(row)
                row = "\t!"
            row += " " + error
        if self.errors:
            lines.append(row)
        return "\n".join(lines)


def read(path):
    """The records of a table by kind and name, and the comment at its head."""
    records, head, record = {}, [], None
    with open(path, encoding="utf-8") as f:
        for line in f.read().splitlines():
            if line.startswith("#") and not records:
                head.append(line)
            words, note = tokens(line)
            if not words:
                continue
            if not line.startswith("\t"):
                record = Record(words[0], Line.read(words[1:], note, words[0] == "type"))
                records[record.kind, record.name] = record
            elif words[0] == "!":
                record.errors += words[1:]
            else:
                line = Line.read(words, note)
                record.members[line.name] = line
    for record, other in alike(records):
        record.members = dict(sorted({**other.members, **record.members}.items()))
    return records, "\n".join(head)


def alike(records):
    """The records with like=OBJECT, each with that object. One of another table stays with its table."""
    for record in records.values():
        other = records.get(("object", record.attribute("like")))
        if other:
            yield record, other


def write(records, head):
    """Members that an object has like the other one stand there alone; an object that lacks one of them is not like it."""
    for record, other in alike(records):
        if other.members.keys() <= record.members.keys():
            record.members = {n: line for n, line in record.members.items() if str(line) != str(other.members.get(n))}
        else:
            record.line.flags.remove("like=" + other.name)
    return head + "\n\n" + "\n".join(str(r) for r in records.values()) + "\n"


def merge(records, old):
    """The records as they are published, with what stands in the old ones by hand."""
    for key, record in records.items():
        if key in old:
            record.take_hand(old[key])
    for key, record in old.items():
        if record.has("extra"):
            records[key] = record
    return records
