// The chats of all platforms and what was said in them, as the playground tells it.

import { get } from "./api.js";

// business: the chat is of a person's account for which the bot works.
export function keyOf({ platform, chat, bot, business }) {
	return `${platform}/${chat}/${bot || ""}${business ? "/" + business : ""}`;
}

// One run at a time: a call while it runs makes one more, which sees what came meanwhile.
function oneAtATime(run) {
	let now = null, next = null;
	const start = () => {
		now = run().finally(() => { now = null; });
		return now;
	};
	return () => {
		if (now) {
			next ||= now.catch(() => {}).then(() => {
				next = null;
				return start();
			});
		}
		return next || start();
	};
}

class Chat {
	constructor(row) {
		Object.assign(this, { messages: [], drafts: [], typing: null, about: null, loaded: false }, row);
		this.key = keyOf(row);
		this.places = new Map(); // of messages, by id
		this.meanwhile = null; // events since the transcript was asked for, which it may not hold
		this.load = oneAtATime(() => this.loadOnce());
	}

	where() {
		return { platform: this.platform, chat: this.chat, bot: this.bot, business: this.business };
	}

	async loadOnce() {
		const meanwhile = this.meanwhile = [];
		try {
			this.take(...await Promise.all([get("transcript", this.where()), get("about", this.where())]));
			for (const event of meanwhile) takers[event.type](this, event);
		} finally {
			this.meanwhile = null;
		}
	}

	apply(event) {
		takers[event.type](this, event);
		this.meanwhile?.push(event);
	}

	take(t, about) {
		this.setMessages(t.messages);
		this.drafts = t.drafts;
		this.typing = t.typing ? { text: t.status || "", until_ms: Date.now() + 8000, thread: null } : null;
		this.interactions = t.interactions || [];
		this.assistant = t.assistant || {};
		this.about = about;
		this.title = about.title || this.title;
		this.loaded = true;
	}

	put(id, message) {
		const at = this.places.get(id);
		if (message === null) {
			if (at !== undefined) this.setMessages(this.messages.toSpliced(at, 1));
		} else if (at !== undefined) {
			this.messages[at] = message;
		} else {
			this.places.set(id, this.messages.push(message) - 1);
		}
	}

	setMessages(messages) {
		this.messages = messages;
		this.places = new Map(messages.map((m, i) => [m.id, i]));
	}

	find(id) {
		return this.messages[this.places.get(id)];
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

	loadList: oneAtATime(async () => {
		const rows = (await get("chats")).chats, { chats } = world, seen = new Set();
		for (const row of rows) {
			if (row.people) row.kind = "people";
			const key = keyOf(row), had = chats.get(key);
			seen.add(key);
			if (had) Object.assign(had, row);
			else chats.set(key, new Chat(row));
		}
		for (const key of [...chats.keys()]) if (!seen.has(key)) chats.delete(key);
	}),

	async load() {
		await this.loadList();
		await Promise.all([...this.chats.values()].map((c) => c.load()));
		for (const c of this.chats.values()) this.onchange(c.platform, c.key);
	},

	// An event without a chat may be about any chat of the platform.
	async loadChat(event) {
		await this.loadList();
		const changed = event.chat === null ? this.of(event.platform) : [this.at(event)].filter(Boolean);
		await Promise.all(changed.map((c) => c.load()));
		for (const c of changed) this.onchange(c.platform, c.key);
	},

	at(event) {
		return this.chats.get(keyOf(event)) ||
			[...this.chats.values()].find((c) => c.platform === event.platform && c.chat === event.chat && c.business === event.business);
	},

	apply(event) {
		const chat = event.chat !== undefined ? this.at(event) : undefined;
		if (!takers[event.type]) return;
		if (event.type === "chat" || !chat) {
			this.loadChat(event).catch(() => {}); // it was there, and is gone
			return;
		}
		chat.apply(event);
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
