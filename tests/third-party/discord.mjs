// A playground with discord.js.
import { Client, GatewayIntentBits, Partials } from "discord.js";
import assert from "node:assert/strict";
import { Playground, until } from "./playground.mjs";

const { Guilds, GuildMessages, GuildMessageReactions, GuildMessageTyping, DirectMessages, DirectMessageReactions, MessageContent } =
	GatewayIntentBits;

export const usual = [Guilds, GuildMessages, GuildMessageReactions, GuildMessageTyping, DirectMessages,
	DirectMessageReactions, MessageContent];

export function tokenOf(id, secret = "A".repeat(30)) {
	return `${Buffer.from(String(id)).toString("base64").replace(/=+$/, "")}.GabcDE.${secret}`;
}

export class DiscordPlayground extends Playground {
	constructor(options = {}) {
		super({ platform: "discord", ...options });
	}

	// Messages that it sees are kept in client.seen.
	client({ intents = usual, rest = {} } = {}) {
		const client = new Client({
			intents,
			partials: [Partials.Channel, Partials.Message, Partials.Reaction],
			rest: { api: `${this.url}/discord/api`, cdn: `${this.url}/discord/cdn`, retries: 0, ...rest },
		});
		client.seen = [];
		client.on("messageCreate", (message) => client.seen.push(message));
		return client;
	}

	// Logged in, and ready.
	async login(id = 900, options = {}) {
		const client = this.client(options);
		const ready = new Promise((resolve) => client.once("clientReady", resolve));
		await client.login(tokenOf(id));
		await ready;
		return client;
	}

	// Says something that the client gets to see.
	async tell(client, text, more = {}) {
		const said = await this.say(text, more);
		await until(() => client.seen.some((m) => m.id === said.message_id), `the message "${text}"`);
		return client.seen.find((m) => m.id === said.message_id);
	}

	socket(action, more = {}) {
		return this.control("socket", { action, ...more });
	}
}

// For assert.rejects: the platform's code.
export function refused(code, status) {
	return (e) => {
		assert.equal(e.code, code, `${e}`);
		if (status !== undefined)
			assert.equal(e.status, status);
		return true;
	};
}

export { until };
