// What was said in a room. A message is drawn again only when something of it changed; the keys Up and Down walk over them.

import { h, iconButton } from "./dom.js";
import { openPicker } from "./emoji.js";
import { drawMessage } from "./message.js";

const NEAR = 80; // pixels from the end that still count as the end
const TOGETHER_MS = 5 * 60 * 1000;

export class Log {
	constructor(room) {
		this.room = room;
		this.items = new Map(); // by id: { node, shape }
		this.list = h("ol.messages");
		this.tools = this.makeTools();
		this.node = h("div.log", { role: "log", "aria-live": "polite", "aria-label": "Messages", onkeydown: (e) => this.walk(e),
			onfocusin: (e) => this.pick(e.target), onpointerover: (e) => this.pick(e.target), onscroll: () => this.noteEnd() }, this.list);
		this.jump = h("button.jump", { type: "button", hidden: true, onclick: () => this.toEnd() });
		this.atEnd = true;
	}

	render() {
		const { room } = this, { chat } = room, place = `${chat.key} ${room.thread} ${room.pane.me}`, messages = room.messages();
		if (place !== this.place) {
			this.place = place;
			this.items.clear();
			this.list.replaceChildren();
			this.atEnd = true;
		}
		this.node.dataset.kind = chat.kind;
		const seen = new Set(), nodes = messages.map((m, i) => this.item(m, messages[i - 1], messages[i + 1], seen));
		for (const id of [...this.items.keys()]) if (!seen.has(id)) this.drop(id);
		nodes.forEach((node, i) => {
			if (this.list.children[i] !== node) this.list.insertBefore(node, this.list.children[i] || null);
		});
		this.last = messages.at(-1)?.id;
		this.showEmpty(messages.length === 0);
		if (this.atEnd) this.toEnd();
		else this.showJump();
	}

	toEnd() {
		this.node.scrollTop = this.node.scrollHeight;
		this.noteEnd();
	}

	// Where the reader is further up: a way down, which says whether something came meanwhile.
	showJump() {
		if (this.atEnd) this.read = this.last;
		this.jump.hidden = this.atEnd;
		this.jump.textContent = this.read === this.last ? "To the newest" : "New messages";
	}

	item(m, before, after, seen) {
		const { room } = this, cx = { room, together: this.together(before, m), ends: !this.together(m, after) };
		const replied = m.reply_to ? room.chat.messages.find((x) => x.id === m.reply_to) : null;
		const replies = room.pane.platform.repliesInThread && !room.thread ? room.chat.messages.filter((x) => x.thread === m.id && !x.deleted) : [];
		const shape = JSON.stringify([m, cx.together, cx.ends, replied?.text, replied?.deleted, replies.length, room.chat.about?.names]);
		let item = this.items.get(m.id);
		seen.add(m.id);
		if (!item) {
			item = { node: h("li", { tabindex: "-1", "data-id": m.id }) };
			this.items.set(m.id, item);
		}
		item.message = m;
		if (item.shape === shape) return item.node;
		item.shape = shape;
		this.redraw(item, { ...cx, replied, replies });
		return item.node;
	}

	redraw(item, cx) {
		const focus = item.node.contains(document.activeElement) && document.activeElement !== item.node ?
			document.activeElement.getAttribute("aria-label") || document.activeElement.textContent : null;
		const tools = item.node.contains(this.tools);
		drawMessage(item.node, item.message, cx);
		if (tools) item.node.append(this.tools);
		if (focus) ([...item.node.querySelectorAll("button")].find((b) => [b.getAttribute("aria-label"), b.textContent].includes(focus)) || item.node).focus();
	}

	together(a, b) {
		const { platform } = this.room.pane;
		return Boolean(a && b && a.from === b.from && a.bot === b.bot && !a.service && !b.service && !b.reply_to === !a.reply_to &&
			Math.abs((platform.time(b) || Date.now()) - (platform.time(a) || Date.now())) < TOGETHER_MS);
	}

	drop(id) {
		this.items.get(id).node.remove();
		this.items.delete(id);
	}

	showEmpty(empty) {
		this.node.classList.toggle("empty", empty);
		this.node.dataset.empty = this.room.chat.kind === "private" ? "Say hello: the bot listens." :
			`Nothing was said here yet. ${this.room.pane.platform.mention(this.room.chat)}asks the bot.`;
		const first = this.list.querySelector('li[tabindex="0"]') || this.list.lastElementChild;
		if (first) first.tabIndex = 0;
	}

	noteEnd() {
		this.atEnd = this.node.scrollHeight - this.node.scrollTop - this.node.clientHeight < NEAR;
		this.showJump();
	}

	walk(event) {
		const li = event.target.closest("li[data-id]"), step = { ArrowUp: "previousElementSibling", ArrowDown: "nextElementSibling" }[event.key];
		if (!li || !step || event.target.matches("select, input")) return;
		event.preventDefault();
		li[step]?.focus();
	}

	// The tools stand in the message that is pointed at, or has the focus.
	pick(target) {
		const li = target.closest("li[data-id]"), item = li && this.items.get(li.dataset.id), m = item?.message;
		if (!m || this.picked === li && li.contains(this.tools)) return;
		if (m.deleted || m.draft || m.service) {
			this.tools.remove();
			return;
		}
		for (const other of this.list.querySelectorAll('li[tabindex="0"]')) other.tabIndex = -1;
		li.tabIndex = 0;
		this.picked = li;
		const own = !m.bot && m.from === this.room.pane.me;
		this.tools.message = m.id;
		for (const b of this.tools.querySelectorAll("[data-own]")) b.hidden = !own;
		li.append(this.tools);
	}

	message() {
		return this.items.get(this.tools.message)?.message;
	}

	// The tools may stand in another message by the time that an emoji is chosen.
	pickReaction(button) {
		const id = this.tools.message;
		openPicker(button, (emoji) => {
			const m = this.items.get(id)?.message;
			if (m) this.room.react(m, emoji);
		});
	}

	makeTools() {
		const { room } = this, thread = room.pane.platform.repliesInThread;
		const react = iconButton("smile", "React", () => this.pickReaction(react), { "aria-haspopup": "dialog" });
		return h("div.tools", { role: "group", "aria-label": "Message" }, react,
			iconButton(thread ? "thread" : "reply", thread ? "Reply in thread" : "Reply", () => room.reply(this.message())),
			iconButton("edit", "Edit", () => room.edit(this.message()), { "data-own": "" }),
			iconButton("trash", "Delete", () => room.remove(this.message()), { "data-own": "" }));
	}
}
