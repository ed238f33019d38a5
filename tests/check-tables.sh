#!/bin/sh
# Are the playground's tables what the platforms publish, where that is at hand ($MYNA_SPECS, or a folder beside the source tree), and
# is docs/playground-methods.md what the tables say?
cd "$(dirname "$0")/.." || exit 2
status=0
python3 playground/spec/generate.py --page | diff docs/playground-methods.md - || {
	echo "docs/playground-methods.md is out of date: playground/spec/generate.py --page >docs/playground-methods.md"
	status=1
}
specs=${MYNA_SPECS-$(find ../*/reference/specs -maxdepth 0 2>/dev/null | head -n 1)}
if [ -z "$specs" ]; then
	echo "tables: what the platforms publish is not at hand"
else
	python3 playground/spec/generate.py --check "$specs" || {
		echo "tables are not as published; mark with \"differs\" what is so on purpose"
		status=1
	}
fi
[ $status -ne 0 ] || echo "tables: docs/playground-methods.md is what they say"
exit $status
