#!/bin/sh
# Are the manual pages of a build whole: every setting and command in them, and nothing in them that man complains of?
# check-manual.sh DIRECTORY-OF-THE-BUILD
build=$1 bad=0
complain() {
	echo "$*"
	bad=1
}
for key in $("$build/myna" settings 2>/dev/null | sed -n 's/^| `\([a-z_]*\)` .*/\1/p' | sort -u); do
	grep -q "fB$key.fR (" "$build/docs/man/myna.conf.5" || complain "myna.conf.5 lacks the setting $key"
done
for command in $("$build/myna" help 2>/dev/null | sed -n 's/^  myna \([a-z]*\).*/\1/p') \
	$("$build/myna" help chat 2>/dev/null | sed -n 's/^  \(\/[a-z]*\).*/\1/p'); do
	grep -q "^.fB.*$command" "$build/docs/man/myna.1" || complain "myna.1 lacks the command $command"
done
config=$("$build/myna" help 2>/dev/null | sed -n 's/^FILE is .*, then \(.*\)\.$/\1/p')
[ -n "$config" ] && grep -qxF ".I $config" "$build/docs/man/myna.1" || complain "myna.1 does not name the configuration ${config:-that help names}"
for page in "$build/docs/man/myna.1" "$build/docs/man/myna.conf.5"; do
	[ "$(wc -l <"$page")" -gt 100 ] || complain "$page is short"
	! grep -n '^@' "$page" || complain "$page is not filled in"
	# Lines too long for the page are no mistake.
	if command -v man >/dev/null; then
		said=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=100 man --warnings -l -Tutf8 -Z "$page" 2>&1 >/dev/null | grep -v "can't break line\|cannot adjust line\|cannot break line")
		[ -z "$said" ] || complain "$said"
	fi
done
[ "$bad" -eq 0 ] && echo "manual: myna(1) and myna.conf(5) have every setting and command"
exit "$bad"
