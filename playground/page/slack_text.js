// Slack: mrkdwn, where & < > stand as entities and <…> is a mention or a link.

import { h } from "./dom.js";
import { emojiOf } from "./emoji.js";
import { codeBlock, inline, link, tidyBlocks } from "./inline.js";

const entities = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };
const plainText = (text) => text.replace(/&(?:amp|lt|gt);/g, (e) => entities[e]);

function special(body, names) {
	const [target, label] = body.split("|"), id = target.slice(1);
	if (target[0] === "@") return h("span.mention", null, "@" + (label || names?.[id] || id));
	if (target[0] === "#") return h("span.mention", null, "#" + (label || names?.[id] || id));
	if (target[0] === "!") return h("span.mention", null, label || "@" + id.split("^")[0]);
	return link(plainText(target), plainText(label || target.replace(/^mailto:/, "")));
}

// Marks count only where a word begins and ends.
function mark(tag) {
	return (m, inner, before) => /\w/.test(before || "") ? null : h(tag, null, inner(m[1]));
}

function rules(names) {
	return [
		[/```\n?([\s\S]+?)\n?```/y, (m) => codeBlock(plainText(m[1]))],
		[/`([^`\n]+)`/y, (m) => h("code", null, plainText(m[1]))],
		[/<([^<>\n]+)>/y, (m) => special(m[1], names)],
		[/&(?:amp|lt|gt);/y, (m) => document.createTextNode(entities[m[0]])],
		[/\*(?=\S)([^*\n]*[^*\s])\*(?!\w)/y, mark("strong")],
		[/_(?=\S)([^_\n]*[^_\s])_(?!\w)/y, mark("em")],
		[/~(?=\S)([^~\n]*[^~\s])~(?!\w)/y, mark("s")],
		[/:([a-z0-9_+-]+):/y, (m) => emojiOf(m[1]) ? document.createTextNode(emojiOf(m[1])) : null],
	];
}

// Quoted lines are one quotation; a code block may hold lines that only look quoted.
export function mrkdwn(text, names) {
	const table = rules(names), out = [], lines = text.split("\n");
	let plain = [], fence = false;
	const flush = () => {
		if (plain.length) out.push(...inline(plain.join("\n"), table));
		plain = [];
	};
	for (let i = 0; i < lines.length; i++) {
		const quoted = (l) => /^(?:&gt;|>) ?/.test(l || "");
		if (!fence && quoted(lines[i])) {
			const body = [];
			while (quoted(lines[i])) body.push(lines[i++].replace(/^(?:&gt;|>) ?/, ""));
			i--;
			flush();
			out.push(h("blockquote", null, inline(body.join("\n"), table)));
			continue;
		}
		if ((lines[i].match(/```/g) || []).length % 2) fence = !fence;
		plain.push(lines[i]);
	}
	flush();
	return tidyBlocks(h("div.text", null, out));
}
