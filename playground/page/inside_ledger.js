// The bus and the ledger of the daemon: each message on its way from arrival to the platform's receipt.

import { get } from "./api.js";
import { chatTitle } from "./chatlist.js";
import { bytes, clock, h } from "./dom.js";
import { niceName, platforms } from "./platforms.js";
import { turns } from "./turns.js";

const KEPT = 60; // cards
const STEPS_KEPT = 80; // of one card
const good = /^(committed|sent|turn ended|call ended|model answered|confirmed|done)/, bad = /(failed|uncertain|lost)/;

// The names of GET /v1/status, for people.
const names = { inbox_pending: "waiting", outbox_queued: "to be sent", outbox_uncertain: "perhaps delivered", outbox_failed: "not delivered", turns_open: "turns open",
	turns_dead: "turns given up", approvals_open: "awaiting approval", db_bytes: "database", wal_bytes: "its journal" };
const shown = (k, v) => [names[k] || k.replaceAll("_", " "), k.endsWith("_bytes") ? bytes(v) : String(v)];

function about(t) {
	return [t.name, t.model, t.state, t.reason, t.try > 1 && `try ${t.try}`, t.message && `message ${t.message}`, t.row && `row ${t.row}`]
		.filter(Boolean).join(" · ");
}

export class LedgerView {
	constructor(reveal) {
		this.reveal = reveal;
		this.cards = new Map(); // by turn, or inbound message
		this.list = h("ol.cards", { "aria-label": "Messages on their way" });
		this.counts = h("dl.counts");
		this.none = h("p.none", null, "Nothing has happened since this page was opened. Write something in a chat, and follow it here.");
		this.node = h("div", null, h("p.about", null, "What the gateway has on disk about each message: every state is committed before the next one begins. A bar is the time that led to its step."),
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

	// A message is one card with the turn that answers it. What belongs to no message has one card for all of it, at the end.
	card(t) {
		const keys = [t.turn && `turn ${t.turn}`, t.inbound && `inbound ${t.inbound}`].filter(Boolean);
		let card = keys.map((key) => this.cards.get(key)).find(Boolean) || (keys.length ? null : this.own);
		if (!card) {
			const title = h("button.card-title", { type: "button", dir: "auto", disabled: true, onclick: () => this.reveal(card.chat, card.message) });
			const place = h("span.card-place"), list = h("ol.steps");
			card = { title, place, list, steps: [], node: h("li.card", null, h("p.card-head", null, title, place), list) };
			if (keys.length) this.list.prepend(card.node);
			else this.list.append((this.own = card).node);
			title.textContent = keys[0] || "The gateway itself";
			this.forget();
		}
		for (const key of keys) this.cards.set(key, card);
		return card;
	}

	forget() {
		const over = [...this.list.children].filter((node) => node !== this.own?.node).slice(KEPT);
		for (const node of over) node.remove();
		for (const [key, card] of this.cards) if (over.includes(card.node)) this.cards.delete(key);
	}

	// The card is named by the message that began it.
	name(card, t) {
		const chat = turns.chatOf(t), platform = platforms.find((p) => p.name === chat?.platform);
		if (!chat) return;
		card.place.textContent = `${platform.label} · ${chatTitle(platform, chat)}`;
		card.message = t.step === "committed" ? chat.find(t.message) : undefined;
		if (!card.message) return;
		card.chat = chat;
		card.title.disabled = false;
		card.title.textContent = `${niceName(card.message.from)}: ${platform.plain(chat, card.message) || card.message.files[0]?.name || ""}`;
		card.title.title = "Show it in its chat";
	}

	add(t) {
		const card = this.card(t), kind = bad.test(`${t.step} ${t.state || ""}`) ? "bad" : good.test(t.step) ? "good" : "", bar = h("i.bar", { "aria-hidden": "true" });
		this.none.hidden = true;
		if (!card.message && t.channel && card !== this.own) this.name(card, t);
		if (t.step === "done" && t.reason && !card.message && card !== this.own) card.title.textContent = `An event: ${t.reason}`;
		const took = card.steps.length ? t.at_ms - card.steps.at(-1).at : 0;
		card.steps.push({ at: t.at_ms, bar });
		card.list.append(h("li", { class: kind || null }, h("time", null, clock(t.at_ms, true)), h("span.step", null, t.step), h("span.step-about", null, about(t)),
			h("span.step-took", null, card !== this.own && took > 0 ? `${took} ms` : ""), card !== this.own ? bar : null));
		if (card.steps.length > STEPS_KEPT) {
			card.steps.shift();
			card.list.firstChild.remove();
		}
		this.drawBars(card);
	}

	drawBars({ steps }) {
		const from = steps[0].at, all = Math.max(1, steps.at(-1).at - from);
		steps.forEach(({ at, bar }, i) => {
			const began = i ? steps[i - 1].at : at;
			bar.style.marginLeft = `${(began - from) / all * 100}%`;
			bar.style.width = `${(at - began) / all * 100}%`;
		});
	}
}
