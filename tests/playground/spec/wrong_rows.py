#!/usr/bin/env python3
"""wrong_rows.py SPECS: does the comparison of the tables with what the platforms publish (generate.py --check) find a row that is wrong?
It makes each row wrong, one at a time: required or no longer, another type, an enumeration without one value, another name, nothing at all;
and drops each word and each error of a method. All of that must show, but for what a person wrote (extra, differs, a + before an error)."""
import copy
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../playground/spec"))
import generate  # noqa: E402
import table  # noqa: E402


def wrong_lines(line, sample):
    """The line, wrong in each way that there is. Samples do not say what is required."""
    values = generate.split(line.value)
    ways = [{"name": line.name + "_"}, {"value": "bool" if line.value != "bool" else "string"}]
    if len(values) > 1 and values[0].startswith('"'):
        ways.append({"value": "|".join(values[1:])})
    if not sample:
        ways.append({"flags": [f for f in line.flags if f != "required"] if "required" in line.flags else ["required"] + line.flags})
    for way in ways:
        wrong = copy.copy(line)
        wrong.flags = list(line.flags)
        vars(wrong).update(way)
        yield wrong


def record_of(record, line, member=None):
    one = table.Record(record.kind, copy.copy(line))
    one.line.flags = list(line.flags)
    if member:
        one.members[member.name] = copy.copy(member)
    return one


def shows(published, wrong):
    """Is the table that is written anew another one?"""
    before = str(wrong)
    published.take_hand(wrong)
    return str(published) != before


def trials(published, record):
    """What is wrong, and whether it shows."""
    by_hand = {name for name, line in record.members.items() if {"extra", "differs"} & set(line.flags)}
    for name, line in record.members.items():
        if name in by_hand:
            continue
        is_so = published.members[name]
        yield f"{name} is not there", shows(record_of(published, published.line, is_so), record_of(record, record.line))
        for wrong in wrong_lines(line, record.has("sample")):
            yield str(wrong), shows(record_of(published, published.line, is_so), record_of(record, record.line, wrong))
    if record.has("differs"):
        return
    for word in record.line.flags:
        if not table.HAND.fullmatch(word):
            wrong = record_of(record, record.line)
            wrong.line.flags.remove(word)
            yield f"without {word}", shows(record_of(published, published.line), wrong)
    if record.kind == "type":
        for line in wrong_lines(record.line, True):
            if line.name == record.line.name:
                yield str(line), shows(record_of(published, published.line), record_of(record, line))
    for error in record.errors:
        if not error.startswith("+"):
            whole, wrong = record_of(published, published.line), record_of(record, record.line)
            whole.errors, wrong.errors = published.errors, [e for e in record.errors if e != error]
            yield f"without {error}", shows(whole, wrong)


def main():
    tried = missed = 0
    for path, records in generate.published(sys.argv[1]).items():
        rows, _ = table.read(os.path.join(generate.PLAYGROUND, path))
        for key, record in rows.items():
            for what, seen in trials(records[key], record) if key in records else ():
                tried += 1
                if not seen:
                    missed += 1
                    print(f"{path}: {record.name} can be wrong and nobody notices: {what}")
    print(f"tables: {tried} rows made wrong, {missed} not noticed")
    return missed > 0 or tried < 20000


if __name__ == "__main__":
    sys.exit(main())
