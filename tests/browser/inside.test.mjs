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
	await telegram.say("markdown sample");
	await telegram.node.locator(".growing", { hasText: "heading" }).waitFor();
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

test("the ledger shows each message on its way", async () => {
	await page.getByRole("tab", { name: "Ledger" }).click();
	await telegram.say("what is 2*3");
	await telegram.hears("2 * 3 = 6");
	const card = page.locator("#view-ledger .card", { hasText: "Ann: what is 2*3" });
	for (const step of ["committed", "model asked", "sent", "turn ended"]) await card.locator(".step", { hasText: step }).first().waitFor();
});

test("the gateway is killed in the middle of an answer, starts again, and nothing is lost", async () => {
	await page.getByRole("tab", { name: "Gateway" }).click();
	await page.getByText("It runs, and is ready.").waitFor();
	await telegram.say("count to 10");
	await telegram.node.locator(".growing", { hasText: "1" }).waitFor();
	await page.getByRole("button", { name: "Kill it, and leave it down" }).click();
	await page.getByText("It is down.").waitFor();
	await telegram.say("are you still there?");
	await page.getByRole("button", { name: "Restart" }).click();
	await page.getByText("It runs, and is ready.").waitFor();
	await page.getByText("killed by signal 9").waitFor();
	await telegram.node.locator(".from-bot", { hasText: "7, 8, 9, 10" }).first().waitFor();
	await telegram.hears("are you still there?");
});

test("a model that does not answer is refused in the form, and the script goes on", async () => {
	await page.getByLabel("Base URL").fill("http://127.0.0.1:9/v1");
	await page.getByRole("textbox", { name: "Model" }).fill("none");
	await page.getByRole("button", { name: "Try it, and use it" }).click();
	await page.locator(".result", { hasText: /\w{4}/ }).filter({ hasNotText: "Asking it" }).waitFor();
	await telegram.say("what is 4*5");
	await telegram.hears("4 * 5 = 20");
});

test("people act and time passes from the page, and the report has findings", async () => {
	await page.getByRole("tab", { name: "People" }).click();
	const people = page.locator("#view-people");
	await people.getByLabel("What to do").selectOption({ label: "Send a voice note" });
	await people.getByRole("button", { name: "Do it" }).click();
	await people.getByText(/"ok":true/).waitFor();
	await page.getByRole("tab", { name: "World" }).click();
	const world = page.locator("#view-world");
	await world.getByRole("button", { name: "+ 1 minute" }).click();
	await world.getByText("1 minutes ahead").waitFor();
	const [download] = await Promise.all([page.waitForEvent("download"), world.getByRole("button", { name: "Save" }).click()]);
	assert.equal(download.suggestedFilename(), "snapshot.json");
	await page.getByRole("tab", { name: "Report" }).click();
	await page.locator("#view-report").getByText(/\d+ problems?, \d+ warnings?/).waitFor();
});
