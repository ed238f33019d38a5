// How discord.js stands what the gateway and the rate limits do to it.
import { GatewayIntentBits, RESTEvents } from "discord.js";
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { DiscordPlayground, refused, tokenOf, until } from "./discord.mjs";

const playground = new DiscordPlayground();
let client, ready, resumed;

before(() => playground.start());
after(() => playground.stop());
beforeEach(async () => {
	await playground.control("reset", {});
	await playground.settings({ limits: false, message_content: true, heartbeat_ms: 41250 });
	await playground.say("first", { chat: "dev", kind: "group" });
	client = await playground.login();
	ready = resumed = 0;
	client.on("shardReady", () => ready++).on("shardResume", () => resumed++);
	await playground.tell(client, "here", { chat: "dev" });
});
afterEach(() => client.destroy());

// What is said while nobody listens comes once, in order.
async function expectResume(act) {
	await act();
	await playground.say("one", { chat: "dev" });
	await playground.say("two", { chat: "dev" });
	await until(() => client.seen.length >= 3, "what was missed");
	await playground.tell(client, "three", { chat: "dev" });
	assert.deepEqual(client.seen.map((m) => m.content), ["here", "one", "two", "three"]);
	await until(() => resumed === 1, "the resume");
	assert.equal(ready, 0);
}

test("a connection that breaks is resumed", () => expectResume(() => playground.socket("abort")));
test("op 7 is followed by a resume", () => expectResume(() => playground.socket("reconnect")));
test("close code 4000 is followed by a resume", () => expectResume(() => playground.socket("close", { code: 4000 })));
test("an invalid session that is resumable is resumed", () =>
	expectResume(() => playground.socket("invalid_session", { resumable: true })));

test("a connection that falls silent is given up and resumed", async () => {
	await client.destroy();
	await playground.settings({ heartbeat_ms: 300 });
	client = await playground.login();
	resumed = ready = 0;
	client.on("shardReady", () => ready++).on("shardResume", () => resumed++);
	await playground.tell(client, "here", { chat: "dev" });
	await expectResume(() => playground.socket("drop_acks"));
});

// Either takes about five seconds, so that both are done at once.
test("an invalid session is followed by a new one, and rate limits are kept meanwhile", async () => {
	const limited = [], channel = client.seen[0].channel;
	await playground.settings({ limits: true });
	client.rest.on(RESTEvents.RateLimited, (info) => limited.push(info));
	await playground.socket("invalid_session");
	for (let i = 0; i < 7; i++)
		await channel.send(`n${i}`);
	assert.equal(limited.length, 1);
	assert.equal(limited[0].limit, 5);
	const answer = await fetch(`${playground.url}/control/requests?platform=discord&method=${encodeURIComponent("POST /channels/messages")}`);
	const { requests } = await answer.json();
	assert.deepEqual(requests.map((r) => r.status), Array(7).fill(200));
	await until(() => ready === 1, "a new session");
	assert.equal(resumed, 0);
	await playground.tell(client, "again", { chat: "dev" });
});

test("a heartbeat that the server asks for comes", async () => {
	const before = (await playground.socket(undefined)).heartbeats;
	await playground.socket("heartbeat");
	await until(async () => (await playground.socket(undefined)).heartbeats > before, "the heartbeat");
});

test("bad tokens and intents that were not granted end it", async () => {
	const bad = playground.client();
	await assert.rejects(bad.login(tokenOf(901, `revoked${"A".repeat(30)}`)), /token/i);
	await playground.settings({ message_content: false });
	await assert.rejects(playground.login(900), /disallowed intents/i);
});

test("without the intent a message is empty unless it is meant for the bot", async () => {
	const { Guilds, GuildMessages, DirectMessages } = GatewayIntentBits;
	const blind = await playground.login(900, { intents: [Guilds, GuildMessages, DirectMessages] });
	assert.equal((await playground.tell(blind, "secret", { chat: "dev" })).content, "");
	assert.match((await playground.tell(blind, "@bot hi", { chat: "dev" })).content, /hi$/);
	assert.equal((await playground.tell(blind, "direct", { chat: "Ann", kind: "private" })).content, "direct");
	await blind.destroy();
});

test("new channels and threads are told", async () => {
	const told = [];
	client.on("channelCreate", (c) => told.push(c.name)).on("threadCreate", (t) => told.push(t.name));
	await playground.tell(client, "in another", { chat: "ops", kind: "group" });
	await playground.tell(client, "deeper", { chat: "ops", thread: "plans" });
	assert.deepEqual(told, ["ops", "plans"]);
});

test("a 429 is waited for, and 500 is told", async () => {
	const channel = client.seen[0].channel;
	await playground.fault("POST /channels/messages", "retry_after", { seconds: 1 });
	const began = Date.now();
	await channel.send("after a while");
	assert.ok(Date.now() - began >= 1000);
	await playground.fault("POST /channels/messages", "status", { status: 500 });
	await assert.rejects(channel.send("never"), (e) => e.status === 500);
	await playground.fault("POST /channels/messages", "status", { status: 403, text: "50013: Missing Permissions" });
	await assert.rejects(channel.send("never"), refused(50013, 403));
	assert.deepEqual((await playground.transcript("dev")).map((m) => m.text), ["first", "here", "after a while"]);
});
