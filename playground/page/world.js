// The chats of all platforms and what was said in them, as the playground tells it.

import { get } from "./api.js";

export function keyOf(platform, chat, bot) {
	return `${platform}/${chat}/${bot || ""}`;
}

class Chat {
	constructor(row) {
		Object.assign(this, { messages: [], drafts: [], typing: null, about: null, loaded: false }, row);
		this.key = keyOf(row.platform, row.chat, row.bot);
	}

	where() {
		return { platform: this.platform, chat: this.chat, bot: this.bot };
	}

	// What happens while it loads may be missing in what comes: then it loads again.
	load() {
		this.stale = true;
		this.loading ||= this.loadUntilFresh().finally(() => { this.loading = null; });
		return this.loading;
	}

	async loadUntilFresh() {
		while (this.stale) {
			this.stale = false;
			this.take(...await Promise.all([get("transcript", this.where()), get("about", this.where())]));
		}
	}

	take(t, about) {
		this.messages = t.messages;
		this.drafts = t.drafts;
		this.typing = t.typing ? { text: t.status || "", until_ms: Date.now() + 8000, thread: null } : null;
		this.interactions = t.interactions || [];
		this.about = about;
		this.title = about.title || this.title;
		this.loaded = true;
	}

	put(id, message) {
		const at = this.messages.findIndex((m) => m.id === id);
		if (message === null) {
			if (at >= 0) this.messages.splice(at, 1);
		} else if (at >= 0) {
			this.messages[at] = message;
		} else {
			this.messages.push(message);
		}
	}

	last() {
		return this.messages.findLast((m) => !m.deleted && !m.service);
	}
}

export const world = {
	chats: new Map(),
	onchange: () => {},

	of(platform) {
		return [...this.chats.values()].filter((c) => c.platform === platform);
	},

	find(platform, chat) {
		return this.of(platform).find((c) => c.chat === chat);
	},

	async loadList() {
		const rows = (await get("chats")).chats, seen = new Set();
		for (const row of rows) {
			const key = keyOf(row.platform, row.chat, row.bot), had = this.chats.get(key);
			seen.add(key);
			if (had) Object.assign(had, row);
			else this.chats.set(key, new Chat(row));
		}
		for (const key of [...this.chats.keys()]) if (!seen.has(key)) this.chats.delete(key);
	},

	async load() {
		await this.loadList();
		await Promise.all([...this.chats.values()].map((c) => c.load()));
		for (const c of this.chats.values()) this.onchange(c.platform, c.key);
	},

	async loadChat(event) {
		await this.loadList();
		const chat = this.at(event);
		if (chat) {
			await chat.load();
			this.onchange(chat.platform, chat.key);
		}
	},

	at(event) {
		return this.chats.get(keyOf(event.platform, event.chat, event.bot)) ||
			[...this.chats.values()].find((c) => c.platform === event.platform && c.chat === event.chat);
	},

	apply(event) {
		const take = takers[event.type], chat = event.chat !== undefined ? this.at(event) : undefined;
		if (!take) return;
		if (event.type === "chat" || !chat) {
			this.loadChat(event).catch(() => {}); // it was there, and is gone
			return;
		}
		take(chat, event);
		chat.stale = true; // in what is being loaded
		this.onchange(chat.platform, chat.key);
	},
};

function expire(chat, list, ms) {
	setTimeout(() => {
		if (chat[list.name] !== list.value) return;
		chat[list.name] = list.after;
		world.onchange(chat.platform, chat.key);
	}, Math.max(0, ms));
}

const takers = {
	chat: () => {},
	message: (chat, event) => {
		chat.put(event.id, event.message);
		if (event.message?.bot && event.what === "new") chat.typing = null;
	},
	draft: (chat, event) => {
		chat.drafts = event.drafts;
		if (event.drafts.length) expire(chat, { name: "drafts", value: chat.drafts, after: [] }, 31000);
	},
	typing: (chat, event) => {
		chat.typing = event.action ? event : null;
		if (chat.typing) expire(chat, { name: "typing", value: chat.typing, after: null }, event.until_ms - Date.now());
	},
};
