// The bus and the ledger of the daemon: each message on its way from arrival to the platform's receipt.

import { get } from "./api.js";
import { bytes, clock, h } from "./dom.js";

const KEPT = 60;
const good = /^(committed|sent|turn ended|call ended|model answered|confirmed|done)/, bad = /(failed|uncertain|lost)/;

// The names of GET /v1/status, for people.
const names = { inbox_pending: "waiting", outbox_queued: "to be sent", outbox_uncertain: "perhaps delivered", outbox_failed: "not delivered", turns_open: "turns open",
	turns_dead: "turns given up", approvals_open: "awaiting approval", db_bytes: "database", wal_bytes: "its journal" };
const shown = (k, v) => [names[k] || k.replaceAll("_", " "), k.endsWith("_bytes") ? bytes(v) : String(v)];

function about(t) {
	return [t.name, t.model, t.state, t.reason, t.ms !== undefined && `${t.ms} ms`, t.message && `message ${t.message}`, t.row && `row ${t.row}`]
		.filter(Boolean).join(" · ");
}

export class LedgerView {
	constructor() {
		this.cards = new Map(); // by turn, or inbound message
		this.list = h("ol.cards", { "aria-label": "Messages on their way" });
		this.counts = h("dl.counts");
		this.none = h("p.none", null, "Nothing has happened since this page was opened. Write something in a chat, and follow it here.");
		this.node = h("div", null, h("p.about", null, "What the gateway has on disk about each message: every state is committed before the next one begins."),
			this.counts, this.none, this.list);
	}

	async load() {
		let status;
		try { status = await get("gateway/status"); } catch { status = { known: false }; }
		this.known = status.known;
		this.showCounts(status.status);
		if (!status.known) this.none.textContent = "This playground was given no gateway. Under ./quickstart, or with --gateway-socket, its ledger shows here.";
	}

	apply(event) {
		if (event.type === "trace") this.add(event.trace);
		if (event.type === "gateway" && this.known !== false) this.refresh();
		if (event.type === "trace" && /ended|sent|committed/.test(event.trace.step)) this.refresh();
	}

	refresh() {
		if (this.timer) return;
		this.timer = setTimeout(async () => {
			this.timer = 0;
			try { this.showCounts((await get("gateway/status")).status); } catch { /* it is down: the next event tells more */ }
		}, 500);
	}

	showCounts(status) {
		const queue = status?.queue || {};
		this.counts.replaceChildren(...Object.entries(queue).filter(([, v]) => typeof v === "number").map(([k, v]) => shown(k, v)).map(([k, v]) =>
			h("div", null, h("dt", null, k), h("dd", null, v))));
	}

	// A message is one card with the turn that answers it.
	card(t) {
		const turn = t.turn !== undefined ? `turn ${t.turn}` : null, inbound = t.inbound !== undefined ? `inbound ${t.inbound}` : null;
		let card = (turn && this.cards.get(turn)) || (inbound && this.cards.get(inbound));
		if (!card) {
			const title = h("span.card-title"), place = h("span.card-place"), steps = h("ol.steps");
			card = { title, place, steps, keys: new Set(), node: h("li.card", null, h("p.card-head", null, title, place), steps) };
			this.list.prepend(card.node);
			while (this.list.childElementCount > KEPT) this.list.lastChild.remove();
		}
		for (const key of [turn, inbound].filter(Boolean)) {
			this.cards.set(key, card);
			card.keys.add(key);
		}
		return card;
	}

	add(t) {
		this.none.hidden = true;
		const card = this.card(t);
		card.title.textContent = [...card.keys].join(", ") || "the daemon";
		if (t.channel) card.place.textContent = [t.channel, t.chat].filter(Boolean).join(":");
		const kind = bad.test(`${t.step} ${t.state || ""}`) ? "bad" : good.test(t.step) ? "good" : "";
		card.steps.append(h("li", { class: kind || null }, h("time", null, clock(t.at_ms, true)), h("span.step", null, t.step), h("span.step-about", null, about(t))));
	}
}
