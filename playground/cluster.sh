# What ./quickstart --cluster, which sources this, has of its own: three gateways that share a throw-away PostgreSQL server.

nodes="anna bert cleo"
channels="telegram slack discord"
database=
declare -A pid=()	# of the nodes that run
declare -A server=()	# of each channel that is served: the node
AGAIN_S=20	# a node that ended starts again after so long

postgres() { tests/lib/postgres-cluster.sh "$@"; }
need_server() {
	# shellcheck disable=SC2086
	postgres find 2>/dev/null || packages_install $PACKAGES_CLUSTER
	postgres find 2>/dev/null || fail "PostgreSQL's server is missing, and could not be installed (Debian: $PACKAGES_CLUSTER)"
}
# Not below the clone: the path of a socket must be short, and root's server runs as another user, who must reach it.
start_database() {
	database=$(mktemp -d /tmp/myna-quickstart-XXXXXX) && postgres start "$database" || fail "PostgreSQL's server did not start"
}
stop_database() { [ -z "$database" ] || postgres remove "$database"; }

start_node() {
	"$build/myna" run -c "$demo/$1.conf" 2>>"$demo/$1.log" &
	pid[$1]=$!
}
start_nodes() {
	write_notes "$demo/shared/workspace"
	for node in $nodes; do
		mkdir -p "$demo/$node"
		write_configuration "$node" "$demo/$node" "store = { engine = \"postgres\"; url = \"postgresql:///postgres?host=$database&user=myna\"; };
cluster = { node = \"$node\"; shared = \"$demo/shared\"; };"
		start_node "$node"
	done
}
stop_nodes() {
	[ ${#pid[@]} -eq 0 ] || kill "${pid[@]}" 2>/dev/null
	for node in "${!pid[@]}"; do wait "${pid[$node]}" 2>/dev/null; done
}
status_of() { "$build/myna" status --json -c "$demo/$1.conf" 2>/dev/null; }
# Asks each node which channels it serves. The page is led to one that answers.
look() {
	local node served channel page=
	server=()
	for node in $nodes; do
		[ -n "${pid[$node]-}" ] && served=$(status_of "$node") && [ -n "$served" ] || continue
		page=${page:-$demo/$node/control.sock}
		served=$(jq -r '.channels[] | select(.status == "ready" and .type != "console") | .name' <<<"$served")
		for channel in $served; do server[$channel]=$node; done
	done
	[ -z "$page" ] || [ "$page" = "$(readlink "$demo/node.sock")" ] || ln -sfn "$page" "$demo/node.sock"
}
has_share() { look && [ "$(printf '%s\n' "${server[@]}" | sort -u | grep -c .)" -eq 3 ]; }
is_served() { look && [ -n "${server[$1]-}" ]; }
is_quiet() { status_of "$1" | jq -e '.queue | .turns_open + .inbox_pending + .outbox_queued + .outbox_uncertain == 0' >/dev/null; }
# What Ann sees of an answer while it is written.
draft() { transcript ann | jq -r '.drafts | last | .text // empty'; }
is_writing() { [ -n "$(draft)" ]; }
# await_that WHAT COMMAND...: until the command succeeds.
await_that() {
	end=$((SECONDS + 120))
	until "${@:2}"; do
		[ "$SECONDS" -lt "$end" ] || { tell_nodes >&2; fail "$1: $(shares)see $demo/*.log"; }
		sleep 0.1
	done
}
tell_nodes() {
	for node in $nodes; do
		echo "--- $node, process ${pid[$node]-none}:"
		tail -n 12 "$demo/$node.log" | cut -c 1-300
	done
	tail -n 12 "$database/log"
}
now() { echo $((${EPOCHREALTIME/[.,]/} / 1000)); }
# since MILLISECONDS
since() { local ms=$(($(now) - $1)); echo "$((ms / 1000)).$((ms / 100 % 10)) s"; }
note() { printf '%s  (%s)%s\n' "$dim" "$1" "$plain"; }
# channels_of NODE: "telegram and slack"
channels_of() {
	list=
	for channel in $channels; do [ "${server[$channel]-}" != "$1" ] || list+="${list:+ and }$channel"; done
	echo "${list:-no channel}"
}
shares() { for node in $nodes; do printf '%s serves %s; ' "$node" "$(channels_of "$node")"; done; }

# The node that answers Ann is killed meanwhile, and another one completes the answer.
show_kill() {
	before=$(bot_messages ann) victim=${server[telegram]} killed=${pid[${server[telegram]}]}
	person Ann "count to 20"
	write ann ann "count to 20"
	await_that "no answer began" is_writing
	kill -9 "$killed"
	at=$(now)
	{ wait "$killed"; } 2>/dev/null
	status=$?
	unset "pid[$victim]"
	[ $status -eq 137 ] || fail "$victim had ended before it was killed"
	seen=$(draft)
	[ "$(bot_messages ann)" -eq "$before" ] && ! grep -qw 20 <<<"$seen" || fail "the answer was complete before $victim was killed"
	note "kill -9 of $victim, process $killed, when Ann could read: ${seen//$'\n'/ }"
	await_that "no node serves Telegram" is_served telegram
	served=$(since "$at")
	note "${server[telegram]} serves Telegram, $served after the kill"
	await ann "$before"
	answered=$(since "$at")
	await_that "${server[telegram]} has something left to do" is_quiet "${server[telegram]}"
	agent "$(last_answers ann "$before")"
	answers=$(($(bot_messages ann) - before))
	repeats=$(last_answers ann "$before" | grep -c "may be a repeat")
	[ $((answers - repeats)) -le 1 ] || fail "the answer came $answers times, $repeats of them marked as possible repeats"
	[ -n "${MYNA_LLM_URL-}" ] || last_answers ann "$before" | grep -qw 20 || fail "the answer is not complete"
	case $answers in 1) times=once ;; *) times="$answers times, marked as possible repeats" ;; esac
	echo "  ${server[telegram]} completed it $answered after the kill, and Ann got it $times"
}
# A greeting may come first. is_answered CHAT CHANNEL
is_answered() {
	answer=$(transcript "$1" "$2" | jq -r '[.messages[] | select(.bot)] | last | .text')
	[[ $answer == *391* ]]
}
# ask_node CHANNEL CHAT PERSON: which node answered, and how fast.
ask_node() {
	await_that "no node serves $1" is_served "$1"
	node=${server[$1]} at=$(now)
	person "$3 on ${1^}" "what is 17*23"
	write "$2" "${3,}" "what is 17*23" private "$1"
	await_that "nobody answers ${1^} with 391" is_answered "$2" "$1"
	took=$(since "$at")
	agent "$answer"
	await_that "no node serves $1" is_served "$1"
	[ "${server[$1]}" = "$node" ] || fail "$1 has moved meanwhile"
	note "$node answered after $took"
}

# Until Ctrl-C: tells which node has ended, and which one serves its channels then. It starts again, as systemd would start it.
watch_nodes() {
	declare -A was=() left=() again=()
	local looked round
	looked=$(now)
	while kill -0 "$playground_pid"; do
		round=$(now)
		for node in $nodes; do
			if [ -n "${pid[$node]-}" ] && ! kill -0 "${pid[$node]}"; then
				unset "pid[$node]"
				again[$node]=$((SECONDS + AGAIN_S))
				echo "  $(date +%T)  $node is gone, and starts again in $AGAIN_S s"
				for channel in $channels; do [ "${was[$channel]-}" != "$node" ] || left[$channel]=$looked was[$channel]=; done
			elif [ -z "${pid[$node]-}" ] && [ "$SECONDS" -ge "${again[$node]-0}" ]; then
				start_node "$node"
				echo "  $(date +%T)  $node, process ${pid[$node]}, starts"
			fi
		done
		looked=$round
		look
		for channel in "${!server[@]}"; do
			node=${server[$channel]}
			[ "$node" != "${was[$channel]-}" ] || continue
			echo "  $(date +%T)  $node, process ${pid[$node]}, serves $channel${left[$channel]:+, after at most $(since "${left[$channel]}") without a node}"
			was[$channel]=$node
			unset "left[$channel]"
		done
		sleep 0.2
	done
}

show_cluster() {
	say "Starting a PostgreSQL server and three nodes, which are gateways with the same bots: anna, bert and cleo"
	start_database
	[ -n "${MYNA_LLM_URL-}" ] && echo "  $(choose_model)"
	start_nodes
	await_that "the nodes do not share the channels" has_share
	for node in $nodes; do echo "  $node, process ${pid[$node]}, serves $(channels_of "$node")"; done

	say "The node that answers Ann is killed with -9 in the middle of its answer"
	show_kill

	say "The two that are left answer on each platform"
	ask_node telegram ann Ann
	ask_node slack bea Bea
	ask_node discord cem Cem

	say "What the nodes say of themselves"
	"$build/myna" status -c "$demo/${server[telegram]}.conf" | sed -n '/^n.*serves/s/^/  /p'
	echo "  Telegram was served again $served after the kill, and the answer was complete $answered after it"
	if [ -z "${MYNA_LLM_URL-}" ]; then
		tests/model-journal.sh "$demo/model.journal" | tail -n 1 | sed 's/^/  /'
		[ "${PIPESTATUS[0]}" -eq 0 ] || fail "a model was sent what it may not be sent; see $demo/model.journal"
	fi
	if [ -n "$once" ]; then
		say "Done. ./quickstart --cluster without --once stays, with a page to chat in; docs/cluster.md has the settings"
		return
	fi
	say "Talk to the agent: $url"
	echo "  Above each platform the page names the node that serves it. Ask for something long (count to 30), and kill that node meanwhile:"
	echo "  kill -9 PROCESS. Nodes and playground run until you press Ctrl-C. Logs: $demo"
	watch_nodes 2>/dev/null # where bash would tell of each node that was killed
	fail "the playground ended; see $demo/playground.log"
}
