// What a newcomer meets, with a real gateway behind the page: chats with something in them, three steps, the kill and what became of it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { artefacts, PaneDriver, PATIENCE, Rig } from "./rig.mjs";

const rig = new Rig(), builds = "200000000000000001";
let page, telegram, slack, discord;

// Before anybody looks, as ./quickstart does it.
async function talk() {
	const say = (platform, chat, user, kind, text) => rig.control("say", { platform, chat, user, kind, text });
	await say("telegram", "-1001", "bea", "group", "This is the ops group.");
	await rig.control("chat", { platform: "telegram", chat: "-1001", title: "Ops" });
	await say("discord", builds, "cem", "group", "This is where builds are announced.");
	await rig.control("chat", { platform: "discord", chat: builds, title: "builds" });
	await say("slack", "release", "bea", "channel", "@bot tell everyone that release 1.4 is out");
	for (const [platform, chat] of [["slack", "release"], ["discord", builds], ["telegram", "-1001"]])
		await rig.control("wait", { platform, chat, contains: platform === "slack" ? "everyone" : "1.4", timeout_ms: PATIENCE });
}

before(async () => {
	await rig.start();
	await talk();
	page = await rig.open();
	[telegram, slack, discord] = ["telegram", "slack", "discord"].map((name) => new PaneDriver(page, name));
});
afterEach(async (t) => {
	if (page) await page.screenshot({ path: join(artefacts, `story-${t.name.replaceAll(/\W+/g, "-")}.png`) });
});
after(() => rig.stop());

const steps = () => page.locator("#steps li:not([hidden])"), step = (name) => steps().filter({ hasText: name });
const outcome = () => page.locator("#banner > span");

test("each platform opens where something was said, and other chats say how much is unread", async () => {
	for (const [pane, chat, text] of [[telegram, "Ops", "release 1.4 is out"], [slack, "#release", "tell everyone"], [discord, "#builds", "release 1.4 is out"]]) {
		assert.equal(await pane.node.getByRole("heading", { level: 3 }).innerText(), chat);
		await pane.node.locator(".messages > li", { hasText: text }).waitFor();
	}
	await rig.control("say", { platform: "discord", chat: "general", user: "cem", text: "one" });
	await rig.control("say", { platform: "discord", chat: "general", user: "cem", text: "two" });
	await discord.node.locator('button.chat[title="#general"] .unread', { hasText: "2 unread" }).waitFor();
	await discord.openChat("general");
	await discord.node.locator('button.chat[title="#general"] .unread').waitFor({ state: "detached" });
});

test("a chat that was chosen stays open over a reload; one that was not gives way to the conversation", async () => {
	await page.reload();
	await page.waitForSelector("body[data-ready]");
	assert.equal(await discord.node.getByRole("heading", { level: 3 }).innerText(), "#general");
	assert.equal(await slack.node.getByRole("heading", { level: 3 }).innerText(), "#release");
});

test("the bot has the same name on all three", async () => {
	await discord.openChat("builds");
	await slack.node.locator(".replies").first().click();
	await telegram.openChat("Ops");
	for (const pane of [telegram, slack, discord]) assert.equal(await pane.node.locator(".from-bot .author").first().innerText(), "Myna");
	assert.equal(await slack.node.locator(".messages .mention").first().innerText(), "@myna");
	await slack.node.getByRole("button", { name: "Back to #release" }).click();
});

test("saying hello ticks the first step", async () => {
	assert.equal(await steps().count(), 3);
	assert.equal(await page.locator("#steps li.done").count(), 0);
	await step("Say hello").getByRole("button").press("Enter");
	await telegram.hears("Hello! I am");
	await page.locator("#steps li.done", { hasText: "Say hello, done" }).waitFor();
});

test("the answer that is being written can be killed from the top of the page, and the banner tells what became of it", async () => {
	const kill = page.getByRole("button", { name: "Kill -9", exact: true });
	await kill.waitFor({ state: "hidden" });
	await step("Kill me").getByRole("button").click();
	await telegram.node.locator(".growing", { hasText: "4" }).waitFor();
	await kill.focus();
	await page.keyboard.press("Enter");
	await outcome().filter({ hasText: /^Killed at the \d+(st|nd|rd|th) word of an answer on Telegram/ }).waitFor();
	const word = Number(/the (\d+)/.exec(await outcome().innerText())[1]);
	assert.ok(word >= 4 && word < 20, `word ${word}`);
	await page.locator("#steps li.done", { hasText: "Kill me" }).waitFor();
	await outcome().filter({ hasText: ", resumed, nothing lost, nothing twice." }).waitFor();
	assert.equal(await page.locator("#banner").getAttribute("data-state"), "good");
	assert.equal(await telegram.node.locator(".from-bot", { hasText: "19, 20" }).count(), 1);
	await kill.waitFor({ state: "hidden" });
});

for (const [name, pane] of [["Slack", () => slack], ["Discord", () => discord]])
	test(`on ${name}, where the answer is a message that is edited, its words are counted, too`, async () => {
		await pane().openChat("Myna");
		await pane().say("count to 16");
		await pane().node.locator(".from-bot .body", { hasText: "1, 2, 3" }).waitFor();
		await page.getByRole("button", { name: "Kill -9", exact: true }).click();
		await page.locator('#banner[data-state="open"]').waitFor();
		assert.match(await outcome().innerText(), new RegExp(`^Killed at the ([3-9]|1[0-6])(rd|th) word of an answer on ${name}`));
		await outcome().filter({ hasText: ", resumed, nothing lost, nothing twice." }).waitFor();
	});

// The playground says that the ledger or the chat is otherwise, and the banner must say so, too.
for (const [what, pattern, change, expected] of [
	["an answer that is there twice", "transcript?*", (t) => ({ ...t, messages: [...t.messages, { ...t.messages.findLast((m) => m.bot), id: "999999" }] }), /resumed, nothing lost, 1 message perhaps twice\.$/],
	["a delivery that is not in the chat", "transcript?*", (t) => ({ ...t, messages: t.messages.filter((m) => !m.bot) }), /not answered, 1 message lost/],
	["a message that the ledger has given up", "gateway/trace?*", (t) => ({ ...t, trace: { ...t.trace, steps: [...t.trace.steps, { at_ms: 1, step: "given up", text: "inbound 1" }] } }), /1 message lost/],
])
	test(`the banner sees ${what}`, async () => {
		await telegram.say("count to 16");
		await telegram.node.locator(".growing", { hasText: "2" }).waitFor();
		await page.route(`**/control/${pattern}`, async (route) => {
			const response = await route.fetch();
			await route.fulfill({ response, json: response.ok() ? change(await response.json()) : await response.json() });
		});
		await page.getByRole("button", { name: "Kill -9", exact: true }).click();
		await page.locator('#banner[data-state="open"]').waitFor();
		await outcome().filter({ hasText: expected }).waitFor();
		assert.equal(await page.locator("#banner").getAttribute("data-state"), "bad");
		await page.unrouteAll({ behavior: "wait" });
		await page.getByRole("button", { name: "Kill -9", exact: true }).waitFor({ state: "hidden" });
	});

// Whatever follows is done from the keyboard.
test("while the gateway is held down, the banner starts it again, and there is one draft and one Stop", async () => {
	await page.getByRole("button", { name: "Dismiss" }).last().press("Enter");
	await page.locator("#banner").waitFor({ state: "hidden" });
	await telegram.say("count to 17");
	await telegram.node.locator(".growing", { hasText: "3" }).waitFor();
	await rig.control("gateway/kill", { hold: true });
	await outcome().filter({ hasText: "it is down until it is restarted" }).waitFor();
	await page.getByRole("button", { name: "Start it again" }).press("Enter");
	await page.locator('#banner [aria-label="Dismiss"]:focus').waitFor();
	await telegram.node.locator(".growing", { hasText: "2" }).waitFor();
	assert.equal(await telegram.node.locator(".growing").count(), 1);
	assert.ok(await telegram.node.locator(".press", { hasText: "Stop" }).count() <= 1);
	await outcome().filter({ hasText: ", resumed, nothing lost, nothing twice." }).waitFor();
	await page.getByRole("button", { name: "Show the chat" }).press("Enter");
	await telegram.node.locator("li.own:focus", { hasText: "count to 17" }).waitFor();
});

test("a card of the ledger has the words of the message, a bar for each step, and leads to the bubble", async () => {
	await step("Look inside").getByRole("button").press("Enter");
	await page.locator("#steps li.done", { hasText: "Look inside" }).waitFor();
	await page.getByRole("heading", { name: "All done" }).waitFor();
	await telegram.openChat("Myna");
	await telegram.say("read notes.txt");
	await telegram.hears("Ann signs");
	const card = page.locator("#view-ledger .card", { hasText: "Ann: read notes.txt" });
	await card.locator(".step", { hasText: "sent" }).last().waitFor();
	await card.getByText("Telegram · Myna").waitFor();
	assert.equal(await card.locator(".bar").count(), await card.locator(".steps > li").count());
	const widths = await card.locator(".bar").evaluateAll((bars) => bars.map((b) => parseFloat(b.style.width)));
	assert.ok(Math.abs(widths.reduce((a, b) => a + b) - 100) < 1, widths.join());
	await telegram.openChat("Ops");
	await card.getByRole("button", { name: "Ann: read notes.txt" }).press("Enter");
	await telegram.node.locator("li.own:focus", { hasText: "read notes.txt" }).waitFor();
});

test("what the gateway does by itself has one card", async () => {
	for (let i = 0; i < 3; i++) {
		await telegram.say("/whoami");
		await telegram.node.locator(".from-bot", { hasText: "You are ann" }).nth(i).waitFor();
	}
	assert.ok(await page.locator("#view-ledger .card", { hasText: "The gateway itself" }).count() <= 1);
	assert.equal(await page.locator("#view-ledger .card", { hasText: "Ann: /whoami" }).count(), 3);
});

test("the model tab has a row for each question, with calls, results, the answer, and a prompt that can be read", async () => {
	await page.getByRole("tab", { name: "Model" }).click();
	const rows = page.locator("#view-model .rows > li").filter({ hasText: "read notes.txt" }), row = rows.locator(".row");
	assert.equal(await rows.count(), 1);
	await row.locator(":scope > summary").press("Enter");
	for (const [who, text] of [["question", "read notes.txt"], ["result", "content: Release checklist"], ["answer", "notes.txt says:"]])
		await row.locator(":scope > .row-in > .said", { hasText: who }).filter({ hasText: text }).waitFor();
	await row.locator(":scope > .row-in > .said", { hasText: "read_file" }).filter({ hasText: "path: notes.txt" }).waitFor();
	assert.equal(await row.locator(".prompt").count(), 2);
	await row.locator(".prompt > summary").last().press("Enter");
	const prompt = row.locator(".prompt[open]");
	await prompt.locator(".said", { hasText: "instructions" }).waitFor();
	assert.ok(await prompt.locator(".said").first().evaluate((e) => e.compareDocumentPosition(e.parentElement.querySelector(".json")) & Node.DOCUMENT_POSITION_FOLLOWING));
});

test("the steps are closed for good", async () => {
	await page.getByRole("button", { name: "Close these steps for good" }).press("Enter");
	await page.locator("#steps").waitFor({ state: "hidden" });
	await page.reload();
	await page.waitForSelector("body[data-ready]");
	assert.ok(!(await page.locator("#steps").isVisible()));
});

test("a provider fills in the address and the protocol", async () => {
	await page.getByRole("tab", { name: "Gateway" }).click();
	await page.getByLabel("Provider").selectOption("Anthropic");
	assert.equal(await page.getByLabel("Base URL").inputValue(), "https://api.anthropic.com");
	assert.equal(await page.getByLabel("Protocol").inputValue(), "anthropic");
	await page.getByLabel("Provider").selectOption("Ollama");
	assert.equal(await page.getByLabel("Base URL").inputValue(), "http://127.0.0.1:11434/v1");
	await page.getByLabel("Base URL").fill("http://127.0.0.1:9/v1");
	assert.equal(await page.getByLabel("Provider").inputValue(), "");
});

test("the browser had nothing to complain of", () => {
	assert.deepEqual(page.problems, []);
});
