// Groups, forums and who may do what there.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { GrammyError } from "grammy";
import { Playground } from "./playground.mjs";

const playground = new Playground(), group = -1001234567890;
let bot, offset = 0;

before(() => playground.start());
after(() => playground.stop());
beforeEach(async () => {
	await playground.control("reset", {});
	await playground.settings({ limits: false });
	bot = playground.bot();
	await bot.init();
	await playground.control("chat", { chat: `${group}`, title: "Team", user: "Ann" });
	await updates();
});

async function updates() {
	const all = await bot.api.getUpdates({ offset, timeout: 5 });
	offset = all.at(-1).update_id + 1;
	return all;
}

const inGroup = (text, more = {}) => playground.say(text, { chat: `${group}`, ...more });
const member = (action, more = {}) => playground.control("member", { chat: `${group}`, user: "Ann", action, ...more });

function refused(code, description) {
	return (error) => error instanceof GrammyError && error.error_code === code && description.test(error.description);
}

test("only what is meant for the bot is seen, until it is an administrator", async () => {
	await inGroup("talk among people");
	await inGroup("hey @myna_bot");
	await inGroup("/help");
	assert.deepEqual((await updates()).map((u) => u.message.text), ["hey @myna_bot", "/help"]);
	await member("promote");
	await inGroup("more talk");
	const [promoted, seen] = await updates();
	assert.equal(promoted.my_chat_member.new_chat_member.status, "administrator");
	assert.equal(seen.message.text, "more talk");
	assert.equal((await bot.api.getChatMember(group, bot.botInfo.id)).status, "administrator");
	assert.deepEqual((await bot.api.getChatAdministrators(group)).map((m) => m.user.id), [bot.botInfo.id]);
});

test("a topic is made, written to, closed and gone", async () => {
	await assert.rejects(bot.api.createForumTopic(group, "News"), refused(400, /^Bad Request: the chat is not a forum$/));
	await playground.control("chat", { chat: `${group}`, forum: true });
	await assert.rejects(bot.api.createForumTopic(group, "News"), refused(400, /not enough rights to create a topic/));
	await member("promote");
	const topic = await bot.api.createForumTopic(group, "News", { icon_color: 0xFFD67E });
	const sent = await bot.api.sendMessage(group, "in it", { message_thread_id: topic.message_thread_id });
	assert.equal(sent.is_topic_message, true);
	assert.equal(sent.message_thread_id, topic.message_thread_id);
	await assert.rejects(bot.api.sendMessage(group, "x", { message_thread_id: 1 }), refused(400, /^Bad Request: message thread not found$/));
	await assert.rejects(bot.api.sendMessage(group, "x", { message_thread_id: 4711 }), refused(400, /message thread not found/));
	await bot.api.closeForumTopic(group, topic.message_thread_id);
	await member("demote");
	await assert.rejects(bot.api.sendMessage(group, "x", { message_thread_id: topic.message_thread_id }), refused(400, /TOPIC_CLOSED/));
	await member("promote");
	await bot.api.reopenForumTopic(group, topic.message_thread_id);
	await bot.api.deleteForumTopic(group, topic.message_thread_id);
	await assert.rejects(bot.api.sendMessage(group, "x", { message_thread_id: topic.message_thread_id }), refused(400, /thread not found/));
});

test("what people say in a topic carries it", async () => {
	await playground.control("chat", { chat: `${group}`, forum: true });
	const { thread } = await playground.control("topic", { chat: `${group}`, user: "Ann", action: "create", name: "Talk" });
	await inGroup("/in the topic", { thread });
	await inGroup("/in general");
	const [created, inside, general] = (await updates()).map((u) => u.message);
	assert.equal(created.forum_topic_created.name, "Talk");
	assert.equal(inside.message_thread_id, Number(thread));
	assert.equal(inside.is_topic_message, true);
	assert.equal(inside.chat.is_forum, true);
	assert.equal(general.message_thread_id, undefined);
});

test("a group that was upgraded says where it is now", async () => {
	await playground.say("/hi", { chat: "-55" });
	await bot.api.sendMessage(-55, "hello");
	await playground.control("chat", { chat: "-55", user: "Ann", migrate: true });
	await assert.rejects(bot.api.sendMessage(-55, "x"), (error) => error.error_code === 400 &&
		error.description === "Bad Request: group chat was upgraded to a supergroup chat" &&
		error.parameters.migrate_to_chat_id === -1000000000055);
	const told = (await updates()).map((u) => u.message).filter(Boolean);
	assert.equal(told.at(-2).migrate_to_chat_id, -1000000000055);
	assert.equal(told.at(-1).migrate_from_chat_id, -55);
	await bot.api.sendMessage(-1000000000055, "here");
});

test("who writes as the group is not a person", async () => {
	await inGroup("/anonymous", { sender_chat: "self" });
	const [{ message }] = await updates();
	assert.equal(message.sender_chat.id, group);
	assert.equal(message.from.username, "GroupAnonymousBot");
});

test("a bot that was thrown out is told, and may come back", async () => {
	await member("remove");
	const [gone] = await updates();
	assert.equal(gone.my_chat_member.new_chat_member.status, "kicked");
	await assert.rejects(bot.api.sendMessage(group, "x"), refused(403, /^Forbidden: bot was kicked from the supergroup chat$/));
	await member("add");
	const [back, service] = await updates();
	assert.equal(back.my_chat_member.new_chat_member.status, "member");
	assert.equal(service.message.new_chat_members[0].id, bot.botInfo.id);
	await bot.api.leaveChat(group);
	await assert.rejects(bot.api.sendMessage(group, "x"), refused(403, /bot is not a member of the supergroup chat/));
});
