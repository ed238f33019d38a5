// A playground with Slack's own clients.
import { SocketModeClient } from "@slack/socket-mode";
import { WebClient } from "@slack/web-api";
import assert from "node:assert/strict";
import { Playground } from "./playground.mjs";

const quiet = { debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, getLevel: () => "error", setName() {} };

export class SlackPlayground extends Playground {
	constructor(options = {}) {
		super({ platform: "slack", ...options });
	}

	get api() {
		return `${this.url}/slack/api/`;
	}

	web(token = "xoxb-1-2-one", options = {}) {
		return new WebClient(token, { slackApiUrl: this.api, logger: quiet, retryConfig: { retries: 0 }, ...options });
	}

	// Its events are kept in client.seen; it acknowledges them, unless told otherwise.
	async socket({ token = "xapp-1-A1-2-one", ack = true, options = {} } = {}) {
		const client = new SocketModeClient({
			appToken: token,
			logger: quiet,
			clientPingTimeout: 1000,
			clientOptions: { slackApiUrl: this.api, logger: quiet },
			...options,
		});
		client.seen = [];
		client.on("slack_event", async (event) => {
			client.seen.push(event);
			if (ack)
				await event.ack();
		});
		await client.start();
		return client;
	}
}

// For assert.rejects: what the platform said.
export function refused(error, more = {}) {
	return (e) => {
		assert.equal(e.code, "slack_webapi_platform_error", `${e}`);
		assert.equal(e.data.error, error);
		for (const [key, value] of Object.entries(more))
			assert.deepEqual(e.data[key], value);
		return true;
	};
}
