#!/bin/sh
# Is docs/configuration.md what the program says of its settings? check-settings.sh PATH-OF-MYNA
cd "$(dirname "$0")/.." || exit 2
"$1" settings 2>/dev/null | diff docs/configuration.md - || {
	echo "docs/configuration.md is out of date: myna settings >docs/configuration.md"
	exit 1
}
echo "settings: docs/configuration.md is what the program says"
