// The conversations of the quickstart, done by clicking and typing, with a real gateway behind the page.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { artefacts, PaneDriver, Rig } from "./rig.mjs";

const rig = new Rig();
let page, telegram, slack, discord;

before(async () => {
	await rig.start();
	page = await rig.open();
	[telegram, slack, discord] = ["telegram", "slack", "discord"].map((name) => new PaneDriver(page, name));
});
afterEach(async (t) => {
	if (page) await page.screenshot({ path: join(artefacts, `${t.name.replaceAll(/\W+/g, "-")}.png`) });
});
after(() => rig.stop());

test("the page opens without a complaint of the browser, and each platform has several chats", async () => {
	assert.deepEqual(page.problems, []);
	for (const pane of [telegram, slack, discord]) assert.ok(await pane.node.locator("button.chat").count() >= 3);
});

// Says the text, and counts the lengths that the last message of the bot had in the page until it holds the other text. The page
// counts, after each change: a loaded machine may not let the test look in time.
async function lengthsOfAnswer(pane, said, until) {
	const lengths = await pane.node.evaluateHandle((node) => {
		const seen = new Set();
		new MutationObserver(() => {
			const length = [...node.querySelectorAll(".messages > li.from-bot .body")].at(-1)?.innerText.length;
			if (length) seen.add(length);
		}).observe(node, { subtree: true, childList: true, characterData: true });
		return seen;
	});
	await pane.say(said);
	await pane.hears(until);
	return lengths.evaluate((seen) => seen.size);
}

test("on Telegram an answer is seen while it grows", async () => {
	assert.ok(await lengthsOfAnswer(telegram, "count to 40", "39, 40") >= 3);
});

test("on Telegram the agent reads a file, and tells the group", async () => {
	await telegram.say("read notes.txt");
	await telegram.hears("Ann signs the tag on Friday.");
	await telegram.say("tell ops that the build is green");
	await telegram.hears("To ops");
	await telegram.openChat("Ops");
	await telegram.hears("the build is green");
});

test("in a Slack channel the answer comes in a thread, which opens in the pane", async () => {
	await slack.openChat("release");
	await slack.say("@bot what is 17*23");
	await slack.node.getByRole("button", { name: "1 reply" }).click();
	await slack.hears("17 * 23 = 391");
	assert.ok(await lengthsOfAnswer(slack, "@bot count to 40", "39, 40") >= 3);
	await slack.node.getByRole("button", { name: "Back to #release" }).click();
	await slack.node.getByRole("button", { name: "3 replies" }).waitFor();
});

test("what is said to everyone in Slack is seen on Discord and Telegram", async () => {
	await slack.say("@bot tell everyone that release 1.4 is out");
	await discord.openChat("builds");
	await discord.hears("release 1.4 is out");
	await telegram.hears("release 1.4 is out");
});

test("on Discord a thread is opened, and the answer grows in it", async () => {
	await discord.openChat("general");
	await discord.openThread("ideas");
	assert.ok(await lengthsOfAnswer(discord, "@myna count to 40", "39, 40") >= 3);
});

test("in a topic of a Telegram forum the answer comes in the topic", async () => {
	await telegram.openChat("Forum");
	await telegram.openThread("Releases");
	await telegram.say("@myna_bot what is 6*7");
	await telegram.hears("6 * 7 = 42");
	await telegram.openThread("General");
	await telegram.node.locator(".messages > li.from-bot", { hasText: "42" }).waitFor({ state: "detached" });
});

for (const [platform, chat, mention] of [["telegram", "Ops", "@myna_bot "], ["slack", "release", "@bot "], ["discord", "general", "@myna "]])
	test(`a button of ${platform} is pressed, and stops the answer`, async () => {
		const pane = new PaneDriver(page, platform);
		await pane.openChat(chat);
		await pane.say(`${mention}count to 400`);
		if (platform === "slack") await pane.node.locator("li", { hasText: "count to 400" }).locator(".replies").click();
		await pane.node.locator(".growing .press, .from-bot .press").last().click();
		await pane.hears("stopped");
	});

test("a file goes up, and another comes down", async () => {
	const up = join(rig.dir, "plan.txt");
	writeFileSync(up, "first the tests\n");
	await telegram.openChat("Myna");
	await telegram.node.locator("input[type=file]").setInputFiles(up);
	await telegram.say("hello, here is the plan");
	await telegram.node.locator(".own .file", { hasText: "plan.txt" }).waitFor();
	await telegram.say("send me notes.txt");
	const waiting = page.waitForEvent("download");
	await telegram.node.locator(".from-bot .file", { hasText: "notes.txt" }).click();
	const download = await waiting;
	assert.equal(download.suggestedFilename(), "notes.txt");
	assert.match(readFileSync(await download.path(), "utf8"), /^Release checklist\n/);
	await telegram.hears("notes.txt: sent.");
});

for (const [platform, chat] of [["telegram", "Myna"], ["slack", "release"], ["discord", "general"]])
	test(`on ${platform} a message gets a reaction, is edited and deleted`, async () => {
		const pane = new PaneDriver(page, platform);
		await pane.openChat(chat);
		await pane.say("a word that is wrong");
		if (platform === "telegram") await pane.hears("You said: a word that is wrong"); // nothing moves below the pointer any more
		const mine = pane.node.locator("li.own", { hasText: "a word that is" }).last();
		await pane.tool(mine, "React");
		await page.getByRole("dialog", { name: "Choose a reaction" }).getByRole("button", { name: "fire" }).click();
		await mine.locator('.reaction[aria-pressed="true"]').click();
		await mine.locator('.reaction[aria-pressed="true"]').waitFor({ state: "detached" });
		await pane.tool(mine, "Edit");
		await pane.field.fill("a word that is right");
		await pane.field.press("Enter");
		await pane.node.locator("li.own", { hasText: "is right" }).locator(".edited").first().waitFor({ state: "attached" });
		await pane.tool(pane.node.locator("li.own", { hasText: "is right" }), "Delete");
		await pane.node.locator("li.own", { hasText: "is right" }).waitFor({ state: "detached" });
	});

test("the bot reacts, too, and a reply names what it answers", async () => {
	await telegram.openChat("Myna");
	await telegram.say("react with 👍");
	await telegram.node.locator("li.own .reaction", { hasText: "👍" }).first().waitFor();
	await telegram.node.locator(".messages > li:last-child.from-bot", { hasText: "sent" }).waitFor();
	await telegram.tool(telegram.node.locator("li.own", { hasText: "react with" }), "Reply");
	await telegram.say("thanks");
	await telegram.node.locator("li.own .reply-to").last().waitFor();
	await telegram.hears("You are welcome.");
});

test("the menu of commands is used from the keyboard, on all three", async () => {
	for (const [pane, chat] of [[telegram, "Myna"], [discord, "Myna"]]) {
		await pane.openChat(chat);
		await pane.field.fill("/who");
		await pane.node.getByRole("option", { name: "/whoami" }).waitFor();
		await pane.field.press("Enter");
		await pane.field.press("Enter");
		await pane.hears("ann");
	}
	await slack.openChat("Myna");
	await slack.say("/myna whoami");
	await slack.hears("ann");
});

test("another person has a chat of their own", async () => {
	await telegram.node.getByLabel("Write on Telegram as").selectOption("bea");
	await telegram.node.locator(".log.empty").waitFor();
	await telegram.say("hello");
	await telegram.hears("Hello");
	await telegram.node.getByLabel("Write on Telegram as").selectOption("ann");
	await telegram.node.locator(".reply-to").first().waitFor();
});
