// Chats to begin with: on each platform a private one for everybody, a group or channel, and one with topics or threads.

import { post } from "./api.js";

const groups = [
	{ platform: "telegram", chat: "-1001", kind: "group", user: "ann", title: "Ops" },
	{ platform: "telegram", chat: "-1002000000001", kind: "group", user: "ann", title: "Forum", forum: true },
	{ platform: "slack", chat: "release", kind: "channel", user: "ann" },
	{ platform: "slack", chat: "general", kind: "channel", user: "ann" },
	{ platform: "discord", chat: "200000000000000001", kind: "group", user: "ann", title: "builds" },
	{ platform: "discord", chat: "general", kind: "group", user: "ann" },
];
const topics = [
	{ platform: "telegram", chat: "-1002000000001", user: "ann", action: "create", name: "Releases" },
	{ platform: "discord", chat: "general", kind: "group", user: "ann", action: "create", thread: "ideas", name: "ideas" },
];

function isThere(world, row) {
	return world.of(row.platform).some((c) => c.kind !== "private" && [c.chat, c.title].includes(row.chat));
}

// True when something was made.
export async function seed(world) {
	const missing = groups.filter((row) => !isThere(world, row)), made = new Set(missing.map((r) => r.platform + r.chat));
	for (const platform of ["telegram", "slack", "discord"])
		if (!world.of(platform).some((c) => c.kind === "private"))
			missing.push({ platform, chat: "ann", user: "ann", kind: "private" });
	for (const row of missing) await post("chat", row);
	for (const row of topics) if (made.has(row.platform + row.chat)) await post("topic", row);
	return missing.length > 0;
}
