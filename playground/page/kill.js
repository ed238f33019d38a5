// Kill -9 within reach while an answer is written, and then a banner that says what became of it: judged by what stands in the
// chat and in the ledger.

import { get, post } from "./api.js";
import { h, iconButton, notice, plural } from "./dom.js";
import { growing, turns } from "./turns.js";
import { world } from "./world.js";

const ordinal = (n) => `${n}${n % 100 >= 11 && n % 100 <= 13 ? "th" : { 1: "st", 2: "nd", 3: "rd" }[n % 10] || "th"}`;
const words = (text) => (text.replace(/…\s*$/, "").match(/\S+/g) || []).length;

// What is being answered: the chat, what was asked, and the words that are there. Of a turn that began before the page was opened only the
// words are known.
function victims() {
	const known = turns.open().map((turn) => {
		const chat = turns.chatOf(turn), asked = chat?.find(turn.messages[0]);
		return { channel: turn.channel, chat, asked, begun: asked && turns.begun(turn, chat, asked) };
	});
	const others = [...world.chats.values()].filter((c) => growing(c) && !known.some((v) => v.chat === c)).map((chat) =>
		({ channel: chat.platform, chat, asked: chat.messages.findLast((m) => !m.bot && !m.service), begun: growing(chat) }));
	return [...known, ...others].filter((v) => v.asked).map((v) => ({ ...v, words: words(v.begun?.text || "") })).sort((a, b) => b.words - a.words);
}

// The ledger's steps of a turn or a message; null where it has none.
async function ledger(message) {
	try {
		return (await get("gateway/trace", { message })).trace.steps;
	} catch (e) {
		if (e.status === 404) return null;
		throw e;
	}
}

// How each message fared that the person said from then on: "done", "lost", or "open" while it is not decided.
async function fates(v, messages) {
	const said = messages.slice(messages.findIndex((m) => m.id === v.asked.id)).filter((m) => !m.bot && !m.service && !m.deleted);
	return Promise.all(said.map(async (m) => {
		const steps = await ledger(`${v.channel}:${v.chat.chat}:${m.id}`);
		if (!steps || steps.some((s) => s.step === "given up")) return "lost";
		return steps.some((s) => s.step === "done" || s.step === "kept") ? "done" : "open";
	}));
}

// Returns null while it is not decided. twice counts the same words of the bot again, or deliveries that the ledger marks as
// possible repeats.
async function judge(v) {
	const steps = await ledger(`${v.channel}:${v.chat.chat}:${v.asked.id}`), end = steps?.find((s) => s.step === "turn ended")?.text || "";
	if (!end || end.startsWith("not yet") || steps.some((s) => s.step === "waits" && s.text.startsWith("row"))) return null;
	const { messages } = await get("transcript", v.chat.where()), fate = await fates(v, messages);
	if (fate.includes("open")) return null;
	const sent = steps.filter((s) => s.step === "sent"), ids = sent.map((s) => /message (\S+?),?(?:\s|$)/.exec(s.text)?.[1]);
	const rows = messages.filter((m) => ids.includes(m.id) && !m.deleted), after = messages.slice(messages.findIndex((m) => m.id === v.asked.id));
	const repeated = rows.filter((row) => after.filter((m) => m.bot && !m.deleted && m.text === row.text).length > 1);
	return {
		resumed: Number(/begun (\d+) times/.exec(end)?.[1]) > 1, answered: end.startsWith("answered") && rows.length > 0,
		lost: fate.filter((f) => f === "lost").length + (sent.length - rows.length) + steps.filter((s) => s.step === "failed").length,
		twice: Math.max(repeated.length / 2, sent.filter((s) => s.text.includes("possible repeat")).length), unsure: steps.filter((s) => s.step === "uncertain").length,
	};
}

function verdict(f) {
	return [f.resumed ? "resumed" : "not resumed", f.answered ? null : "not answered", f.lost ? `${plural(f.lost, "message")} lost` : "nothing lost",
		f.twice ? `${plural(Math.ceil(f.twice), "message")} perhaps twice` : "nothing twice", f.unsure ? `${plural(f.unsure, "delivery", "deliveries")} uncertain` : null].filter(Boolean).join(", ");
}

export class Kill {
	// show(chat, message): the page shows that message. onkill: an answer was killed.
	constructor(show, onkill) {
		this.show = show;
		this.onkill = onkill;
		this.button = document.getElementById("kill");
		this.banner = document.getElementById("banner");
		this.text = h("span");
		this.restart = h("button", { type: "button", onclick: () => this.order("restart") }, "Start it again");
		this.where = h("button", { type: "button", onclick: () => this.show(this.victim.chat, this.victim.asked) }, "Show the chat");
		this.close = iconButton("close", "Dismiss", () => this.dismiss());
		this.banner.append(this.text, this.restart, this.where, this.close);
		this.button.onclick = () => this.order("kill");
	}

	async order(what) {
		try { await post(`gateway/${what}`, {}); } catch (e) { notice(e); }
	}

	async load() {
		try { this.gateway = await get("gateway/status"); } catch { this.gateway = null; }
		if (!this.gateway?.status?.queue?.turns_open) turns.clear();
		this.showButton();
	}

	apply(event) {
		if (event.type === "gateway") this.take(event.gateway);
		if (["trace", "message", "draft"].includes(event.type)) this.showButton();
		if (this.victim && (event.type === "trace" || event.type === "gateway")) this.follow();
	}

	take(gateway) {
		const died = this.gateway?.state !== "down" && gateway.state === "down" && /signal 9/.test(gateway.exit || "");
		this.gateway = gateway;
		if (died) this.begin();
		this.showButton();
	}

	showButton() {
		const shown = Boolean(this.gateway?.supervised) && this.gateway.state === "ready" && (turns.open().length > 0 || [...world.chats.values()].some(growing));
		if (!shown && document.activeElement === this.button) document.getElementById("theme").focus();
		this.button.hidden = !shown;
	}

	dismiss() {
		this.banner.hidden = true;
		document.getElementById("panes").focus();
	}

	begin() {
		const all = victims();
		this.victim = all[0] || null;
		this.others = all.length - 1;
		if (this.victim) this.onkill();
		this.banner.hidden = false;
		this.banner.dataset.state = "open";
		this.follow();
	}

	killed() {
		const v = this.victim;
		if (!v) return "Killed with -9";
		return `Killed ${v.words ? `at the ${ordinal(v.words)} word` : "before the first word"} of an answer on ${this.platform(v)}${this.others > 0 ? ` (and ${plural(this.others, "other")})` : ""}`;
	}

	platform(v) {
		return { telegram: "Telegram", slack: "Slack", discord: "Discord" }[v.chat.platform] || v.chat.platform;
	}

	async follow() {
		const v = this.victim, doing = { down: this.gateway?.held ? "it is down until it is restarted" : "it starts again in a moment", starting: "it is starting",
			ready: v ? "it goes on with the answer" : "it runs again" }[this.gateway?.state] || "";
		if (document.activeElement === this.restart && !this.gateway?.held) this.close.focus();
		this.restart.hidden = !this.gateway?.held;
		this.where.hidden = !v;
		if (v?.facts) return;
		this.text.textContent = `${this.killed()}: ${doing}.`;
		if (!v || this.gateway?.state !== "ready" || this.judging) {
			this.again = Boolean(this.judging);
			return;
		}
		this.judging = true;
		do {
			this.again = false;
			try { v.facts = await judge(v); } catch { /* it is starting: the next step of the ledger asks once more */ }
		} while (this.again && !v.facts);
		this.judging = false;
		if (!v.facts || v !== this.victim) return;
		this.banner.dataset.state = v.facts.answered && !v.facts.lost && !v.facts.twice && !v.facts.unsure ? "good" : "bad";
		this.text.textContent = `${this.killed()}, ${verdict(v.facts)}.`;
	}
}
