// Telegram: rich messages (Bot API, RichMessage).

import { h } from "./dom.js";
import { codeBlock, link, spoiler } from "./inline.js";

const mention = (c) => h("span.mention", null, c);
const texts = {
	anchor: () => null,
	bold: (c) => h("strong", null, c),
	bot_command: (c) => h("span.command", null, c),
	cashtag: mention,
	code: (c) => h("code", null, c),
	custom_emoji: (c, t) => t.alternative_text,
	email_address: (c, t) => link(`mailto:${t.email_address}`, c),
	hashtag: mention,
	italic: (c) => h("em", null, c),
	marked: (c) => h("mark", null, c),
	mathematical_expression: (c, t) => h("code", null, t.expression),
	mention,
	spoiler: (c) => spoiler(c),
	strikethrough: (c) => h("s", null, c),
	subscript: (c) => h("sub", null, c),
	superscript: (c) => h("sup", null, c),
	text_mention: mention,
	underline: (c) => h("u", null, c),
	url: (c, t) => link(/^[a-z]+:/i.test(t.url) ? t.url : `https://${t.url}`, c),
};

// A RichText is a text, an array of them, or an object around one.
function say(text) {
	if (Array.isArray(text)) return text.map(say);
	if (!text || typeof text === "string") return text || "";
	const inside = say(text.text);
	return texts[text.type] ? texts[text.type](inside, text) : h("span", null, inside);
}

const plain = (text) => Array.isArray(text) ? text.map(plain).join("") : typeof text === "string" ? text : plain(text?.text || "");
const below = (...parts) => parts.map((text) => text ? h("p.small", null, say(text)) : null);
const media = (name) => (b) => [h("span.picture", null, `[${name}]`), below(b.caption?.text, b.caption?.credit)];
const several = (b) => h("div", null, show(b.blocks), below(b.caption?.text, b.caption?.credit));

function item(i) {
	const box = i.has_checkbox ? h("input", { type: "checkbox", checked: Boolean(i.is_checked), disabled: true,
		"aria-label": i.is_checked ? "Done" : "To do" }) : null;
	return h("li", { value: i.value, type: i.type, class: box ? "task" : null }, box, show(i.blocks));
}

const cell = (c) => h(`${c.is_header ? "th" : "td"}.${c.align}`, { colspan: c.colspan, rowspan: c.rowspan }, say(c.text));

const blocks = {
	anchor: () => null,
	animation: media("animation"),
	audio: media("audio"),
	blockquote: (b) => h("blockquote", null, show(b.blocks), below(b.credit)),
	collage: several,
	details: (b) => h("details", { open: Boolean(b.is_open) }, h("summary", null, say(b.summary)), show(b.blocks)),
	divider: () => h("hr"),
	document: media("document"),
	expandable_blockquote: (b) => h("blockquote", null, h("p", null, say(b.text)), below(b.credit)),
	footer: (b) => h("p.small", null, say(b.text)),
	heading: (b) => h(`p.heading.level${Math.min(b.size, 3)}`, { role: "heading", "aria-level": String(Math.min(b.size + 3, 6)) }, say(b.text)),
	list: (b) => h(b.items?.[0]?.value === undefined ? "ul" : "ol", null, b.items?.map(item)),
	map: (b) => [link(`https://www.openstreetmap.org/?mlat=${b.location?.latitude}&mlon=${b.location?.longitude}`, "[map]"),
		below(b.caption?.text, b.caption?.credit)],
	mathematical_expression: (b) => codeBlock(b.expression, "math"),
	paragraph: (b) => h("p", null, say(b.text)),
	photo: media("photo"),
	pre: (b) => codeBlock(plain(b.text), b.language),
	pullquote: (b) => h("blockquote", null, h("p", null, say(b.text)), below(b.credit)),
	slideshow: several,
	table: (b) => h("table", null, b.caption ? h("caption", null, say(b.caption)) : null,
		h("tbody", null, b.cells?.map((row) => h("tr", null, row.map(cell))))),
	thinking: (b) => h("p.gone", null, say(b.text)),
	video: media("video"),
	voice_note: media("voice note"),
};

function show(list) {
	return (list || []).map((b) => blocks[b.type] ? blocks[b.type](b) : h("div.unknown", null, `[a block of type ${b.type}]`));
}

export function telegramRich(rich) {
	return h("div.text.markdown", rich.is_rtl ? { dir: "rtl" } : null, show(rich.blocks));
}
