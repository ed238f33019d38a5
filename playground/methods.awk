# Writes C that lists the simulated methods and their functions, from the tables that have their rows. A function has the
# name of its method, unless the row says by=ANOTHER. More such words: waits, the function may suspend; needs=, the
# permissions that the actor has to have; place=, in enum cord_place, where it does not follow from the path.
BEGIN {
	print "#include \"playground/discord/http/handlers.h\""
	print "#include \"playground/discord/world/guild.h\""
	print "#include \"playground/slack/http/method.h\""
	print "#include \"playground/telegram/http/method.h\""
	lists["telegram"] = "method methods"
	lists["slack"] = "slk_method slk_methods"
	lists["discord"] = "cord_endpoint cord_endpoints"
}
# chat.postMessage: chat_post_message
function words_of(name,    i, c, out) {
	for (i = 1; i <= length(name); i++) {
		c = substr(name, i, 1)
		out = out (c == "." || c != tolower(c) ? "_" : "") (c == "." ? "" : tolower(c))
	}
	return out
}
function place_of(path) {
	if (path ~ "^/guilds/[{]guild_id[}]")
		return "in_guild"
	if (path ~ "^/channels/[{]channel_id[}]")
		return path ~ "[{]message_id[}]" ? "in_message" : "in_channel"
	return "nowhere"
}
function columns(platform) {
	if (platform == "slack")
		return "slk_" by
	if (platform == "telegram")
		return waits ? "NULL, method_" by : "method_" by ", NULL"
	return "cord_" by ", CORD_" toupper(place) ", " needs
}
function end() {
	if (platform)
		print "    {0},\n};"
}
FNR == 1 {
	end()
	platform = FILENAME
	sub(".*playground/", "", platform)
	sub("/.*", "", platform)
	printf "\nconst struct %s[] = {\n", lists[platform]
}
$1 == "method" {
	simulated = waits = needs = 0
	by = words_of($2)
	place = ""
	for (i = 3; i <= NF && $i !~ /^#/; i++) {
		value = $i
		sub("[^=]*=", "", value)
		if ($i == "simulated")
			simulated = 1
		else if ($i == "waits")
			waits = 1
		else if ($i ~ /^by=/)
			by = value
		else if ($i ~ /^place=/)
			place = value
		else if ($i ~ /^(delete|get|patch|post|put)=/ && !place)
			place = place_of(value)
		else if ($i ~ /^needs=/) {
			gsub("[A-Z_]+", "CORD_MAY_&", value)
			gsub("[|]", " | ", value)
			needs = value
		}
	}
	if (simulated)
		printf "    {\"%s\", %s},\n", $2, columns(platform)
}
END {
	end()
}
