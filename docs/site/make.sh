#!/bin/bash
# Makes a site from README.md, docs and what they link to: pages that can be read and searched from a folder or any web server.
# docs/site/make.sh FOLDER          (pandoc does the work; Debian: apt-get install pandoc)
set -eu -o pipefail
out=$(realpath -m "${1:?usage: docs/site/make.sh FOLDER}")
cd "$(dirname "$0")/../.."
command -v pandoc >/dev/null || { echo "docs/site/make.sh: pandoc is missing: apt-get install pandoc" >&2; exit 1; }

pages=$(ls README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md docs/*.md docs/recipes/*.md)
# Where a page is in the site.
address() { sed 's,README\.md$,index.md,; s,md$,html,' <<<"$1"; }
# The list of pages beside each, from the tables of docs/README.md. ROOT is how a page gets to the top.
navigation() {
	echo '<a href="ROOTindex.html">Myna</a>'
	sed -n 's,^\([A-Z].*\):$,<h2>\1</h2>,p; s,^| \[\([^]]*\)\](\([^)]*\)\.md) |.*,<a href="ROOTdocs/\2.html">\1</a>,p' docs/README.md
	echo '<h2>The project</h2><a href="ROOTCHANGELOG.html">changelog</a><a href="ROOTCONTRIBUTING.html">contributing</a><a href="ROOTSECURITY.html">security reports</a>'
}

rm -rf "$out"
mkdir -p "$out"
cp docs/site/site.css docs/site/search.js "$out"
echo 'window.sections = [' >"$out/search-index.js"
for page in $pages; do
	file=$(address "$page")
	mkdir -p "$out/$(dirname "$file")"
	root=$(dirname "$file" | sed 's,[^/.][^/]*,..,g; s,$,/,; s,^\./$,,')
	# What follows the language of a block is for tests.
	sed 's/^\( *```[a-z]\+\) .*/\1/' "$page" |
	    SITE_FILE=$file SITE_OUT=$out pandoc -f gfm -t html5 --template docs/site/page.html --lua-filter docs/site/page.lua \
		-V root="$root" -V navigation="$(navigation | sed "s,ROOT,$root,g")" |
	    sed 's,<a href="#cb[^>]*></a>,,' >"$out/$file" # no links to lines of code
done
echo '];' >>"$out/search-index.js"
# Pictures, examples and the licence.
sort -u "$out/files" | while read -r file; do
	file=$(realpath --relative-to=. "$file")
	mkdir -p "$out/$(dirname "$file")"
	cp "$file" "$out/$file"
done
rm "$out/files"
echo "$out/index.html: $(wc -w <<<"$pages") pages"
