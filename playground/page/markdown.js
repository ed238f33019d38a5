// Markdown as Discord shows it, and as the markdown blocks of Slack do.

import { h } from "./dom.js";
import { codeBlock, inline, link, spoiler } from "./inline.js";

const url = /https?:\/\/[^\s<>]+[^\s<>.,:;"')\]]/y;

// names: how ids in mentions are read.
function rules(names, discord) {
	const name = (id) => names?.[id] || "unknown";
	return [
		[/\\([\\*_~`|>#\-()[\].!<])/y, (m) => document.createTextNode(m[1])],
		[/```(?:([\w+#.-]*)\n)?([\s\S]+?)\n?```/y, (m) => codeBlock(m[2], m[1])],
		[/``(.+?)``(?!`)/ys, (m) => h("code", null, m[1])],
		[/`([^`]+)`/y, (m) => h("code", null, m[1])],
		[/\|\|([\s\S]+?)\|\|/y, (m, inner) => discord ? spoiler(inner(m[1])) : null],
		[/\*\*\*(?=\S)([\s\S]+?)\*\*\*/y, (m, inner) => h("strong", null, h("em", null, inner(m[1])))],
		[/\*\*(?=\S)([\s\S]+?)\*\*(?!\*)/y, (m, inner) => h("strong", null, inner(m[1]))],
		[/__(?=\S)([\s\S]+?)__/y, (m, inner) => h(discord ? "u" : "strong", null, inner(m[1]))],
		[/\*(?=\S)((?:[^*\\]|\\.)+?)\*(?!\*)/y, (m, inner) => h("em", null, inner(m[1]))],
		[/_(?=\S)((?:[^_\\]|\\.)+?)_(?!\w)/y, (m, inner, before) => /\w/.test(before || "") ? null : h("em", null, inner(m[1]))],
		[/~~(?=\S)([\s\S]+?)~~/y, (m, inner) => h("s", null, inner(m[1]))],
		[/\[([^\]\n]+)\]\(<?([^)\s>]+)>?\)/y, (m, inner) => link(m[2], inner(m[1]))],
		[/<(https?:\/\/[^\s>]+)>/y, (m) => link(m[1], m[1])],
		[/<@!?(\d+)>/y, (m) => h("span.mention", null, "@" + name(m[1]))],
		[/<@&(\d+)>/y, (m) => h("span.mention", null, "@" + name(m[1]))],
		[/<#(\d+)>/y, (m) => h("span.mention", null, "#" + name(m[1]))],
		[/<a?:(\w+):\d+>/y, (m) => document.createTextNode(`:${m[1]}:`)],
		[/<t:(\d+)(?::\w)?>/y, (m) => h("time", null, new Date(m[1] * 1000).toLocaleString())],
		[/@(everyone|here)\b/y, (m) => discord ? h("span.mention", null, m[0]) : null],
		[url, (m) => link(m[0], m[0])],
	];
}

const marks = [
	[/^(#{1,6})\s+(.+)$/, (m, say) => h(`p.heading.level${Math.min(m[1].length, 3)}`, { role: "heading",
		"aria-level": String(Math.min(m[1].length + 3, 6)) }, say(m[2]))],
	[/^-#\s+(.+)$/, (m, say) => h("p.small", null, say(m[1]))],
	[/^(?:---|\*\*\*|___)$/, () => h("hr")],
];
const bullet = /^(\s*)(?:[-*+]|(\d+)[.)])\s+(.*)$/;

function takeFence(lines) {
	const open = /^\s*```([\w+#.-]*)\s*$/.exec(lines[0]);
	if (!open) return null;
	const end = lines.findIndex((l, i) => i > 0 && /^\s*```\s*$/.test(l));
	const body = lines.splice(0, end < 0 ? lines.length : end + 1).slice(1, end < 0 ? undefined : -1);
	return codeBlock(body.join("\n"), open[1]);
}

function takeQuote(lines, show) {
	if (!/^>(?:>>)?(\s|$)/.test(lines[0])) return null;
	const rest = lines[0].startsWith(">>>"), body = [];
	while (lines.length && (rest || /^>(\s|$)/.test(lines[0]))) body.push(lines.shift().replace(/^>(?:>>)? ?/, ""));
	return h("blockquote", null, show(body));
}

function takeList(lines, say) {
	const m = bullet.exec(lines[0]);
	if (!m) return null;
	const list = h(m[2] ? "ol" : "ul", m[2] ? { start: m[2] } : null), depth = m[1].length;
	for (let next; lines.length && (next = bullet.exec(lines[0])) && next[1].length >= depth;) {
		if (next[1].length > depth) {
			(list.lastChild || list).append(takeList(lines, say));
		} else {
			if (!next[2] !== !m[2]) break;
			lines.shift();
			list.append(h("li", null, say(next[3])));
		}
	}
	return list;
}

function takeTable(lines, say) {
	if (!lines[0].includes("|") || !/^\s*\|?[\s:|-]*-[\s:|-]*$/.test(lines[1] || "") || !lines[1].includes("|")) return null;
	const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((c) => c.trim());
	const head = cells(lines.shift()), body = [];
	lines.shift();
	while (lines.length && lines[0].includes("|")) body.push(cells(lines.shift()));
	return h("table", null, h("thead", null, h("tr", null, head.map((c) => h("th", { scope: "col" }, say(c))))),
		h("tbody", null, body.map((row) => h("tr", null, row.map((c) => h("td", null, say(c)))))));
}

function takeMarked(lines, say) {
	for (const [pattern, make] of marks) {
		const m = pattern.exec(lines[0]);
		if (m) {
			lines.shift();
			return make(m, say);
		}
	}
	return null;
}

// Runs of lines that are nothing special are one paragraph; inline code may go over lines.
export function markdown(text, { names, discord = true } = {}) {
	const table = rules(names, discord), say = (t) => inline(t, table);
	const show = (lines) => {
		const nodes = [];
		let plain = [];
		const flush = () => {
			const body = plain.join("\n").replace(/^\n+|\n+$/g, "");
			if (body) nodes.push(h("p", null, say(body)));
			plain = [];
		};
		while (lines.length) {
			const node = takeFence(lines) || takeMarked(lines, say) || takeQuote(lines, show) || takeList(lines, say) ||
				(discord ? null : takeTable(lines, say));
			if (node) {
				flush();
				nodes.push(node);
			} else {
				plain.push(lines.shift());
			}
		}
		flush();
		return nodes;
	};
	return h("div.text.markdown", null, show(text.split("\n")));
}
