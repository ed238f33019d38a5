// What is kept over reloads: who writes, what is open, the last message seen of each chat, what was being written, which of the first
// steps were done.

const KEY = "myna-playground";
const people = ["ann", "bea", "cem"];

function load() {
	try {
		return JSON.parse(localStorage.getItem(KEY)) || {};
	} catch {
		return {};
	}
}

export const saved = { theme: "", tab: "telegram", inside: null, insideTab: "model", people, me: {}, open: {}, seen: {}, drafts: {}, steps: {}, ...load() };

let timer = 0;
function write() {
	clearTimeout(timer);
	timer = 0;
	try { localStorage.setItem(KEY, JSON.stringify(saved)); } catch { /* a browser without storage forgets */ }
}

export function save() {
	if (!timer) timer = setTimeout(write, 100);
}

addEventListener("pagehide", () => timer && write());
