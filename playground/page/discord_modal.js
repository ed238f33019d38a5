// The modal that a bot has opened for a person on Discord: what is filled in goes to the bot by the custom_id of each field.

import { filesOf } from "./api.js";
import { h, labelled, newId, selectedValues } from "./dom.js";
import { listed } from "./discord_parts.js";
import { markdown } from "./markdown.js";

function text(c) {
	const attributes = { placeholder: c.placeholder, maxlength: String(c.max_length || 4000) };
	const node = c.style === 2 ? h("textarea", { ...attributes, rows: "3" }) : h("input", { type: "text", ...attributes });
	node.value = c.value || "";
	return { node, value: () => node.value };
}

function menu(c) {
	const many = (c.max_values || 1) > 1;
	const node = h("select", { multiple: many }, many ? null : h("option", { value: "" }, c.placeholder || "Make a selection"),
		c.options.map((o) => h("option", { value: o.value, selected: Boolean(o.default) }, o.label)));
	return { node, value: () => some(selectedValues(node)) };
}

// People, roles and channels by their names, with commas between them.
function names(c) {
	const node = h("input", { type: "text", placeholder: c.placeholder || "Names" });
	return { node, value: () => some(listed(node.value)) };
}

function boxes(c) {
	const type = c.type === 21 ? "radio" : "checkbox", name = newId("choice"), node = h("div", null);
	node.append(...c.options.map((o) => h("label.choice", null, h("input", { type, name, value: o.value, checked: Boolean(o.default) }), o.label)));
	const marked = () => [...node.querySelectorAll(":checked")].map((i) => i.value);
	return { node, value: () => type === "radio" ? marked()[0] : some(marked()) };
}

function box(c) {
	const node = h("input", { type: "checkbox", checked: Boolean(c.default) });
	return { node, value: () => node.checked };
}

function files(c) {
	const node = h("input", { type: "file", multiple: (c.max_values || 1) > 1 });
	return { node, value: async () => some(await filesOf([...node.files])) };
}

const some = (list) => list.length ? list : undefined;

// Discord: components reference, types.
const kinds = { 3: menu, 4: text, 5: names, 6: names, 7: names, 8: names, 19: files, 21: boxes, 22: boxes, 23: box };

function field(c, label, about, filled) {
	const { node, value } = kinds[c.type](c);
	filled.set(c.custom_id, value);
	return labelled(label, c.required === false, about, node);
}

function part(c, cx, filled) {
	if (c.type === 18) return field(c.component, c.label, c.description, filled);
	if (c.type === 1) return field(c.components[0], c.components[0].label, null, filled);
	return c.content ? markdown(c.content, cx) : null;
}

function modal(room, { id, modal: view }) {
	const filled = new Map(), cx = { names: room.chat.about?.names, bot: room.chat.about?.bot_name }, which = { interaction_id: id };
	const submit = async () => {
		const rows = await Promise.all([...filled].map(async ([name, value]) => [name, await value()]));
		room.act("submit", { ...which, fields: Object.fromEntries(rows.filter(([, value]) => value !== undefined)) });
	};
	return h("section.view", { role: "dialog", "aria-label": view.title }, h("header", null, h("strong", null, view.title)),
		view.components.map((c) => part(c, cx, filled)),
		h("footer", null, h("button.press", { type: "button", onclick: () => room.act("close", which) }, "Cancel"),
			h("button.press.primary", { type: "button", onclick: submit }, "Submit")));
}

// Drawn anew only when there is another one: a person may be filling it in.
export class DiscordModal {
	constructor(room) {
		this.room = room;
		this.node = h("div.views");
	}

	render() {
		const open = this.room.chat?.interactions?.findLast((i) => i.modal && i.from === this.room.pane.me);
		if (this.shown === open?.id) return;
		this.shown = open?.id;
		this.node.replaceChildren(...open ? [modal(this.room, open)] : []);
	}
}
