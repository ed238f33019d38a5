#!/bin/sh
# Checks the includes: a folder sees only the folders that its row names, and no header includes itself in a circle. And what
# costs money: a model, or a service that turns speech into text, is asked nowhere but where budgets are kept, and by the probe.
# Prints one line a violation and a summary; exit status 1 when there is one.
cd "$(dirname "$0")/.." || exit 2

awk '
BEGIN {
	base = "base"; net = "net " base; bus = "bus " base
	llm = "llm bus " net; store = "store " llm; tools = "tools " store; agent = "agent " tools; session = "session " agent
	may["base"] = base; may["net"] = net; may["bus"] = bus; may["llm"] = llm; may["store"] = store
	may["tools"] = tools; may["agent"] = agent; may["session"] = session
	may["channels"] = "channels bus " net; may["playground"] = "playground " net
	may["sandbox"] = "sandbox"; may["reader"] = "reader " base; may["image"] = "image " may["reader"]
	may["gateway"] = "gateway channels " session; may["main"] = "main " may["gateway"]
	# Where a name may stand: in its own file, and where it is used.
	only["llm_complete"] = "src/llm/complete.c src/agent/budget.c"
	only["llm_transcribe"] = "src/llm/transcribe.c src/agent/budget.c"
	only["ops->complete"] = "src/llm/complete.c src/llm/probe.c"
	only["llm_probe"] = "src/llm/probe.c src/ops/probe.c"
	only["probe_all"] = "src/ops/probe.c src/cli/check.c"
}
# The layer of a file: its folder; in src itself the command line is main, everything else the gateway.
function layer(path,   parts, n) {
	sub(/^src\//, "", path)
	n = split(path, parts, "/")
	if (n == 1)
		return path ~ /^(main|cli)/ ? "main" : "gateway"
	return parts[1]
}
function allowed(from, to,   list, n, i) {
	n = split(may[from], list, " ")
	for (i = 1; i <= n; i++)
		if (list[i] == to)
			return 1
	return 0
}
function find(path) { return (("src/" path) in known) ? "src/" path : path }
function visit(file,   n, list, i) {
	if (state[file] == 1) { print file ": includes itself in a circle"; bad++; return }
	if (state[file] == 2) return
	state[file] = 1
	n = split(edges[file], list, " ")
	for (i = 1; i <= n; i++) visit(list[i])
	state[file] = 2
}
# The words of a program, without its comments.
function check_payers(line,   name) {
	if (line ~ /^[ \t]*(\/\*|\*)/)
		return
	for (name in only)
		if (line ~ ("(^|[^A-Za-z0-9_])" name "([^A-Za-z0-9_]|$)")) {
			paid[name " " FILENAME] = 1
			if (index(" " only[name] " ", " " FILENAME " ") == 0) {
				print FILENAME ":" FNR ": " name " must not be used here: no budget is asked"
				bad++
			}
		}
}
FNR == 1 { known[FILENAME] = 1; files++ }
FILENAME ~ /^src\/.*\.c$/ { check_payers($0) }
/^#include "/ {
	split($0, q, "\"")
	if (q[2] != "config.h")
		includes[FILENAME] = includes[FILENAME] " " FNR ":" q[2]
}
END {
	for (file in includes) {
		n = split(includes[file], list, " ")
		for (i = 1; i <= n; i++) {
			split(list[i], at, ":")
			target = find(at[2])
			if (!(target in known)) { print file ":" at[1] ": includes " at[2] ", which is not in the tree"; bad++; continue }
			from = layer(file); to = layer(target)
			if (!allowed(from, to)) { print file ":" at[1] ": " from " must not include " at[2]; bad++ }
			if (file ~ /\.h$/) edges[file] = edges[file] " " target
			if (from != to) pairs[from " " to] = 1
		}
	}
	for (name in only) {
		n = split(only[name], list, " ")
		for (i = 1; i <= n; i++)
			if (!((name " " list[i]) in paid)) { print list[i] ": " name " is not in it any more"; bad++ }
	}
	for (file in edges) visit(file)
	for (pair in pairs) {
		split(pair, p, " ")
		if ((p[2] " " p[1]) in pairs) { print p[1] " and " p[2] " include each other"; bad++ }
	}
	printf "layers: %d files, %d violations\n", files, bad
	exit bad > 0
}' $(find src channels playground -name '*.[ch]' | sort)
