// Slash commands and buttons with discord.js: answered at once, later, or too late.
import { ActionRowBuilder, ButtonBuilder, ButtonStyle, MessageFlags, SlashCommandBuilder } from "discord.js";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { DiscordPlayground, refused, until } from "./discord.mjs";

const playground = new DiscordPlayground();
let client, heard;

const ask = new SlashCommandBuilder().setName("ask").setDescription("Ask something")
	.addStringOption((o) => o.setName("q").setDescription("question").setRequired(true).setAutocomplete(true))
	.addIntegerOption((o) => o.setName("n").setDescription("how often").setMaxValue(3));

before(async () => {
	await playground.start();
	await playground.settings({ limits: false });
	client = await playground.login();
	await client.application.commands.set([ask.toJSON()]);
});
after(async () => {
	await client.destroy();
	await playground.stop();
});
beforeEach(async () => {
	await playground.control("reset", {});
	client.seen.length = 0;
	heard = await playground.tell(client, "hello", { chat: "dev", kind: "group" });
});

function next(event) {
	return new Promise((resolve) => client.once(event, resolve));
}

async function command(more = {}) {
	const came = next("interactionCreate");
	await playground.control("command", { chat: "dev", user: "Ann", command: "ask", text: "why?", ...more });
	return came;
}

async function press(message, button, more = {}) {
	const came = next("interactionCreate");
	await playground.control("press", { chat: "dev", user: "Ann", message_id: message.id, button, ...more });
	return came;
}

const row = (...buttons) => new ActionRowBuilder().addComponents(...buttons);
const yes = () => new ButtonBuilder().setCustomId("yes").setLabel("Yes").setStyle(ButtonStyle.Primary);
const no = () => new ButtonBuilder().setCustomId("no").setLabel("No").setStyle(ButtonStyle.Danger);

test("commands are registered, listed, changed and removed", async () => {
	const { commands } = client.application, [known] = (await commands.fetch()).values();
	assert.equal(known.name, "ask");
	assert.equal(known.options.length, 2);
	const [again] = (await commands.set([ask.toJSON(), { name: "stop", description: "Stop" }])).values();
	assert.equal(again.id, known.id);
	const one = await commands.create({ name: "stop", description: "Stop it" });
	assert.equal((await commands.fetch()).size, 2);
	await one.edit({ description: "Stop all" });
	assert.equal((await commands.fetch(one.id)).description, "Stop all");
	await one.delete();
	await assert.rejects(commands.fetch(one.id), refused(10063, 404));
	const local = await heard.guild.commands.create({ name: "here", description: "Only here" });
	assert.equal((await heard.guild.commands.fetch()).first().id, local.id);
	await heard.guild.commands.set([]);
});

test("commands that break the rules are refused", async () => {
	const put = (body) => client.rest.put(`/applications/${client.user.id}/commands`, { body });
	await assert.rejects(put([{ name: "Ask Me", description: "x" }]), refused(50035, 400));
	await assert.rejects(put([{ name: "a", description: "x" }, { name: "a", description: "y" }]), refused(50035, 400));
	await assert.rejects(put([{ name: "a" }]), refused(50035, 400));
	await assert.rejects(put([{ name: "a", description: "x".repeat(101) }]), refused(50035, 400));
	const options = [{ type: 3, name: "a", description: "x" }, { type: 3, name: "b", description: "x", required: true }];
	await assert.rejects(put([{ name: "a", description: "x", options }]), refused(50035, 400));
	const many = Array.from({ length: 101 }, (_, i) => ({ name: `c${i}`, description: "x" }));
	await assert.rejects(put(many), refused(30032, 400));
	await assert.rejects(client.rest.get("/applications/5/commands"), refused(20012, 403));
});

test("a command is answered at once, and followed up", async () => {
	const interaction = await command({ options: { n: 2 } });
	assert.equal(interaction.commandName, "ask");
	assert.equal(interaction.options.getString("q"), "why?");
	assert.equal(interaction.options.getInteger("n"), 2);
	assert.equal(interaction.member.user.id, heard.author.id);
	const answer = await interaction.reply({ content: "because", withResponse: true });
	assert.equal(answer.resource.message.content, "because");
	await interaction.editReply("because of that");
	await interaction.followUp({ content: "only for you", flags: MessageFlags.Ephemeral });
	await assert.rejects(client.rest.post(`/interactions/${interaction.id}/${interaction.token}/callback`,
		{ body: { type: 4, data: { content: "x" } }, auth: false }), refused(40060, 400));
	const look = await playground.look("dev");
	assert.deepEqual(look.messages.map((m) => m.text), ["hello", "because of that", "only for you"]);
	assert.equal(look.messages[2].only_for, heard.author.id);
	assert.equal(look.interactions[0].state, "answered");
	assert.equal((await heard.channel.messages.fetch({ limit: 10 })).size, 2);
});

test("a command is deferred, and answered later", async () => {
	const interaction = await command();
	await interaction.deferReply();
	assert.equal((await playground.look("dev")).interactions[0].state, "deferred");
	assert.equal((await playground.look("dev")).messages[1].loading, true);
	await interaction.editReply("at last");
	assert.equal((await playground.look("dev")).interactions[0].state, "answered");
	assert.equal((await interaction.fetchReply()).content, "at last");
	await interaction.deleteReply();
	await assert.rejects(interaction.fetchReply(), refused(10008, 404));
});

test("an option is completed", async () => {
	const interaction = await command({ text: "wh", autocomplete: "q" });
	assert.ok(interaction.isAutocomplete());
	assert.equal(interaction.options.getFocused(), "wh");
	await interaction.respond([{ name: "why", value: "why?" }]);
	assert.deepEqual((await playground.look("dev")).interactions[0].choices, [{ name: "why", value: "why?" }]);
});

test("an answer after three seconds comes too late", async () => {
	const interaction = await command();
	await until(async () => (await playground.look("dev")).interactions[0].state === "failed", "it fails");
	await assert.rejects(interaction.reply("late"), refused(10062, 404));
});

test("buttons are pressed, and their message changed", async () => {
	const asked = await heard.channel.send({ content: "Sure?", components: [row(yes(), no())] });
	const pressed = await press(asked, "Yes");
	assert.ok(pressed.isButton());
	assert.equal(pressed.customId, "yes");
	assert.equal(pressed.message.id, asked.id);
	await pressed.update({ content: "Sure.", components: [] });
	const [, shown] = await playground.transcript("dev");
	assert.equal(shown.text, "Sure.");
	assert.deepEqual(shown.buttons, []);
	await assert.rejects(playground.control("press", { chat: "dev", user: "Ann", message_id: asked.id, button: "yes" }), /no button/);
});

test("a press is deferred, and answered for one person", async () => {
	const asked = await heard.channel.send({ content: "Sure?", components: [row(yes(), no())] });
	const pressed = await press(asked, "no");
	await pressed.deferUpdate();
	await pressed.editReply({ content: "No, then.", components: [row(yes().setDisabled(true))] });
	await assert.rejects(playground.control("press", { chat: "dev", user: "Ann", message_id: asked.id, button: "yes" }), /disabled/);
	const other = await heard.channel.send({ content: "And now?", components: [row(yes())] });
	const stranger = await press(other, "yes", { user: "Bob" });
	await stranger.reply({ content: "Not you.", flags: MessageFlags.Ephemeral });
	const last = (await playground.transcript("dev")).at(-1);
	assert.equal(last.text, "Not you.");
	assert.equal(last.only_for, stranger.user.id);
});

test("components that break the rules are refused", async () => {
	const send = (components) => client.rest.post(`/channels/${heard.channelId}/messages`, { body: { content: "x", components } });
	const button = (more) => ({ type: 2, style: 1, label: "a", custom_id: "a", ...more });
	const fine = (n, more) => ({ type: 1, components: Array.from({ length: n }, (_, i) => button({ custom_id: `${more}${i}` })) });
	await send([fine(5, "a")]);
	await assert.rejects(send([fine(6, "a")]), refused(50035));
	await assert.rejects(send(Array.from({ length: 6 }, (_, i) => fine(1, i))), refused(50035));
	await assert.rejects(send([{ type: 1, components: [button(), button()] }]), refused(50035));
	await assert.rejects(send([{ type: 1, components: [button({ custom_id: "c".repeat(101) })] }]), refused(50035));
	await assert.rejects(send([{ type: 1, components: [button({ label: "l".repeat(81) })] }]), refused(50035));
	await assert.rejects(send([{ type: 1, components: [button({ style: 5 })] }]), refused(50035));
	await assert.rejects(send([button()]), refused(50035));
});

test("commands work in direct messages, too", async () => {
	const interaction = await command({ chat: "Ann", kind: "private" });
	assert.equal(interaction.guildId, null);
	await interaction.reply("here");
	await until(async () => (await playground.transcript("Ann")).length === 1, "the answer");
});
