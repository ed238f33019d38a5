// Slack's input blocks: what is filled in goes to the app with the next button that is pressed, as state.values.

import { h, newId } from "./dom.js";

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

function choice(o, at) {
	const first = o.initial_option?.value, now = filled.get(at) ?? first;
	return h("select", { onchange: (e) => filled.set(at, e.target.value) }, h("option", { value: "" }, o.placeholder?.text || "Choose"),
		o.options.map((x) => h("option", { value: x.value, selected: x.value === now }, x.text.text)));
}

// Boxes or radio buttons; those that are marked are kept as a list.
function boxes(o, at) {
	const name = newId("choice"), first = (o.initial_options || [o.initial_option]).filter(Boolean).map((x) => x.value);
	const type = o.type === "checkboxes" ? "checkbox" : "radio", box = h("div", null);
	box.append(...o.options.map((x) => h("label.choice", null, h("input", { type, name, value: x.value, checked: (filled.get(at) ?? first).includes(x.value),
		onchange: () => filled.set(at, [...box.querySelectorAll(":checked")].map((i) => i.value)) }), x.text.text)));
	return box;
}

const chosen = (o, value) => (({ text, value: v }) => ({ text, value: v }))(o.options.find((x) => x.value === value));

// As Slack tells it (interaction payloads, state.values).
function stateOf(o, at) {
	const value = filled.get(at), type = o.type;
	if (type === "checkboxes") return { type, selected_options: (value ?? (o.initial_options || []).map((x) => x.value)).map((v) => chosen(o, v)) };
	if (type === "radio_buttons" || type === "static_select") {
		const one = [value ?? o.initial_option?.value].flat()[0];
		return { type, selected_option: one ? chosen(o, one) : null };
	}
	if (type === "datepicker") return { type, selected_date: value || o.initial_date || null };
	if (type === "timepicker") return { type, selected_time: value || o.initial_time || null };
	if (type === "datetimepicker") return { type, selected_date_time: value ? Math.floor(new Date(value) / 1000) : o.initial_date_time || null };
	return { type, value: value || o.initial_value || null };
}

const place = (m, b, o) => `${m.id} ${b.block_id} ${o.action_id}`;
const works = (o) => o.type in kinds || (["checkboxes", "radio_buttons", "static_select"].includes(o.type) && Array.isArray(o.options));

export function inputBlock(b, cx) {
	const o = b.element, at = place(cx.message, b, o);
	if (!works(o)) return h("div.picture", null, `${b.label.text}: a ${o.type.replaceAll("_", " ")}, which the playground cannot fill in`);
	const field = o.options ? o.type === "static_select" ? choice(o, at) : boxes(o, at) : textField(o, at), grouped = field.tagName === "DIV";
	const label = [b.label.text, b.optional ? h("span.small", null, " (optional)") : null], hint = b.hint ? h("span.small", null, b.hint.text) : null;
	return grouped ? h("fieldset.input", null, h("legend", null, label), field, hint) : h("label.input", null, h("span", null, label), field, hint);
}

// What a press takes along; undefined where there is nothing to fill in.
export function inputValues(m) {
	const rows = (m.blocks || []).filter((b) => b.type === "input" && b.element && works(b.element));
	if (!rows.length) return undefined;
	const values = {};
	for (const b of rows) (values[b.block_id] ||= {})[b.element.action_id] = stateOf(b.element, place(m, b, b.element));
	return values;
}
