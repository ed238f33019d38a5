// Telegram: text with entities (Bot API, MessageEntity). Offsets are UTF-16 units, as those of JavaScript.

import { h } from "./dom.js";
import { codeBlock, link, spoiler, tidyBlocks } from "./inline.js";
import { telegramRich } from "./telegram_rich.js";

const makers = {
	blockquote: (c) => h("blockquote", null, c),
	bold: (c) => h("strong", null, c),
	bot_command: (c) => h("span.command", null, c),
	code: (c) => h("code", null, c),
	email: (c, e, text) => link(`mailto:${text}`, c),
	expandable_blockquote: (c) => expandable(c),
	hashtag: (c) => h("span.mention", null, c),
	italic: (c) => h("em", null, c),
	mention: (c) => h("span.mention", null, c),
	pre: (c, e, text) => codeBlock(text, e.language),
	spoiler: (c) => spoiler(c),
	strikethrough: (c) => h("s", null, c),
	text_link: (c, e) => link(e.url, c),
	text_mention: (c) => h("span.mention", null, c),
	underline: (c) => h("u", null, c),
	url: (c, e, text) => link(/^[a-z]+:/i.test(text) ? text : `https://${text}`, c),
};

function expandable(children) {
	const quote = h("blockquote.folded", null, children);
	const more = h("button.more", { type: "button", "aria-expanded": "false", onclick: () => {
		const folded = quote.classList.toggle("folded");
		more.textContent = folded ? "Show more" : "Show less";
		more.setAttribute("aria-expanded", String(!folded));
	} }, "Show more");
	return h("div", null, quote, more);
}

function part(text, entities, from, to) {
	const nodes = [];
	let at = from;
	for (let i = 0; i < entities.length; i++) {
		const e = entities[i], end = Math.min(e.offset + e.length, to);
		if (e.offset < at || e.offset >= to) continue;
		if (e.offset > at) nodes.push(text.slice(at, e.offset));
		const children = part(text, entities.slice(i + 1), e.offset, end);
		nodes.push((makers[e.type] || ((c) => h("span", null, c)))(children, e, text.slice(e.offset, end)));
		at = end;
	}
	if (at < to) nodes.push(text.slice(at, to));
	return nodes;
}

export function telegramText(message) {
	if (message.rich_message) return [telegramRich(message.rich_message)];
	return message.text ? [tidyBlocks(h("div.text", null, part(message.text, message.entities || [], 0, message.text.length)))] : [];
}
