// Discord: embeds and components under, or in place of, a message's text.

import { h, selectedValues } from "./dom.js";
import { link } from "./inline.js";
import { markdown } from "./markdown.js";

function field(f, cx) {
	return h("div.field", { class: f.inline ? "field inline-field" : "field" }, h("div.field-name", null, f.name),
		markdown(f.value || "", cx));
}

function embed(e, cx) {
	const box = h("div.embed", null,
		e.author ? h("div.embed-author", null, e.author.name) : null,
		e.title ? h("div.embed-title", null, e.url ? link(e.url, e.title) : e.title) : null,
		e.description ? markdown(e.description, cx) : null,
		e.fields?.length ? h("div.fields", null, e.fields.map((f) => field(f, cx))) : null,
		e.image ? h("div.picture", null, "[image]") : null,
		e.footer || e.timestamp ? h("div.embed-footer", null, [e.footer?.text, e.timestamp && new Date(e.timestamp).toLocaleString()]
			.filter(Boolean).join(" • ")) : null);
	if (e.color) box.style.setProperty("--embed", "#" + e.color.toString(16).padStart(6, "0"));
	return box;
}

const styles = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };

// A single choice goes to the bot at once, several with a button.
function menu(c, cx) {
	const many = (c.max_values || 1) > 1, word = c.placeholder || "Make a selection";
	const select = h("select", { "aria-label": c.placeholder || "Choose", disabled: Boolean(c.disabled), multiple: many,
		onchange: () => !many && select.value && cx.press(c.custom_id, [select.value]) },
	many ? null : h("option", { value: "" }, word), (c.options || []).map((o) => h("option", { value: o.value, selected: Boolean(o.default) }, o.label)));
	return many ? [select, h("button.press", { type: "button", disabled: Boolean(c.disabled),
		onclick: () => cx.press(c.custom_id, selectedValues(select)) }, "Choose")] : select;
}

export const listed = (text) => text.split(",").map((name) => name.trim()).filter(Boolean);

// People, roles and channels are chosen by their names, several with commas between them.
function nameMenu(c, cx) {
	const many = (c.max_values || 1) > 1, word = c.placeholder || (many ? "Names" : "Name");
	return h("input", { placeholder: word, "aria-label": word, disabled: Boolean(c.disabled),
		onkeydown: (e) => e.key === "Enter" && e.target.value && cx.press(c.custom_id, many ? listed(e.target.value) : [e.target.value]) });
}

// Discord: components reference, types.
const components = {
	1: (c, cx) => h("div.actions", null, parts(c.components, cx)),
	2: (c, cx) => cx.button({ id: c.custom_id, label: [c.emoji?.name, c.label].filter(Boolean).join(" "), style: styles[c.style],
		url: c.url, disabled: c.disabled }),
	3: menu,
	5: nameMenu,
	6: nameMenu,
	7: nameMenu,
	8: nameMenu,
	9: (c, cx) => h("div.section", null, h("div.section-body", null, parts(c.components, cx)),
		c.accessory ? h("div.accessory", null, parts([c.accessory], cx)) : null),
	10: (c, cx) => markdown(c.content, cx),
	11: (c) => h("span.picture", null, c.description || "[image]"),
	12: (c) => h("div.picture", null, plainCount(c.items)),
	13: (c) => h("div.picture", null, c.file?.url || "[file]"),
	14: (c) => h(c.divider === false ? "div.gap" : "hr"),
	17: (c, cx) => {
		const box = h("div.embed", null, parts(c.components, cx));
		if (c.accent_color) box.style.setProperty("--embed", "#" + c.accent_color.toString(16).padStart(6, "0"));
		return box;
	},
};

function plainCount(items) {
	return `[${(items || []).length} pictures]`;
}

function parts(list, cx) {
	return (list || []).map((c) => components[c.type]?.(c, cx) || h("span.unknown", null, "[a component that is not shown]"));
}

function poll(p, cx) {
	const counts = new Map((p.results?.answer_counts || []).map((row) => [row.id, row.count]));
	return h("div.embed", null, h("div.embed-title", null, p.question.text),
		p.answers.map((a) => h("button.press", { type: "button", disabled: Boolean(p.results?.is_finalized), onclick: () => cx.vote(a.answer_id) },
			[a.poll_media.emoji?.name, a.poll_media.text, `(${counts.get(a.answer_id) || 0})`].filter(Boolean).join(" "))),
		p.results?.is_finalized ? h("div.embed-footer", null, "The poll is over.") : null);
}

export function discordBody(m, cx) {
	return [m.text ? markdown(m.text, cx) : null, m.poll ? poll(m.poll, cx) : null, (m.embeds || []).map((e) => embed(e, cx)), parts(m.components, cx)];
}
