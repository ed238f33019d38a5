// What bots do besides messages: webhooks, polls, inline mode, members, payments.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { GrammyError, InlineKeyboard, InlineQueryResultBuilder, webhookCallback } from "grammy";
import { Playground, until } from "./playground.mjs";

const playground = new Playground(), group = -1001234567890;
let bot, offset = 0;

before(() => playground.start());
after(() => playground.stop());
beforeEach(async () => {
	await playground.control("reset", {});
	await playground.settings({ limits: false });
	bot = playground.bot();
	await bot.init();
});

async function updates(allowed) {
	const all = await bot.api.getUpdates({ offset, timeout: 5, allowed_updates: allowed });
	offset = all.at(-1).update_id + 1;
	return all;
}

test("a webhook gets each update once, and may answer by its reply", async () => {
	const secret = "s3cret", seen = [];
	const hooked = playground.bot();
	hooked.on("message:text", async (ctx) => {
		seen.push(ctx.message.text);
		await ctx.reply(`You said: ${ctx.message.text}`);
	});
	const server = createServer(webhookCallback(hooked, "http", { secretToken: secret }));
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	await bot.api.setWebhook(`http://127.0.0.1:${server.address().port}/hook`, { secret_token: secret });
	await playground.say("one");
	await playground.say("two");
	await until(async () => (await playground.transcript("Ann")).filter((m) => m.bot).length === 2, "both answers are there");
	assert.deepEqual(seen, ["one", "two"]);
	assert.equal((await bot.api.getWebhookInfo()).pending_update_count, 0);
	await bot.api.deleteWebhook();
	server.close();
	server.closeAllConnections();
});

test("a poll is voted in and stopped", async () => {
	await playground.say("hi");
	const me = (await updates()).at(-1).message.from.id;
	const sent = await bot.api.sendPoll(me, "Tea?", ["yes", "no"], { is_anonymous: false });
	await playground.control("vote", { user: "Ann", message_id: String(sent.message_id), answer: 2 });
	const [{ poll }, { poll_answer: answer }] = await updates();
	assert.equal(poll.options[1].voter_count, 1);
	assert.deepEqual(answer.option_ids, [1]);
	assert.equal((await bot.api.stopPoll(me, sent.message_id)).is_closed, true);
});

test("an inline query is answered, and the result edited", async () => {
	const { query_id } = await playground.control("inline", { user: "Ann", query: "tea" });
	assert.equal((await updates()).at(-1).inline_query.query, "tea");
	const result = InlineQueryResultBuilder.article("1", "Green", { reply_markup: new InlineKeyboard().text("more") }).text("green tea");
	await bot.api.answerInlineQuery(query_id, [result]);
	const { inline_message_id } = await playground.control("inline", { user: "Ann", query_id, result: "1" });
	assert.equal((await updates()).at(-1).chosen_inline_result.inline_message_id, inline_message_id);
	await bot.api.editMessageTextInline(inline_message_id, "black tea");
	assert.equal((await playground.transcript("Ann")).at(-1).text, "black tea");
});

test("Stars are paid", async () => {
	await playground.say("hi");
	const me = (await updates()).at(-1).message.from.id;
	const sent = await bot.api.sendInvoice(me, "Tea", "a cup", "t1", "XTR", [{ label: "cup", amount: 5 }]);
	const { query_id } = await playground.control("pay", { user: "Ann", message_id: String(sent.message_id) });
	await bot.api.answerPreCheckoutQuery(query_id, true);
	const paid = (await updates()).at(-1).message.successful_payment;
	await bot.api.refundStarPayment(me, paid.telegram_payment_charge_id);
	assert.equal((await bot.api.getStarTransactions()).transactions.length, 2);
});

test("members are restricted, promoted and banned, and told of", async () => {
	const member = (more) => playground.control("member", { chat: `${group}`, user: "Ann", ...more });
	await member({ action: "promote", rights: ["can_restrict_members", "can_promote_members", "can_pin_messages"] });
	await member({ action: "add", who: "4205" });
	await updates(["chat_member", "message"]);
	await bot.api.restrictChatMember(group, 4205, { can_send_messages: false });
	await bot.api.promoteChatMember(group, 4205, { can_pin_messages: true });
	await assert.rejects(bot.api.banChatMember(group, 4205), (error) => error instanceof GrammyError &&
		error.description === "Bad Request: user is an administrator of the chat");
	await bot.api.promoteChatMember(group, 4205, {});
	await bot.api.banChatMember(group, 4205);
	const statuses = (await updates(["chat_member"])).map((u) => u.chat_member?.new_chat_member.status).filter(Boolean);
	assert.deepEqual(statuses.slice(-4), ["restricted", "administrator", "member", "kicked"]);
	assert.equal((await bot.api.getChatMember(group, 4205)).status, "kicked");
});
