#!/bin/sh
# sbom.sh STATUS: the packages in a status file of dpkg as a software bill of materials (CycloneDX 1.5, JSON).
release=$(. /etc/os-release && echo "$VERSION_ID")
awk -v release="$release" '
	BEGIN { RS = ""; FS = "\n" }
	function field(name,   i) {
		for (i = 1; i <= NF; i++) if (index($i, name ": ") == 1) return substr($i, length(name) + 3)
		return ""
	}
	{
		version = field("Version")
		name = field("Package")
		source = field("Source") ? field("Source") : name
		sub(/ .*/, "", source)
		escaped = version
		gsub(/\+/, "%2B", escaped)
		purl = "pkg:deb/debian/" name "@" escaped "?arch=" field("Architecture") "&distro=debian-" release
		if (name == "myna") { of_myna = version; purl = "pkg:deb/myna/myna@" escaped "?arch=" field("Architecture") }
		left_out = field("X-Left-Out") ? sprintf(", {\"name\": \"myna:left-out\", \"value\": \"%s\"}", field("X-Left-Out")) : ""
		parts = parts (parts ? "," : "") sprintf("\n    {\"type\": \"library\", \"bom-ref\": \"%s\", \"name\": \"%s\", \"version\": \"%s\", \"purl\": \"%s\"," \
		    " \"properties\": [{\"name\": \"debian:source\", \"value\": \"%s\"}%s]}", purl, name, version, purl, source, left_out)
	}
	END {
		printf "{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,\n"
		printf "  \"metadata\": {\"component\": {\"type\": \"container\", \"bom-ref\": \"image\", \"name\": \"myna\", \"version\": \"%s\"}},\n", of_myna
		printf "  \"components\": [%s\n  ]\n}\n", parts
	}' "$1"
