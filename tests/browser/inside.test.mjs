// What the page tells of the inside: the model, requests and verdicts, faults.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { artefacts, PaneDriver, Rig } from "./rig.mjs";

const rig = new Rig();
let page, telegram;

before(async () => {
	await rig.start();
	page = await rig.open();
	telegram = new PaneDriver(page, "telegram");
});
afterEach(async (t) => {
	if (page) await page.screenshot({ path: join(artefacts, `inside-${t.name.replaceAll(/\W+/g, "-")}.png`) });
});
after(() => rig.stop());

test("a request to the model shows with its tool calls and its answer", async () => {
	await page.getByRole("tab", { name: "Model" }).click();
	await telegram.say("read notes.txt");
	await telegram.hears("Ann signs");
	const rows = page.locator("#view-model .row");
	await rows.filter({ hasText: "read_file" }).first().waitFor();
	await rows.filter({ hasText: "notes.txt says" }).first().click();
	await page.locator("#view-model .row[open] summary", { hasText: "request" }).first().click();
	await page.locator("#view-model .row[open]", { hasText: "messages" }).waitFor();
});

test("a request of a bot shows with the verdict on it", async () => {
	await page.getByRole("tab", { name: "Requests" }).click();
	await page.locator("#view-requests .row.good", { hasText: /send(Rich)?Message/ }).first().waitFor();
});

test("a fault is switched on, its verdict shows, and once it is off the answer comes", async () => {
	await page.getByRole("tab", { name: "Faults" }).click();
	const fault = page.getByRole("group", { name: "Telegram" }).getByRole("switch", { name: /^Rate limit/ });
	await fault.check();
	await telegram.say("what is 3*5");
	await page.getByRole("tab", { name: "Requests" }).click();
	await page.getByLabel("only what was refused").check();
	await page.locator("#view-requests .row.bad", { hasText: "429" }).first().waitFor();
	await page.getByRole("tab", { name: "Faults" }).click();
	await page.getByText(/met \d+ time/).first().waitFor();
	await fault.uncheck();
	await telegram.hears("3 * 5 = 15");
	assert.equal(await telegram.node.locator(".from-bot", { hasText: "3 * 5 = 15" }).count(), 1);
});

test("a slow model is seen word by word", async () => {
	await page.getByRole("group", { name: "The model" }).getByRole("switch", { name: /^Slow/ }).check();
	await telegram.say("hello");
	await telegram.node.locator(".growing", { hasText: "Hello" }).waitFor();
	await page.getByRole("group", { name: "The model" }).getByRole("switch", { name: /^Slow/ }).uncheck();
});

test("arrows walk over the tabs", async () => {
	await page.getByRole("tab", { name: "Model" }).click();
	await page.keyboard.press("ArrowRight");
	assert.equal(await page.getByRole("tab", { name: "Requests" }).getAttribute("aria-selected"), "true");
	assert.ok(await page.getByRole("tabpanel", { name: "Requests" }).isVisible());
	await page.keyboard.press("ArrowLeft");
	assert.ok(await page.getByRole("tabpanel", { name: "Model" }).isVisible());
});

test("a stranger to the gateway is told so in a plain sentence", async () => {
	await page.getByRole("tab", { name: "Gateway" }).click();
	await page.getByText("This playground was given no gateway.").filter({ visible: true }).waitFor();
});
