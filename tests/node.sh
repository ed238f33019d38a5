# Node.js and the npm packages that a package.json pins; sourced after tests/packages.sh, from the root.

# node_prepare DIR [FROM]: installs what FROM/package.json names (tests) into DIR, unless it is there. Sets $node to Node.js;
# on failure $node_why to why there is none. Several may prepare one DIR at a time: the first installs, and the others wait.
node_prepare() {
	mkdir -p "$1" || return 1
	exec 9>"$1/lock" && flock 9 && node_install "$@"
	set -- $?
	exec 9>&-
	return "$1"
}

node_install() {
	from=${2-tests}
	node=$1/node_modules/.bin/node
	node_why=
	if cmp -s "$from/package-lock.json" "$1/installed.json" && "$node" --version >/dev/null 2>&1; then return 0; fi
	if ! command -v npm >/dev/null && ! packages_install npm >&2; then
		node_why="there is no npm, and it could not be installed"
		return 1
	fi
	rm -f "$1/installed.json"
	cp "$from/package.json" "$from/package-lock.json" "$1/" || return 1
	if ! (cd "$1" && npm ci --prefer-offline --ignore-scripts --no-audit --no-fund --no-update-notifier) >"$1/npm.log" 2>&1; then
		tail -n 5 "$1/npm.log" >&2
		node_why="npm could not get the packages: is the registry in reach?"
		return 1
	fi
	if ! "$node" --version >/dev/null 2>&1; then
		node_why="npm has no Node.js for this machine"
		return 1
	fi
	cp "$from/package-lock.json" "$1/installed.json"
}
