// What was said in a room. A message is drawn again only when something of it changed; the keys Up and Down walk over them.

import { h, iconButton } from "./dom.js";
import { openPicker } from "./emoji.js";
import { drawMessage } from "./message.js";
import { saved } from "./saved.js";

const NEAR = 80; // pixels from the end that still count as the end
const AHEAD = 600; // pixels from what is drawn at which more is drawn
const PAGE = 80, STEP = 40, ROWS_MAX = 240; // messages that are drawn at once: a chat may have ten thousand
const TOGETHER_MS = 5 * 60 * 1000;

export class Log {
	constructor(room) {
		this.room = room;
		this.items = new Map(); // by id: { node, shape }
		this.list = h("ol.messages");
		this.newMark = h("li.new-mark", null, h("span", null, "New"));
		this.tools = this.makeTools();
		this.node = h("div.log", { role: "log", "aria-live": "polite", "aria-label": "Messages", onkeydown: (e) => this.walk(e),
			onfocusin: (e) => this.pick(e.target), onpointerover: (e) => this.pick(e.target), onscroll: () => this.scrolled() }, this.list);
		this.jump = h("button.jump", { type: "button", hidden: true, onclick: () => this.toEnd() });
		this.atEnd = true;
		const resized = new ResizeObserver(() => { if (this.atEnd) this.node.scrollTop = this.node.scrollHeight; });
		for (const part of [this.node, this.list]) resized.observe(part);
	}

	render() {
		const { room } = this, { chat } = room, place = `${chat.key} ${room.thread} ${room.pane.me}`, all = room.messages(), before = this.all;
		const entered = place !== this.place;
		if (entered) this.enter(place, all);
		else this.noteNew(all);
		this.node.dataset.kind = chat.kind;
		this.all = all;
		this.last = all.at(-1)?.id;
		this.choose(entered || this.to === before.length);
		this.draw();
		if (entered && this.newId) this.showNew();
		else if (this.atEnd) this.node.scrollTop = this.node.scrollHeight;
		this.showEmpty(all.length === 0);
		this.showJump();
	}

	enter(place, all) {
		const { pane, chat } = this.room, seen = all.findIndex((m) => m.id === saved.seen[chat.key]);
		this.place = place;
		this.items.clear();
		this.list.replaceChildren();
		this.newId = seen >= 0 ? all.slice(seen + 1).find((m) => !m.service && !m.draft && !pane.isMine(m))?.id : undefined;
		this.atEnd = !this.newId;
		this.from = Math.max(0, Math.min(all.length - PAGE, seen - PAGE / 2));
		this.to = Math.min(all.length, this.from + ROWS_MAX);
	}

	// Where the new begins: what came since the person looked away from the end, until they write.
	noteNew(all) {
		const { pane } = this.room, last = all.findLast((m) => !m.draft);
		if (!last || last.id === this.all.findLast((m) => !m.draft)?.id) return;
		if (pane.isMine(last)) this.newId = undefined;
		else if (!this.newId && (!this.atEnd || !pane.isLookedAt())) this.newId = last.id;
	}

	// Which of the messages are drawn: at the end the newest, else those around what is looked at.
	choose(withNewest) {
		const n = this.all.length;
		if (this.atEnd || (withNewest && n - this.from <= ROWS_MAX)) this.to = n;
		if (this.atEnd) this.from = n - PAGE;
		this.to = Math.min(this.to, n);
		this.from = Math.max(0, Math.min(this.from, this.to - 1));
	}

	// What is looked at stays where it is.
	draw() {
		const anchor = this.atEnd ? null : [...this.list.children].find((node) => node.offsetTop + node.offsetHeight > this.node.scrollTop);
		const top = anchor?.offsetTop, { all, from, to } = this, seen = new Set(), replies = this.countReplies();
		const streams = all.findLast((m) => m.streaming); // an attempt that was broken off leaves an older one
		const nodes = all.slice(from, to).flatMap((m, i) => {
			const node = this.item(m, { before: all[from + i - 1], after: all[from + i + 1], replies: replies.get(m.id) || 0, stalled: Boolean(m.streaming) && m !== streams }, seen);
			return m.id === this.newId ? [this.newMark, node] : [node];
		});
		for (const id of [...this.items.keys()]) if (!seen.has(id)) this.drop(id);
		if (!nodes.includes(this.newMark)) this.newMark.remove();
		nodes.forEach((node, i) => {
			if (this.list.children[i] !== node) this.list.insertBefore(node, this.list.children[i] || null);
		});
		if (anchor?.isConnected) this.node.scrollTop += anchor.offsetTop - top;
	}

	countReplies() {
		const { pane, thread, chat } = this.room, counts = new Map();
		if (pane.platform.repliesInThread && !thread)
			for (const m of chat.messages) if (m.thread && m.thread !== m.id && !m.deleted) counts.set(m.thread, (counts.get(m.thread) || 0) + 1);
		return counts;
	}

	toEnd() {
		this.atEnd = true;
		this.choose();
		this.draw();
		this.node.scrollTop = this.node.scrollHeight;
		this.showJump();
	}

	showNew() {
		this.node.scrollTop = this.newMark.offsetTop - this.node.clientHeight / 3;
		this.noteEnd();
	}

	reveal(id) {
		const at = this.all.findIndex((m) => m.id === id);
		if (at < 0) return;
		this.atEnd = false;
		this.from = Math.max(0, at - PAGE / 2);
		this.to = Math.min(this.all.length, this.from + PAGE);
		this.draw();
		const { node } = this.items.get(id);
		node.scrollIntoView({ block: "center" });
		node.focus({ preventScroll: true });
		node.classList.remove("shown-now");
		requestAnimationFrame(() => node.classList.add("shown-now"));
		this.noteEnd();
	}

	scrolled() {
		const { scrollTop, scrollHeight, clientHeight } = this.node;
		this.noteEnd();
		if (!this.all) return;
		if (scrollTop < AHEAD && this.from > 0) this.grow(-STEP);
		else if (scrollHeight - scrollTop - clientHeight < AHEAD && this.to < this.all.length) this.grow(STEP);
	}

	// More above or below, and less on the other side.
	grow(rows) {
		if (rows < 0) {
			this.from = Math.max(0, this.from + rows);
			this.to = Math.min(this.to, this.from + ROWS_MAX);
		} else {
			this.to = Math.min(this.all.length, this.to + rows);
			this.from = Math.max(this.from, this.to - ROWS_MAX);
		}
		this.draw();
	}

	// Where the reader is further up: a way down, which says whether something came meanwhile.
	showJump() {
		if (this.atEnd) this.read = this.last;
		this.jump.hidden = this.atEnd;
		this.jump.textContent = this.read === this.last ? "To the newest" : "New messages";
	}

	item(m, { before, after, replies, stalled }, seen) {
		const { room } = this, cx = { room, together: this.together(before, m), ends: !this.together(m, after), replies, stalled };
		const replied = m.reply_to ? room.chat.find(m.reply_to) : null;
		const shape = JSON.stringify([m, cx.together, cx.ends, replies, stalled, replied?.text, replied?.deleted, room.chat.about?.names]);
		let item = this.items.get(m.id);
		seen.add(m.id);
		if (!item) {
			item = { node: h("li", { tabindex: "-1", "data-id": m.id }) };
			this.items.set(m.id, item);
		}
		item.message = m;
		if (item.shape === shape) return item.node;
		item.shape = shape;
		this.redraw(item, { ...cx, replied });
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
		this.atEnd = this.to === this.all?.length && this.node.scrollHeight - this.node.scrollTop - this.node.clientHeight < NEAR;
		this.showJump();
	}

	walk(event) {
		const li = event.target.closest("li[data-id]"), step = { ArrowUp: "previousElementSibling", ArrowDown: "nextElementSibling" }[event.key];
		if (!li || !step || event.target.matches("select, input")) return;
		const next = li[step] === this.newMark ? this.newMark[step] : li[step];
		event.preventDefault();
		next?.focus();
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
		this.showMenus(m);
		li.append(this.tools);
	}

	message() {
		return this.items.get(this.tools.message)?.message;
	}

	// Commands of bots for this message, or for who wrote it.
	showMenus(m) {
		const menus = this.room.pane.platform.menus?.(this.room.chat, m) || [];
		this.apps.hidden = !menus.length;
		this.apps.replaceChildren(h("option", { value: "" }, "Apps"), ...menus.map((c) => h("option", { value: JSON.stringify(c.call) }, c.label)));
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
		this.apps = h("select", { "aria-label": "Apps", hidden: true, onchange: () => {
			if (this.apps.value) room.act("command", JSON.parse(this.apps.value));
			this.apps.value = "";
		} });
		return h("div.tools", { role: "group", "aria-label": "Message" }, this.apps, react,
			iconButton(thread ? "thread" : "reply", thread ? "Reply in thread" : "Reply", () => room.reply(this.message())),
			iconButton("edit", "Edit", () => room.edit(this.message()), { "data-own": "" }),
			iconButton("trash", "Delete", () => room.remove(this.message()), { "data-own": "" }));
	}
}
