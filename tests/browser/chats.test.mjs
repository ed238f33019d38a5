// Chats of every size on windows of every width: nothing is lost, the page stays quick, and names stay readable.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { contrastProblems, nameProblems } from "./access.mjs";
import { artefacts, PaneDriver, Rig } from "./rig.mjs";

const rig = new Rig();
let page, telegram, slack, discord;

before(async () => {
	await rig.start({ gateway: false });
	page = await rig.open();
	[telegram, slack, discord] = ["telegram", "slack", "discord"].map((name) => new PaneDriver(page, name));
});
afterEach(async (t) => {
	if (page) await page.screenshot({ path: join(artefacts, `chats-${t.name.replaceAll(/\W+/g, "-")}.png`) });
});
after(() => rig.stop());

const ops = { platform: "telegram", chat: "-1001", kind: "group", user: "bea" };
const rows = (pane) => pane.node.locator(".messages > li[data-id]");

// All of them as a person would see them: from the newest upwards, as far as it goes.
async function textsOf(pane) {
	const seen = new Set(), log = pane.node.locator(".log");
	for (let before = -1; seen.size > before;) {
		before = seen.size;
		for (const text of await pane.node.locator(".messages > li[data-id] .text").allInnerTexts()) seen.add(text);
		await log.evaluate((e) => new Promise((scrolled) => {
			e.scrollTop = 0;
			requestAnimationFrame(() => requestAnimationFrame(scrolled));
		}));
	}
	return seen;
}

test("501 messages that come while the chats load are all there", async () => {
	const chat = { ...ops, chat: "-1777" }, transcripts = /\/control\/transcript\?/; // the page learns of it by the first message
	let held = 0, told, saidAll;
	const allSaid = new Promise((resolve) => { saidAll = resolve; });
	await page.route(transcripts, async (route) => { // what is answered is old when it arrives, the last one by 18 messages
		const response = await route.fetch();
		held++;
		await (told ? allSaid : new Promise((later) => setTimeout(later, 20 * (held % 7))));
		await route.fulfill({ response });
	});
	for (let i = 0; i < 501; i += 3) {
		await Promise.all([0, 1, 2].map((k) => rig.control("say", { ...chat, text: `message ${i + k}` })));
		const before = held;
		told ||= i === 480;
		if (i % 60 === 0) await rig.control("chat", { ...chat, title: "Many" }); // each of these makes the page load it again
		while (i === 480 && held === before) await page.waitForTimeout(10);
	}
	saidAll();
	await telegram.openChat("Many");
	await rows(telegram).filter({ hasText: "message 500" }).waitFor();
	await page.unrouteAll({ behavior: "wait" });
	const texts = await textsOf(telegram), missing = Array.from({ length: 501 }, (_, i) => `message ${i}`).filter((text) => ![...texts].some((t) => t === text));
	assert.deepEqual(missing, []);
	assert.ok(held > 5, `${held} loads`);
});

test("a chat of 10,000 messages draws a few hundred, and scrolls from the newest to the oldest", { timeout: 200000 }, async (t) => {
	for (let i = 0; i < 10000; i += 100) await Promise.all(Array.from({ length: 100 }, (_, k) => rig.control("say", { ...ops, text: `line ${i + k}` })));
	await page.reload();
	await page.waitForSelector("body[data-ready]");
	await telegram.openChat("Ops");
	await rows(telegram).filter({ hasText: "line 9999" }).waitFor();
	const { frames, most, oldest } = await telegram.node.locator(".log").evaluate(async (log) => {
		const frames = [], next = () => new Promise((drawn) => requestAnimationFrame(drawn));
		let most = 0;
		for (let i = 0, last = await next(); i < 120; i++) {
			log.scrollTop -= 400;
			const now = await next();
			frames.push(now - last);
			last = now;
			most = Math.max(most, log.querySelectorAll("li[data-id]").length);
		}
		return { frames: frames.sort((a, b) => a - b), most, oldest: Number(/\d+/.exec(log.querySelector("li[data-id] .text").textContent)) };
	});
	t.diagnostic(`frames while it scrolls: median ${frames[60].toFixed(1)} ms, 95 % within ${frames[114].toFixed(1)} ms, longest ${frames[119].toFixed(1)} ms; at most ${most} messages drawn`);
	assert.ok(most <= 240, `${most} messages drawn`);
	assert.ok(oldest < 9300, `line ${oldest}`);
	await rig.control("say", { ...ops, text: "the newest" });
	await telegram.node.getByRole("button", { name: "New messages" }).click();
	await rows(telegram).filter({ hasText: "the newest" }).waitFor();
	assert.ok(await rows(telegram).count() <= 240);
});

test("where the new begins is marked, until the person writes", async () => {
	await telegram.openChat("Many");
	for (const text of ["first new", "second new"]) await rig.control("say", { ...ops, text });
	await telegram.node.locator('button.chat[title="Ops"] .unread', { hasText: "2" }).waitFor();
	await telegram.openChat("Ops");
	assert.match(await telegram.node.locator(".new-mark + li").innerText(), /first new/);
	await rows(telegram).filter({ hasText: "first new" }).focus();
	await page.keyboard.press("ArrowUp");
	assert.match(await page.evaluate(() => document.activeElement.innerText), /the newest/);
	await telegram.say("I have seen it");
	await telegram.node.locator(".new-mark").waitFor({ state: "detached" });
});

test("the names of chats can be read at every width, with the inside column, too", async () => {
	for (const [width, inside] of [[1720, true], [1440, true], [1440, false], [1024, false], [700, false]]) {
		await page.setViewportSize({ width, height: 900 });
		const button = page.getByRole("button", { name: "What goes on inside" });
		if (width > 900 && (await button.getAttribute("aria-expanded") === "true") !== inside) await button.click();
		for (const pane of width > 900 ? [telegram, slack, discord] : [telegram]) {
			for (const title of await pane.node.locator(".chat-title").all()) {
				const box = await title.boundingBox(), whole = await title.evaluate((e) => e.scrollWidth <= e.clientWidth + 1);
				assert.ok(box && box.width > 20 && box.height > 10 && whole, `${await title.innerText()} at ${width}`);
			}
			const field = await pane.field.boundingBox();
			assert.ok(field.width > 120 && field.y + field.height < 900, `the field at ${width}`);
		}
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `scrolls sideways at ${width}`);
	}
});

test("text that is written from right to left begins at the right", async () => {
	await page.setViewportSize({ width: 1440, height: 900 });
	for (const pane of [telegram, slack, discord]) {
		await pane.say("שלום עולם, hello");
		const text = pane.node.locator("li.own", { hasText: "שלום" }).locator(".body :is(.text:not(.markdown), p)").first();
		await text.waitFor();
		assert.equal(await text.evaluate((e) => getComputedStyle(e).direction), "rtl");
		assert.equal(await pane.field.getAttribute("dir"), "auto");
	}
});

test("lines of code do not wrap, and their language is no line of them", async () => {
	const long = `int ${"x".repeat(300)} = 1;`, source = `\`\`\`c\n${long}\n\`\`\``, headers = { "Content-Type": "application/json", "User-Agent": "DiscordBot (https://example.org, 1)" };
	const call = async (path, body, token) => (await fetch(`${rig.url}${path}`, { method: "POST", body: JSON.stringify(body), headers: { ...headers, Authorization: token } })).json();
	const idOf = async (platform, title) => (await rig.control(`chats?platform=${platform}`)).chats.find((c) => c.title === title).chat;
	await call("/telegram/bot4242424242:AAEplaygroundTokenOfTheQuickstart01/sendMessage", { chat_id: -1001, parse_mode: "MarkdownV2", text: source }, "");
	await call("/slack/api/chat.postMessage", { channel: await idOf("slack", "general"), text: `\`\`\`\n${long}\n\`\`\`` }, "Bearer xoxb-1001-2002-playgroundTokenOfTheQuickstart");
	await call(`/discord/api/v10/channels/${await idOf("discord", "builds")}/messages`, { content: source }, "Bot MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.playgroundTokenOfTheQuickstart012345");
	for (const [pane, chat] of [[telegram, "Ops"], [slack, "general"], [discord, "builds"]]) {
		await pane.openChat(chat);
		const pre = pane.node.locator(".from-bot pre").last();
		await pre.waitFor();
		const { wide, lines, log } = await pre.evaluate((e) => ({ wide: e.scrollWidth > e.clientWidth, lines: e.querySelector("code").getClientRects().length,
			log: e.closest(".log").scrollWidth <= e.closest(".log").clientWidth }));
		assert.ok(wide && log && lines === 1, `${chat}: ${lines} lines`);
	}
	assert.equal(await discord.node.locator(".from-bot pre").last().innerText(), long);
});

test("an answer that was begun twice has one draft and one Stop", async () => {
	const draft = (draft_id, text) => fetch(`${rig.url}/telegram/bot4242424242:AAEplaygroundTokenOfTheQuickstart01/sendMessageDraft`,
		{ method: "POST", body: JSON.stringify({ chat_id: Number(chat), draft_id, text }), headers: { "Content-Type": "application/json" } });
	const { chat } = (await rig.control("chats?platform=telegram")).chats.find((c) => c.user === "ann");
	await telegram.openChat("Myna");
	await telegram.say("count, please");
	await draft(1, "1, 2, 3");
	await telegram.node.locator(".growing", { hasText: "1, 2, 3" }).waitFor();
	await draft(2, "1, 2");
	await telegram.node.locator(".growing .text", { hasText: /^1, 2$/ }).waitFor();
	assert.equal(await telegram.node.locator(".growing").count(), 1);
	assert.ok(await telegram.node.locator(".press").count() <= 1);
});

for (const scheme of ["light", "dark"])
	test(`on a phone there is a list, then a room, and a way back: in the ${scheme}`, async () => {
		const phone = await rig.open({ viewport: { width: 390, height: 780 }, colorScheme: scheme, hasTouch: true, isMobile: true }), pane = new PaneDriver(phone, "telegram");
		await pane.node.locator("button.chat", { hasText: "Ops" }).locator(".unread").waitFor();
		assert.ok(!(await pane.field.isVisible()));
		assert.match(await phone.locator('#tabs [data-tab="telegram"]').innerText(), /^Telegram\s*\d+/);
		assert.ok(await phone.evaluate(() => {
			const words = document.createRange();
			words.selectNodeContents(document.querySelector('#tabs [data-tab="telegram"]'));
			return words.getBoundingClientRect().left >= 8;
		}), "the words of a tab do not touch the edge");
		assert.deepEqual([await contrastProblems(phone), await nameProblems(phone)], [[], []]);
		await pane.node.locator("button.chat", { hasText: "Ops" }).press("Enter");
		await pane.field.waitFor();
		assert.equal(await phone.evaluate(() => document.activeElement.getAttribute("aria-label")), "Back to the chats of Telegram");
		assert.ok(!(await pane.node.locator("button.chat").first().isVisible()));
		assert.deepEqual([await contrastProblems(phone), await nameProblems(phone)], [[], []]);
		await phone.screenshot({ path: join(artefacts, `chats-phone-${scheme}.png`) });
		await phone.keyboard.press("Enter");
		await pane.node.locator("button.chat:focus", { hasText: "Ops" }).waitFor();
		assert.ok(!(await pane.field.isVisible()));
		assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
		await phone.context().close();
	});

test("the browser had nothing to complain of", () => {
	assert.deepEqual(page.problems, []);
});

test("people vote in polls, and see what is forwarded", async () => {
	const poll = { question: "Tea?", answers: ["yes", "no"] }, room = { platform: "telegram", chat: "-1779", kind: "group", user: "bea" };
	const dev = (platform) => ({ platform, chat: "polls", kind: "channel", user: "bea" });
	await rig.control("chat", { ...room, title: "Polls" });
	for (const where of [room, dev("discord")]) await rig.control("say", { ...where, poll });
	const { message_id } = await rig.control("say", { ...dev("slack"), text: "a bird in the hand" });
	await rig.control("say", { ...dev("slack"), chat: "birds", forward: { chat: "polls", message_id } });
	const said = await rig.control("say", { ...dev("discord"), text: "two in the bush" });
	await rig.control("say", { ...dev("discord"), forward: { message_id: said.message_id } });
	await telegram.openChat("Polls");
	await telegram.node.getByRole("button", { name: "no: 0" }).click();
	await telegram.node.getByRole("button", { name: "no: 1" }).waitFor();
	await discord.openChat("polls");
	await discord.node.getByRole("button", { name: "no (0)" }).click();
	await discord.node.getByRole("button", { name: "no (1)" }).waitFor();
	await discord.node.locator(".reply-text", { hasText: "two in the bush" }).waitFor();
	await slack.openChat("birds");
	await slack.node.locator(".reply-to", { hasText: "Forwarded from Bea" }).filter({ hasText: "a bird in the hand" }).waitFor();
	assert.deepEqual(page.problems, []);
});
