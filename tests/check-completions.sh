#!/bin/bash
# Do the shells complete myna's command line? check-completions.sh FOLDER-OF-MYNA
# Each shell that is there runs its real script against the real program; bash always is.
cd "$(dirname "$0")/.." || exit 2
PATH=$(realpath "$1"):$PATH
files=$PWD/etc/completions failed=0

# Prints what a shell offers for a command line, a line each, without help. zsh's list is caught where the script hands it over.
ask_bash() { bash --norc -c ". '$files/myna'; COMP_WORDS=($1); [ \"\${1: -1}\" != ' ' ] || COMP_WORDS+=(''); COMP_CWORD=\$((\${#COMP_WORDS[@]} - 1)); _myna; printf '%s\n' \"\${COMPREPLY[@]}\"" bash "$1"; }
ask_fish() { fish --no-config -c "source '$files/myna.fish'; complete -C \"$1\"" | cut -f 1; }
ask_zsh() { zsh -fc "_describe() { print -l -- \${(P)2} }; _files() { :; }; words=($1); [[ '$1' == *' ' ]] && words+=(''); CURRENT=\$#words; source '$files/_myna'" | cut -d : -f 1; }

# expect COMMAND-LINE WORD...
expect() {
	line=$1
	shift
	wanted=$(printf '%s\n' "$@" | sort)
	for shell in bash fish zsh; do
		command -v $shell >/dev/null || continue
		got=$("ask_$shell" "$line" 2>/dev/null | sort)
		if [ "$got" != "$wanted" ]; then
			printf '%s offers for "%s":\n%s\nand not:\n%s\n' $shell "$line" "$got" "$wanted"
			failed=1
		fi
	done
}

expect 'myna sta' status
expect 'myna re' reload
expect 'myna status --' --json
expect 'myna send --dry' --dry-run
expect 'myna -c /some/where.conf check --pr' --probe
expect 'myna workspace m' move
expect 'myna dead ' list retry drop
expect 'myna store copy --f' --from
expect 'myna help tr' trace
expect 'myna -' -c --help --version
expect 'myna --' --help --version
[ $failed -eq 0 ] || exit 1
shells=$(for shell in bash fish zsh; do command -v $shell >/dev/null && echo $shell; done)
echo "completions: as myna says, in" $shells
