#!/bin/sh
# Writes C that defines each file as a string: embed.sh NAME FILE [NAME FILE]...
# A string a line: the standard promises no more than 4095 characters in one literal, gcc takes any.
set -eu
echo '#include "playground/embedded.h"'
while [ $# -gt 0 ]; do
	echo "const char embedded_$1[] ="
	sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/?/\\?/g' -e 's/^/    "/' -e 's/$/\\n"/' "$2"
	echo '    ;'
	shift 2
done
