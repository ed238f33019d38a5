// A request to a model as a list that people can read: who says what, in each of the three wire formats.

function textOf(content) {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	return content.map((c) => typeof c === "string" ? c : c.text || (/image/.test(c.type) ? "[an image]" : "")).filter(Boolean).join("\n");
}

const parsed = (text) => {
	try { return JSON.parse(text); } catch { return text; }
};

// Chat Completions.
function ofMessage(m) {
	if (m.role === "tool") return [{ who: "tool", id: m.tool_call_id, text: textOf(m.content) }];
	return [{ who: m.role === "developer" ? "system" : m.role, text: textOf(m.content),
		calls: (m.tool_calls || []).map((c) => ({ id: c.id, name: c.function?.name, arguments: parsed(c.function?.arguments) })) }];
}

// Anthropic's Messages: results stand in a message of the user.
function ofBlocks(m) {
	if (!Array.isArray(m.content)) return [{ who: m.role, text: textOf(m.content) }];
	const results = m.content.filter((c) => c.type === "tool_result").map((c) => ({ who: "tool", id: c.tool_use_id, text: textOf(c.content) }));
	const text = textOf(m.content.filter((c) => c.type === "text" || c.type === "image"));
	const calls = m.content.filter((c) => c.type === "tool_use").map((c) => ({ id: c.id, name: c.name, arguments: c.input }));
	return text || calls.length ? [...results, { who: m.role, text, calls }] : results;
}

// Responses.
function ofItem(item) {
	if (item.type === "function_call") return [{ who: "assistant", text: "", calls: [{ id: item.call_id, name: item.name, arguments: parsed(item.arguments) }] }];
	if (item.type === "function_call_output") return [{ who: "tool", id: item.call_id, text: textOf(item.output) }];
	return item.role ? [{ who: item.role === "developer" ? "system" : item.role, text: textOf(item.content) }] : [];
}

// [{ who: "system", "user", "assistant" or "tool", text, calls?: [{ id, name, arguments }], id? of a result }]
export function promptOf(body) {
	if (!body || typeof body !== "object") return [];
	const system = textOf(body.system || body.instructions), list = body.messages || (Array.isArray(body.input) ? body.input : [{ role: "user", content: body.input }]);
	const isBlocks = body.system !== undefined || (body.messages || []).some((m) => Array.isArray(m.content) && m.content.some((c) => /^tool_/.test(c.type)));
	return [...system ? [{ who: "system", text: system }] : [], ...list.flatMap(body.messages ? isBlocks ? ofBlocks : ofMessage : ofItem)];
}

const heading = /^(\[[^\]\n]*\]\n(> [^\n]*\n)*)+/; // when and where something was said

export function withoutHeading(text) {
	return text.replace(heading, "");
}
