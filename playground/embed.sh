#!/bin/sh
# Writes C that holds files as strings: embed.sh SCRIPT PAGE-FILE...
# A string a line: the standard promises no more than 4095 characters in one literal, gcc takes any.
set -eu
text() {
	sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/?/\\?/g' -e 's/^/    "/' -e 's/$/\\n"/' "$1"
}
printf '#include "playground/embedded.h"\n\n#include <stddef.h>\n\n'
echo 'const char embedded_script[] ='
text "$1"
printf '    ;\n\nconst struct embedded_file embedded_page[] = {\n'
shift
for file; do
	echo "    {\"${file##*/}\","
	text "$file"
	echo '    },'
done
printf '    {NULL, NULL},\n};\n'
