// Each request of the bots, and the verdict of the platform on it.

import { get } from "./api.js";
import { clock, h } from "./dom.js";
import { foldedRow, Rows } from "./inside_rows.js";
import { jsonTree } from "./json.js";

const FIRST = 30; // requests of before that are shown, of each platform
const names = ["telegram", "slack", "discord"];
const quiet = /^(getUpdates|POST \/typing|sendChatAction|heartbeat)/;

export class RequestsView {
	constructor() {
		this.rows = new Rows("Requests of bots", "No bot has asked anything yet.");
		this.refused = h("input", { type: "checkbox", onchange: () => this.filter() });
		this.polls = h("input", { type: "checkbox", onchange: () => this.filter() });
		this.last = {};
		this.node = h("div", null, h("p.about", null, "What the bots ask of the platforms, and whether the platform takes it."),
			h("p.choices", null, h("label", null, this.refused, "only what was refused"), h("label", null, this.polls, "polls and typing, too")), this.rows.node);
		this.filter();
	}

	filter() {
		this.rows.list.classList.toggle("only-bad", this.refused.checked);
		this.rows.list.classList.toggle("without-quiet", !this.polls.checked);
	}

	async load() {
		const lists = await Promise.all(names.map((platform) => get("requests", { platform })));
		this.rows.clear();
		this.last = {};
		const all = lists.flatMap(({ requests }, i) => requests.filter((r) => !quiet.test(r.method)).slice(-FIRST).map((r) => ({ platform: names[i], ...r })));
		for (const r of all.sort((a, b) => a.time_ms - b.time_ms)) this.add(r);
	}

	apply(event) {
		if (event.type === "request" && event.platform !== "model") this.add({ platform: event.platform, ...event.request });
	}

	add(r) {
		if (r.n <= (this.last[r.platform] || 0)) return;
		this.last[r.platform] = r.n;
		const bad = r.verdict === "refused" || !r.status || Boolean(r.fault), why = [r.fault && `fault: ${r.fault}`, ...(r.problems || [])].filter(Boolean);
		const row = foldedRow(bad ? "bad" : "good", [
			h("span.row-line", null, h("time", null, clock(r.time_ms, true)), h(`span.dot.${r.platform}`, { title: r.platform }, h("span.hidden", null, r.platform)),
				h("span.row-what", null, r.method), h("span.row-side", null, h(bad ? "span.verdict.refused" : "span.verdict.ok", null,
					`${r.status || "no answer"} ${bad ? "refused" : "ok"}`))),
			why.length ? h("span.row-line.why", null, why.join("; ")) : null,
		], (box) => this.details(r, box));
		if (quiet.test(r.method)) row.classList.add("quiet");
		if (bad) row.classList.add("is-bad");
		this.rows.add(row);
	}

	details(r, box) {
		if (r.body === null) {
			get("request", { platform: r.platform, n: String(r.n) }).then((a) => box.lastChild.replaceChildren(
				...this.details(a.request, box))).catch((e) => box.lastChild.replaceChildren(e.message));
			return [h("p", null, "loading…")];
		}
		return [jsonTree("asked", r.body, true), r.answer !== undefined ? jsonTree("answered", r.answer, true) : null].filter(Boolean);
	}
}
