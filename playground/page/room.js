// The open chat: its head, what was said, and where to write.

import { get, post } from "./api.js";
import { avatar, chatTitle } from "./chatlist.js";
import { Composer } from "./composer.js";
import { h, iconButton, notice } from "./dom.js";
import { Log } from "./log.js";
import { niceName } from "./platforms.js";

export class Room {
	constructor(pane) {
		this.pane = pane;
		this.head = h("header.room-top");
		this.log = new Log(this);
		this.typing = h("p.typing", { role: "status" });
		this.composer = new Composer(this);
		this.views = pane.platform.views?.(this);
		this.node = h("div.room", null, this.head, this.log.node, this.log.jump, this.views?.node, this.typing, this.composer.node);
	}

	get chat() {
		return this.pane.chat();
	}

	get thread() {
		return this.pane.open.thread;
	}

	// The members of a control request that say who does it, where.
	scene() {
		return { ...this.chat.where(), user: this.pane.me };
	}

	// What everybody in the room sees, the oldest first; ephemeral messages only who they are for.
	messages() {
		const { platform, me } = this.pane, chat = this.chat;
		const names = chat.about?.names || {}, mine = [me, ...Object.keys(names).filter((id) => names[id] === me)]; // Telegram has names alone
		return chat.messages.filter((m) => platform.shows(chat, m, this.thread) && (!m.only_for || mine.includes(m.only_for)))
			.concat(this.thread && platform.name !== "slack" ? [] : chat.drafts.slice(-1)); // an attempt that was broken off leaves an older one
	}

	render() {
		const chat = this.chat;
		this.node.hidden = !chat;
		if (!chat) return;
		this.renderHead(chat);
		this.views?.render();
		this.composer.render(); // before the log, which its height moves
		this.log.render();
		const typing = chat.typing && (!chat.typing.thread || chat.typing.thread === this.thread || this.pane.platform.name !== "slack");
		const who = niceName(chat.about?.bot_name || "bot"), text = typing ? chat.typing.text || "is typing" : "";
		const line = text ? `${who} ${text.replace(/…$/, "")}` : "";
		if (this.typing.textContent !== line) this.typing.replaceChildren(line, line ? h("span.dots", { "aria-hidden": "true" },
			h("i"), h("i"), h("i")) : "");
	}

	renderHead(chat) {
		const { platform } = this.pane, title = chatTitle(platform, chat);
		const thread = this.thread && (platform.threads(chat).find((t) => t.id === this.thread)?.name || "Thread");
		const shape = JSON.stringify([chat.key, title, thread, chat.about?.guild, chat.kind]);
		if (shape === this.shape) return;
		this.shape = shape;
		const inThread = thread && !platform.isForum(chat);
		this.head.replaceChildren(...[
			inThread ? iconButton("back", `Back to ${title}`, () => this.pane.show(chat.key)) :
				iconButton("back", `Back to the chats of ${platform.label}`, () => this.pane.showList(), { class: "icon-button to-list" }),
			inThread ? null : avatar(chat.kind === "private" ? "bot" : chat.title, chat.kind === "private"),
			h("div.room-names", null, h("h3", { dir: "auto" }, thread || title), h("p.sub", null, this.subtitle(chat, title, thread)))].filter(Boolean));
	}

	focus() {
		this.head.querySelector("button")?.focus();
	}

	subtitle(chat, title, thread) {
		if (thread) return `in ${title}`;
		if (chat.kind === "private") return "bot";
		return [chat.about?.guild, { group: "group", channel: "channel", news: "announcements", people: chat.business ? "the bot works for the account" : "without the bot" }[chat.kind]].filter(Boolean).join(" · ");
	}

	async act(name, more) {
		try {
			return await post(name, { ...this.scene(), ...more });
		} catch (e) {
			notice(e);
			return null;
		}
	}

	press(m, button, values) {
		return this.act("press", { message_id: m.id, button, values });
	}

	// What an app of Slack offers in a menu that asks it; it has three seconds to say.
	async offered(where, button, query) {
		if (!await this.act("press", { ...where, button, query })) return [];
		for (const end = Date.now() + 3000; Date.now() < end;) {
			const { offered } = await get("about", this.scene());
			if (offered?.place.action_id === button && offered.query === query)
				return offered.answer.options || offered.answer.option_groups.flatMap((g) => g.options);
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		return [];
	}

	react(m, emoji) {
		const { platform, me } = this.pane;
		const mine = m.reactions.some((r) => !r.bot && r.from === me && platform.showReaction(r.emoji) === emoji);
		return this.act("react", { message_id: m.id, ...platform.reaction(emoji, mine) });
	}

	reply(m) {
		if (this.pane.platform.repliesInThread) {
			this.pane.show(this.chat.key, m.thread || m.id);
			this.composer.focus();
		} else {
			this.composer.begin("reply", m);
		}
	}

	remove(m) {
		return this.act("delete", { message_id: m.id });
	}

	edit(m) {
		this.composer.begin("edit", m);
	}
}
