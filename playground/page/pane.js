// One platform: who writes, its chats, and the chat that is open.

import { post } from "./api.js";
import { ChatList } from "./chatlist.js";
import { h, iconButton, newId, notice } from "./dom.js";
import { niceName } from "./platforms.js";
import { Room } from "./room.js";
import { save, saved } from "./saved.js";
import { world } from "./world.js";

const UNREAD_MAX = 99; // more are not counted

export class Pane {
	constructor(platform) {
		const title = newId("pane");
		this.platform = platform;
		this.onunread = () => {};
		this.list = new ChatList(this);
		this.room = new Room(this);
		this.nodeName = h("span.node-name", { hidden: true });
		this.select = h("select", { "aria-label": `Write on ${platform.label} as`, onchange: () => this.setMe(this.select.value) });
		this.node = h("section.pane." + platform.name, { "aria-labelledby": title, "data-platform": platform.name },
			h("header.pane-top", null, h("h2", { id: title }, platform.label), this.nodeName,
				h("label.account", null, h("span", { "aria-hidden": "true" }, "as"), this.select),
				iconButton("plus", "Add a person", () => this.askPerson())),
			h("div.pane-body", null, this.list.node, this.room.node));
	}

	get me() {
		return saved.me[this.platform.name] || saved.people[0];
	}

	get open() {
		return saved.open[this.platform.name] || {};
	}

	// Which node of a cluster serves the platform, as the status of a node says; of a single gateway nothing is shown.
	showNode(status) {
		const nodes = status?.cluster?.nodes, own = (status?.channels || []).filter((c) => c.type === this.platform.name).map((c) => c.name);
		const serving = (nodes || []).filter((n) => n.state === "alive" && n.channels.some((name) => own.includes(name))).map((n) => n.name);
		this.nodeName.hidden = !nodes;
		this.nodeName.textContent = `served by ${serving.join(", ") || "no node"}`;
	}

	// What the person sees: their own private chat, what is for several, and where they are with other people alone.
	chats() {
		return world.of(this.platform.name).filter((c) => c.people ? c.people.includes(this.me) : c.kind !== "private" || c.user === this.me);
	}

	chat() {
		return world.chats.get(this.open.key);
	}

	show(key, thread) {
		const fromList = this.list.node.contains(document.activeElement);
		this.toPrivate = false;
		saved.open[this.platform.name] = { key, thread: thread || null, chosen: true, room: true };
		save();
		this.refresh();
		if (fromList && !this.list.node.checkVisibility()) this.room.focus(); // on a phone
	}

	// On a phone, from the room back to the list.
	showList() {
		this.open.room = false;
		save();
		this.refresh();
		this.list.focus();
	}

	// A message, wherever the person is.
	reveal(chat, message) {
		const thread = message.thread && !this.platform.shows(chat, message, null) ? message.thread : this.platform.isForum(chat) ? message.thread || "general" : null;
		this.show(chat.key, thread);
		this.room.log.reveal(message.id);
	}

	changed(key) {
		this.touched = this.touched || key === this.open.key || !this.open.key;
		if (this.frame || !this.begun) return;
		this.frame = requestAnimationFrame(() => {
			const touched = this.touched;
			this.frame = 0;
			this.touched = false;
			if (touched || !this.chat()) this.refresh();
			else this.refreshList();
		});
	}

	refreshList() {
		this.room.views?.render(); // another chat tells of them
		this.list.render();
		this.onunread();
	}

	refresh() {
		if (!this.begun) return;
		const chats = this.chats(), { name } = this.platform;
		if (!chats.some((c) => c.key === this.open.key)) saved.open[name] = { room: this.open.room, key: this.liveliest(chats)?.key, thread: null };
		this.leaveDeletedThread();
		this.node.dataset.view = this.open.room ? "room" : "list";
		this.showPeople();
		this.room.render();
		this.noteSeen();
		this.list.render();
		this.onunread();
	}

	leaveDeletedThread() {
		const chat = this.chat(), { open } = this;
		if (open.thread && chat && this.platform.isForum(chat) && !this.platform.threads(chat).some((t) => t.id === open.thread)) open.thread = "general";
	}

	// Called once all is loaded. A chat that nobody has chosen gives way to one where something was said.
	begin() {
		if (!this.begun && !this.open.chosen) saved.open[this.platform.name] = { room: this.open.room };
		this.begun = true;
		this.refresh();
	}

	noteSeen() {
		const last = this.chat()?.messages.at(-1);
		if (!last || saved.seen[this.open.key] === last.id || !this.isLookedAt()) return;
		saved.seen[this.open.key] = last.id;
		save();
	}

	isLookedAt() {
		return document.visibilityState === "visible" && this.room.log.node.checkVisibility();
	}

	// The chat to begin with: where something was said last, a conversation with the bot before others; else the private one.
	liveliest(chats) {
		const said = (c) => c.messages.filter((m) => !m.service && !m.deleted), when = (c) => this.platform.time(said(c).at(-1));
		const isTalk = (c) => said(c).some((m) => m.bot) && said(c).some((m) => !m.bot);
		const used = chats.filter((c) => said(c).length).sort((a, b) => isTalk(b) - isTalk(a) || when(b) - when(a));
		return used[0] || chats.find((c) => c.kind === "private") || chats[0];
	}

	// How many messages of others the person has not seen.
	unread(chat) {
		if (chat.key === this.open.key && this.isLookedAt()) return 0;
		const { messages } = chat, seen = chat.find(saved.seen[chat.key]);
		let n = 0;
		for (let i = messages.length - 1; i >= 0 && messages[i] !== seen && n <= UNREAD_MAX; i--) n += !messages[i].service && !messages[i].deleted && !this.isMine(messages[i]);
		return n;
	}

	isMine(m) {
		return !m.bot && m.from === this.me;
	}

	allUnread() {
		return this.chats().reduce((n, c) => n + this.unread(c), 0);
	}

	showPeople() {
		const people = [...new Set([...saved.people, ...world.of(this.platform.name).map((c) => c.user).filter(Boolean)])];
		if (this.people === people.join() && this.select.value === this.me) return;
		this.people = people.join();
		this.select.replaceChildren(...people.map((p) => h("option", { value: p }, niceName(p))));
		this.select.value = this.me;
	}

	async setMe(name) {
		const own = () => world.of(this.platform.name).find((c) => c.kind === "private" && c.user === name);
		this.toPrivate = this.chat()?.kind === "private"; // unless another chat is chosen meanwhile
		saved.me[this.platform.name] = name;
		save();
		try {
			if (!own()) {
				await post("chat", { platform: this.platform.name, chat: name, user: name, kind: "private" });
				await world.load();
			}
			if (this.toPrivate && own()) this.show(own().key);
		} catch (e) { notice(e); }
		this.refresh();
	}

	askPerson() {
		this.ask("Name of the person", async (name) => {
			if (!/^[A-Za-z][\w-]{0,31}$/.test(name)) throw new Error("A name begins with a letter, and goes on with letters, digits, _ and -.");
			if (!saved.people.includes(name)) saved.people.push(name);
			await this.setMe(name);
		});
	}

	askChat() {
		this.ask("Name of the new group or channel", async (name) => {
			const telegram = this.platform.name === "telegram";
			const chat = telegram ? String(-1000 - Math.floor(Math.random() * 900000)) : name.toLowerCase().replace(/[^\w-]+/g, "-");
			await post("chat", { platform: this.platform.name, chat, user: this.me, kind: "group", title: telegram ? name : undefined });
			await world.load();
			const made = world.of(this.platform.name).find((c) => [c.chat, c.title].includes(chat));
			if (made) this.show(made.key);
		});
	}

	askThread(chat) {
		if (this.platform.beginThread) return this.beginThread(chat);
		this.ask(`Name of the new ${this.platform.threadWord}`, async (name) => {
			const answer = await post("topic", { ...chat.where(), user: this.me, action: "create", name });
			await world.load();
			this.show(chat.key, answer.thread);
		});
	}

	async beginThread(chat) {
		const answer = await this.room.act(...this.platform.beginThread);
		if (!answer) return;
		await world.load();
		this.show(chat.key, answer.thread);
	}

	// A small dialog for one line of text.
	ask(label, done, verb = "Create") {
		const input = h("input", { "aria-label": label, placeholder: label, required: true, maxlength: "60", autocomplete: "off" });
		const submit = async (event) => {
			event.preventDefault();
			if (!input.value.trim()) return;
			dialog.close();
			try { await done(input.value.trim()); } catch (e) { notice(e); }
		};
		const dialog = h("dialog.ask", { "aria-label": label, onclose: () => dialog.remove() },
			h("form", { onsubmit: submit }, h("p", { "aria-hidden": "true" }, label), input,
				h("div.buttons", null, h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
					h("button.strong", { type: "submit" }, verb))));
		document.body.append(dialog);
		dialog.showModal();
		input.focus();
	}
}
