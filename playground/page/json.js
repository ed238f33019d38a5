// JSON values as trees that fold.

import { h } from "./dom.js";

function leaf(value) {
	const kind = value === null ? "null" : typeof value;
	return h(`span.json-${kind}`, null, kind === "string" ? value : String(value));
}

function summary(value) {
	if (Array.isArray(value)) return `[${value.length}]`;
	const names = Object.keys(value), first = value.role || value.type || value.name;
	return typeof first === "string" ? first : `{${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}}`;
}

// Branches are built when they are first opened: requests of models are long.
function branch(name, value, open) {
	const label = h("span.json-name", null, name);
	if (value === null || typeof value !== "object") return h("div.json-row", null, label, leaf(value));
	const box = h("details", { open }, h("summary", null, label, h("span.json-about", null, summary(value))));
	const fill = () => {
		if (box.open && box.childElementCount === 1)
			box.append(h("div.json-in", null, Object.entries(value).map(([k, v]) => branch(k, v, false))));
	};
	box.addEventListener("toggle", fill);
	fill();
	return box;
}

export function jsonTree(name, value, open) {
	let parsed = value;
	if (typeof value === "string") {
		try { parsed = JSON.parse(value); } catch { /* a text that is no JSON shows as it is */ }
	}
	return h("div.json", null, branch(name, parsed, open));
}
