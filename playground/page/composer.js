// Where a person writes: Enter sends, Shift+Enter begins a line, / opens the menu of commands.

import { fileBase64, post } from "./api.js";
import { h, icon, iconButton, newId, notice } from "./dom.js";
import { niceName } from "./platforms.js";
import { save, saved } from "./saved.js";

// What to try: those that the person has not said yet in the chat.
const SUGGESTIONS = ["What can you do?", "Count to 20", "Read notes.txt", "What is 17*23?", "Markdown sample", "Write a long story", "Remind me in 1 min to stretch"];

export class Composer {
	constructor(room) {
		const menuId = newId("menu");
		this.room = room;
		this.onsaid = () => {};
		this.files = [];
		this.aim = null; // { what: "reply" or "edit", message }
		this.text = h("textarea", { rows: "1", dir: "auto", "aria-label": `Message on ${room.pane.platform.label}`, "aria-autocomplete": "list", "aria-controls": menuId,
			oninput: () => this.changed(), onkeydown: (e) => this.key(e), onpaste: (e) => this.paste(e), onblur: () => setTimeout(() => document.activeElement === this.text || this.showMenu([]), 150) });
		this.picker = h("input", { type: "file", multiple: true, hidden: true, "aria-label": "Files", onchange: () => this.addFiles([...this.picker.files]) });
		this.banner = h("div.banner", { hidden: true });
		this.chips = h("ul.chips", { "aria-label": "Files to send", hidden: true });
		this.menu = h("ul.menu", { id: menuId, role: "listbox", "aria-label": "Commands", hidden: true });
		this.suggestions = h("ul.suggestions", { "aria-label": "Try" }, SUGGESTIONS.map((text) => h("li", { "data-text": text.toLowerCase() },
			h("button", { type: "button", onclick: () => this.suggest(text) }, text))));
		this.keys = h("div.keys", { role: "group", "aria-label": "Suggested by the bot" });
		this.node = h("form.composer", { onsubmit: (e) => this.submit(e) }, this.menu, this.suggestions, this.banner, this.chips,
			this.keys, h("div.composer-row", null, iconButton("attach", "Attach files", () => this.picker.click()), this.picker, this.text,
				h("button.icon-button.at", { type: "button", "aria-label": "Mention the bot", title: "Mention the bot", onclick: () => this.insert(room.pane.platform.mention(room.chat)) }, "@"),
				h("button.icon-button.send", { type: "submit", "aria-label": "Send", title: "Send" }, icon("send"))));
	}

	get place() {
		return `${this.room.chat.key} ${this.room.thread || ""}`;
	}

	render() {
		const { pane, chat } = this.room;
		this.text.placeholder = pane.platform.placeholder(chat, this.room.thread);
		this.node.querySelector(".at").hidden = chat.kind === "private";
		this.showSuggestions();
		this.showKeys();
		if (this.shown === this.place) return;
		this.shown = this.place;
		this.begin(null);
		this.text.value = saved.drafts[this.place] || "";
		this.grow();
	}

	// Each is offered until the person has said it here.
	showSuggestions() {
		const { pane, chat } = this.room, said = chat.messages.filter((m) => pane.isMine(m)).map((m) => pane.platform.plain(chat, m).toLowerCase());
		for (const li of this.suggestions.children) li.hidden = said.some((text) => text.includes(li.dataset.text));
		this.suggestions.hidden = ![...this.suggestions.children].some((li) => !li.hidden);
	}

	showKeys() {
		const { room } = this, rows = room.pane.platform.keyboard?.(room) || [], shape = JSON.stringify(rows);
		if (shape === this.keysShape) return;
		this.keysShape = shape;
		this.keys.replaceChildren(...rows.map((row) => h("div.keyboard-row", null, row.map((b) => h("button.press", { type: "button", onclick: () => this.pressKey(b) }, b.label)))));
	}

	// One that asks adds the answer to what it does.
	pressKey(key) {
		const { room } = this, [name, members] = key.act;
		if (!key.ask) return room.act(name, members);
		room.pane.ask(key.ask, (text) => room.act(name, { ...members, [key.member]: key.take ? key.take(text) : text }), key.verb);
	}

	suggest(text) {
		const { chat, pane } = this.room;
		this.text.value = (chat.kind === "private" ? "" : pane.platform.mention(chat)) + text;
		this.node.requestSubmit();
	}

	focus() {
		this.text.focus();
	}

	insert(text) {
		this.text.setRangeText(text, this.text.selectionStart, this.text.selectionEnd, "end");
		this.focus();
		this.changed();
	}

	begin(what, message) {
		this.aim = what ? { what, message } : null;
		this.banner.hidden = !what;
		if (!what) return;
		const text = this.room.pane.platform.plain(this.room.chat, message);
		this.banner.replaceChildren(h("span.banner-text", null, h("strong", null, what === "edit" ? "Edit" : `Reply to ${niceName(message.from)}`), " ", text.slice(0, 80)),
			iconButton("close", "Cancel", () => this.cancel()));
		if (what === "edit") this.text.value = text;
		this.grow();
		this.focus();
	}

	cancel() {
		if (this.aim?.what === "edit") this.text.value = "";
		this.begin(null);
		this.changed();
		this.focus();
	}

	grow() {
		this.text.style.height = "auto";
		if (this.text.scrollHeight) this.text.style.height = `${Math.min(this.text.scrollHeight, 140)}px`; // while it can be seen
	}

	changed() {
		this.grow();
		if (this.aim?.what !== "edit") {
			if (this.text.value) saved.drafts[this.place] = this.text.value;
			else delete saved.drafts[this.place];
			save();
		}
		const typed = /^\/([\w -]*)$/.exec(this.text.value);
		this.showMenu(typed ? this.room.pane.platform.commands(this.room.chat).filter((c) => c.name.startsWith(typed[1])) : []);
	}

	showMenu(commands) {
		this.commands = commands;
		this.chosen = 0;
		this.menu.hidden = commands.length === 0;
		this.menu.replaceChildren(...commands.map((c, i) => h("li", { role: "option", id: newId("command"), "aria-selected": String(i === 0),
			onpointerdown: (e) => { e.preventDefault(); this.choose(i); } }, h("span.command", null, "/" + c.name), h("span.about", { title: c.about }, c.about))));
		this.text.setAttribute("aria-activedescendant", this.menu.firstChild?.id || "");
	}

	move(step) {
		const options = [...this.menu.children];
		this.chosen = (this.chosen + step + options.length) % options.length;
		options.forEach((o, i) => o.setAttribute("aria-selected", String(i === this.chosen)));
		options[this.chosen].scrollIntoView({ block: "nearest" });
		this.text.setAttribute("aria-activedescendant", options[this.chosen].id);
	}

	choose(i) {
		this.text.value = `/${this.commands[i].name} `;
		this.showMenu([]);
		this.changed();
		this.focus();
	}

	key(event) {
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (!this.menu.hidden && step) this.move(step);
		else if (!this.menu.hidden && (event.key === "Tab" || (event.key === "Enter" && this.text.value !== "/" + this.commands[this.chosen].name))) this.choose(this.chosen);
		else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.node.requestSubmit();
		else if (event.key === "Escape" && !this.menu.hidden) this.showMenu([]);
		else if (event.key === "Escape" && this.aim) this.cancel();
		else if (event.key === "ArrowUp" && !this.text.value) this.editLast();
		else return;
		event.preventDefault();
	}

	editLast() {
		const own = this.room.messages().findLast((m) => !m.bot && m.from === this.room.pane.me && !m.deleted);
		if (own) this.begin("edit", own);
	}

	paste(event) {
		const files = [...event.clipboardData.files];
		if (!files.length) return;
		event.preventDefault();
		this.addFiles(files);
	}

	addFiles(files) {
		this.files.push(...files);
		this.picker.value = "";
		this.chips.hidden = !this.files.length;
		this.chips.replaceChildren(...this.files.map((f) => h("li", null, f.name,
			iconButton("close", `Leave out ${f.name}`, () => { this.files = this.files.filter((x) => x !== f); this.addFiles([]); }))));
		this.focus();
	}

	async file(f) {
		const row = { name: f.name, base64: await fileBase64(f) }, kind = this.room.pane.platform.fileKind(f);
		if (kind) row.kind = kind;
		if (kind === "photo") {
			const image = await createImageBitmap(f);
			Object.assign(row, { width: image.width, height: image.height });
		}
		if (this.room.pane.platform.name === "discord" && f.type) row.type = f.type;
		return row;
	}

	async submit(event) {
		event.preventDefault();
		const text = this.text.value.trim(), files = this.files, { aim, place } = this;
		if (!text && !files.length) return;
		this.text.value = "";
		this.files = [];
		this.addFiles([]);
		this.begin(null);
		this.changed();
		this.room.log.atEnd = true;
		try {
			await this.send(text, files, aim);
			this.onsaid();
		} catch (e) {
			notice(e);
			if (place === this.place && !this.text.value) this.text.value = text; // not lost
			this.changed();
		}
	}

	async send(text, files, aim) {
		const { room } = this, { platform } = room.pane, scene = room.scene();
		const thread = room.thread && room.thread !== "general" ? { thread: room.thread } : {};
		const call = aim ? undefined : platform.call?.(room.chat, text);
		if (call) return post("command", { ...scene, ...(platform.repliesInThread ? {} : thread), ...call });
		const body = { ...scene, text: text || undefined, ...(aim?.what === "edit" ? { edit: aim.message.id } : thread) };
		if (platform.name === "discord" && aim?.what === "edit") Object.assign(body, thread);
		if (aim?.what === "reply") Object.assign(body, platform.reply(aim.message));
		if (files.length) body.files = await Promise.all(files.map((f) => this.file(f)));
		return post("say", body);
	}
}
