// The chats of a pane, with the topics or threads of the one that is open.

import { h, icon, iconButton } from "./dom.js";
import { niceName } from "./platforms.js";

export function hue(text) {
	let n = 7;
	for (const c of text) n = (n * 31 + c.codePointAt(0)) % 360;
	return n;
}

export function avatar(name, bot) {
	const node = h("span.avatar", { "aria-hidden": "true" }, bot ? h("img", { src: "/page/myna.svg", alt: "" }) : niceName(name).replace(/^#/, "")[0]);
	node.style.setProperty("--hue", hue(name));
	return node;
}

export function chatTitle(platform, chat) {
	if (chat.kind === "private") return niceName(chat.about?.bot_name || "bot");
	if (chat.business) return chat.people.map(niceName).join(", ");
	return platform.name === "telegram" || chat.people ? chat.title : `#${chat.title}`;
}

export class ChatList {
	constructor(pane) {
		this.pane = pane;
		this.rows = h("ul", null);
		this.node = h("nav.chats", { "aria-label": `Chats on ${pane.platform.label}` }, this.rows,
			iconButton("plus", `New chat on ${pane.platform.label}`, () => pane.askChat(), { class: "icon-button new-chat" }));
	}

	render() {
		const chats = this.pane.chats().sort((a, b) => (a.kind !== "private") - (b.kind !== "private"));
		const shape = JSON.stringify([this.pane.open, chats.map((c) => [c.key, chatTitle(this.pane.platform, c), this.preview(c), this.pane.unread(c), c.typing !== null,
			this.pane.platform.threads(c)])]);
		if (shape === this.shape) return;
		this.shape = shape;
		const focused = this.rows.contains(document.activeElement) ? document.activeElement.dataset.go : null;
		this.rows.replaceChildren(...chats.map((c) => this.row(c)));
		if (focused) [...this.rows.querySelectorAll("button")].find((b) => b.dataset.go === focused)?.focus();
	}

	row(chat) {
		const { platform, open } = this.pane, here = chat.key === open.key, title = chatTitle(platform, chat);
		const threads = here ? platform.threads(chat) : [];
		return h("li", { class: here ? "here" : null },
			h("button.chat", { type: "button", "data-go": chat.key, "aria-current": here && !open.thread ? "true" : null,
				title, onclick: () => this.pane.show(chat.key, platform.isForum(chat) ? "general" : null) },
			avatar(chat.kind === "private" ? "bot" : chat.title, chat.kind === "private"),
			h("span.chat-text", null, h("span.chat-title", { dir: "auto" }, title),
				h("span.chat-line", null, h("span.chat-preview", { dir: "auto" }, chat.typing ? "typing…" : this.preview(chat)), this.unreadMark(chat)))),
			threads.length || (here && platform.canAddThread(chat)) ? h("ul.threads", { "aria-label": `${platform.threadWord}s of ${title}` },
				threads.map((t) => h("li", null, this.threadButton(chat, t))),
				h("li", null, h("button.thread.add", { type: "button", title: `New ${platform.threadWord}`, "data-go": chat.key + "+", onclick: () => this.pane.askThread(chat) },
					icon("plus"), h("span", null, `New ${platform.threadWord}`)))) : null);
	}

	unreadMark(chat) {
		const n = this.pane.unread(chat);
		return n ? h("span.unread", null, n > 99 ? "99+" : String(n), h("span.hidden", null, " unread")) : null;
	}

	threadButton(chat, thread) {
		const here = this.pane.open.thread === thread.id;
		return h("button.thread", { type: "button", "data-go": chat.key + thread.id, "aria-current": here ? "true" : null, title: thread.name,
			onclick: () => this.pane.show(chat.key, thread.id) }, h("span.hash", { "aria-hidden": "true" }, "#"), h("span.thread-name", null, thread.name));
	}

	focus() {
		(this.rows.querySelector("[aria-current]") || this.rows.querySelector("button"))?.focus();
	}

	preview(chat) {
		const m = chat.last();
		if (!m) return chat.kind === "private" ? "Say hello" : "";
		return (m.bot || chat.kind === "private" ? "" : `${niceName(m.from)}: `) + (this.pane.platform.plain(chat, m) || (m.files[0] ? m.files[0].name : "")).replace(/\*\*|__|~~|\|\||`+/g, "").slice(0, 60);
	}
}
