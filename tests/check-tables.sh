#!/bin/sh
# Are the playground's tables what the platforms publish, and would a wrong row show? For that, what they publish must be at hand ($MYNA_SPECS,
# or a folder beside the source tree). Is docs/playground-methods.md what the tables say? Are the errors with which calls of Discord fail
# those of its table? Does /log know each module that logs? Does each mark of what no document states say what it rests on? Is each place
# that no test has to notice still there?
cd "$(dirname "$0")/.." || exit 2
status=0
python3 playground/spec/generate.py --page | diff docs/playground-methods.md - || {
	echo "docs/playground-methods.md is out of date: playground/spec/generate.py --page >docs/playground-methods.md"
	status=1
}
python3 - <<'PYTHON' || status=1
import glob
import re
import sys

TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
WORDS = set(TEXT.findall(open("playground/discord/errors.table", encoding="utf-8").read()))


def arguments(source, at):
    """The texts among the arguments of the call that begins there, without those of calls in it."""
    depth = 1
    while depth > 0:
        if text := TEXT.match(source, at):
            at = text.end()
            if depth == 1:
                yield text[1]
            continue
        depth += (source[at] == "(") - (source[at] == ")")
        at += 1


wrong = 0
for path in glob.glob("playground/discord/**/*.c", recursive=True):
    source = open(path, encoding="utf-8").read()
    said = set(re.findall(r'\.(?:unknown|full) = "(.*)"', source))
    for call in re.finditer(r"\bcord_(?:fail|fail_wait|call_record)\(", source):
        said |= set(arguments(source, call.end()))
    for words in sorted(said - WORDS):
        print(f'{path}: errors.table has no "{words}"')
        wrong = 1
table = "src/session/commands/log.c"
known = set(TEXT.findall(re.search(r" modules\[\] = \{(.*?)\};", open(table, encoding="utf-8").read(), re.S)[1]))
for path in glob.glob("src/**/*.c", recursive=True):
    source = open(path, encoding="utf-8").read()
    for module in set(re.findall(r'\blog_(?:debug|info|warn|error)\(\s*"([^"]*)"', source)) - known:
        print(f'{table}: modules has no "{module}", with which {path} logs')
        wrong = 1
sys.exit(wrong)
PYTHON
if grep -rnE 'Undocumented($|[^:]|: *(\*/)?$)' playground --include='*.[ch]'; then
	echo "say what it rests on: \"Undocumented: SOURCE\""
	status=1
fi
MYNA_MUTANTS_LIST=1 tests/mutate/run >/dev/null || status=1
specs=${MYNA_SPECS-$(find ../*/reference/specs -maxdepth 0 2>/dev/null | head -n 1)}
if [ -z "$specs" ]; then
	echo "tables: what the platforms publish is not at hand"
else
	python3 playground/spec/generate.py --check "$specs" || {
		echo "tables are not as published; mark with \"differs\" what is so on purpose"
		status=1
	}
	python3 tests/playground/spec/wrong_rows.py "$specs" || status=1
fi
[ $status -ne 0 ] || echo "tables: docs/playground-methods.md is what they say"
exit $status
