// Acts as people in a myna-playground, and reads what a bot does there. It needs nothing but fetch. The types are in playground.d.ts.

const WAIT_MS = 20000, LOOK_MS = 50;

export class PlaygroundError extends Error {
	constructor(message, status) {
		super(message);
		this.name = "PlaygroundError";
		this.status = status;
	}
}

export class Playground {
	constructor(url = process.env.PLAYGROUND ?? "http://127.0.0.1:8090") {
		this.url = url.replace(/\/+$/, "");
	}

	async #open(name, options) {
		try {
			return await fetch(`${this.url}/control/${name}`, options);
		} catch (error) {
			if (options?.signal?.aborted) throw error;
			throw new PlaygroundError(`no playground answers at ${this.url} (${error.cause?.code ?? error.message}): start myna-playground, ` +
				"or say where it is with $PLAYGROUND", 0);
		}
	}

	async #fetch(name, options) {
		const response = await this.#open(name, options), text = await response.text();
		let answer;
		try { answer = JSON.parse(text); } catch { answer = { error: text }; }
		if (!response.ok) throw new PlaygroundError(answer.error ?? `the playground answered ${response.status}`, response.status);
		return answer;
	}

	/** POST /control/NAME: each call of the reference. */
	call(name, body = {}) {
		return this.#fetch(name, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
	}

	/** GET /control/NAME. */
	get(name, parameters = {}) {
		const known = Object.entries(parameters).filter(([, value]) => value !== undefined);
		return this.#fetch(known.length ? `${name}?${new URLSearchParams(known)}` : name);
	}

	/** Waits until a bot has connected to the platform; where bots poll, has asked since the last reset. */
	async ready(platform, { timeout = WAIT_MS } = {}) {
		for (const until = Date.now() + timeout; ; await new Promise((resolve) => setTimeout(resolve, LOOK_MS))) {
			const { sessions, connections } = platform === "telegram" ? { connections: (await this.requests(platform)).length } :
				await this.call("socket", { platform });
			if ((sessions ?? connections) > 0) return;
			if (Date.now() >= until) throw new PlaygroundError(`no bot has come to ${platform} within ${timeout} ms`, 408);
		}
	}

	chat(platform, chat, options) {
		return new Chat(this, platform, chat, options);
	}

	async requests(platform, { method, after } = {}) {
		return (await (platform === "model" ? this.get("model", { method, after }) : this.get("requests", { platform, method, after }))).requests;
	}

	/** Orders a failure; answers with its id. */
	async fault(fault) {
		return (await this.call("fault", { method: "*", ...fault })).id;
	}

	async clearFaults(which = {}) {
		return (await this.call("faults/clear", which)).cleared;
	}

	/** What the bot did that a platform would punish. */
	report() {
		return this.get("report");
	}

	async junit() {
		return (await this.#open("report?format=junit")).text();
	}

	/** The playground's time. */
	async now() {
		return new Date((await this.get("clock")).time_ms);
	}

	/** Lets that many seconds pass at once. */
	async advance(seconds) {
		return new Date((await this.call("clock", { advance: seconds })).time_ms);
	}

	/** All chats of all platforms; an object that JSON can keep. */
	async snapshot() {
		return (await this.get("snapshot")).snapshot;
	}

	async restore(snapshot) {
		await this.call("snapshot", { snapshot });
	}

	async reset() {
		await this.call("reset");
	}

	/** A playground beside this one, with a clock, bots and chats of its own: the bot gets its url. */
	async world(name) {
		return new Playground((await this.call("world", { name })).url);
	}

	async endWorld(name) {
		await this.call("world", { name, end: true });
	}

	settings(settings) {
		return settings ? this.call("settings", settings) : this.get("settings");
	}

	/** Changes as they happen, until the loop is left or the signal is given. */
	async *events(signal) {
		const stop = new AbortController(), end = () => stop.abort();
		signal?.addEventListener("abort", end);
		try {
			const response = await this.#open("events", { signal: stop.signal });
			let text = "";
			for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
				const blocks = (text + part).split("\n\n");
				text = blocks.pop();
				for (const block of blocks)
					for (const line of block.split("\n")) if (line.startsWith("data: ")) yield JSON.parse(line.slice(6));
			}
		} catch (error) {
			if (!signal?.aborted) throw error;
		} finally {
			signal?.removeEventListener("abort", end);
			stop.abort();
		}
	}
}

/** A chat of one platform, as a person sees it. */
export class Chat {
	#seen = 0;

	constructor(playground, platform, chat, { user = chat, kind, thread } = {}) {
		Object.assign(this, { playground, platform, chat, user, kind, thread });
	}

	/** Any call of the reference, in this chat and by this person. */
	act(name, more = {}) {
		const { platform, chat, user, kind, thread } = this;
		return this.playground.call(name, { platform, chat, user, ...(kind && { kind }), ...(thread && { thread }), ...more });
	}

	/** A person writes; answers with message_id and more. What the bot has said before is no answer to it. */
	async say(text, more = {}) {
		this.#seen = (await this.#said()).length;
		return this.act("say", { text, ...more });
	}

	command(command, text, more = {}) {
		return this.act("command", { command, ...(text !== undefined && { text }), ...more });
	}

	/** Presses a button by its label or id, on the newest message that has it, or will have it soon. */
	async press(button, { timeout = WAIT_MS, ...more } = {}) {
		const has = (m) => m.buttons?.some((b) => b.label === button || b.id === button), until = Date.now() + timeout;
		let message = more.message_id && { id: more.message_id };
		while (!(message ??= (await this.#said()).findLast(has))) {
			if (Date.now() >= until) throw new PlaygroundError(`no message of the bot has a button "${button}" within ${timeout} ms`, 404);
			await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
		}
		return this.act("press", { message_id: message.id, button, ...more });
	}

	react(messageId, emoji) {
		return this.act("react", { message_id: messageId, emoji });
	}

	/** Makes a poll of those answers, on Telegram and Discord. */
	poll(question, answers, more) {
		return this.act("say", { poll: { question, answers, ...more } });
	}

	/** Votes by the text or number of an answer, or a list of these; in the newest poll. */
	vote(answer, more = {}) {
		return this.act("vote", { answer, ...more });
	}

	/** Forwards a message; without chat, one of this chat. */
	forward(messageId, chat, more = {}) {
		return this.act("say", { forward: { message_id: messageId, ...(chat && { chat }) }, ...more });
	}

	/** A voice note, or audio clip, of that many seconds. */
	voice(seconds, more = {}) {
		return this.act("say", { files: [{ name: "voice.ogg", size: 2000 * seconds, kind: "voice", duration: seconds, ...more }] });
	}

	transcript() {
		const { platform, chat, thread } = this;
		return this.playground.get("transcript", { platform, chat, thread });
	}

	async messages() {
		return (await this.transcript()).messages;
	}

	async #said() {
		try {
			return (await this.messages()).filter((m) => m.bot && !m.deleted);
		} catch (error) {
			if (error instanceof PlaygroundError && error.status < 500) return []; // nobody has written there yet
			throw error;
		}
	}

	/** Adds to that nothing came what was waited for, and what the bot has said last. */
	async #missing(error, wanted) {
		if (error.status !== 408) throw error;
		const last = (await this.#said()).at(-1);
		throw new PlaygroundError(`no answer of the bot fits ${typeof wanted === "string" ? JSON.stringify(wanted) : wanted ?? "(any)"}; ` +
			(last ? `the last was ${JSON.stringify(last.text)}` : error.message), 408);
	}

	/** Waits for the bot's next message that fits: a text in it, a pattern, or a function; none given: any. */
	async answer(wanted, { timeout = WAIT_MS } = {}) {
		const fits = wanted === undefined ? () => true : typeof wanted === "function" ? wanted :
			wanted instanceof RegExp ? (m) => wanted.test(m.text) : (m) => m.text.includes(wanted);
		const { platform, chat, thread } = this, until = Date.now() + timeout;
		for (;;) {
			const { messages } = await this.playground.call("wait", { platform, chat, ...(thread && { thread }), bot_messages: this.#seen + 1,
				timeout_ms: Math.max(0, until - Date.now()) }).catch((error) => this.#missing(error, wanted));
			const said = messages.filter((m) => m.bot && !m.deleted), fitting = said.findIndex((m, i) => i >= this.#seen && fits(m));
			this.#seen = fitting < 0 ? said.length : fitting + 1;
			if (fitting >= 0) return said[fitting];
		}
	}
}
