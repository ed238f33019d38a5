// What people do that has no button in the chats: the page can do all that /control can, and all of it is done here once.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { bots } from "./bots.mjs";
import { artefacts, PaneDriver, PATIENCE, Rig } from "./rig.mjs";

const rig = new Rig(), { botCall, slackApp, discordApp, telegramBot } = bots(rig);
const done = new Set(), asked = new Set(); // "PLATFORM: LABEL", and "PLATFORM ACTION" of all that the page has asked
const within = { timeout: PATIENCE + 15000 }; // a bot that waits for what does not come polls on
let page, people, telegram, slack, discord;

before(async () => {
	await rig.start({ gateway: false });
	page = await rig.open();
	[telegram, slack, discord] = ["telegram", "slack", "discord"].map((name) => new PaneDriver(page, name));
	people = page.locator("#view-people");
	page.on("request", (r) => r.method() === "POST" && r.url().includes("/control/") && asked.add(`${r.postDataJSON().platform} ${r.url().split("/control/")[1]}`));
	await page.getByRole("tab", { name: "People" }).click();
});
afterEach(async (t) => {
	if (page) await page.screenshot({ path: join(artefacts, `people-${t.name.replaceAll(/\W+/g, "-")}.png`) });
});
after(() => rig.stop());

// Does what the tab calls so, with other members than it suggests; answers with what the playground said.
const acting = (platform) => async (label, change = {}) => {
	await people.getByLabel("Platform").selectOption(platform);
	await people.getByLabel("What to do").selectOption({ label });
	const field = people.getByLabel("With what, as JSON"), body = { ...JSON.parse(await field.inputValue()), ...change };
	await field.fill(JSON.stringify(body));
	const call = (await people.locator("code").innerText()).split(" ")[1];
	const [response] = await Promise.all([page.waitForResponse((r) => r.url().endsWith(call)), people.getByRole("button", { name: "Do it" }).click()]);
	const answer = await response.json();
	assert.ok(answer.ok, `${platform}: ${label}: ${JSON.stringify(body)}: ${answer.error}`);
	done.add(`${platform}: ${label}`);
	return answer;
};

test("on Telegram people send what they can, and the bot hears of it", within, async () => {
	const act = acting("telegram"), bot = telegramBot(), own = (text) => telegram.node.locator("li.own", { hasText: text });
	await telegram.openChat("Ops");
	const { message_id } = (await bot.call("sendMessage", { chat_id: -1001, text: "tea is ready" })).result;
	await telegram.lastFromBot().getByText("tea is ready").waitFor();
	await act("Forward a message");
	await own("Forwarded from").waitFor();
	await act("Send a voice note");
	await own("voice.ogg").waitFor();
	await act("Send an album");
	await own("b.jpg").waitFor();
	await act("Share a contact");
	await own("bea +15550100").waitFor();
	await act("Share a place");
	await own("Place: 52.52").waitFor();
	await act("Roll a dice", { dice: { value: 4 } });
	await own("🎲 4").waitFor();
	await act("Quote a part of a message", { quote: "ready", text: "at last" });
	await own("at last").locator(".reply-to", { hasText: "tea is ready" }).waitFor();
	await act("Write bold text");
	await own("bold").locator("strong").waitFor();
	await act("Write a rich message");
	await own("rich").waitFor();
	await act("Write as the group", { text: "hear, hear" });
	await telegram.messages().filter({ hasText: "hear, hear" }).waitFor();
	await act("Pin a message", { message_id });
	await act("Unpin it", { message_id });
	await act("Make a poll");
	await act("Vote in a poll");
	await telegram.node.getByRole("button", { name: "yes: 1" }).waitFor();
	await act("Take the vote back");
	await telegram.node.getByRole("button", { name: "yes: 0" }).waitFor();
	await act("End an own poll");
	await act("Make a quiz");
	await telegram.tool(telegram.lastFromBot(), "React");
	await page.getByRole("dialog", { name: "Choose a reaction" }).getByRole("button", { name: "fire" }).click();
	await telegram.lastFromBot().locator(".reaction").waitFor();
	await act("Take back one's reactions");
	await telegram.lastFromBot().locator(".reaction").waitFor({ state: "detached" });
	await act("Delete a message");
	await telegram.messages().filter({ hasText: "tea is ready" }).filter({ hasNotText: "Forwarded" }).filter({ hasNotText: "at last" }).waitFor({ state: "detached" });
	await act("Change one's photo");
	await act("Summon a bot that is not here", { chat: "-1778", text: "@myna_bot tea?" });
	assert.equal((await bot.hears("guest_message")).text, "@myna_bot tea?");
});

test("on Telegram people ask in inline mode, pay, tick tasks, and let the bot work for them", within, async () => {
	const act = acting("telegram"), bot = telegramBot();
	await telegram.node.locator("button.chat").first().click();
	await act("Ask in inline mode", { query: "tea" });
	const query = await bot.hears("inline_query"), result = { type: "article", id: "a", title: "Tea", input_message_content: { message_text: "green tea" } };
	assert.equal(query.query, "tea");
	assert.ok((await bot.call("answerInlineQuery", { inline_query_id: query.id, results: [result] })).ok);
	assert.equal((await act("See what the bot offers")).results[0].title, "Tea");
	await act("Send one of that", { result: "a" });
	await telegram.messages().filter({ hasText: "green tea" }).waitFor();
	const chat_id = query.from.id;
	assert.ok((await bot.call("sendInvoice", { chat_id, title: "Tea", description: "A cup", payload: "p", currency: "XTR", prices: [{ label: "Tea", amount: 5 }] })).ok);
	await telegram.lastFromBot().getByText("Tea: A cup").waitFor();
	await act("Pay an invoice");
	await bot.call("answerPreCheckoutQuery", { pre_checkout_query_id: (await bot.hears("pre_checkout_query")).id, ok: true });
	assert.equal((await act("See what became of it")).state, "paid");
	const pay = { inline_keyboard: [[{ text: "Pay", pay: true }, { text: "Which?", callback_data: "w" }]] };
	await bot.call("sendInvoice", { chat_id, title: "Cake", description: "A piece", payload: "p", currency: "XTR", prices: [{ label: "Cake", amount: 7 }], reply_markup: pay });
	const cake = telegram.node.locator(".from-bot", { hasText: "Cake" });
	await cake.getByRole("button", { name: "Pay" }).click();
	assert.equal((await bot.hears("pre_checkout_query")).total_amount, 7);
	await cake.getByRole("button", { name: "Which?" }).click();
	assert.equal((await bot.hears("callback_query")).data, "w");
	const { business } = await act("Let the bot work for one's account");
	assert.equal((await bot.hears("business_connection")).id, business);
	await act("Write to that account", { text: "are you open?" });
	const { text, chat } = await bot.hears("business_message");
	assert.equal(text, "are you open?");
	await telegram.node.getByLabel("Write on Telegram as").selectOption("bea");
	await telegram.openChat("Ann, Bea");
	await telegram.node.locator("li.own", { hasText: "are you open?" }).waitFor();
	await telegram.say("it is five");
	assert.equal((await bot.hears("business_message")).text, "it is five");
	assert.ok((await bot.call("sendMessage", { business_connection_id: business, chat_id: chat.id, text: "we are" })).ok);
	await telegram.hears("we are");
	await telegram.node.getByLabel("Write on Telegram as").selectOption("ann");
	await telegram.messages().filter({ hasText: "it is five" }).and(page.locator(":not(.own)")).waitFor();
	await telegram.node.locator("button.chat").first().click();
	assert.equal(await telegram.messages().filter({ hasText: "it is five" }).count(), 0);
	const list = { title: "To do", tasks: [{ id: 1, text: "Boil water" }] };
	const sent = await bot.call("sendChecklist", { business_connection_id: business, chat_id: chat.id, checklist: list });
	assert.ok(sent.ok, JSON.stringify(sent));
	await act("Tick a task", { business, chat: "bea", message_id: sent.result.message_id });
	assert.deepEqual((await bot.hears("business_message")).checklist_tasks_done.marked_as_done_task_ids, [1]);
	await act("Untick it", { business, chat: "bea", message_id: sent.result.message_id });
	await act("Take the account from the bot");
	assert.equal((await bot.hears("business_connection")).is_enabled, false);
});

test("keys below a chat of Telegram share what they ask for", within, async () => {
	const bot = telegramBot(), keys = telegram.node.getByRole("group", { name: "Suggested by the bot" });
	await telegram.node.locator("button.chat").first().click();
	const chat_id = (await rig.control("chats?platform=telegram")).chats.find((c) => c.user === "ann" && !c.business).chat;
	const keyboard = [[{ text: "Me", request_contact: true }, { text: "Here", request_location: true }, { text: "Ask", request_poll: {} }],
		[{ text: "Them", request_users: { request_id: 1, max_quantity: 2 } }, { text: "There", request_chat: { request_id: 2, chat_is_channel: false } }]];
	assert.ok((await bot.call("sendMessage", { chat_id, text: "what?", reply_markup: { keyboard } })).ok);
	const answers = async (key, member, typed) => {
		let m = {};
		await keys.getByRole("button", { name: key, exact: true }).click();
		if (typed) await page.locator("dialog.ask input").fill(typed);
		if (typed) await page.keyboard.press("Enter");
		while (!m[member]) m = await bot.hears("message");
		return m[member];
	};
	assert.equal((await answers("Me", "contact")).first_name, "ann");
	assert.equal((await answers("Here", "location")).latitude, 52.52);
	assert.equal((await answers("Ask", "poll")).question, "Tea?");
	assert.equal((await answers("Them", "users_shared", "bea, carl")).users.length, 2);
	assert.equal((await answers("There", "chat_shared", "-1001")).chat_id, -1001);
	assert.ok((await bot.call("sendMessage", { chat_id, text: "thanks", reply_markup: { remove_keyboard: true } })).ok);
	await keys.getByRole("button", { name: "Them" }).waitFor({ state: "detached" });
});

test("on Telegram people run groups and topics", within, async () => {
	const act = acting("telegram"), bot = telegramBot();
	const becomes = async (status) => {
		let now = {};
		while (now.status !== status) now = (await bot.hears("my_chat_member")).new_chat_member;
		return now;
	};
	await telegram.openChat("Ops");
	await act("Add a person");
	await telegram.messages().filter({ hasText: "new chat member" }).last().waitFor();
	await act("Make a person an administrator");
	await act("Make them a member again");
	await act("Mute a person");
	await act("Remove a person");
	await telegram.messages().filter({ hasText: "left chat member" }).last().waitFor();
	await act("Make the bot an administrator");
	await becomes("administrator");
	const { invite_link } = (await bot.call("createChatInviteLink", { chat_id: -1001 })).result;
	await act("Join by a link", { user: "carl", invite_link });
	await act("Ask to join", { user: "dan" });
	assert.equal((await bot.hears("chat_join_request")).from.first_name, "dan");
	await act("Take that back");
	await becomes("member");
	await act("Give it other rights");
	assert.equal((await becomes("administrator")).can_pin_messages, true);
	await act("Mute the bot");
	assert.equal((await bot.call("sendMessage", { chat_id: -1001, text: "may I?" })).ok, false);
	await act("Remove the bot");
	await becomes("kicked");
	await act("Add the bot");
	await becomes("member");
	await act("Block the bot");
	await becomes("kicked");
	await act("Undo that");
	await act("Delete the chat");
	await act("Undo that");
	await act("Rename the chat", { title: "Operations" });
	await telegram.node.locator('button.chat[title="Operations"]').waitFor();
	const { migrated_to } = await act("Make it a supergroup");
	await act("Make it a forum", { chat: migrated_to });
	await telegram.openChat("Forum");
	await telegram.openThread("Releases");
	await act("Close the topic");
	await telegram.messages().filter({ hasText: "forum topic closed" }).waitFor();
	await act("Reopen the topic");
	await telegram.messages().filter({ hasText: "forum topic reopened" }).waitFor();
	await act("Rename the topic", { name: "Versions" });
	await telegram.node.locator("button.thread", { hasText: "Versions" }).waitFor();
	await act("Delete the topic");
	await telegram.node.locator("button.thread", { hasText: "Versions" }).waitFor({ state: "detached" });
});

// An action of people is one of the rows in the sources; "socket" is what the platform does.
test("all that /control can do for people, the page can do, and all that the page offers was done", async () => {
	for (const platform of ["telegram"]) {
		const [, table] = /_deeds\[\] = \{([\s\S]*?)\{NULL/.exec(readFileSync(join(process.env.MYNA_SOURCE, `playground/${platform}/${platform}.c`), "utf8"));
		const actions = [...table.matchAll(/\{"(\w+)",/g)].map((m) => m[1]).filter((name) => name !== "socket");
		assert.ok(actions.length > 10);
		assert.deepEqual(actions.filter((name) => !asked.has(`${platform} ${name}`)), [], `actions on ${platform} that the page was not asked for`);
		await people.getByLabel("Platform").selectOption(platform);
		const labels = await people.getByLabel("What to do").locator("option").allInnerTexts();
		assert.deepEqual(labels.filter((label) => !done.has(`${platform}: ${label}`)), [], `rows on ${platform} that nobody did`);
		assert.equal(new Set(labels).size, labels.length);
	}
});

test("the browser had nothing to complain of", () => {
	assert.deepEqual(page.problems, []);
});
