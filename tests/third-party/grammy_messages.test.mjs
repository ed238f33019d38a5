// What a bot on grammY says and edits, and what it is told when it must not.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { autoRetry } from "@grammyjs/auto-retry";
import { GrammyError, InlineKeyboard, InputFile } from "grammy";
import { Playground, until } from "./playground.mjs";

const playground = new Playground();
let bot, offset = 0;

before(() => playground.start());
after(() => playground.stop());
beforeEach(async () => {
	await playground.control("reset", {});
	await playground.settings({ limits: false });
	bot = playground.bot();
	await bot.init();
	await playground.say("hello", { user: "77" });
});

// The next update of the kind, confirmed.
async function next(kind, allowed) {
	for (let i = 0; i < 20; i++)
		for (const update of await bot.api.getUpdates({ offset, timeout: 1, allowed_updates: allowed })) {
			offset = update.update_id + 1;
			if (update[kind])
				return update[kind];
		}
	throw new Error(`no ${kind} came`);
}

function refused(code, description) {
	return (error) => {
		assert.ok(error instanceof GrammyError, `${error}`);
		assert.equal(error.error_code, code);
		assert.match(error.description, description);
		return true;
	};
}

test("commands, mentions and their arguments are found", async () => {
	const seen = [];
	bot.command("start", (ctx) => seen.push(["start", ctx.match]));
	bot.hears(/^ping$/, (ctx) => ctx.reply("pong", { reply_parameters: { message_id: ctx.msg.message_id } }));
	const loop = bot.start();
	await playground.say("/start now", { user: "77" });
	await playground.say("/start@myna_bot then", { user: "77" });
	await playground.say("ping", { user: "77" });
	await until(async () => (await playground.transcript(77)).some((m) => m.text === "pong"), "pong");
	await bot.stop();
	await loop;
	assert.deepEqual(seen, [["start", "now"], ["start", "then"]]);
	const pong = (await playground.transcript(77)).find((m) => m.text === "pong");
	assert.equal(pong.bot, true);
	assert.ok(pong.reply_to);
});

test("a rich message is sent with an upload, drafted, and edited", async () => {
	assert.equal(await bot.api.sendRichMessageDraft(77, 5, { markdown: "# Ti" }), true);
	const sent = await bot.api.sendRichMessage(77, { markdown: "# Title\n\n![](tg://document?id=d)",
		media: [{ id: "d", media: { type: "document", media: new InputFile(Buffer.from("hello"), "a.txt") } }] });
	assert.deepEqual(sent.rich_message.blocks[0], { type: "heading", text: "Title", size: 1 });
	assert.equal(sent.rich_message.blocks[1].document.file_name, "a.txt");
	assert.equal(sent.text, undefined);
	const edited = await bot.api.editMessageText(77, sent.message_id, { html: "<blockquote>said</blockquote>" });
	assert.equal(edited.rich_message.blocks[0].type, "blockquote");
	assert.equal((await playground.transcript(77)).at(-1).text, "said");
	await assert.rejects(bot.api.sendRichMessage(77, { html: "<b>x" }), refused(400, /Can't find end tag/));
});

test("a press is a callback query that is answered once", async () => {
	const sent = await bot.api.sendMessage(77, "Sure?", {
		reply_markup: new InlineKeyboard().text("Yes", "ap:1").text("No", "ap:0").row().url("More", "https://a.example"),
	});
	await playground.control("press", { chat: "77", user: "77", message_id: String(sent.message_id), button: "Yes" });
	const query = await next("callback_query");
	assert.equal(query.data, "ap:1");
	assert.equal(query.message.message_id, sent.message_id);
	assert.equal(await bot.api.answerCallbackQuery(query.id, { text: "done" }), true);
	await assert.rejects(bot.api.answerCallbackQuery(query.id),
		refused(400, /^Bad Request: query is too old and response timeout expired or query ID is invalid$/));
	const edited = await bot.api.editMessageText(77, sent.message_id, "Yes it is.");
	assert.equal(edited.reply_markup, undefined);
	assert.ok(edited.edit_date);
	await assert.rejects(bot.api.sendMessage(77, "x", { reply_markup: new InlineKeyboard().text("a", "x".repeat(65)) }),
		refused(400, /BUTTON_DATA_INVALID/));
});

test("an edit that changes nothing, or that cannot be, is told as the platform tells it", async () => {
	const sent = await bot.api.sendMessage(77, "one"), theirs = await playground.say("theirs", { user: "77" });
	await bot.api.editMessageText(77, sent.message_id, "<i>two</i>", { parse_mode: "HTML" });
	await assert.rejects(bot.api.editMessageText(77, sent.message_id, "_two_", { parse_mode: "MarkdownV2" }),
		refused(400, /^Bad Request: message is not modified: specified new message content and reply markup are exactly/));
	await assert.rejects(bot.api.editMessageText(77, 9999, "x"), refused(400, /message to edit not found/));
	await assert.rejects(bot.api.editMessageText(77, Number(theirs.message_id), "x"), refused(400, /message can't be edited/));
	await assert.rejects(bot.api.editMessageText(77, sent.message_id, "x".repeat(4097)), refused(400, /MESSAGE_TOO_LONG/));
	await bot.api.deleteMessage(77, sent.message_id);
	await assert.rejects(bot.api.deleteMessage(77, sent.message_id), refused(400, /message to delete not found/));
});

test("bad markup is refused with where it is bad", async () => {
	const html = (text) => bot.api.sendMessage(77, text, { parse_mode: "HTML" });
	await assert.rejects(html("<b>a</i>"),
		refused(400, /^Bad Request: can't parse entities: Unmatched end tag at byte offset 4, expected "<\/b>", found "<\/i>"$/));
	await assert.rejects(html("a < b"), refused(400, /can't parse entities: Unsupported start tag/));
	await assert.rejects(bot.api.sendMessage(77, "a.b", { parse_mode: "MarkdownV2" }),
		refused(400, /Character '\.' is reserved and must be escaped with the preceding '\\'/));
	const sent = await html("<b>bold</b> &lt; <code>x</code> 😀 <a href=\"https://a.example\">there</a>");
	assert.equal(sent.text, "bold < x 😀 there");
	assert.deepEqual(sent.entities.map((e) => [e.type, e.offset, e.length]),
		[["bold", 0, 4], ["code", 7, 1], ["text_link", 12, 5]]);
});

test("a text has 4096 UTF-16 units at most", async () => {
	await bot.api.sendMessage(77, "😀".repeat(2048));
	await assert.rejects(bot.api.sendMessage(77, `${"😀".repeat(2048)}x`), refused(400, /^Bad Request: message is too long$/));
	await assert.rejects(bot.api.sendMessage(77, ""), refused(400, /^Bad Request: message text is empty$/));
});

test("a quote is a part of the message", async () => {
	const { message_id } = await playground.say("one two three", { user: "77" });
	const sent = await bot.api.sendMessage(77, "re", { reply_parameters: { message_id: Number(message_id), quote: "two" } });
	assert.equal(sent.quote.text, "two");
	assert.equal(sent.quote.position, 4);
	assert.equal(sent.reply_to_message.text, "one two three");
	await assert.rejects(bot.api.sendMessage(77, "re", { reply_parameters: { message_id: Number(message_id), quote: "four" } }),
		refused(400, /QUOTE_TEXT_INVALID/));
	await assert.rejects(bot.api.sendMessage(77, "re", { reply_parameters: { message_id: 9999 } }),
		refused(400, /message to be replied not found/));
	const without = await bot.api.sendMessage(77, "re",
		{ reply_parameters: { message_id: 9999, allow_sending_without_reply: true } });
	assert.equal(without.reply_to_message, undefined);
});

test("a draft is seen until the message comes, and can be stopped", async () => {
	const draft = (more) => bot.api.raw.sendMessageDraft({ chat_id: 77, draft_id: 5, ...more });
	assert.equal(await draft({ text: "par" }), true);
	await draft({ text: "<b>partial</b>", parse_mode: "HTML", can_stop: true });
	const { drafts } = await playground.look(77);
	assert.deepEqual(drafts.map((d) => [d.id, d.text]), [["draft:5", "partial"]]);
	await playground.control("press", { chat: "77", user: "77", message_id: "draft:5", button: "stop" });
	const stopped = await next("stopped_message_generation");
	assert.equal(stopped.draft_id, 5);
	assert.equal(stopped.chat.id, 77);
	await draft({ text: "again" });
	await bot.api.sendMessage(77, "final");
	assert.deepEqual((await playground.look(77)).drafts, []);
	await playground.control("chat", { chat: "-1001234567890", title: "Team" });
	await assert.rejects(bot.api.raw.sendMessageDraft({ chat_id: -1001234567890, draft_id: 1, text: "x" }),
		refused(400, /^Bad Request: TEXTDRAFT_PEER_INVALID$/));
	await assert.rejects(bot.api.raw.sendMessageDraft({ chat_id: 77, draft_id: 0, text: "x" }), refused(400, /draft_id/));
});

test("a bot reacts with one emoji of the platform", async () => {
	const { message_id } = await playground.say("look", { user: "77" });
	await bot.api.setMessageReaction(77, Number(message_id), [{ type: "emoji", emoji: "👀" }]);
	assert.equal((await playground.transcript(77)).at(-1).reactions[0].emoji, "👀");
	await assert.rejects(bot.api.setMessageReaction(77, Number(message_id), [{ type: "emoji", emoji: "🦊" }]),
		refused(400, /REACTION_INVALID/));
	await bot.api.setMessageReaction(77, Number(message_id), []);
	assert.deepEqual((await playground.transcript(77)).at(-1).reactions, []);
	await bot.api.getUpdates({ offset: -1, allowed_updates: ["message_reaction"] });
	await playground.control("react", { chat: "77", user: "77", message_id, emoji: "👍" });
	const { new_reaction } = await next("message_reaction", ["message_reaction"]);
	assert.deepEqual(new_reaction, [{ type: "emoji", emoji: "👍" }]);
	await bot.api.getUpdates({ offset: -1, allowed_updates: [] });
});

test("commands are kept by scope and language", async () => {
	const commands = [{ command: "stop", description: "Stop the run" }], scope = { type: "all_private_chats" };
	await bot.api.setMyCommands(commands, { scope });
	assert.deepEqual(await bot.api.getMyCommands({ scope }), commands);
	assert.deepEqual(await bot.api.getMyCommands(), []);
	await bot.api.deleteMyCommands({ scope });
	assert.deepEqual(await bot.api.getMyCommands({ scope }), []);
	await assert.rejects(bot.api.setMyCommands([{ command: "Stop", description: "x" }]), refused(400, /BOT_COMMAND_INVALID/));
	await assert.rejects(bot.api.setMyCommands(Array.from({ length: 101 }, (_, i) => ({ command: `c${i}`, description: "x" }))),
		refused(400, /BOT_COMMANDS_TOO_MUCH/));
});

test("an edit of a person is an update of its own", async () => {
	const { message_id } = await playground.say("frist", { user: "77" });
	await playground.say("first", { user: "77", edit: message_id });
	const edited = await next("edited_message");
	assert.equal(edited.text, "first");
	assert.equal(edited.message_id, Number(message_id));
});

test("a flood is answered with how long to wait, and a client that waits gets through", async () => {
	let limited;
	await playground.settings({ limits: true });
	for (let i = 0; i < 100 && !limited; i++)
		await bot.api.sendMessage(77, `${i}`).catch((error) => { limited = error; });
	assert.ok(refused(429, /^Too Many Requests: retry after \d+$/)(limited));
	assert.ok(limited.parameters.retry_after >= 1);
	bot.api.config.use(autoRetry());
	const sent = await bot.api.sendMessage(77, "patience");
	assert.equal(sent.text, "patience");
});

test("a person who blocked the bot cannot be written to", async () => {
	await playground.control("chat", { chat: "77", gone: "blocked" });
	await assert.rejects(bot.api.sendMessage(77, "x"), refused(403, /^Forbidden: bot was blocked by the user$/));
	assert.equal((await next("my_chat_member")).new_chat_member.status, "kicked");
	await assert.rejects(bot.api.sendMessage(78, "x"), refused(400, /^Bad Request: chat not found$/));
});
