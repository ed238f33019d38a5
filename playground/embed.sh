#!/bin/sh
# Writes C that holds files as strings: embed.sh SCRIPT FILE... Tables (*.table) keep the name of their folder.
# A string a line: the standard promises no more than 4095 characters in one literal, gcc takes any.
set -eu
text() {
	sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/?/\\?/g' -e 's/^/    "/' -e 's/$/\\n"/' "$1"
}
# files ARRAY WHICH FILE...: those with tables, or those without.
files() {
	printf '\nconst struct embedded_file %s[] = {\n' "$1"
	which=$2
	shift 2
	for file; do
		name=${file##*/}
		case $which:$name in
		tables:*.table) name=${file#playground/} ;;
		page:*.table | tables:*) continue ;;
		esac
		echo "    {\"$name\","
		text "$file"
		echo '    },'
	done
	printf '    {NULL, NULL},\n};\n'
}
printf '#include "playground/embedded.h"\n\n#include <stddef.h>\n\n'
echo 'const char embedded_script[] ='
text "$1"
printf '    ;\n'
shift
files embedded_page page "$@"
files embedded_tables tables "$@"
