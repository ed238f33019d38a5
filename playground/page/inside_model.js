// What the model was asked, and what it answered.

import { get } from "./api.js";
import { clock, h, plural } from "./dom.js";
import { foldedRow, Rows } from "./inside_rows.js";
import { jsonTree } from "./json.js";

const FIRST = 30; // requests of before that are shown

const heading = /^(\[[^\]\n]*\]\n(> [^\n]*\n)*)+/; // when and where something was said

function bodyOf(r) {
	if (r.body === null || typeof r.body !== "string") return r.body;
	try { return JSON.parse(r.body); } catch { return r.body; }
}

function textOf(content) {
	if (typeof content === "string") return content;
	return Array.isArray(content) ? content.map((c) => c.text || c.content || "").filter((t) => typeof t === "string").join(" ") : "";
}

// The last thing that was said to it, in each of the three wire formats.
function lastAsked(body) {
	const list = body?.messages || (Array.isArray(body?.input) ? body.input : []), last = list.at(-1);
	if (!last) return "";
	if (last.role === "tool" || last.type === "function_call_output") return `result: ${textOf(last.content ?? last.output)}`;
	return textOf(last.content).replace(heading, "") || "results of tools";
}

function calls(list) {
	return (list || []).map((c) => h("span.chip.call", null, c.name || c.function?.name || "tool"));
}

function answerText(r) {
	const a = r.answer;
	if (!a) return r.status === 200 ? "answered" : `answered ${r.status || "nothing"}`;
	return a.error ? (a.error.message || String(a.error)) : a.text || "";
}

export class ModelView {
	constructor() {
		this.rows = new Rows("Requests to the model", "Nothing was asked of the model yet. Write something in a chat.");
		this.busy = h("p.busy", { role: "status", hidden: true }, "The model is being asked…");
		this.node = h("div", null, h("p.about", null, "Every request to the scripted model, and its answer. The gateway asks a real model directly: what it says is not seen here, but each request to it is a step under Ledger."),
			this.busy, this.rows.node);
		this.asked = 0;
		this.seen = new Set();
	}

	async load() {
		const { requests } = await get("model");
		this.rows.clear();
		this.seen = new Set();
		for (const r of requests.slice(-FIRST)) this.add(r);
	}

	apply(event) {
		if (event.platform !== "model") return;
		if (event.type === "asked") this.asked++;
		if (event.type === "request") {
			this.asked = Math.max(0, this.asked - 1);
			this.addWhole(event.request);
		}
		this.busy.hidden = this.asked === 0;
	}

	// Long requests are left out of the stream.
	async addWhole(r) {
		try {
			this.add(r.body === null ? (await get("request", { platform: "model", n: String(r.n) })).request : r);
		} catch { this.add(r); }
	}

	add(r) {
		if (this.seen.has(r.n)) return;
		this.seen.add(r.n);
		const body = bodyOf(r), refused = r.verdict === "refused" || r.status >= 400 || !r.status;
		const took = r.time_us && r.began_us ? `${Math.round((r.time_us - r.began_us) / 1000)} ms` : "";
		this.rows.add(foldedRow(refused ? "bad" : "good", [
			h("span.row-line", null, h("time", null, clock(r.began_us / 1000 || r.time_ms, true)), h("span.row-what", null, lastAsked(body) || r.method),
				h("span.row-side", null, took)),
			h("span.row-line.answer", null, calls(r.answer?.tool_calls), h("span.row-text", null, answerText(r))),
		], () => this.details(r, body)));
	}

	details(r, body) {
		const about = [body?.messages && plural(body.messages.length, "message"), body?.tools && plural(body.tools.length, "tool"), body?.model].filter(Boolean);
		return [h("p.row-note", null, about.join(" · ")), ...(r.problems || []).map((p) => h("p.problem", null, p)),
			(r.answer?.tool_calls || []).map((c) => jsonTree(`calls ${c.name}`, c.arguments, true)),
			jsonTree("request", body, false), r.answer ? jsonTree("answer", r.answer, false) : null].flat().filter(Boolean);
	}
}
