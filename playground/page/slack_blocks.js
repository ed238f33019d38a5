// Slack's Block Kit, as far as messages and views use it (docs.slack.dev/reference/block-kit).

import { h } from "./dom.js";
import { emojiOf } from "./emoji.js";
import { codeBlock, link } from "./inline.js";
import { markdown } from "./markdown.js";
import { inputBlock } from "./slack_input.js";
import { slackMenu } from "./slack_menu.js";
import { mrkdwn } from "./slack_text.js";

function textObject(o, cx) {
	return o.type === "mrkdwn" ? mrkdwn(o.text, cx.names) : h("div.text", null, o.text);
}

function styled(part, style) {
	let node = part;
	if (style?.code) node = h("code", null, node);
	if (style?.bold) node = h("strong", null, node);
	if (style?.italic) node = h("em", null, node);
	if (style?.strike) node = h("s", null, node);
	return node;
}

const richParts = {
	text: (p) => styled(document.createTextNode(p.text), p.style),
	link: (p) => styled(link(p.url, p.text || p.url), p.style),
	user: (p, cx) => h("span.mention", null, "@" + (cx.names?.[p.user_id] || p.user_id)),
	channel: (p, cx) => h("span.mention", null, "#" + (cx.names?.[p.channel_id] || p.channel_id)),
	broadcast: (p) => h("span.mention", null, "@" + p.range),
	emoji: (p) => document.createTextNode(emojiOf(p.name) || `:${p.name}:`),
	date: (p) => document.createTextNode(p.fallback || new Date(p.timestamp * 1000).toLocaleString()),
};

// What people type keeps mentions as "@name" in one text; those show as such, too.
function mentions(text, cx) {
	const known = new Set(Object.values(cx.names || {})), named = (t) => t === "@bot" && cx.bot ? `@${cx.bot}` : t;
	return text.split(/(@[\w-]+)/).map(named).map((t) => t[0] === "@" && known.has(t.slice(1)) ? h("span.mention", null, t) : t);
}

const rich = (list, cx) => list.map((p) => p.type === "text" && !p.style ? mentions(p.text, cx) : richParts[p.type]?.(p, cx));

function richList(part, cx) {
	return h(part.style === "ordered" ? "ol" : "ul", { class: `indent${part.indent || 0}`, start: part.offset ? String(part.offset + 1) : null },
		part.elements.map((e) => h("li", null, rich(e.elements, cx))));
}

const richBlocks = {
	rich_text_section: (p, cx) => h("span", null, rich(p.elements, cx)),
	rich_text_list: richList,
	rich_text_quote: (p, cx) => h("blockquote", null, rich(p.elements, cx)),
	rich_text_preformatted: (p) => codeBlock(p.elements.map((e) => e.text || e.url || "").join("")),
};

function element(o, cx) {
	if (o.type === "button" || o.type === "workflow_button")
		return cx.button({ id: o.action_id || o.text.text, label: o.text.text, style: o.style, url: o.url });
	if (o.type === "image") return h("span.picture", null, o.alt_text);
	if (o.type === "mrkdwn" || o.type === "plain_text") return textObject(o, cx);
	if (o.type === "feedback_buttons")
		return [o.positive_button, o.negative_button].map((b) => cx.button({ id: o.action_id, label: b.text.text }));
	return slackMenu(o, cx);
}

function section(b, cx) {
	return h("div.section", null,
		h("div.section-body", null, b.text ? textObject(b.text, cx) : null,
			b.fields ? h("div.fields", null, b.fields.map((f) => textObject(f, cx))) : null),
		b.accessory ? h("div.accessory", null, element(b.accessory, cx)) : null);
}

function cell(c, cx) {
	return c.type === "rich_text" ? c.elements.map((p) => richBlocks[p.type]?.(p, cx)) : c.text || "";
}

function table(b, cx) {
	return h("table", null, h("tbody", null, b.rows.map((row, i) =>
		h("tr", null, row.map((c) => h(i ? "td" : "th", i ? null : { scope: "col" }, cell(c, cx)))))));
}

// Nothing is fetched from elsewhere: the thumbnail is left out.
function video(b) {
	return h("div.video", null, h("div.video-play", { role: "img", "aria-label": b.alt_text }, "▶"), h("div", null,
		b.author_name || b.provider_name ? h("div.small", null, [b.provider_name, b.author_name].filter(Boolean).join(" · ")) : null,
		h("div.video-title", null, link(b.title_url || b.video_url, b.title.text)), b.description ? h("div.text", null, b.description.text) : null));
}

const marks = { complete: "✓", error: "✗", in_progress: "…", pending: "○" };

function task(b, cx) {
	return h("div.task", null, h("div", null, h("span", { "aria-hidden": "true" }, `${marks[b.status] || "○"} `), b.title || "Task",
		h("span.small", null, b.status ? ` ${b.status.replaceAll("_", " ")}` : "")),
	[b.details, b.output].filter((d) => d?.elements).map((d) => h("div.small", null, blocks.rich_text(d, cx))));
}

const blocks = {
	actions: (b, cx) => h("div.actions", null, b.elements.map((e) => element(e, cx))),
	context: (b, cx) => h("div.context", null, b.elements.map((e) => element(e, cx))),
	context_actions: (b, cx) => h("div.actions", null, b.elements.map((e) => element(e, cx))),
	divider: () => h("hr"),
	file: (b) => h("div.picture", null, `a file from elsewhere: ${b.external_id || ""}`),
	header: (b) => h("p.heading.level1", { role: "heading", "aria-level": "4" }, b.text.text),
	image: (b) => [b.title ? h("div.small", null, b.title.text) : null, h("div.picture", null, b.alt_text)],
	input: inputBlock,
	markdown: (b, cx) => markdown(b.text, { names: cx.names, discord: false }),
	plan: (b, cx) => [h("p.heading", { role: "heading", "aria-level": "4" }, b.title || "Plan"), (b.tasks || []).map((t) => task(t, cx))],
	rich_text: (b, cx) => h("div.text", null, b.elements.map((p) => richBlocks[p.type]?.(p, cx))),
	section,
	table,
	task_card: task,
	video,
};

// cx: names of ids; button makes one that can be pressed; choose tells what was chosen in a menu.
export function slackBlocks(list, cx) {
	return list.map((b) => blocks[b.type] ? blocks[b.type](b, cx) : h("div.unknown", null, `[a block of type ${b.type}]`));
}
