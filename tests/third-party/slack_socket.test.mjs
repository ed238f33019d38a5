// Events and interactions by way of @slack/socket-mode.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { SlackPlayground, refused } from "./slack.mjs";
import { until } from "./playground.mjs";

const playground = new SlackPlayground();
let web, me;

before(() => playground.start());
after(() => playground.stop());
beforeEach(async () => {
	await playground.control("reset", {});
	await playground.settings({ limits: false, mentions: "message_first", ack_ms: 3000, retry_ms: [0, 60000, 300000], fragments: 1 });
	web = playground.web();
	me = await web.auth.test();
});

const types = (client) => client.seen.filter((e) => e.type === "events_api").map((e) => e.body.event.subtype ?? e.body.event.type);

test("what is said comes as events, a mention as two", async () => {
	const client = await playground.socket();
	const said = await playground.say("hello @bot <&>", { chat: "dev", kind: "channel" });
	await until(() => client.seen.length === 2, "two events");
	assert.deepEqual(types(client), ["message", "app_mention"]);
	const { body } = client.seen[0];
	assert.equal(body.event.text, `hello <@${me.user_id}> &lt;&amp;&gt;`);
	assert.equal(body.event.channel_type, "channel");
	assert.equal(client.seen[1].body.event.channel_type, undefined);
	assert.equal(client.seen[1].body.event.ts, body.event.ts);
	assert.notEqual(client.seen[1].body.event_id, body.event_id);
	assert.deepEqual(body.authorizations[0], { team_id: me.team_id, user_id: me.user_id, is_bot: true, is_enterprise_install: false });
	await playground.say("no", { chat: "dev", edit: said.message_id });
	await playground.control("react", { chat: "dev", user: "Ann", message_id: said.message_id, emoji: "wave" });
	await playground.control("delete", { chat: "dev", message_id: said.message_id });
	await playground.control("chat", { chat: "dev", title: "prod" });
	await playground.control("member", { chat: "prod", action: "add", who: "Bob" });
	await until(() => client.seen.length === 8, "six more");
	assert.deepEqual(types(client).slice(2),
		["message_changed", "reaction_added", "message_deleted", "channel_rename", "member_joined_channel", "channel_join"]);
	await client.disconnect();
	assert.deepEqual(await playground.problems(), []);
});

test("the app hears its own messages, and that they are its own", async () => {
	const client = await playground.socket();
	const said = await playground.say("hi", { chat: "Ann" });
	await web.chat.postMessage({ channel: said.chat_id, text: "hello" });
	await until(() => client.seen.length === 3, "three events");
	assert.deepEqual(types(client), ["app_home_opened", "message", "message"]);
	assert.equal(client.seen[1].body.event.channel_type, "im");
	assert.equal(client.seen[2].body.event.bot_id, me.bot_id);
	await client.disconnect();
});

test("an event that is not acknowledged comes again under the same id", async () => {
	await playground.settings({ ack_ms: 100, retry_ms: [0, 50, 50] });
	const client = await playground.socket({ ack: false });
	await playground.say("hi", { chat: "dev", kind: "channel" });
	await until(() => client.seen.length === 4, "four deliveries");
	assert.deepEqual(client.seen.map((e) => e.retry_num), [0, 1, 2, 3]);
	assert.deepEqual(client.seen.map((e) => e.retry_reason), ["", "timeout", "timeout", "timeout"]);
	assert.equal(new Set(client.seen.map((e) => e.body.event_id)).size, 1);
	await until(async () => (await playground.control("socket")).unacknowledged === 0, "Slack gives up");
	assert.equal(client.seen.length, 4);
	await client.disconnect();
});

test("what was said while nobody was connected comes with a retry", async () => {
	await playground.settings({ retry_ms: [0, 300, 300] });
	await playground.say("hi", { chat: "dev", kind: "channel" });
	const client = await playground.socket();
	await until(() => client.seen.length === 1, "the event");
	assert.equal(client.seen[0].retry_reason, "connection_failed");
	await client.disconnect();
});

test("a button is pressed, and a response_url answers", async () => {
	const client = await playground.socket();
	const said = await playground.say("hi", { chat: "dev", kind: "channel" });
	const sent = await web.chat.postMessage({ channel: said.chat_id, thread_ts: said.message_id, text: "Sure?", blocks: [
		{ type: "actions", block_id: "ask", elements: [
			{ type: "button", action_id: "yes", value: "7:1", text: { type: "plain_text", text: "Yes" } }] },
	] });
	await playground.control("press", { chat: "dev", user: "Ann", message_id: sent.ts, button: "Yes" });
	await until(() => client.seen.some((e) => e.type === "interactive"), "the press");
	const { body, accepts_response_payload } = client.seen.find((e) => e.type === "interactive");
	assert.equal(accepts_response_payload, false);
	assert.equal(body.type, "block_actions");
	assert.equal(body.user.id, said.user_id);
	assert.deepEqual(body.container, { type: "message", message_ts: sent.ts, channel_id: said.chat_id, is_ephemeral: false,
		thread_ts: said.message_id });
	assert.equal(body.message.ts, sent.ts);
	const { action_id, block_id, value, type } = body.actions[0];
	assert.deepEqual([action_id, block_id, value, type], ["yes", "ask", "7:1", "button"]);
	const post = (o) => fetch(body.response_url, { method: "POST", body: JSON.stringify(o) });
	assert.equal((await post({ replace_original: true, text: "Yes.", blocks: [] })).status, 200);
	assert.deepEqual((await playground.transcript("dev"))[1].buttons, []);
	for (let i = 0; i < 4; i++)
		assert.equal((await post({ text: "psst" })).status, 200);
	assert.equal((await post({ text: "psst" })).status, 404);
	await client.disconnect();
});

test("a slash command may be answered with its acknowledgement", async () => {
	const client = await playground.socket({ ack: false });
	client.on("slash_commands", ({ ack }) => ack({ response_type: "in_channel", text: "Stopping" }));
	await playground.control("command", { chat: "dev", kind: "channel", user: "Ann", command: "/agent", text: "stop" });
	await until(async () => (await playground.transcript("dev")).length === 1, "the answer");
	const { body } = client.seen.find((e) => e.type === "slash_commands");
	assert.deepEqual([body.command, body.text, body.channel_name], ["/agent", "stop", "dev"]);
	assert.equal((await playground.transcript("dev"))[0].text, "Stopping");
	await client.disconnect();
	await assert.rejects(playground.control("command", { chat: "dev", user: "Ann", command: "/agent" }), /dispatch_failed/);
});

test("the client comes back after a refresh, a close and an abort", async () => {
	const client = await playground.socket();
	for (const action of ["refresh", "close", "abort"]) {
		const back = new Promise((resolve) => client.once("connected", resolve));
		await playground.control("socket", { action });
		await back;
	}
	await playground.say("hi", { chat: "dev", kind: "channel" });
	await until(() => client.seen.length === 1, "the event");
	await client.disconnect();
});

test("a large envelope comes in pieces", async () => {
	await playground.settings({ fragments: 7 });
	const client = await playground.socket();
	await playground.say("x".repeat(40000), { chat: "dev", kind: "channel" });
	await until(() => client.seen.length === 1, "the event");
	assert.equal(client.seen[0].body.event.text.length, 40000);
	await client.disconnect();
});

test("an envelope goes to one of several connections, and the eleventh is sent away", async () => {
	const clients = [];
	for (let i = 0; i < 10; i++)
		clients.push(await playground.socket());
	for (let i = 0; i < 20; i++)
		await playground.say(`${i}`, { chat: "dev", kind: "channel" });
	await until(() => clients.reduce((n, c) => n + c.seen.length, 0) === 20, "twenty events");
	assert.ok(clients.every((c) => c.seen.length === 2));
	const open = await playground.web("xapp-1-A1-2-one").apps.connections.open({});
	const said = [];
	const more = new WebSocket(open.url);
	more.onmessage = ({ data }) => said.push(JSON.parse(data));
	await new Promise((resolve) => (more.onclose = resolve));
	assert.deepEqual(said.map((m) => [m.type, m.reason]), [["disconnect", "too_many_websockets"]]);
	await Promise.all(clients.map((c) => c.disconnect()));
});

test("a ticket is good once, and a token that is none stops the client", async () => {
	const open = await playground.web("xapp-1-A1-2-one").apps.connections.open({});
	const first = new WebSocket(open.url);
	const hello = await new Promise((resolve) => (first.onmessage = ({ data }) => resolve(JSON.parse(data))));
	assert.deepEqual([hello.type, hello.num_connections], ["hello", 1]);
	assert.ok(hello.connection_info.app_id && hello.debug_info.approximate_connection_time);
	const second = new WebSocket(open.url);
	await new Promise((resolve) => (second.onerror = resolve));
	first.close();
	await assert.rejects(playground.socket({ token: "xapp-1-A1-2-revoked" }), refused("invalid_auth"));
	await assert.rejects(playground.socket({ token: "xoxb-1-2-one", options: { autoReconnectEnabled: false } }),
		refused("not_allowed_token_type"));
});
