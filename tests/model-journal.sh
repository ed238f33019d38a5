#!/bin/bash
# Judges the journals (myna-playground --journal) of all tests together:
#   tests/model-journal.sh FILE
# Fails when there was no request, or one that a model may not be sent. Refused keys and unknown names (401, 404) are no
# such; tests get them wrong on purpose.
set -u
invalid() {
	jq -c 'select((.problems | length) > 0 and ((.verdict == "refused" and (.status == 401 or .status == 404)) | not))'
}
# Would it be seen?
control='{"method":"messages","status":503,"verdict":"refused","problems":["tool_use without tool_result"],"fault":"failure"}'
[ "$(echo "$control" | invalid | wc -l)" -eq 1 ] || { echo "model journal: an invalid request is not seen"; exit 1; }
[ -s "$1" ] || { echo "model journal: there is none"; exit 1; }
found=$(invalid <"$1") || { echo "model journal: $1 cannot be read"; exit 1; }
count=$(printf '%s' "$found" | grep -c '^')
printf '%s' "$found" | head -n 20 | cut -c 1-2000
echo "model journal: $(wc -l <"$1") requests, $count invalid"
[ "$count" -eq 0 ]
