// Discord's commands as a person types them: /config set name: value, with subcommands, and options by their name.

const SUBCOMMAND = 1, GROUP = 2;

// One row for each that can be given: { name: "config set", about, options }.
function leaves(c, path) {
	const name = [...path, c.name], below = (c.options || []).filter((o) => o.type === SUBCOMMAND || o.type === GROUP);
	if (below.length) return below.flatMap((o) => leaves(o, name));
	const options = (c.options || []).map((o) => o.required ? o.name : `${o.name}?`);
	return [{ name: name.join(" "), about: [c.description, options.length ? `(${options.join(", ")})` : ""].filter(Boolean).join(" "), options: c.options || [] }];
}

export const discordCommands = (list) => (list || []).flatMap((c) => leaves(c, []));

// The request for POST /control/command; undefined when the text is none of the commands. Text without the name of an option is
// for the first one that takes text.
export function discordCall(list, text) {
	const rows = discordCommands(list).filter((c) => text === `/${c.name}` || text.startsWith(`/${c.name} `));
	const command = rows.sort((a, b) => b.name.length - a.name.length)[0];
	if (!command) return undefined;
	const rest = text.slice(command.name.length + 1).trim(), names = command.options.map((o) => o.name);
	const found = names.length ? [...rest.matchAll(new RegExp(`(?:^|\\s)(${names.join("|")}):`, "g"))] : [];
	const call = { command: `/${command.name}` };
	if (!found.length) return rest ? { ...call, text: rest } : call;
	call.options = Object.fromEntries(found.map((m, i) => [m[1], rest.slice(m.index + m[0].length, found[i + 1]?.index).trim()]));
	return call;
}
