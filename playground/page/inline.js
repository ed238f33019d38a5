// Marked-up text within a line: rules are tried at each place, the first that fits makes a node.

import { h } from "./dom.js";

// rules: [sticky RegExp, (match, inner) => node or null]; inner(text) renders what stands between the marks.
export function inline(text, rules) {
	const nodes = [], inner = (part) => inline(part, rules);
	let plain = "", at = 0;
	const flush = () => {
		if (plain) nodes.push(document.createTextNode(plain));
		plain = "";
	};
	while (at < text.length) {
		const hit = first(text, at, rules, inner);
		if (hit) {
			flush();
			nodes.push(hit.node);
			at += hit.length;
		} else {
			plain += text[at++];
		}
	}
	flush();
	return nodes;
}

function first(text, at, rules, inner) {
	for (const [pattern, make] of rules) {
		pattern.lastIndex = at;
		const match = pattern.exec(text), node = match && make(match, inner, text[at - 1]);
		if (node !== null && node !== undefined) return { node, length: match[0].length };
	}
	return null;
}

// The line ends around a block are the block's own.
export function tidyBlocks(node) {
	for (const block of node.querySelectorAll("pre, blockquote")) {
		const before = block.previousSibling, after = block.nextSibling;
		if (before?.nodeType === Node.TEXT_NODE) before.data = before.data.replace(/\n{1,2}$/, "");
		if (after?.nodeType === Node.TEXT_NODE) after.data = after.data.replace(/^\n{1,2}/, "");
	}
	return node;
}

// Only what leads somewhere harmless is a link.
export function link(url, ...children) {
	return /^(https?|mailto|tg):/i.test(url) ? h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, children)
		: h("span", null, children);
}

export const linkButton = ({ url, label }) => Object.assign(link(url, label), { className: "press" });

export function spoiler(...children) {
	const show = (event) => {
		if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
		event.preventDefault();
		node.classList.add("shown");
		node.removeAttribute("role");
		node.removeAttribute("aria-label");
		node.removeAttribute("tabindex");
	};
	const node = h("span.spoiler", { role: "button", tabindex: "0", "aria-label": "Spoiler: show it", onclick: show, onkeydown: show },
		h("span", null, children));
	return node;
}

export function codeBlock(text, language) {
	return h("pre", { tabindex: "0", "aria-label": language ? `Code, ${language}` : "Code" },
		language ? h("span.language", null, language) : null, h("code", null, text));
}
