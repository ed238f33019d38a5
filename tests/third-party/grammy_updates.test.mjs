// grammY's own loop and its runner against the simulated getUpdates.
import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "@grammyjs/runner";
import { GrammyError, HttpError } from "grammy";
import { Playground, until } from "./playground.mjs";

async function withPlayground(body, options) {
	const playground = await new Playground(options).start();
	try {
		await body(playground);
	} finally {
		await playground.stop();
	}
}

// Starts the bot's own loop; the returned promise settles when it ends.
async function start(bot) {
	let ended;
	await new Promise((resolve, reject) => {
		ended = bot.start({ onStart: resolve });
		ended.catch(reject);
	});
	return { ended };
}

test("the loop takes each message once and confirms it", () => withPlayground(async (playground) => {
	const bot = playground.bot(), seen = [];
	bot.on("message:text", (ctx) => seen.push(ctx.message.text));
	await playground.say("before it started");
	const { ended } = await start(bot);
	for (let i = 0; i < 20; i++)
		await playground.say(`message ${i}`);
	await until(() => seen.length === 21, "21 messages");
	await bot.stop();
	await ended;
	assert.equal(seen[0], "before it started");
	assert.deepEqual(seen.slice(1), Array.from({ length: 20 }, (_, i) => `message ${i}`));
	assert.deepEqual(await bot.api.getUpdates({ limit: 1 }), [], "all are confirmed");
	assert.deepEqual(await playground.problems(), []);
}));

test("a webhook is removed before the first poll", () => withPlayground(async (playground) => {
	const bot = playground.bot();
	await bot.api.setWebhook("https://a.example/hook");
	await assert.rejects(bot.api.getUpdates(), (error) => error instanceof GrammyError && error.error_code === 409 &&
		/^Conflict: can't use getUpdates method while webhook is active/.test(error.description));
	const { ended } = await start(bot);
	assert.equal((await bot.api.getWebhookInfo()).url, "");
	await bot.stop();
	await ended;
}));

test("the runner handles many chats at a time and stops cleanly", () => withPlayground(async (playground) => {
	const bot = playground.bot(), seen = new Set();
	let running = 0, most = 0;
	bot.on("message:text", async (ctx) => {
		most = Math.max(most, ++running);
		await until(() => seen.size + running >= 30, "all are handled at the same time");
		seen.add(ctx.message.text);
		running--;
	});
	await bot.init();
	const runner = run(bot);
	for (let i = 0; i < 30; i++)
		await playground.say(`text ${i}`, { user: `${100 + i}` });
	await until(() => seen.size === 30, "30 messages");
	assert.ok(most > 1, `${most} at a time`);
	await runner.stop();
}));

test("of two pollers the older ends with 409", () => withPlayground(async (playground) => {
	const first = playground.bot(), second = playground.bot(), seen = [];
	const older = first.api.getUpdates({ timeout: 30, offset: 1 });
	older.catch(() => {});
	second.on("message:text", (ctx) => seen.push(ctx.message.text));
	// Sent behind it: when this is answered, the older one polls.
	await first.api.getMe();
	const { ended } = await start(second);
	await assert.rejects(older, (error) => error instanceof GrammyError && error.error_code === 409 &&
		error.description ===
		"Conflict: terminated by other getUpdates request; make sure that only one bot instance is running");
	await playground.say("to the newer");
	await until(() => seen.includes("to the newer"), "the newer goes on");
	await second.stop();
	await ended;
}));

test("what was not confirmed comes again, with the same id, also after a restart of the platform", () =>
	withPlayground(async (playground) => {
		const bot = playground.bot();
		await bot.api.getMe();
		await playground.say("one");
		await playground.say("two");
		const before = await bot.api.getUpdates({ timeout: 10 });
		await playground.stop();
		await playground.start();
		const after = await playground.bot().api.getUpdates({ timeout: 10, offset: before[0].update_id });
		assert.deepEqual(after, before);
		const rest = await bot.api.getUpdates({ offset: before[1].update_id });
		assert.deepEqual(rest.map((update) => update.message.text), ["two"]);
	}, { keep: true }));

test("the loop survives pages of HTML, broken connections and rate limits", () => withPlayground(async (playground) => {
	const bot = playground.bot(), seen = [];
	bot.on("message:text", (ctx) => seen.push(ctx.message.text));
	await playground.fault("getUpdates", "status", { status: 502 });
	await playground.fault("getUpdates", "close");
	await playground.fault("getUpdates", "retry_after", { seconds: 1 });
	await playground.fault("getUpdates", "cut", { at_byte: 10 });
	const { ended } = await start(bot);
	await playground.say("still there");
	await until(() => seen.length === 1, "the message came once");
	await bot.stop();
	await ended;
	assert.deepEqual(seen, ["still there"]);
}));

test("a bad token is refused as the platform does, and a method that is not simulated says so", () => withPlayground(async (playground) => {
	const bot = playground.bot();
	await assert.rejects(bot.api.raw.postStory({}), (error) => error instanceof GrammyError &&
		error.error_code === 400 && error.description === "Bad Request: postStory is not simulated by the playground");
	const bad = new bot.constructor("1:AAAAAAAAAAAAAAAAAAAAArevokedAAAAAAAAAA", {
		client: { apiRoot: `${playground.url}/telegram` },
	});
	await assert.rejects(bad.init(), (error) => error instanceof GrammyError && error.error_code === 401 &&
		error.description === "Unauthorized");
	await playground.fault("getMe", "garbage");
	await assert.rejects(bot.api.getMe(), (error) => error instanceof HttpError);
}));
