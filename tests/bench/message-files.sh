#!/bin/sh
# Which sources one text message passes: runs the gateway under valgrind, lets a person say hello on the simulated Telegram, and
# prints each file of which a function ran from then until the answer was delivered, then their number by folder.
# Needs valgrind, curl and build/quickstart.
cd "$(dirname "$0")/../.." || exit 2
bin=$PWD/build/quickstart dir=$(mktemp -d) url=http://127.0.0.1:18970
"$bin/myna-playground" --listen 127.0.0.1:18970 >"$dir/playground.log" 2>&1 &
playground=$!
cat >"$dir/myna.conf" <<CONF
state = "$dir/state";
channels: { telegram: { type = "telegram"; token = "4242424242:AAEflowTestTokenOfTheFlowTests0123456"; api_base = "$url/telegram"; poll_timeout = "50 s"; allow = ["77"]; }; };
llm: { default = "script"; providers: { script: { api = "openai-chat"; base_url = "$url/v1"; key = "k"; model = "scripted"; }; }; };
CONF
chmod 600 "$dir/myna.conf"
valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file="$dir/out" "$bin/myna" -c "$dir/myna.conf" run >"$dir/log" 2>&1 &
gateway=$!
trap 'kill $gateway $playground; wait; rm -rf "$dir"' EXIT

# until_true COMMAND...: a minute at most.
until_true() {
	for _ in $(seq 60); do
		if "$@"; then return; fi
		sleep 1
	done
	echo "message-files: no $1"
	cat "$dir/log"
	exit 1
}
ready() { "$bin/myna" -c "$dir/myna.conf" status 2>&1 | grep -q '^channel telegram.*ready'; }
answered() { curl -s "$url/control/transcript?platform=telegram&chat=77" | grep -q '"bot":true.*"drafts":\[\]'; }
until_true ready
sleep 5
callgrind_control -i on $gateway >"$dir/control" 2>&1
curl -s "$url/control/say" -d '{"platform":"telegram","chat":"77","user":"77","text":"hello","kind":"private"}' >>"$dir/control"
until_true answered
callgrind_control -d $gateway >>"$dir/control" 2>&1
until_true test -e "$dir/out.1"
callgrind_annotate --threshold=100 --auto=no "$dir/out.1" | grep -oE '(src|channels)/[a-z0-9_/]+\.c' | sort -u >"$dir/files"
cat "$dir/files"
awk -F/ '{ n[$1 == "src" ? $2 : $1]++ } END { for (f in n) printf "%4d %s\n", n[f], f; printf "%4d in all\n", NR }' "$dir/files"
