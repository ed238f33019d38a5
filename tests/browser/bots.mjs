// Bots of a rig's playground, as clients of its platforms.
import assert from "node:assert/strict";

export const telegramToken = "4242424242:AAEplaygroundTokenOfTheQuickstart01";

// Updates that a bot does not get unless it asks are among them.
const kinds = ["business_connection", "business_message", "callback_query", "chat_join_request", "guest_message", "inline_query", "message", "my_chat_member", "pre_checkout_query"];

export function bots(rig) {
	async function botCall(path, token, body) {
		const answer = await fetch(`${rig.url}${path}`, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json",
			Authorization: token, "User-Agent": "DiscordBot (https://example.org, 1)" } });
		return answer.json();
	}

	// An app on Slack, with what it hears; offers gives what it has for a text that is typed in a menu.
	async function slackApp(offers) {
		const opened = await botCall("/slack/api/apps.connections.open", "Bearer xapp-1-A1001-2002-playgroundTokenOfTheQuickstart", {});
		const socket = new WebSocket(opened.url), heard = [], waiting = [];
		socket.onmessage = ({ data }) => {
			const message = JSON.parse(data);
			const payload = message.payload?.type === "block_suggestion" ? offers(message.payload.value) : undefined;
			if (message.envelope_id) socket.send(JSON.stringify({ envelope_id: message.envelope_id, payload }));
			const at = waiting.findIndex((w) => w.type === (message.payload?.type || message.type));
			if (at >= 0) waiting.splice(at, 1)[0].resolve(message.payload);
			else heard.push(message);
		};
		const hears = (type) => {
			const at = heard.findIndex((m) => (m.payload?.type || m.type) === type);
			return at >= 0 ? Promise.resolve(heard.splice(at, 1)[0].payload) : new Promise((resolve) => waiting.push({ type, resolve }));
		};
		await hears("hello");
		return { hears, close: () => socket.close() };
	}

	// An app on Discord: answers INTERACTION_CREATE as it is told to. Without heartbeats its session would end during a long test.
	async function discordApp(token, intents = 0) {
		const get = async (path, body, method = body ? "POST" : "GET") => (await fetch(`${rig.url}/discord/api/v10${path}`, { method, body: body && JSON.stringify(body),
			headers: { "Content-Type": "application/json", Authorization: token, "User-Agent": "DiscordBot (https://example.org, 1)" } }));
		const socket = new WebSocket((await (await get("/gateway/bot")).json()).url + "?v=10&encoding=json"), heard = [], waiting = [];
		const send = (op, d) => socket.send(JSON.stringify({ op, d }));
		let beat;
		socket.onmessage = ({ data }) => {
			const { op, t, d } = JSON.parse(data);
			if (op === 10) beat = setInterval(() => send(1, null), d.heartbeat_interval).unref();
			if (op === 10) send(2, { token: token.slice(4), intents, properties: { os: "linux", browser: "test", device: "test" } });
			if (op === 1) send(1, null);
			if (!t) return;
			if (waiting[0]?.type === t) waiting.shift().resolve(d);
			else heard.push({ t, d });
		};
		const hears = (type) => {
			const at = heard.findIndex((e) => e.t === type);
			return at >= 0 ? Promise.resolve(heard.splice(at, 1)[0].d) : new Promise((resolve) => waiting.push({ type, resolve }));
		};
		const { application } = await hears("READY");
		const put = async (list) => assert.equal((await get(`/applications/${application.id}/commands`, list, "PUT")).status, 200);
		const answer = async (i, type, data) => assert.equal((await get(`/interactions/${i.id}/${i.token}/callback`, { type, data })).status, 204);
		return { put, answer, hears: (type = "INTERACTION_CREATE") => hears(type), close: () => { clearInterval(beat); socket.close(); } };
	}

	// A bot on Telegram that polls, and hears of every kind of update.
	function telegramBot() {
		const heard = [], call = (method, body) => botCall(`/telegram/bot${telegramToken}/${method}`, "", body);
		let offset = 0;
		const hears = async (kind) => {
			for (;;) {
				const at = heard.findIndex((u) => u[kind]);
				if (at >= 0) return heard.splice(at, 1)[0][kind];
				const { result } = await call("getUpdates", { offset, timeout: 20, allowed_updates: kinds });
				heard.push(...result);
				if (result.length) offset = result.at(-1).update_id + 1;
			}
		};
		return { call, hears };
	}

	return { botCall, slackApp, discordApp, telegramBot };
}
