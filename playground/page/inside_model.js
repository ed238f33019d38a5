// What the model was asked, and what it answered.

import { get } from "./api.js";
import { clock, h, plural } from "./dom.js";
import { jsonTree } from "./json.js";
import { promptOf, withoutHeading } from "./prompt.js";

const FIRST = 30; // requests of before that are shown
const KEPT = 60; // turns

function bodyOf(r) {
	if (r.body === null || typeof r.body !== "string") return r.body;
	try { return JSON.parse(r.body); } catch { return r.body; }
}

function answerText(r) {
	const a = r.answer;
	if (!a) return r.status === 200 ? "" : `answered ${r.status || "nothing"}`;
	return a.error ? (a.error.message || String(a.error)) : a.text || "";
}

const isBad = (r) => r.verdict === "refused" || r.status >= 400 || !r.status;
const took = (r) => r.time_us && r.began_us ? Math.round((r.time_us - r.began_us) / 1000) : 0;
const short = (value) => typeof value === "string" ? value : JSON.stringify(value);

// What a tool returned: the members of an object a line each, texts as they are.
function readable(text) {
	let value = null;
	try { value = JSON.parse(text); } catch { /* a text that is no JSON shows as it is */ }
	return value && typeof value === "object" && !Array.isArray(value) ? Object.entries(value).map(([k, v]) => `${k}: ${short(v)}`).join("\n") : text;
}

function callOf({ name, arguments: given }) {
	const args = given && typeof given === "object" ? Object.entries(given).map(([k, v]) => `${k}: ${short(v)}`).join(", ") : given || "";
	return h("div.said", null, h("span.chip.call", null, name || "tool"), h("span.said-text", null, args));
}

function said(who, text, more) {
	return text ? h("div.said", null, h("span.said-who", null, who), h("div.said-text", { dir: "auto", class: `said-text ${more || ""}` }, text)) : null;
}

const whoSays = { system: "instructions", user: "person", assistant: "model", tool: "result" };

export class ModelView {
	constructor() {
		this.turns = new Map(); // by the question: { key, requests, node, body }
		this.list = h("ol.rows", { "aria-label": "What was asked of the model" });
		this.none = h("p.none", null, "Nothing was asked of the model yet. Write something in a chat.");
		this.busy = h("p.busy", { role: "status", hidden: true }, "The model is being asked…");
		this.node = h("div", null, h("p.about", null, "What each question made of the scripted model: tool calls, their results, the answer. The gateway asks a real model directly: what it says is not seen here, but each request to it is a step under Ledger."),
			this.busy, this.none, this.list);
		this.asked = 0;
		this.seen = new Set();
	}

	async load() {
		const { requests } = await get("model");
		this.list.replaceChildren();
		this.turns.clear();
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

	// Requests with the same last question are rounds, or attempts, of one turn.
	add(r) {
		if (this.seen.has(r.n)) return;
		this.seen.add(r.n);
		const prompt = promptOf(bodyOf(r)), at = prompt.findLastIndex((m) => m.who === "user"), key = JSON.stringify([at, prompt[at]?.text ?? r.n]);
		const turn = this.turns.get(key) || this.begin(key);
		turn.requests.push({ r, prompt, at });
		this.show(turn);
	}

	begin(key) {
		const turn = { requests: [], summary: h("summary"), body: h("div.row-in") };
		turn.box = h("details.row", { ontoggle: () => this.fill(turn) }, turn.summary, turn.body);
		turn.node = h("li", null, turn.box);
		this.turns.set(key, turn);
		this.none.hidden = true;
		this.list.prepend(turn.node);
		if (this.turns.size > KEPT) {
			const [oldest, { node }] = this.turns.entries().next().value;
			node.remove();
			this.turns.delete(oldest);
		}
		return turn;
	}

	show(turn) {
		const { requests } = turn, { r, prompt, at } = requests.at(-1), bad = isBad(r);
		turn.box.className = `row ${bad ? "bad" : "good"}`;
		turn.summary.replaceChildren(
			h("span.row-line", null, h("time", null, clock(requests[0].r.began_us / 1000 || r.time_ms, true)), h("span.row-what", { dir: "auto" }, withoutHeading(prompt[at]?.text || "") || r.method),
				h("span.row-side", null, `${requests.reduce((ms, q) => ms + took(q.r), 0)} ms`)),
			h("span.row-line.answer", null, this.calls(turn).map((c) => h("span.chip.call", null, c.name || "tool")), h("span.row-text", { dir: "auto" }, answerText(r))));
		this.fill(turn);
	}

	// The calls of the earlier rounds, as the last prompt tells them, and those that the last answer asks for.
	calls({ requests }) {
		const { r, prompt, at } = requests.at(-1);
		return [...prompt.slice(at + 1).flatMap((m) => m.calls || []), ...r.answer?.tool_calls || []];
	}

	fill(turn) {
		if (!turn.box.open) return;
		const { requests } = turn, { r, prompt, at } = requests.at(-1);
		turn.body.replaceChildren(...[said("question", withoutHeading(prompt[at]?.text || "")),
			prompt.slice(at + 1).map((m) => m.who === "tool" ? said("result", readable(m.text), "clipped") : [said("says", m.text), (m.calls || []).map(callOf)]),
			(r.answer?.tool_calls || []).map(callOf), said("answer", answerText(r)), requests.map((q, i) => this.request(q, i + 1))].flat(3).filter(Boolean));
	}

	request({ r, prompt }, i) {
		const body = bodyOf(r), about = [`Request ${i}`, plural(prompt.length, "message"), body?.tools && plural(body.tools.length, "tool"), body?.model, `${took(r)} ms`].filter(Boolean).join(" · ");
		const box = h("details.prompt", { ontoggle: () => {
			if (box.open && box.childElementCount === 1) box.append(...prompt.flatMap((m) => [said(whoSays[m.who] || m.who, m.text), ...(m.calls || []).map(callOf)]).filter(Boolean),
				jsonTree("request", body, false), r.answer ? jsonTree("answer", r.answer, false) : "");
		} }, h("summary", null, about));
		return [...(r.problems || []).map((p) => h("p.problem", null, p)), box];
	}
}
