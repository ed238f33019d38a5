// Slack's input blocks: what is filled in goes to the app with the next button that is pressed, as state.values.

import { filesOf } from "./api.js";
import { h, labelled, newId, selectedValues } from "./dom.js";
import { allOptions, askedMenu, initialOf, isAsked, selectNode, takesMany } from "./slack_menu.js";

const kinds = { datepicker: "date", datetimepicker: "datetime-local", email_text_input: "email", number_input: "number", plain_text_input: "text",
	timepicker: "time", url_text_input: "url" };
const filled = new Map(); // by message, block and action: what stands in the field, over a redraw

function textField(o, at) {
	const attributes = { value: filled.get(at) ?? o.initial_value ?? o.initial_date ?? o.initial_time ?? "", placeholder: o.placeholder?.text,
		oninput: (e) => filled.set(at, e.target.value) };
	if (!o.multiline) return h("input", { type: kinds[o.type], ...attributes });
	const area = h("textarea", { ...attributes, value: null, rows: "3" });
	area.value = attributes.value;
	return area;
}

const choice = (o, at, cx) => selectNode(o, cx, { now: filled.get(at) ?? initialOf(o), onchange: (e) => filled.set(at, selectedValues(e.target)) });

// Boxes or radio buttons; those that are marked are kept as a list.
function boxes(o, at) {
	const name = newId("choice"), first = initialOf(o);
	const type = o.type === "checkboxes" ? "checkbox" : "radio", box = h("div", null);
	box.append(...o.options.map((x) => h("label.choice", null, h("input", { type, name, value: x.value, checked: (filled.get(at) ?? first).includes(x.value),
		onchange: () => filled.set(at, [...box.querySelectorAll(":checked")].map((i) => i.value)) }), x.text.text)));
	return box;
}

// Those that are picked are kept as a list, and stand there again after a redraw.
function files(o, at) {
	const kept = new DataTransfer();
	for (const file of filled.get(at) || []) kept.items.add(file);
	const node = h("input", { type: "file", multiple: o.max_files !== 1, accept: o.filetypes?.map((t) => `.${t}`).join(","),
		onchange: () => filled.set(at, [...node.files]) });
	node.files = kept.files;
	return node;
}

// An update may have taken away what was chosen.
const chosen = (o, values) => values.map((v) => allOptions(o).find((x) => x.value === v)).filter(Boolean).map(({ text, value }) => ({ text, value }));
const members = { channels_select: "selected_channel", checkboxes: "selected_option", conversations_select: "selected_conversation",
	radio_buttons: "selected_option", static_select: "selected_option", users_select: "selected_user" };

// As Slack tells it (interaction payloads, state.values).
function stateOf(o, at) {
	const value = filled.get(at), type = o.type, member = members[type.replace("multi_", "")];
	if (member) {
		const kept = value ?? initialOf(o), values = member === "selected_option" ? chosen(o, kept) : kept;
		return takesMany(o) || type === "checkboxes" ? { type, [member + "s"]: values } : { type, [member]: values[0] ?? null };
	}
	if (type === "datepicker") return { type, selected_date: value || o.initial_date || null };
	if (type === "timepicker") return { type, selected_time: value || o.initial_time || null };
	if (type === "datetimepicker") return { type, selected_date_time: value ? Math.floor(new Date(value) / 1000) : o.initial_date_time || null };
	return { type, value: value || o.initial_value || null };
}

const place = (m, b, o) => `${m.id} ${b.block_id} ${o.action_id}`;
const works = (o) => o.type in kinds || o.type.replace("multi_", "") in members;

export function inputBlock(b, cx) {
	const o = b.element, at = place(cx.message, b, o);
	if (isAsked(o)) return labelled(b.label.text, b.optional, b.hint?.text, askedMenu(o, cx)); // kept by the playground when it is chosen
	if (o.type === "file_input") return labelled(b.label.text, b.optional, b.hint?.text, files(o, at));
	if (!works(o)) return h("div.picture", null, `${b.label.text}: a ${o.type.replaceAll("_", " ")}, which the playground cannot fill in`);
	const marks = ["checkboxes", "radio_buttons"].includes(o.type);
	const field = o.type in kinds ? textField(o, at) : marks ? boxes(o, at) : choice(o, at, cx);
	return labelled(b.label.text, b.optional, b.hint?.text, field);
}

// What a press takes along; undefined where there is nothing to fill in.
export function inputValues(m) {
	const rows = (m.blocks || []).filter((b) => b.type === "input" && b.element && works(b.element));
	if (!rows.length) return undefined;
	const values = {};
	for (const b of rows) (values[b.block_id] ||= {})[b.element.action_id] = stateOf(b.element, place(m, b, b.element));
	return values;
}

// The files that are picked go with the submission, which uploads them; undefined where there are none.
export async function inputFiles(m) {
	const values = {};
	for (const b of (m.blocks || []).filter((x) => x.element?.type === "file_input")) {
		const list = filled.get(place(m, b, b.element));
		if (list?.length) values[b.element.action_id] = await filesOf(list);
	}
	return Object.keys(values).length ? values : undefined;
}
