// What a bot on discord.js hears, says and changes, and what it is told when it must not.
import { AttachmentBuilder, EmbedBuilder, MessageFlags } from "discord.js";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { DiscordPlayground, refused, until } from "./discord.mjs";

const playground = new DiscordPlayground();
let client, heard;

before(async () => {
	await playground.start();
	await playground.settings({ limits: false });
	client = await playground.login();
});
after(async () => {
	await client.destroy();
	await playground.stop();
});
beforeEach(async () => {
	await playground.control("reset", {});
	client.seen.length = 0;
	heard = await playground.tell(client, "hello @bot", { chat: "dev", kind: "group" });
});

test("a mention in a guild is heard, and answered with a reply", async () => {
	assert.equal(heard.content, `hello <@${client.user.id}>`);
	assert.ok(heard.mentions.has(client.user));
	assert.equal(heard.author.globalName, "Ann");
	assert.equal(heard.guild.name, "Playground");
	assert.equal(heard.channel.name, "dev");
	const answer = await heard.reply({ content: "  hi  ", allowedMentions: { parse: [], repliedUser: false } });
	assert.equal(answer.content, "hi");
	assert.equal((await answer.fetchReference()).id, heard.id);
	const [, shown] = await playground.transcript("dev");
	assert.equal(shown.reply_to, heard.id);
	assert.equal(shown.pinged, 0);
	assert.deepEqual(await playground.problems(), []);
});

test("direct messages are heard and sent", async () => {
	const dm = await playground.tell(client, "psst", { chat: "Ann" });
	assert.equal(dm.guild, null);
	await dm.channel.send("what?");
	await (await client.users.fetch(dm.author.id)).send("you there?");
	assert.deepEqual((await playground.transcript("Ann")).map((m) => m.text), ["psst", "what?", "you there?"]);
	await playground.control("chat", { chat: "Ann", gone: "blocked" });
	await assert.rejects(dm.channel.send("x"), refused(50007, 403));
});

test("a message is changed and deleted, and only by who wrote it", async () => {
	const sent = await heard.channel.send("one");
	const changed = await sent.edit("two");
	assert.ok(changed.editedTimestamp >= sent.createdTimestamp);
	await sent.edit({ embeds: [new EmbedBuilder().setTitle("title").addFields({ name: "a", value: "b" })] });
	const [, shown] = await playground.transcript("dev");
	assert.equal(shown.text, "two");
	assert.equal(shown.edits, 2);
	assert.equal(shown.embeds[0].title, "title");
	await sent.delete();
	await assert.rejects(sent.edit("three"), refused(10008, 404));
	await assert.rejects(client.rest.patch(`/channels/${heard.channelId}/messages/${heard.id}`, { body: { content: "x" } }),
		refused(50005, 403));
	await assert.rejects(heard.delete(), refused(50013, 403));
	await playground.control("member", { chat: "dev", action: "promote" });
	await heard.delete();
	assert.ok((await playground.transcript("dev")).every((m) => m.deleted));
});

test("edits and deletions by people are told", async () => {
	const events = [];
	client.on("messageUpdate", (old, fresh) => events.push(fresh.content)).on("messageDelete", (m) => events.push(m.id));
	await playground.say("changed", { chat: "dev", edit: heard.id });
	await playground.control("delete", { chat: "dev", message_id: heard.id });
	await until(() => events.length === 2, "both events");
	assert.deepEqual(events, ["changed", heard.id]);
	client.removeAllListeners("messageUpdate").removeAllListeners("messageDelete");
});

test("a nonce that is enforced is sent once", async () => {
	const options = { content: "once", nonce: "outbox-1", enforceNonce: true };
	const first = await heard.channel.send(options), second = await heard.channel.send(options);
	assert.equal(second.id, first.id);
	assert.equal((await playground.transcript("dev")).length, 2);
	await assert.rejects(heard.channel.send({ content: "x", nonce: "n".repeat(26) }), refused(50035, 400));
});

test("what is too long, empty or badly made is refused with its place", async () => {
	await assert.rejects(heard.channel.send("é".repeat(2001)), (e) => {
		assert.equal(e.rawError.errors.content._errors[0].code, "BASE_TYPE_MAX_LENGTH");
		return refused(50035, 400)(e);
	});
	await heard.channel.send("😀".repeat(2000));
	await assert.rejects(heard.channel.send("  "), refused(50006, 400));
	await assert.rejects(heard.channel.send({ content: "x", embeds: [{ title: "t".repeat(257) }] }), refused(50035));
	await assert.rejects(client.rest.post("/channels/5/messages", { body: { content: "x" } }), refused(10003, 404));
	await heard.delete().catch(() => {});
	await playground.control("delete", { chat: "dev", message_id: heard.id });
	await assert.rejects(heard.reply({ content: "x", failIfNotExists: true }), refused(50035, 400));
	await heard.reply({ content: "still", failIfNotExists: false });
});

test("files go up, come down, and their URLs are signed", async () => {
	const sent = await heard.channel.send({
		content: "see",
		files: [new AttachmentBuilder(Buffer.from("one"), { name: "a.txt", description: "first" }),
			new AttachmentBuilder(Buffer.alloc(3000, 7), { name: "b.png" })],
	});
	assert.deepEqual(sent.attachments.map((a) => [a.name, a.size, a.contentType, a.description]),
		[["a.txt", 3, "text/plain; charset=utf-8", "first"], ["b.png", 3000, "image/png", null]]);
	const { url } = sent.attachments.first();
	assert.equal(await (await fetch(url)).text(), "one");
	assert.equal((await fetch(url.replace(/hm=./, "hm=x"))).status, 404);
	const kept = await sent.edit({ attachments: [sent.attachments.last()], files: [{ attachment: Buffer.from("2"), name: "c.md" }] });
	assert.deepEqual(kept.attachments.map((a) => a.name), ["b.png", "c.md"]);
	await assert.rejects(heard.channel.send({ files: [{ attachment: Buffer.alloc(11 << 20), name: "big" }] }), refused(40005, 413));
	const theirs = await playground.tell(client, "", { chat: "dev", files: [{ name: "v.ogg", base64: "T2dn", kind: "voice" }] });
	assert.ok(theirs.flags.has(MessageFlags.IsVoiceMessage));
	assert.equal(await (await fetch(theirs.attachments.first().url)).text(), "Ogg");
});

test("reactions go both ways", async () => {
	const added = new Promise((resolve) => client.once("messageReactionAdd", (r, user) => resolve([r.emoji.name, user.id])));
	const said = await playground.control("react", { chat: "dev", user: "Ann", message_id: heard.id, emoji: "👍" });
	assert.ok(said.ok);
	assert.deepEqual(await added, ["👍", heard.author.id]);
	const mine = await heard.react("👀");
	await assert.rejects(heard.react("nonsense"), refused(10014, 400));
	assert.deepEqual((await playground.transcript("dev"))[0].reactions.map((r) => r.emoji), ["👍", "👀"]);
	assert.deepEqual((await mine.users.fetch()).map((u) => u.id), [client.user.id]);
	await mine.users.remove(client.user);
	assert.equal((await playground.transcript("dev"))[0].reactions.length, 1);
});

test("threads are begun from a message and without, archived and locked", async () => {
	const thread = await heard.startThread({ name: "about it", autoArchiveDuration: 60 });
	assert.equal(thread.id, heard.id);
	await assert.rejects(heard.startThread({ name: "again" }), (e) => e.code === 160004 || e.code === "MessageExistingThread");
	await thread.send("below");
	const inside = await playground.tell(client, "me too", { chat: "dev", thread: thread.id });
	assert.equal(inside.channel.parentId, heard.channelId);
	const other = await heard.channel.threads.create({ name: "other", type: 11 });
	assert.equal(other.name, "other");
	await thread.setArchived(true);
	await assert.rejects(client.rest.patch(`/channels/${thread.id}/messages/${inside.id}`, { body: { content: "x" } }),
		(e) => [50005, 50083].includes(e.code));
	await thread.send("opens it");
	await playground.control("topic", { chat: "dev", thread: thread.id, action: "lock" });
	await assert.rejects(thread.send("no"), refused(160005, 400));
	const told = await playground.tell(client, "in a new one", { chat: "dev", thread: "plans" });
	assert.ok(told.channel.isThread());
	assert.equal(told.channel.name, "plans");
});

test("history is read in pages", async () => {
	for (let i = 0; i < 5; i++)
		await playground.say(`n${i}`, { chat: "dev" });
	const all = await heard.channel.messages.fetch({ limit: 100 });
	assert.equal(all.size, 6);
	const later = await heard.channel.messages.fetch({ after: heard.id, limit: 2 });
	assert.deepEqual(later.map((m) => m.content), ["n1", "n0"]);
	const before = await heard.channel.messages.fetch({ before: all.first().id, limit: 2 });
	assert.deepEqual(before.map((m) => m.content), ["n3", "n2"]);
	const around = await heard.channel.messages.fetch({ around: later.first().id, limit: 3 });
	assert.deepEqual(around.map((m) => m.content), ["n2", "n1", "n0"]);
	await assert.rejects(client.rest.get(`/channels/${heard.channelId}/messages?limit=101`), refused(50035, 400));
});

test("what the bot may not do it is told", async () => {
	await playground.control("member", { chat: "dev", action: "mute" });
	await assert.rejects(heard.channel.send("x"), refused(50013, 403));
	await playground.control("member", { chat: "dev", action: "hide" });
	await assert.rejects(client.rest.post(`/channels/${heard.channelId}/messages`, { body: { content: "x" } }), refused(50001, 403));
	const left = new Promise((resolve) => client.once("guildDelete", resolve));
	await playground.control("member", { chat: "dev", action: "remove" });
	assert.equal((await left).id, heard.guildId);
});

test("typing is shown", async () => {
	await heard.channel.sendTyping();
	assert.equal((await playground.look("dev")).typing, true);
	await heard.channel.send("done");
	assert.equal((await playground.look("dev")).typing, false);
});
