// What ordinary bots do in a guild with discord.js: roles, members, channels, webhooks, polls, menus and modals.
import { ActionRowBuilder, ApplicationCommandType, AutoModerationActionType, AutoModerationRuleEventType,
	AutoModerationRuleTriggerType, ChannelType, ContextMenuCommandBuilder, Events, GatewayIntentBits, GuildScheduledEventEntityType,
	GuildScheduledEventPrivacyLevel, ModalBuilder, PermissionFlagsBits, SlashCommandBuilder, StringSelectMenuBuilder, TextInputBuilder,
	TextInputStyle, UserSelectMenuBuilder } from "discord.js";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { DiscordPlayground, refused, until, usual } from "./discord.mjs";

const playground = new DiscordPlayground();
let client, heard, guild;

before(async () => {
	await playground.start();
	await playground.settings({ limits: false, members: true });
	client = await playground.login(900, { intents: [...usual, GatewayIntentBits.GuildMembers, GatewayIntentBits.GuildModeration,
		GatewayIntentBits.GuildMessagePolls, GatewayIntentBits.GuildExpressions, GatewayIntentBits.GuildInvites,
		GatewayIntentBits.AutoModerationExecution, GatewayIntentBits.GuildVoiceStates] });
});
after(async () => {
	await client.destroy();
	await playground.stop();
});
beforeEach(async () => {
	heard = await playground.tell(client, "hello", { chat: "dev", kind: "group" });
	guild = heard.guild;
	await playground.control("member", { chat: "dev", kind: "group", action: "promote" });
	await until(() => guild.members.me?.permissions.has(PermissionFlagsBits.Administrator), "the promotion");
});

const next = (event) => new Promise((resolve) => client.once(event, resolve));

test("roles are made, given, changed and removed", async () => {
	const role = await guild.roles.create({ name: "mods", permissions: [PermissionFlagsBits.KickMembers], colors: { primaryColor: 255 } });
	assert.ok(role.permissions.has(PermissionFlagsBits.KickMembers));
	const member = await guild.members.fetch(heard.author.id);
	const updated = next(Events.GuildMemberUpdate);
	await member.roles.add(role, "because");
	await updated;
	assert.ok(member.roles.cache.has(role.id));
	const log = await guild.fetchAuditLogs({ limit: 1 });
	assert.equal(log.entries.first().reason, "because");
	await role.edit({ name: "team" });
	assert.equal((await guild.roles.fetch(role.id)).name, "team");
	await role.delete();
	await until(() => !member.roles.cache.has(role.id), "the role is gone");
});

test("members are fetched, timed out, kicked and banned", async () => {
	await playground.say("hi", { chat: "dev", kind: "group", user: "Bob" });
	const members = await guild.members.fetch();
	assert.equal(members.size, 3);
	const [bob] = (await guild.members.fetch({ query: "bob", limit: 1 })).values();
	await bob.setNickname("Bobby");
	await bob.timeout(60000);
	assert.ok((await bob.fetch(true)).isCommunicationDisabled());
	const removed = next(Events.GuildMemberRemove);
	await bob.kick();
	assert.equal((await removed).id, bob.id);
	await playground.control("member", { chat: "dev", kind: "group", user: "Bob", action: "join" });
	await guild.bans.create(bob.id, { deleteMessageSeconds: 3600 });
	assert.equal((await guild.bans.fetch()).first().user.id, bob.id);
	await guild.bans.remove(bob.id);
});

test("channels are made, closed, moved and deleted", async () => {
	const category = await guild.channels.create({ name: "Work", type: ChannelType.GuildCategory });
	const room = await guild.channels.create({ name: "room", parent: category, topic: "all",
		permissionOverwrites: [{ id: guild.id, deny: [PermissionFlagsBits.SendMessages] }] });
	assert.equal(room.parentId, category.id);
	await room.permissionOverwrites.edit(client.user.id, { SendMessages: true });
	await until(() => room.permissionOverwrites.cache.size === 2, "the overwrite");
	await room.setTopic("nothing");
	await room.setPosition(0);
	const forum = await guild.channels.create({ name: "ideas", type: ChannelType.GuildForum, availableTags: [{ name: "bug" }] });
	const post = await forum.threads.create({ name: "one", message: { content: "first" }, appliedTags: [forum.availableTags[0].id] });
	assert.equal((await post.fetchStarterMessage()).content, "first");
	await post.setArchived(true);
	assert.equal((await forum.threads.fetchArchived()).threads.size, 1);
	await room.delete();
	await assert.rejects(client.channels.fetch(room.id, { force: true }), refused(10003, 404));
});

test("webhooks, pins, bulk deletes and polls", async () => {
	const { channel } = heard, hook = await channel.createWebhook({ name: "news" });
	const posted = await hook.send({ content: "read", username: "Herald" });
	assert.equal(posted.author.username, "Herald");
	await hook.editMessage(posted, { content: "read it" });
	assert.equal((await channel.fetchWebhooks()).size, 1);
	await heard.pin();
	const pins = await channel.messages.fetchPins();
	assert.equal(pins.items[0].message.id, heard.id);
	await heard.unpin();
	const asked = await channel.send({ poll: { question: { text: "Tea?" }, answers: [{ text: "yes" }, { text: "no" }], duration: 1,
		allowMultiselect: false } });
	const voted = next(Events.MessagePollVoteAdd);
	await playground.control("vote", { chat: "dev", user: "Ann", message_id: asked.id, answer: "yes" });
	assert.equal((await voted).text, "yes");
	await asked.poll.end();
	const result = (await channel.messages.fetch({ limit: 1 })).first();
	assert.equal(result.type, 46);
	assert.equal((await channel.bulkDelete(3)).size, 3);
});

test("emoji, invites, scheduled events and rules", async () => {
	const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
	const emoji = await guild.emojis.create({ attachment: png, name: "ok" });
	await emoji.edit({ name: "fine" });
	const sticker = await guild.stickers.create({ file: { attachment: png, name: "s.png" }, name: "sun", tags: "sun" });
	assert.equal((await guild.stickers.fetch(sticker.id)).name, "sun");
	const sent = await heard.channel.send({ stickers: [sticker] });
	assert.equal(sent.stickers.first().name, "sun");
	const invite = await heard.channel.createInvite({ maxAge: 60 });
	assert.equal((await client.fetchInvite(invite.code)).guild.id, guild.id);
	const event = await guild.scheduledEvents.create({ name: "walk", scheduledStartTime: Date.now() + 60000,
		scheduledEndTime: Date.now() + 120000, privacyLevel: GuildScheduledEventPrivacyLevel.GuildOnly,
		entityType: GuildScheduledEventEntityType.External, entityMetadata: { location: "Park" } });
	assert.equal(event.name, "walk");
	await guild.autoModerationRules.create({ name: "words", eventType: AutoModerationRuleEventType.MessageSend, enabled: true,
		triggerType: AutoModerationRuleTriggerType.Keyword, triggerMetadata: { keywordFilter: ["spam"] },
		actions: [{ type: AutoModerationActionType.BlockMessage }] });
	const acted = next(Events.AutoModerationActionExecution);
	await assert.rejects(playground.say("spam", { chat: "dev", kind: "group" }), /auto moderation/);
	assert.equal((await acted).matchedKeyword, "spam");
	await guild.edit({ description: "all of us" });
	assert.equal((await guild.fetch()).description, "all of us");
});

test("menus, modals, subcommands and commands of menus", async () => {
	await client.application.commands.set([
		new SlashCommandBuilder().setName("set").setDescription("d").addSubcommand((c) => c.setName("user").setDescription("d")
			.addUserOption((o) => o.setName("who").setDescription("d").setRequired(true))),
		new ContextMenuCommandBuilder().setName("Report it").setType(ApplicationCommandType.Message),
	]);
	let came = next(Events.InteractionCreate);
	await playground.control("command", { chat: "dev", user: "Ann", command: "set user", options: { who: "Ann" } });
	let interaction = await came;
	assert.equal(interaction.options.getSubcommand(), "user");
	assert.equal(interaction.options.getMember("who").id, heard.author.id);
	await interaction.reply({ content: "choose", components: [
		new ActionRowBuilder().addComponents(new StringSelectMenuBuilder().setCustomId("m").addOptions({ label: "One", value: "1" })),
		new ActionRowBuilder().addComponents(new UserSelectMenuBuilder().setCustomId("u"))] });
	const shown = (await playground.transcript("dev")).at(-1);
	came = next(Events.InteractionCreate);
	await playground.control("press", { chat: "dev", user: "Ann", message_id: shown.id, button: "m", values: ["One"] });
	interaction = await came;
	assert.deepEqual(interaction.values, ["1"]);
	await interaction.showModal(new ModalBuilder().setCustomId("form").setTitle("Form").addComponents(
		new ActionRowBuilder().addComponents(new TextInputBuilder().setCustomId("name").setLabel("Name").setStyle(TextInputStyle.Short))));
	came = next(Events.InteractionCreate);
	await playground.control("submit", { chat: "dev", user: "Ann", fields: { name: "Ann" } });
	interaction = await came;
	assert.equal(interaction.fields.getTextInputValue("name"), "Ann");
	await interaction.update({ content: "thanks", components: [] });
	came = next(Events.InteractionCreate);
	await playground.control("command", { chat: "dev", user: "Ann", command: "Report it", message_id: heard.id });
	interaction = await came;
	assert.equal(interaction.targetMessage.content, "hello");
	await interaction.reply("reported");
});
