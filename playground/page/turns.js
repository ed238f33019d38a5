// The turns of the gateway, as its trace tells them: which message each answers, and which are not ended.

import { world } from "./world.js";

const KEPT = 200;
const known = new Map(); // by number
const inbounds = new Map(); // what was committed, by its number

// The part of an answer that is there already: a draft, or a message that still grows.
export function growing(chat) {
	const last = chat.messages.findLast((m) => m.bot && !m.deleted);
	return chat.drafts.at(-1) || (last && (last.streaming || last.loading || last.buttons?.some((b) => /stop/i.test(b.label || b.text || b.id || ""))) ? last : undefined);
}

export const turns = {
	apply({ trace: t }) {
		if (t.step === "committed") inbounds.set(t.inbound, t);
		if (inbounds.size > KEPT) inbounds.delete(inbounds.keys().next().value);
		if (!t.turn) return;
		const turn = known.get(t.turn) || known.set(t.turn, { id: t.turn, messages: [], sent: new Set(), isOpen: false }).get(t.turn);
		const said = inbounds.get(t.inbound);
		if (said) Object.assign(turn, { channel: said.channel, chat: said.chat }).messages.push(said.message);
		if (t.channel && !turn.channel) Object.assign(turn, { channel: t.channel, chat: t.chat });
		if (t.step === "sent") turn.sent.add(t.message);
		if (t.step === "turn begun" || t.step === "turn resumed") turn.isOpen = true;
		if (t.step === "turn ended") turn.isOpen = false;
		if (known.size > KEPT) known.delete(known.keys().next().value);
	},

	open() {
		return [...known.values()].filter((t) => t.isOpen);
	},

	clear() {
		for (const t of known.values()) t.isOpen = false;
	},

	// The part of the turn's answer that is there: a draft, or the message of the bot that no other turn has sent.
	begun(turn, chat, asked) {
		const after = chat.messages.slice(chat.messages.indexOf(asked) + 1), others = [...known.values()].filter((t) => t !== turn);
		return chat.drafts.at(-1) || after.findLast((m) => m.bot && !m.deleted && !others.some((t) => t.sent.has(m.id)));
	},

	// The chat of a turn or of a step; the channel may have another name than its platform.
	chatOf({ channel, chat }) {
		return world.find(channel, chat) || [...world.chats.values()].find((c) => c.chat === chat);
	},
};
