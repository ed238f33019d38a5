// Runs against the playground at $PLAYGROUND; the bot is a loop over the Bot API.

import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { Playground, PlaygroundError } from "./playground.js";

/** @type {import("./playground.js").Platform[]} */
const platforms = ["telegram", "slack", "discord"];
const playground = new Playground(), ended = new AbortController();
const api = `${playground.url}/telegram/bot4001:${"A".repeat(35)}`;

async function bot(method, parameters) {
	const response = await fetch(`${api}/${method}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(parameters),
		signal: ended.signal });
	return (await response.json()).result;
}

// Echoes with a button; a press is answered.
async function echo() {
	for (let offset = 0; ;) {
		for (const update of (await bot("getUpdates", { offset, timeout: 30 })) ?? []) {
			offset = update.update_id + 1;
			const { message, callback_query: press } = update;
			if (message?.text) {
				await bot("sendMessage", { chat_id: message.chat.id, text: `You said: ${message.text}`,
					reply_markup: { inline_keyboard: [[{ text: "Well done", callback_data: "well" }]] } });
			}
			if (press) {
				await bot("answerCallbackQuery", { callback_query_id: press.id });
				await bot("sendMessage", { chat_id: press.message.chat.id, text: "Thank you." });
			}
		}
	}
}

const running = echo().catch((error) => { if (!ended.signal.aborted) throw error; });
after(async () => { ended.abort(); await running; });
beforeEach(() => playground.reset());

test("a person writes and presses, and the bot answers", async () => {
	const chat = playground.chat("telegram", "Ann");
	const { message_id } = await chat.say("hello");
	assert.equal((await chat.answer("You said: ")).text, "You said: hello");
	await chat.press("Well done");
	assert.equal((await chat.answer(/^Thank/)).text, "Thank you.");
	assert.deepEqual((await chat.messages()).map((m) => m.text), ["hello", "You said: hello", "Thank you."]);
	assert.equal((await chat.messages())[0].id, message_id);
	assert.equal((await playground.requests("telegram", { method: "answerCallbackQuery" })).length, 1);
	assert.equal((await playground.report()).problems, 0);
});

test("what does not come is an error", async () => {
	const chat = playground.chat("telegram", "Ann");
	await chat.say("hello");
	await chat.answer();
	await assert.rejects(chat.answer("never", { timeout: 50 }), (error) => error instanceof PlaygroundError && error.status === 408 &&
		/"never".*"You said: hello"/.test(error.message));
	await assert.rejects(chat.press("Nothing", { timeout: 50 }), PlaygroundError);
	await assert.rejects(playground.call("nonsense"), PlaygroundError);
	await assert.rejects(new Playground("http://127.0.0.1:1").reset(), (error) => error instanceof PlaygroundError && /start myna-playground/.test(error.message));
});

test("a button that is not there yet is waited for", async () => {
	const chat = playground.chat("telegram", "Ann");
	await chat.say("hello");
	await chat.press("Well done");
	await chat.answer("Thank you.");
});

test("a bot is waited for", async () => {
	const world = await playground.world("empty");
	for (const platform of platforms) await assert.rejects(world.ready(platform, { timeout: 0 }), /no bot has come/);
	await fetch(`${world.url}/telegram/bot4001:${"A".repeat(35)}/getMe`);
	await world.ready("telegram");
	await playground.endWorld("empty");
});

test("a fault meets the bot, and the report says what is wrong", async () => {
	await playground.fault({ platform: "telegram", method: "sendMessage", kind: "retry_after", seconds: 60 });
	const chat = playground.chat("telegram", "Ann");
	await chat.say("one");
	await chat.say("two"); // the bot does not wait
	await chat.answer("two");
	const { findings } = await playground.report();
	assert.deepEqual(findings.filter((f) => f.level === "problem").map((f) => [f.check, f.method, f.count]), [["retry_after", "sendMessage", 1]]);
	assert.match(await playground.junit(), /<failure/);
	assert.equal(await playground.clearFaults(), 0);
});

test("time passes, and a snapshot comes back", async () => {
	const chat = playground.chat("telegram", "Ann"), before = await playground.now();
	await chat.say("hello");
	await chat.answer("hello");
	const snapshot = JSON.parse(JSON.stringify(await playground.snapshot()));
	assert.ok(+await playground.advance(86400) - +before >= 86400000);
	await playground.reset();
	assert.deepEqual((await playground.get("chats")).chats, []);
	await playground.restore(snapshot);
	assert.equal((await chat.messages()).length, 2);
	await chat.say("again");
	await chat.answer("You said: again");
});

for (const platform of platforms) {
	test(`people vote, forward, pin and speak on ${platform}`, async () => {
		const chat = playground.chat(platform, "dev", { user: "Ann", kind: "channel" }), bea = playground.chat(platform, "Bea");
		const place = platform === "telegram" ? playground.chat(platform, "-100777", { user: "Ann", kind: "group" }) : chat;
		const { message_id } = await place.say("look");
		await bea.forward(message_id, place.chat, { kind: "private" });
		await place.voice(3);
		await place.act("pin", { message_id });
		if (platform !== "slack") {
			await place.poll("Tea?", ["yes", "no"]);
			await place.vote("no");
			await place.vote(undefined, { end: true });
		}
		const messages = await place.messages();
		assert.equal(messages.find((m) => m.id === message_id).pinned, true);
		assert.equal(messages.find((m) => m.files.length).files[0].kind, "voice");
		assert.equal((await bea.messages()).filter((m) => !m.bot).length, 1);
	});
}

test("all that a person does can be done in a thread and a chat of a kind", async () => {
	const room = { user: "Ann", kind: "channel" };
	for (const platform of platforms) {
		const telegram = platform === "telegram", name = telegram ? "forum" : "dev", kind = telegram ? "group" : "channel";
		const top = playground.chat(platform, name, { ...room, kind });
		if (telegram) await top.act("chat", { forum: true });
		const begun = telegram ? (await top.act("topic", { action: "create", name: "News" })).thread :
			platform === "discord" ? (await top.act("topic", { action: "create", name: "News" })).thread : (await top.say("begin")).message_id;
		const chat = playground.chat(platform, name, { ...room, kind, thread: String(begun) });
		const { message_id } = await chat.say("look");
		await chat.react(message_id, platform === "slack" ? "eyes" : "👀");
		await chat.act("pin", { message_id });
		if (telegram) {
			await chat.poll("Tea?", ["yes", "no"]);
			await chat.vote("no");
		}
		await assert.rejects(chat.press("nothing", { message_id }), ({ message }) => !message.includes("means nothing here"));
		assert.equal((await chat.messages()).find((m) => m.id === message_id).reactions.length, 1);
	}
	await assert.rejects(playground.chat("slack", "new", room).act("pin", { message_id: "1", nonsense: 1 }), /nonsense/);
});

test("a world beside has its own time and chats", async () => {
	const world = await playground.world("side"), before = await playground.now();
	await world.chat("telegram", "Ann").say("hello");
	const began = await world.now();
	assert.ok(+await world.advance(86400) - +began >= 86400000);
	assert.ok(+await playground.now() - +before < 60000);
	assert.deepEqual((await playground.get("chats")).chats, []);
	await playground.endWorld("side");
	assert.deepEqual((await playground.get("worlds")).worlds, []);
});

test("events come as they happen", async () => {
	const seen = [];
	for await (const event of playground.events()) {
		seen.push(event.type);
		if (event.type === "hello") await playground.chat("telegram", "Ann").say("hello");
		if (event.type === "message" && event.platform === "telegram") break;
	}
	assert.equal(seen[0], "hello");
});
