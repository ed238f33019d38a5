// DOM nodes from plain calls. Text becomes text nodes, never markup.

// h("button.send", { onclick, "aria-label": "Send" }, "text", node, [more]): null, undefined and false are left out.
export function h(what, attributes, ...children) {
	const [tag, ...classes] = what.split(".");
	const node = document.createElement(tag || "div");
	if (classes.length) node.className = classes.join(" ");
	for (const [name, value] of Object.entries(attributes || {})) {
		if (value === null || value === undefined || value === false) continue;
		if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
		else if (name in node && typeof value !== "string") node[name] = value;
		else node.setAttribute(name, value === true ? "" : value);
	}
	node.append(...children.flat(9).filter((c) => c !== null && c !== undefined && c !== false));
	return node;
}

const SVG = "http://www.w3.org/2000/svg";
const shapes = {
	attach: "M16.5 6.5v9a4.5 4.5 0 0 1-9 0v-10a3 3 0 0 1 6 0v9a1.5 1.5 0 0 1-3 0v-8",
	back: "M14 6l-6 6 6 6",
	close: "M6 6l12 12M18 6L6 18",
	copy: "M9 9h10v10H9zM5 15V5h10",
	edit: "M5 19l1-4L16 5l3 3L9 18z",
	file: "M7 3h7l4 4v14H7zM14 3v4h4",
	plus: "M12 5v14M5 12h14",
	reply: "M10 7L5 12l5 5M5 12h9a5 5 0 0 1 5 5v1",
	send: "M4 12l16-8-6 16-3-6z",
	smile: "M12 3a9 9 0 1 0 .01 0M8.5 10h.01M15.5 10h.01M8.5 14.5c2 2.300 5 2.300 7 0",
	trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
	thread: "M5 5h14v11H10l-5 4z",
};

export function icon(name) {
	const svg = document.createElementNS(SVG, "svg"), path = document.createElementNS(SVG, "path");
	svg.setAttribute("viewBox", "0 0 24 24");
	svg.setAttribute("class", "icon");
	svg.setAttribute("aria-hidden", "true");
	path.setAttribute("d", shapes[name]);
	svg.append(path);
	return svg;
}

// A button that shows an icon and says what it does.
export function iconButton(name, label, onclick, more) {
	return h("button.icon-button", { type: "button", "aria-label": label, title: label, onclick, ...more }, icon(name));
}

let lastId = 0;
export function newId(prefix) {
	return `${prefix}-${++lastId}`;
}

export const selectedValues = (select) => [...select.selectedOptions].map((o) => o.value).filter(Boolean);

// A field of a form with its label; one that has labels of its own (a div) is a group.
export function labelled(text, optional, about, field) {
	const title = [text, optional ? h("span.small", null, " (optional)") : null], hint = about ? h("span.small", null, about) : null;
	return field.tagName === "DIV" ? h("fieldset.input", null, h("legend", null, title), field, hint) : h("label.input", null, h("span", null, title), field, hint);
}

export function plural(n, one, many) {
	return `${n} ${n === 1 ? one : many || one + "s"}`;
}

export function bytes(n) {
	if (n < 1024) return plural(n, "byte");
	return n < 1048576 ? `${(n / 1024).toFixed(1)} KB` : `${(n / 1048576).toFixed(1)} MB`;
}

export function clock(ms, seconds) {
	return new Date(ms).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: seconds ? "2-digit" : undefined,
		hour12: false });
}

// What went wrong, for the person.
export function notice(error) {
	const text = error instanceof Error ? error.message : String(error), box = document.getElementById("notices");
	const item = h("p.notice", null, h("span", null, text),
		iconButton("close", "Dismiss", () => item.remove()));
	box.append(item);
	setTimeout(() => item.remove(), 9000);
}
