#!/bin/sh
# A PostgreSQL server for tests, on a socket in its folder, that all programs of a run share; each makes databases of its own.
#
#   postgres-cluster.sh find                           ends with status 77 if no server is installed
#   postgres-cluster.sh share DIR [SETTING=VALUE]...   starts it unless it runs, and something that ends it when nobody holds DIR/users
#   postgres-cluster.sh start DIR [SETTING=VALUE]...   starts one that is not shared
#   postgres-cluster.sh crash DIR                      ends it at once: it recovers at its next start
#   postgres-cluster.sh standby DIR PRIMARY            starts one that follows that of the folder PRIMARY
#   postgres-cluster.sh promote DIR                    makes it one of its own
#   postgres-cluster.sh kill DIR                       kills its first process, and waits until the others have noticed
#   postgres-cluster.sh pause DIR | resume DIR         stops all its processes, or lets them go on
#   postgres-cluster.sh remove DIR
#   postgres-cluster.sh receive DIR TO                 takes its log as a standby does, into the folder TO, until it is killed
#
# Who uses it holds DIR.start (exclusively) meanwhile, then DIR/users (shared): tests/lib/postgres.c. initdb refuses root, so that
# root's server runs as another user.
set -u
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -t / -k 5 -V | tail -n 1)
[ -n "$bin" ] || bin=$(dirname "$(command -v initdb || echo none/initdb)")
[ -x "$bin/initdb" ] || { echo "PostgreSQL's server is not installed (Debian: postgresql)" >&2; exit 77; }

as_user() {
	if [ "$(id -u)" -ne 0 ]; then
		"$@"
	else
		user=$(id -un postgres 2>/dev/null || echo nobody)
		setpriv --reuid="$user" --regid="$(id -gn "$user")" --clear-groups -- "$@"
	fi
}

runs() {
	[ -f "$dir/data/postmaster.pid" ] && as_user "$bin/pg_ctl" -D "$dir/data" status >/dev/null 2>&1
}

own() {
	[ "$(id -u)" -ne 0 ] || chown "$(id -un postgres 2>/dev/null || echo nobody)" "$1"
}

# failed LOG...: says why at the end, and keeps that in a line for the program that wanted the server.
failed() {
	cat "$@" >&2
	{ grep -h -E 'error|FATAL|could not|DETAIL' "$@" || tail -q -n 2 "$@"; } | tr '\n' ' ' >"$dir/why"
	df "$dir" /dev/shm >&2
	exit 1
}

make_files() {
	as_user "$bin/initdb" -D "$dir/data" -U myna -A trust --no-sync -E UTF8 --locale=C.UTF-8 >"$dir/initdb.log" 2>&1 && : >"$dir/made"
}

# room FOLDER: in KiB, for all users; a disk may keep its last room for root.
room() {
	df -Pk "$1" | awk 'NR == 2 { print $4 }'
}

# The folder of a server, in memory when the disk is nearly full: a server without room answers each statement with an error.
make_folder() {
	mkdir -p "$dir"
	if [ -z "$(ls -A "$dir")" ] && [ "$(room "$dir")" -lt 2097152 ] && [ "$(room /dev/shm)" -gt "$(room "$dir")" ]; then
		memory=$(mktemp -d /dev/shm/myna-postgres.XXXXXX) && rmdir "$dir" && ln -s "$memory" "$dir"
	fi
	: >>"$dir/users" && own "$dir/." && cd "$dir" || exit 1
}

remove_files() {
	# One that was killed leaves its System V segment.
	[ ! -f "$dir/data/postmaster.pid" ] || ipcrm -m "$(awk 'NR == 7 { print $2 }' "$dir/data/postmaster.pid")" 2>/dev/null
	rm -rf "$dir/data" "$dir/made"
}

start() {
	dir=$1
	shift
	make_folder
	[ -f made ] || { remove_files && make_files; } || failed initdb.log
	# A killed server would leave its segments in /dev/shm.
	options="-c listen_addresses= -c unix_socket_directories=$dir -c max_connections=300 -c autovacuum=off -c jit=off -c dynamic_shared_memory_type=mmap"
	for setting in "$@"; do
		options="$options -c $setting"
	done
	as_user "$bin/pg_ctl" -D "$dir/data" -s -w -t 120 -l "$dir/log" -o "$options" start >"$dir/start.log" 2>&1 </dev/null ||
	    failed "$dir/start.log" "$dir/log"
}

share() {
	dir=$1
	runs && return
	start "$@"
	# Descriptors of the caller would keep what it holds.
	setsid sh "$0" end "$dir" >/dev/null 2>&1 </dev/null 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
}

crash() {
	as_user "$bin/pg_ctl" -D "$1/data" -s -w -t 120 -m immediate stop
}

standby() {
	dir=$1 primary=$2
	make_folder
	as_user "$bin/pg_basebackup" -D "$dir/data" -h "$primary" -U myna -R -c fast --no-sync >backup.log 2>&1 || failed backup.log
	: >made
	start "$dir"
}

promote() {
	as_user "$bin/pg_ctl" -D "$1/data" -s -w -t 120 promote
}

# processes DIR: the first one first, which starts the others.
processes() {
	first=$(head -n 1 "$1/data/postmaster.pid")
	echo "$first" $(ps -o pid= --ppid "$first")
}

kill() {
	all=$(processes "$1")
	command kill -KILL "${all%% *}"
	for process in $all; do
		while command kill -0 "$process" 2>/dev/null; do sleep 0.02; done
	done
}

pause() {
	command kill -STOP "$(head -n 1 "$1/data/postmaster.pid")"
	# shellcheck disable=SC2046
	command kill -STOP $(processes "$1")
}

resume() {
	# shellcheck disable=SC2046
	command kill -CONT $(processes "$1")
}

remove() {
	dir=$1
	! runs || crash "$1"
	remove_files
	rm -rf "$(readlink -f "$1")" "$1"
}

# Ends it when nobody has used it for some seconds: the programs of a run come one after another.
end() {
	dir=$1
	while :; do
		flock -x "$dir/users" true 2>/dev/null || return
		sleep 5
		(
			flock -x 8
			flock -xn 9 || exit 1
			remove "$dir"
			rm -f "$dir.start"
		) 8>>"$dir.start" 9>>"$dir/users" && break
	done
}

find() { :; } # it was found above

receive() {
	mkdir -p "$2" && exec "$bin/pg_receivewal" -h "$1" -U myna -D "$2" --no-loop
}

command=$1
shift
"$command" "$@"
