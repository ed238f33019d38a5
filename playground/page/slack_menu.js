// Slack's menus and pickers outside of input blocks: a choice goes to the app at once.

import { h, newId, selectedValues } from "./dom.js";

const nothing = "Nothing can be chosen here: POST /control/press can";
const word = (o) => o.placeholder?.text || o.type.replaceAll("_", " ");

// Ids of people, or of conversations, with their names.
const known = (letters, cx) => Object.entries(cx.names || {}).filter(([id]) => letters.includes(id[0])).map(([value, text]) => ({ text, value }));
export const allOptions = (o) => [...(o.options || []), ...(o.option_groups || []).flatMap((g) => g.options)];
const offered = (o) => allOptions(o).map((x) => ({ text: x.text.text, value: x.value }));

const offers = {
	channels_select: (o, cx) => known("C", cx),
	conversations_select: (o, cx) => known("CG", cx),
	overflow: offered,
	radio_buttons: offered,
	static_select: offered,
	users_select: (o, cx) => known("UW", cx),
};
export const takesMany = (o) => o.type.startsWith("multi_");
// What can be chosen; undefined where the playground cannot tell.
const optionsOf = (o, cx) => offers[o.type.replace("multi_", "")]?.(o, cx);

// The values of what is chosen at first.
export function initialOf(o) {
	const initial = o.initial_option ?? o.initial_options ?? o.initial_user ?? o.initial_users ?? o.initial_channel ?? o.initial_channels ??
		o.initial_conversation ?? o.initial_conversations ?? [];
	return [initial].flat().map((x) => x.value ?? x);
}

export function selectNode(o, cx, { now, onchange, ...more }) {
	return h("select", { multiple: takesMany(o), onchange, ...more }, takesMany(o) ? null : h("option", { value: "" }, word(o)),
		optionsOf(o, cx).map((x) => h("option", { value: x.value, selected: now.includes(x.value) }, x.text)));
}

function menu(o, cx) {
	const choose = ({ target }) => {
		if (takesMany(o)) cx.choose(o.action_id, selectedValues(target));
		else if (target.value) cx.choose(o.action_id, target.value);
	};
	return selectNode(o, cx, { now: initialOf(o), onchange: choose, "aria-label": word(o) });
}

function boxes(o, cx) {
	const marked = (o.initial_options || []).map((x) => x.value), box = h("span", { role: "group", "aria-label": word(o) }), name = newId("boxes");
	box.append(...o.options.map((x) => h("label.choice", null, h("input", { type: "checkbox", name, value: x.value, checked: marked.includes(x.value),
		onchange: () => cx.choose(o.action_id, [...box.querySelectorAll(":checked")].map((i) => i.value)) }), x.text.text)));
	return box;
}

function picker(o, cx) {
	return h("input", { type: o.type === "datepicker" ? "date" : "time", "aria-label": word(o), value: o.initial_date || o.initial_time,
		onchange: (e) => e.target.value && cx.choose(o.action_id, e.target.value) });
}

// A menu whose options come from the app, as the person types.
export const isAsked = (o) => o.type.replace("multi_", "") === "external_select";
export function askedMenu(o, cx) {
	const id = newId("offered"), list = h("datalist", { id });
	const typed = async ({ target: { value } }) => {
		if ([...list.options].some((x) => x.value === value)) cx.choose(o.action_id, takesMany(o) ? [value] : value);
		else if (value.length >= (o.min_query_length ?? 3)) list.replaceChildren(...(await cx.ask(o.action_id, value)).map((x) => h("option", { value: x.text.text })));
	};
	return h("span", null, h("input", { type: "search", list: id, placeholder: word(o), "aria-label": word(o), oninput: typed,
		value: o.initial_option?.text.text ?? "" }), list);
}

export function slackMenu(o, cx) {
	if (isAsked(o)) return askedMenu(o, cx);
	if (optionsOf(o, cx)) return menu(o, cx);
	if (o.type === "checkboxes") return boxes(o, cx);
	if (o.type === "datepicker" || o.type === "timepicker") return picker(o, cx);
	return h("select", { disabled: true, "aria-label": word(o), title: nothing }, h("option", null, word(o)));
}
