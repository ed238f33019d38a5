# Writes docs/performance.md and docs/measurements.md from the figures; sourced by tests/bench/run.

# missing TITLE PREFIX: says why a row has no figures, when it was to have some.
missing() { why=$(value "${2%%.*}.why") && echo "| $1 | not measured: $why |"; }
# row TITLE PREFIX: a line of the tables of bursts.
row() {
	value "$2.rate" >/dev/null || { missing "$@"; return; }
	echo "| $1 | $(span "$2.rate") | $(span "$2.p50") | $(span "$2.p95") | $(show "$2.cpu" 2) | $(show "$2.asked_kib" 1) | $(show "$2.peak_mib") |"
}
# rows BURST TITLE: Myna and its peers.
rows() {
	row "Myna, $2" "$1"
	for peer in $peer_names; do row "$(peer_title $peer)" "$1.$peer"; done
}
# slow_row TITLE PREFIX
slow_row() {
	value "$2.last" >/dev/null || { missing "$@"; return; }
	echo "| $1 | $(span "$2.last") | $(show "$2.cpu" 2) | $(show "$2.peak_mib") |"
}
peer_names="runner alike durable durable_alike"
peer_title() {
	case $1 in
	runner) echo "grammY: a short request to the model, nothing on disk" ;;
	alike) echo "grammY: the same request as Myna, nothing on disk" ;;
	durable) echo "grammY: a short request, messages on disk" ;;
	durable_alike) echo "grammY: the same request, messages on disk" ;;
	esac
}
# ratio_row PEER: Myna's rate to that of the peer, in each kind of burst.
ratio_row() {
	echo "| $(peer_title "$1") | $(span "burst100.$1.ratio" 1) | $(span "burst1000.$1.ratio" 1) | $(span "burst100sync.$1.ratio" 1) | $(span "burst1000sync.$1.ratio" 1) |"
}
# latency_row TITLE FIGURE
latency_row() { echo "| $1 | $(show "latency.$2" 2) ms | $(show "latency_slack.$2" 2) ms | $(show "latency_discord.$2" 2) ms |"; }
# request_row TITLE FORMAT and stream_row TITLE FORMAT
request_row() { echo "| $1 | $(show "$2.request_splice" 2) | $(show "$2.request_first" 2) | $(show "$2.request_objects" 2) | $(show "$2.request_ratio" 1) times |"; }
stream_row() { echo "| $1 | $(show "$2.stream_cpu" 1) | $(show "$2.stream_alone_cpu" 1) |"; }
counted_instructions() { sed -n '/"telegram"/,/}/s/.*"instructions": \([0-9.]*\).*/\1/p' tests/bench/cost.json; }
# pi_row BOARD GHZ: at 1.5 and at 0.5 instructions in a cycle.
pi_row() {
	awk -v board="$1" -v ghz="$2" -v n="$(counted_instructions)" \
	    'BEGIN { printf "| %s | %.1f GHz | %.1f to %.1f ms |\n", board, ghz, n / ghz / 1.5e6, n / ghz / 5e5 }'
}
# missed_targets: how many of how many.
missed_targets() { echo "$(grep -c '| missed' "$build/targets.md") of $(($(wc -l <"$build/targets.md") - 2))"; }
# source_commit: where the tree is a clone.
source_commit() { commit=$(git rev-parse --short HEAD 2>/dev/null) && echo ", commit $commit"; }
library() { echo "$1 $(pkg-config --modversion "$2" | sed 's/-$//')"; }
npm_version() { sed -n 's/.*"version": "\([^"]*\)".*/\1/p' "$build/node/node_modules/$1/package.json" 2>/dev/null | head -n 1; }

others_span() { awk -F'\t' '$1 == "others" { if (n++ == 0 || $2 < least) least = $2; if ($2 > most) most = $2; v[n] = $2 }
	END { for (i = 1; i <= n; i++) for (k = i + 1; k <= n; k++) if (v[k] < v[i]) { x = v[i]; v[i] = v[k]; v[k] = x }
	printf "%d %% (median; %d to %d %%)", v[int((n + 1) / 2)], least, most }' "$results"; }

beside_small_bot() {
	[ ${#peers[@]} -eq 0 ] || cat <<DOC
- **Beside a small bot** on grammY (Node.js) Myna is $(show burst1000.runner.ratio 1) times as fast when that bot keeps nothing, and $(show burst1000.durable_alike.ratio 1) times when it does the same as
  Myna: ask the model the same, and commit messages and answers to disk.
DOC
}
bot_versions() {
	if [ ${#peers[@]} -eq 0 ]; then
		echo "not measured, because there was no Node.js"
	else
		echo "$(wc -l <tests/bench/bot.mjs) lines with grammY $(npm_version grammy) and its runner $(npm_version @grammyjs/runner), on Node.js $("$node" --version | tr -d v)"
	fi
}

# write_performance: the page for people.
write_performance() {
	cat <<DOC
# Performance

See what a message costs, how much a small machine can carry, and how to measure both yourself. \`tests/bench/run\` wrote this page on
$(date -u +%F), from one run of $("$build/myna" --version)$(source_commit). [Measurements](measurements.md) has all figures and targets, and the
conditions: a virtual machine with $(nproc) cores, on which the simulated platforms and model also ran.

- **At rest** Myna takes $(show idle_all.myna_mib 1) MiB of memory and $(show idle_all.cpu_percent 3) % of one core, connected to Telegram, Slack and Discord. It is ready $(show start.ready) ms
  after its start; the libraries alone take $(show start.libraries).
- **One message** costs $(show latency.both_p50 1) ms: $(show latency.in_p50 1) ms until the model is asked, and $(show latency.out_p50 1) ms from the model's answer until the platform has it
  (Telegram, medians). That includes four commits synced to disk. The rest of the time is the model's.
- **Many people at once**: Myna answers 1,000 messages in 1,000 chats at $(show burst1000.rate) a second, with $(show burst1000.cpu 2) ms of CPU time for each. Telegram
  lets a bot send 30 a second, so the platform is the limit, not Myna.
$(beside_small_bot)
- **Many answers at once**: a turn whose answer arrives takes $(show streams.kib) KiB. With $(show streams.turns) of them, Myna takes $(show streams.mib) MiB in all; with
  $(show many_streams.turns), $(show many_streams.mib) MiB.
- **A Raspberry Pi** should need a few milliseconds of CPU time for a message at most, by [an estimate](#a-raspberry-pi-estimated).
- **Not everything is as small or fast as it should be**: Myna misses $(missed_targets) [targets](measurements.md#targets).

## Beside a small bot

How many times as many messages a second does Myna answer as another bot, when many people write at once and the model answers at once?
Medians, with the quartiles. The bots take turns, burst after burst, so that other load of the machine disturbs all of them.

| The other bot | 100 messages | 1,000 messages | 100, slower disk | 1,000, slower disk |
| --- | --- | --- | --- | --- |
$(for peer in $peer_names; do ratio_row $peer; done)

The other bot is \`tests/bench/bot.mjs\`, $(bot_versions).
Its short request has only the message; the same request as Myna's has Myna's prompt, tools and history, and as many bytes. Messages on
disk are two commits to SQLite, synced: the message before the model is asked, the answer before it is sent. Myna always makes durable what
it has accepted ([responsibility](architecture.md#responsibility)). On the slower disk each sync takes 1 ms longer
(\`tests/bench/slowsync.c\`). [All figures](measurements.md#many-people-at-once).

$(tests/bench/installation --report)

## A Raspberry Pi, estimated

Nobody has measured Myna on a board. This is an estimate: the $(awk "BEGIN { printf \"%.2f\", $(counted_instructions) / 1e6 }") million instructions that Myna executes for one of many messages on Telegram
(\`tests/bench/cost.json\`, counted on x86-64, without the kernel), divided by the documented clock and by 0.5 to 1.5 instructions in a
cycle. The time of the kernel, the network and the storage comes on top.

| | Clock | CPU time of Myna for one message |
| --- | --- | --- |
$(pi_row "Raspberry Pi Zero 2 W (Cortex-A53)" 1.0
pi_row "Raspberry Pi 4 (Cortex-A72)" 1.5
pi_row "Raspberry Pi 5 (Cortex-A76)" 2.4)

## Measure it yourself

In an unpacked source tree, \`tests/bench/run\` measures all of this in less than an hour, installs what it needs, and writes this page and
[measurements](measurements.md). The environment can set the sizes (\`BENCH_…\`, in the script). \`tests/bench/run --quick\` takes one minute,
writes nothing, and fails when Myna misses a target by far. \`tests/bench/cost\` counts the instructions and system calls of one message
([what a message costs](../CONTRIBUTING.md#debugging)).
DOC
}
# write_measurements: the tables behind it.
write_measurements() {
	cat <<DOC
# Measurements

Look up each figure of Myna's [performance](performance.md), its target, and how it was measured. \`tests/bench/run\` wrote both pages.

## Conditions

- $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores (virtual), $(awk '/^MemTotal/ { printf "%.0f", $2 / 1048576 }' /proc/meminfo) GiB of memory; \
Linux $(uname -r | sed 's/-.*//'), $(. /etc/os-release && echo "$PRETTY_NAME").
- $("${CC:-gcc}" --version | head -n 1), the flags that \`configure\` chooses by itself (-O2 with hardening); glibc $(getconf GNU_LIBC_VERSION | sed 's/glibc //').
- $(library libuv libuv), $(library libcurl libcurl), $(library libwebsockets libwebsockets), $(library json-c json-c), \
$(library SQLite sqlite3), $(library libconfig libconfig), $(openssl version | cut -d' ' -f1,2).
- Writing 4 KiB durably to the disk takes $(show disk.sync_p50 2) ms (median of 300 \`fdatasync\`; 99th percentile $(show disk.sync_p99 2) ms).

**Other load.** Everything runs on this one machine, over loopback: the playground simulates the platform and the model. It is one
process with one thread, and shares the cores with the measured program: $(show playground.cpu 2) ms of CPU time a message. Other programs of the machine used
$(others_span) of its CPU time in a second before each measurement$([ ${#before[@]} -eq 0 ] || echo ", and all that is measured ran at nice -15"). The figures are therefore medians of
repeated runs, with quartiles where the runs followed each other; ratios to a bot that took its turns with Myna say more than absolute numbers.

## Targets

$(cat "$build/targets.md")

## Start and idle

From exec until the control socket says \`ready: true\`, with one channel and a database that holds 100 chats: median
$(show start.ready 1) ms, at most $(show start.ready.most 1) ms in $BENCH_START_RUNS starts. Ready means that the platform has accepted the token and that the first poll has been sent.
A program that only initialises the same libraries is ready after $(show start.libraries 1) ms (\`tests/bench/libraries.c\`, started by turns with Myna).

| Idle | RSS | of which not shared (RssAnon) |
| --- | --- | --- |
| Myna, Telegram alone | $(show idle.myna_mib 1) MiB | $(show idle.myna_own_mib 1) MiB |
| Myna, connected to Telegram, Slack and Discord | $(show idle_all.myna_mib 1) MiB | $(show idle_all.myna_own_mib 1) MiB |
| The same libraries initialised, nothing else (\`tests/bench/libraries.c\`) | $(show idle.libraries_mib 1) MiB | $(show idle.libraries_own_mib 1) MiB |

In $(show idle.polls) polls of $BENCH_IDLE_POLL_S s Myna woke $(show idle.woken 1) times per poll (voluntary context switches of all threads), that is
$(show idle.beside 1) times a minute in addition to its polls. It was preempted $(show idle.preempted 1) times per poll, and used $(show idle.cpu_percent 3) % of one core; on all three platforms, in $BENCH_IDLE_ALL_S s, $(show idle_all.cpu_percent 3) %.

## What Myna adds to one message

The benchmark sends $BENCH_LATENCY_MESSAGES messages in 50 private chats of each platform, one at a time, and the model answers at once. The playground
takes the times: when a message became visible to the poll or was sent to the socket, when a request was complete, and when its answer was complete.

| | Telegram | Slack | Discord |
| --- | --- | --- | --- |
$(latency_row "From message to model request, median" in_p50
latency_row "From message to model request, 99th percentile" in_p99
latency_row "From model answer to sent message, median" out_p50
latency_row "From model answer to sent message, 99th percentile" out_p99
latency_row "Both, median" both_p50
latency_row "Both, 99th percentile" both_p99)

Myna synced four commits to disk for each: the message, the turn, its end with the answer, and the sending of the answer.

## Many people at once

The benchmark stops the bot (SIGSTOP), adds a message in each of 100 or 1,000 private chats, and continues the bot (SIGCONT). From then on it
takes the time until the platform has each answer. Rate limits are off on both sides. The benchmark checks the answers of each chat:
none is missing, and none comes twice. The rate is messages per second until the last answer; CPU time is the bot's own. The same people
write in each burst; the first does not count. Myna and the bots on grammY take turns, each with a playground of its own. Figures are
medians with quartiles, of $BENCH_BURST_RUNS bursts, or of $BENCH_LARGE_BURST_RUNS with 1,000 messages.

| Bot and burst | Messages/s | p50, ms | p95, ms | CPU ms a message | Request to the model, KiB | Peak RSS, MiB |
| --- | --- | --- | --- | --- | --- | --- |
$(rows burst100 "100 messages"
row "Myna on Slack, 100 messages" burst100_slack
row "Myna on Discord, 100 messages" burst100_discord
rows burst1000 "1,000 messages"
rows burst100sync "100 messages, every sync 1 ms longer"
rows burst1000sync "1,000 messages, every sync 1 ms longer")

With a slow model, from SIGCONT until the last answer ($BENCH_SLOW_RUNS bursts):

| Bot and burst | All answered after, ms | CPU ms a message | Peak RSS, MiB |
| --- | --- | --- | --- |
$(slow_row "Myna, 40 chats, a model of 500 ms" slow40
slow_row "$(peer_title runner), the same" slow40.runner
slow_row "Myna, 1,000 chats, a model of 2 s" slow1000)

## What models cost

The model thinks for 600 ms, then streams for a second ($BENCH_FIRST_MESSAGES messages, one at a time): its first words reached the
chat $(show first.p50 1) ms later than the earliest possible time (median; 99th percentile $(show first.p99 1) ms), of which $(show first.to_model_p50 1) ms are on the way to the model.

While an answer arrives, a turn needs a task, a connection, its conversation, and the live preview: $(show streams.kib 1) KiB with
$(show streams.turns) at once, $(show many_streams.kib 1) KiB with $(show many_streams.turns) (RssAnon, in addition to the idle process; then $(show streams.mib) and $(show many_streams.mib) MiB RSS in all).

The next table has the CPU time, in ms, for writing a request with a conversation of 1 MiB, with calls and thinking (median of
$BENCH_REQUEST_RUNS, the kinds alternating). Myna writes the body as text: it copies the model's own messages unchanged, and keeps all other texts JSON-escaped until the end of
the turn. The first request of a turn escapes all texts and parses what it copies. For comparison, the benchmark builds the same body from json-c
objects, with the model's messages parsed and the rest copied as objects.

| | Written | The first | From objects | |
| --- | --- | --- | --- | --- |
$(request_row "Chat Completions" chat
request_row "Messages" messages
request_row "Responses" responses)

Reading a streamed answer takes this CPU time, in ms for each MiB on the wire in pieces of 25 characters (median of $BENCH_STREAM_RUNS; \`tests/bench/bench_models.c\`). For comparison,
the same bytes pass through the HTTP client unparsed:

| | Read | Passed through |
| --- | --- | --- |
$(stream_row "Chat Completions" chat
stream_row "Messages" messages
stream_row "Responses" responses)

## Acknowledgement on Slack

Slack expects an acknowledgement within three seconds, and Myna commits the event first. The benchmark sends $BENCH_ACKS messages in 20 channels, $(show acks.rate) a second, while $(show acks.turns)
turns wait for their model. Each was acknowledged $(show acks.p50 1) ms after it was sent (median; 99th percentile $(show acks.p99 1) ms, at most $(show acks.most 1) ms).

## The platform's limits

The benchmark sends $BENCH_LIMITS_MESSAGES messages to 60 chats, 3 of them groups, with the documented limits on in Myna and in the playground. At 30 messages
a second over all chats this takes $(show limits.ideal 1) s at best. It took $(show limits.took 2) s, $(show limits.over_percent 1) % more; $(show limits.refused) answers had status 429.

## A state that has grown

The large database has $BENCH_GROWTH_MESSAGES messages in $(show growth.mib) MiB, the small one a few messages. The texts use words as often as people do.

| | Small | Large |
| --- | --- | --- |
| Ready after a clean stop | $(show growth.ready_small) ms, $(show growth.ready_small.read_mib 1) MiB read | $(show growth.ready_large) ms, $(show growth.ready_large.read_mib 1) MiB read |
| Ready after kill -9 | $(show growth.killed_small) ms, $(show growth.killed_small.read_mib 1) MiB read | $(show growth.killed_large) ms, $(show growth.killed_large.read_mib 1) MiB read |
| \`GET /v1/status\` | $(show growth.status_small 2) ms | $(show growth.status_large 2) ms |

$BENCH_GROWTH_TURNS turns that were open at kill -9 ran again $(show growth.resumed) ms after the start. A step of the full-text index, which was filled message by
message, took $(show growth.index.held_p99 1) ms of the store's thread (99th percentile, CPU time; at most $(show growth.index.held_most 1) ms), and one of a search $(show growth.search.held_p99 1) ms (at most
$(show growth.search.held_most 1) ms); a search took $(show growth.search) ms (median; at most $(show growth.search.most) ms).

## Requests that wait

$(show http_plain.tasks) tasks wait in the HTTP client for an answer, from a server that never gives one (\`tests/bench/bench_http.c\`). Memory is the
growth of the process (RssAnon): stacks, curl and TLS, without kernel buffers.

| | A waiting request | Connections |
| --- | --- | --- |
| HTTP/1.1 on loopback | $(show http_plain.kib 1) KiB | $(show http_plain.connections) |
| HTTP/2 over TLS, one host | $(show http_h2.kib 1) KiB | $(show http_h2.connections) |

## The program

\`myna\`, stripped: $(show binary.mib 2) MiB, dynamically linked with the system's libraries.
DOC
}
