#!/bin/bash
# Runs the tests of the playground's clients for JavaScript and Python against a playground of build folder $1, and prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/packages.sh
. tests/node.sh

build=${1:-build/check}
node=$(command -v node) || node_prepare "$build/third-party" || node=
coproc SERVER { exec "$build/myna-playground" --listen 127.0.0.1:0; }
read -r -u "${SERVER[0]}" line || exit 1
export PLAYGROUND=${line#listening on } PYTHONDONTWRITEBYTECODE=1
status=0

# try NUMBER NAME COMMAND...
try() {
	if said=$("${@:3}" 2>&1); then
		echo "ok $1 - $2"
	else
		echo "not ok $1 - $2"
		printf '%s\n' "$said" | sed 's/^/# /'
		status=1
	fi
}

try 1 python env -C playground/clients/python python3 -m unittest
if [ -n "$node" ]; then
	try 2 javascript env -C playground/clients/javascript "$node" --test
else
	echo "ok 2 - javascript # SKIP $node_why"
fi
echo "1..2"
kill "$SERVER_PID"
exit $status
