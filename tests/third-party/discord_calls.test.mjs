// The ordinary calls of each library for Discord: every library makes all of them, in its own way.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import tls from "node:tls";
import { createBot } from "@discordeno/bot";
import detritus from "detritus-client";
import Eris from "eris";
import { Client as Oceanic } from "oceanic.js";
import { Client as Seyfert } from "seyfert";
import { ApiHandler } from "seyfert/lib/api/index.js";
import { SnowTransfer } from "snowtransfer";
import { DiscordPlayground, tokenOf } from "./discord.mjs";
import "./port_443.mjs";

const token = tokenOf(900), bytes = Buffer.from("some bytes");
const button = (custom) => [{ type: 1, components: [{ type: 2, style: 1, label: "Yes", [custom]: "yes" }] }];
const command = { name: "ask", description: "Asks", type: 1 };
const embed = { title: "Title", description: "Words" };

// c, g, m, u, r are the ids of a channel, guild, message, user and role.
const libraries = {
	detritus: (url) => {
		const { rest } = new detritus.ShardClient(token, { rest: { authType: "BOT", baseUrl: `${url}/discord/api/v10` } });
		return {
			me: () => rest.fetchMe(), guild: (g) => rest.fetchGuild(g), channels: (g) => rest.fetchGuildChannels(g),
			send: (c, text) => rest.createMessage(c, { content: text }), embed: (c) => rest.createMessage(c, { embeds: [embed] }),
			reply: (c, m) => rest.createMessage(c, { content: "re", messageReference: { messageId: m } }),
			buttons: (c) => rest.createMessage(c, { content: "Sure?", components: button("customId") }),
			upload: (c) => rest.createMessage(c, { content: "file", files: [{ filename: "a.txt", value: bytes }] }),
			edit: (c, m, text) => rest.editMessage(c, m, { content: text }), fetch: (c, m) => rest.fetchMessage(c, m),
			list: (c, limit) => rest.fetchMessages(c, { limit }), remove: (c, m) => rest.deleteMessage(c, m),
			bulk: (c, list) => rest.bulkDeleteMessages(c, list), typing: (c) => rest.triggerTyping(c),
			react: (c, m, e) => rest.createReaction(c, m, e), unreact: (c, m, e) => rest.deleteReaction(c, m, e),
			reactors: (c, m, e) => rest.fetchReactions(c, m, e), pin: (c, m) => rest.addPinnedMessage(c, m),
			unpin: (c, m) => rest.deletePinnedMessage(c, m), createChannel: (g, name) => rest.createGuildChannel(g, { name, type: 0 }),
			editChannel: (c, topic) => rest.editChannel(c, { topic }), deleteChannel: (c) => rest.deleteChannel(c),
			thread: (c, m, name) => rest.createChannelMessageThread(c, m, { name, autoArchiveDuration: 60 }),
			createRole: (g, name) => rest.createGuildRole(g, { name }), editRole: (g, r, color) => rest.editGuildRole(g, r, { color }),
			deleteRole: (g, r) => rest.deleteGuildRole(g, r), addRole: (g, u, r) => rest.addGuildMemberRole(g, u, r),
			removeRole: (g, u, r) => rest.removeGuildMemberRole(g, u, r), member: (g, u) => rest.fetchGuildMember(g, u),
			nick: (g, u, nick) => rest.editGuildMember(g, u, { nick }), ban: (g, u) => rest.createGuildBan(g, u, {}),
			unban: (g, u) => rest.removeGuildBan(g, u), kick: (g, u) => rest.removeGuildMember(g, u),
			invite: (c) => rest.createChannelInvite(c, { maxAge: 60 }), dropInvite: (code) => rest.deleteInvite(code),
			webhook: (c, name) => rest.createWebhook(c, { name }), dropWebhook: (w) => rest.deleteWebhook(w.id),
			execute: (w, text) => rest.executeWebhook(w.id, w.token, { content: text, wait: true }),
			commands: () => rest.bulkOverwriteApplicationCommands("900", [command]),
			allow: (c, r) => rest.editChannelOverwrite(c, r, { allow: 1024, deny: 2048, type: 0 }),
		};
	},
	discordeno: (url) => {
		const { rest } = createBot({ token, intents: 0, desiredProperties: {}, rest: { proxy: { baseUrl: `${url}/discord/api` } } });
		return {
			me: () => rest.getUser("900"), guild: (g) => rest.getGuild(g), channels: (g) => rest.getChannels(g),
			send: (c, text) => rest.sendMessage(c, { content: text }), embed: (c) => rest.sendMessage(c, { embeds: [embed] }),
			reply: (c, m) => rest.sendMessage(c, { content: "re", messageReference: { messageId: m } }),
			buttons: (c) => rest.sendMessage(c, { content: "Sure?", components: button("customId") }),
			upload: (c) => rest.sendMessage(c, { content: "file", files: [{ name: "a.txt", blob: new Blob([bytes]) }] }),
			edit: (c, m, text) => rest.editMessage(c, m, { content: text }), fetch: (c, m) => rest.getMessage(c, m),
			list: (c, limit) => rest.getMessages(c, { limit }), remove: (c, m) => rest.deleteMessage(c, m),
			bulk: (c, list) => rest.deleteMessages(c, list), typing: (c) => rest.triggerTypingIndicator(c),
			react: (c, m, e) => rest.addReaction(c, m, e), unreact: (c, m, e) => rest.deleteOwnReaction(c, m, e),
			reactors: (c, m, e) => rest.getReactions(c, m, e), pin: (c, m) => rest.pinMessage(c, m), unpin: (c, m) => rest.unpinMessage(c, m),
			createChannel: (g, name) => rest.createChannel(g, { name, type: 0 }), editChannel: (c, topic) => rest.editChannel(c, { topic }),
			deleteChannel: (c) => rest.deleteChannel(c),
			thread: (c, m, name) => rest.startThreadWithMessage(c, m, { name, autoArchiveDuration: 60 }),
			createRole: (g, name) => rest.createRole(g, { name }), editRole: (g, r, color) => rest.editRole(g, r, { color }),
			deleteRole: (g, r) => rest.deleteRole(g, r), addRole: (g, u, r) => rest.addRole(g, u, r),
			removeRole: (g, u, r) => rest.removeRole(g, u, r), member: (g, u) => rest.getMember(g, u),
			nick: (g, u, nick) => rest.editMember(g, u, { nick }), ban: (g, u) => rest.banMember(g, u), unban: (g, u) => rest.unbanMember(g, u),
			kick: (g, u) => rest.kickMember(g, u), invite: (c) => rest.createInvite(c, { maxAge: 60 }), dropInvite: (code) => rest.deleteInvite(code),
			webhook: (c, name) => rest.createWebhook(c, { name }), dropWebhook: (w) => rest.deleteWebhook(w.id),
			execute: (w, text) => rest.executeWebhook(w.id, w.token, { content: text, wait: true }),
			commands: () => rest.upsertGlobalApplicationCommands([command]),
			allow: (c, r) => rest.editChannelPermissionOverrides(c, { id: r, type: 0, allow: ["VIEW_CHANNEL"], deny: ["SEND_MESSAGES"] }),
		};
	},
	eris: () => {
		const client = new Eris(`Bot ${token}`, { restMode: true, rest: { domain: "localhost", baseURL: "/discord/api/v10" } });
		client.application = { id: "900" };
		return {
			me: () => client.getSelf(), guild: (g) => client.getRESTGuild(g), channels: (g) => client.getRESTGuildChannels(g),
			send: (c, text) => client.createMessage(c, text), embed: (c) => client.createMessage(c, { embeds: [embed] }),
			reply: (c, m) => client.createMessage(c, { content: "re", messageReference: { messageID: m } }),
			buttons: (c) => client.createMessage(c, { content: "Sure?", components: button("custom_id") }),
			upload: (c) => client.createMessage(c, "file", { name: "a.txt", file: bytes }),
			edit: (c, m, text) => client.editMessage(c, m, text), fetch: (c, m) => client.getMessage(c, m),
			list: (c, limit) => client.getMessages(c, { limit }), remove: (c, m) => client.deleteMessage(c, m),
			bulk: (c, list) => client.deleteMessages(c, list), typing: (c) => client.sendChannelTyping(c),
			react: (c, m, e) => client.addMessageReaction(c, m, e), unreact: (c, m, e) => client.removeMessageReaction(c, m, e),
			reactors: (c, m, e) => client.getMessageReaction(c, m, e), pin: (c, m) => client.pinMessage(c, m),
			unpin: (c, m) => client.unpinMessage(c, m), createChannel: (g, name) => client.createChannel(g, name, 0),
			editChannel: (c, topic) => client.editChannel(c, { topic }), deleteChannel: (c) => client.deleteChannel(c),
			thread: (c, m, name) => client.createThreadWithMessage(c, m, { name, autoArchiveDuration: 60 }),
			createRole: (g, name) => client.createRole(g, { name }), editRole: (g, r, color) => client.editRole(g, r, { color }),
			deleteRole: (g, r) => client.deleteRole(g, r), addRole: (g, u, r) => client.addGuildMemberRole(g, u, r),
			removeRole: (g, u, r) => client.removeGuildMemberRole(g, u, r), member: (g, u) => client.getRESTGuildMember(g, u),
			nick: (g, u, nick) => client.editGuildMember(g, u, { nick }), ban: (g, u) => client.banGuildMember(g, u),
			unban: (g, u) => client.unbanGuildMember(g, u), kick: (g, u) => client.kickGuildMember(g, u),
			invite: (c) => client.createChannelInvite(c, { maxAge: 60 }), dropInvite: (code) => client.deleteInvite(code),
			webhook: (c, name) => client.createChannelWebhook(c, { name }), dropWebhook: (w) => client.deleteWebhook(w.id),
			execute: (w, text) => client.executeWebhook(w.id, w.token, { content: text, wait: true }),
			commands: () => client.bulkEditCommands([command]),
			allow: (c, r) => client.editChannelPermission(c, r, 1024, 2048, 0),
		};
	},
	oceanic: async (url) => {
		const client = new Oceanic({ auth: `Bot ${token}`, rest: { baseURL: `${url}/discord/api/v10` } }), { rest } = client;
		await client.restMode(false);
		return {
			me: () => rest.users.get("900"), guild: (g) => rest.guilds.get(g), channels: (g) => rest.guilds.getChannels(g),
			send: (c, text) => rest.channels.createMessage(c, { content: text }), embed: (c) => rest.channels.createMessage(c, { embeds: [embed] }),
			reply: (c, m) => rest.channels.createMessage(c, { content: "re", messageReference: { messageID: m } }),
			buttons: (c) => rest.channels.createMessage(c, { content: "Sure?", components: button("customID") }),
			upload: (c) => rest.channels.createMessage(c, { content: "file", files: [{ name: "a.txt", contents: bytes }] }),
			edit: (c, m, text) => rest.channels.editMessage(c, m, { content: text }), fetch: (c, m) => rest.channels.getMessage(c, m),
			list: (c, limit) => rest.channels.getMessages(c, { limit }), remove: (c, m) => rest.channels.deleteMessage(c, m),
			bulk: (c, list) => rest.channels.deleteMessages(c, list), typing: (c) => rest.channels.sendTyping(c),
			react: (c, m, e) => rest.channels.createReaction(c, m, e), unreact: (c, m, e) => rest.channels.deleteReaction(c, m, e),
			reactors: (c, m, e) => rest.channels.getReactions(c, m, e), pin: (c, m) => rest.channels.pinMessage(c, m),
			unpin: (c, m) => rest.channels.unpinMessage(c, m), createChannel: (g, name) => rest.guilds.createChannel(g, 0, { name }),
			editChannel: (c, topic) => rest.channels.edit(c, { topic }), deleteChannel: (c) => rest.channels.delete(c),
			thread: (c, m, name) => rest.channels.startThreadFromMessage(c, m, { name, autoArchiveDuration: 60 }),
			createRole: (g, name) => rest.guilds.createRole(g, { name }), editRole: (g, r, color) => rest.guilds.editRole(g, r, { color }),
			deleteRole: (g, r) => rest.guilds.deleteRole(g, r), addRole: (g, u, r) => rest.guilds.addMemberRole(g, u, r),
			removeRole: (g, u, r) => rest.guilds.removeMemberRole(g, u, r), member: (g, u) => rest.guilds.getMember(g, u),
			nick: (g, u, nick) => rest.guilds.editMember(g, u, { nick }), ban: (g, u) => rest.guilds.createBan(g, u),
			unban: (g, u) => rest.guilds.removeBan(g, u), kick: (g, u) => rest.guilds.removeMember(g, u),
			invite: (c) => rest.channels.createInvite(c, { maxAge: 60 }), dropInvite: (code) => rest.channels.deleteInvite(code),
			webhook: (c, name) => rest.webhooks.create(c, { name }), dropWebhook: (w) => rest.webhooks.delete(w.id),
			execute: (w, text) => rest.webhooks.execute(w.id, w.token, { content: text, wait: true }),
			commands: () => rest.applications.bulkEditGlobalCommands("900", [command]),
			allow: (c, r) => rest.channels.editPermission(c, r, { allow: "1024", deny: "2048", type: 0 }),
		};
	},
	seyfert: () => {
		const client = new Seyfert({ getRC: () => ({ token, intents: 0, locations: { base: "." } }) });
		client.setServices({ rest: new ApiHandler({ token, domain: "https://localhost/discord" }) });
		return {
			me: () => client.proxy.users("@me").get(), guild: (g) => client.guilds.raw(g), channels: (g) => client.proxy.guilds(g).channels.get(),
			send: (c, content) => client.messages.write(c, { content }), embed: (c) => client.messages.write(c, { embeds: [embed] }),
			reply: (c, m) => client.messages.write(c, { content: "re", message_reference: { message_id: m } }),
			buttons: (c) => client.messages.write(c, { content: "Sure?", components: button("custom_id") }),
			upload: (c) => client.messages.write(c, { content: "file", files: [{ filename: "a.txt", data: bytes }] }),
			edit: (c, m, content) => client.messages.edit(m, c, { content }), fetch: (c, m) => client.messages.fetch(m, c),
			list: (c, limit) => client.messages.list(c, { limit }), remove: (c, m) => client.messages.delete(m, c),
			bulk: (c, list) => client.messages.purge(list, c), typing: (c) => client.channels.typing(c),
			react: (c, m, e) => client.reactions.add(m, c, e), unreact: (c, m, e) => client.reactions.delete(m, c, e),
			reactors: (c, m, e) => client.reactions.fetch(m, c, e), pin: (c, m) => client.channels.setPin(m, c),
			unpin: (c, m) => client.channels.deletePin(m, c), createChannel: (g, name) => client.guilds.channels.create(g, { name, type: 0 }),
			editChannel: (c, topic) => client.channels.edit(c, { topic }), deleteChannel: (c) => client.channels.delete(c),
			thread: (c, m, name) => client.messages.thread(c, m, { name, auto_archive_duration: 60 }),
			createRole: (g, name) => client.roles.create(g, { name }), editRole: (g, r, color) => client.roles.edit(g, r, { color }),
			deleteRole: (g, r) => client.roles.delete(g, r), addRole: (g, u, r) => client.members.addRole(g, u, r),
			removeRole: (g, u, r) => client.members.removeRole(g, u, r), member: (g, u) => client.members.fetch(g, u),
			nick: (g, u, nick) => client.members.edit(g, u, { nick }), ban: (g, u) => client.members.ban(g, u),
			unban: (g, u) => client.members.unban(g, u), kick: (g, u) => client.members.kick(g, u),
			invite: (c) => client.proxy.channels(c).invites.post({ body: { max_age: 60 } }),
			dropInvite: (code) => client.proxy.invites(code).delete(),
			webhook: (c, name) => client.webhooks.create(c, { name }), dropWebhook: (w) => client.webhooks.delete(w.id, {}),
			execute: (w, content) => client.webhooks.writeMessage(w.id, w.token, { body: { content }, query: { wait: true } }),
			commands: () => client.proxy.applications("900").commands.put({ body: [command] }),
			allow: (c, r) => client.channels.editOverwrite(c, r, { type: 0, allow: ["ViewChannel"], deny: ["SendMessages"] }),
		};
	},
	snowtransfer: (url) => {
		const { channel, guild, interaction, invite, user, webhook } =
			new SnowTransfer(token, { baseHost: `${url}/discord` });
		return {
			me: () => user.getSelf(), guild: (g) => guild.getGuild(g), channels: (g) => guild.getGuildChannels(g),
			send: (c, text) => channel.createMessage(c, text), embed: (c) => channel.createMessage(c, { embeds: [embed] }),
			reply: (c, m) => channel.createMessage(c, { content: "re", message_reference: { message_id: m } }),
			buttons: (c) => channel.createMessage(c, { content: "Sure?", components: button("custom_id") }),
			upload: (c) => channel.createMessage(c, { content: "file", files: [{ name: "a.txt", file: bytes }] }),
			edit: (c, m, text) => channel.editMessage(c, m, text), fetch: (c, m) => channel.getChannelMessage(c, m),
			list: (c, limit) => channel.getChannelMessages(c, { limit }), remove: (c, m) => channel.deleteMessage(c, m),
			bulk: (c, list) => channel.bulkDeleteMessages(c, list), typing: (c) => channel.startChannelTyping(c),
			react: (c, m, e) => channel.createReaction(c, m, encodeURIComponent(e)), unreact: (c, m, e) => channel.deleteReactionSelf(c, m, encodeURIComponent(e)),
			reactors: (c, m, e) => channel.getReactions(c, m, encodeURIComponent(e)), pin: (c, m) => channel.addChannelPinnedMessage(c, m),
			unpin: (c, m) => channel.removeChannelPinnedMessage(c, m), createChannel: (g, name) => guild.createGuildChannel(g, { name, type: 0 }),
			editChannel: (c, topic) => channel.updateChannel(c, { topic }), deleteChannel: (c) => channel.deleteChannel(c),
			thread: (c, m, name) => channel.createThreadWithMessage(c, m, { name, auto_archive_duration: 60 }),
			createRole: (g, name) => guild.createGuildRole(g, { name }), editRole: (g, r, color) => guild.updateGuildRole(g, r, { color }),
			deleteRole: (g, r) => guild.removeGuildRole(g, r), addRole: (g, u, r) => guild.addGuildMemberRole(g, u, r),
			removeRole: (g, u, r) => guild.removeGuildMemberRole(g, u, r), member: (g, u) => guild.getGuildMember(g, u),
			nick: (g, u, nick) => guild.updateGuildMember(g, u, { nick }), ban: (g, u) => guild.createGuildBan(g, u, {}),
			unban: (g, u) => guild.removeGuildBan(g, u), kick: (g, u) => guild.removeGuildMember(g, u),
			invite: (c) => channel.createChannelInvite(c, { max_age: 60 }), dropInvite: (code) => invite.deleteInvite(code),
			webhook: (c, name) => webhook.createWebhook(c, { name }), dropWebhook: (w) => webhook.deleteWebhook(w.id),
			execute: (w, text) => webhook.executeWebhook(w.id, w.token, { content: text }, { wait: true }),
			commands: () => interaction.bulkOverwriteApplicationCommands("900", [command]),
			allow: (c, r) => channel.editChannelPermission(c, r, { allow: "1024", deny: "2048", type: 0 }),
		};
	},
};

// All that an error says.
const said = (e) => [e, e.cause].map((one) => `${one} ${JSON.stringify(one)}`).join();

// In this order: a step uses what those before it left. get asks the playground itself.
const steps = {
	"it knows itself": async ({ lib }) => assert.equal(`${(await lib.me()).id}`, "900"),
	"a text is sent": async ({ lib, at, last }) => {
		at.m = `${(await lib.send(at.c, "Zażółć 🙂")).id}`;
		assert.deepEqual([(await last()).id, (await last()).text], [at.m, "Zażółć 🙂"]);
	},
	"a message is a reply": async ({ lib, at, last }) => {
		await lib.reply(at.c, at.m);
		assert.deepEqual([(await last()).text, (await last()).reply_to], ["re", at.m]);
	},
	"an embed is sent": async ({ lib, at, get }) => {
		const sent = await lib.embed(at.c);
		assert.equal((await get(`/channels/${at.c}/messages/${sent.id}`)).embeds[0].title, "Title");
	},
	"buttons are sent": async ({ lib, at, last }) => {
		await lib.buttons(at.c);
		assert.deepEqual((await last()).buttons.map((b) => [b.id, b.label]), [["yes", "Yes"]]);
	},
	"a file is uploaded": async ({ lib, at, get, last }) => {
		await lib.upload(at.c);
		const [file] = (await get(`/channels/${at.c}/messages/${(await last()).id}`)).attachments;
		assert.deepEqual([file.filename, file.size], ["a.txt", bytes.length]);
		assert.deepEqual(Buffer.from(await (await fetch(file.url)).arrayBuffer()), bytes);
	},
	"a message is edited": async ({ lib, at, get }) => {
		await lib.edit(at.c, at.m, "edited");
		assert.equal((await get(`/channels/${at.c}/messages/${at.m}`)).content, "edited");
	},
	"a message is read": async ({ lib, at }) => assert.equal((await lib.fetch(at.c, at.m)).content, "edited"),
	"the newest messages are read": async ({ lib, at }) =>
		assert.deepEqual([...(await lib.list(at.c, 2)).values()].map((m) => m.content), ["file", "Sure?"]),
	"a reaction is put": async ({ lib, at, get }) => {
		await lib.react(at.c, at.m, "👍");
		assert.deepEqual((await get(`/channels/${at.c}/messages/${at.m}`)).reactions.map((r) => [r.emoji.name, r.me]), [["👍", true]]);
	},
	"who reacted is read": async ({ lib, at }) =>
		assert.deepEqual([...(await lib.reactors(at.c, at.m, "👍")).values()].map((u) => `${u.id}`), ["900"]),
	"the reaction is taken back": async ({ lib, at, get }) => {
		await lib.unreact(at.c, at.m, "👍");
		assert.deepEqual((await get(`/channels/${at.c}/messages/${at.m}`)).reactions ?? [], []);
	},
	"a message is pinned and unpinned": async ({ lib, at, get }) => {
		await lib.pin(at.c, at.m);
		assert.equal((await get(`/channels/${at.c}/messages/${at.m}`)).pinned, true);
		await lib.unpin(at.c, at.m);
		assert.equal((await get(`/channels/${at.c}/messages/${at.m}`)).pinned, false);
	},
	"typing shows": async ({ lib, at, playground }) => {
		await lib.typing(at.c);
		assert.equal((await playground.look("dev")).typing, true);
	},
	"a thread begins at a message": async ({ lib, at, get }) => {
		const thread = await lib.thread(at.c, at.m, "plans");
		assert.deepEqual([(await get(`/channels/${thread.id}`)).name, (await get(`/channels/${thread.id}`)).parent_id], ["plans", at.c]);
		assert.equal((await lib.send(`${thread.id}`, "deeper")).content, "deeper");
	},
	"a message is deleted": async ({ lib, at, last }) => {
		const sent = await lib.send(at.c, "gone");
		await lib.remove(at.c, `${sent.id}`);
		assert.notEqual((await last((m) => !m.deleted)).text, "gone");
	},
	"some are deleted at once": async ({ lib, at, get }) => {
		const sent = [await lib.send(at.c, "one"), await lib.send(at.c, "two")];
		await lib.bulk(at.c, sent.map((m) => `${m.id}`));
		assert.ok((await get(`/channels/${at.c}/messages?limit=3`)).every((m) => !["one", "two"].includes(m.content)));
	},
	"the guild is read": async ({ lib, at }) => assert.equal((await lib.guild(at.g)).name, "Playground"),
	"its channels are read": async ({ lib, at }) =>
		assert.ok([...(await lib.channels(at.g)).values()].some((c) => c.name === "dev")),
	"a channel is made": async ({ lib, at, get }) => {
		at.made = `${(await lib.createChannel(at.g, "new-place")).id}`;
		assert.equal((await get(`/channels/${at.made}`)).name, "new-place");
	},
	"its topic is set": async ({ lib, at, get }) => {
		await lib.editChannel(at.made, "Words");
		assert.equal((await get(`/channels/${at.made}`)).topic, "Words");
	},
	"who may what there is set": async ({ lib, at, get }) => {
		await lib.allow(at.made, at.g);
		const [{ allow, deny }] = (await get(`/channels/${at.made}`)).permission_overwrites.filter((o) => o.id === at.g);
		assert.deepEqual([allow, deny], ["1024", "2048"]);
	},
	"it is deleted": async ({ lib, at, get }) => {
		await lib.deleteChannel(at.made);
		assert.equal((await get(`/channels/${at.made}`)).code, 10003);
	},
	"a role is made and coloured": async ({ lib, at, role }) => {
		at.r = `${(await lib.createRole(at.g, "crew")).id}`;
		assert.equal((await role()).name, "crew");
		await lib.editRole(at.g, at.r, 255);
		assert.equal((await role()).color, 255);
	},
	"it is given and taken": async ({ lib, at, get }) => {
		await lib.addRole(at.g, at.u, at.r);
		assert.deepEqual((await get(`/guilds/${at.g}/members/${at.u}`)).roles, [at.r]);
		await lib.removeRole(at.g, at.u, at.r);
		assert.deepEqual((await get(`/guilds/${at.g}/members/${at.u}`)).roles, []);
	},
	"it is deleted, too": async ({ lib, at, role }) => {
		await lib.deleteRole(at.g, at.r);
		assert.equal(await role(), undefined);
	},
	"a member gets a name": async ({ lib, at }) => {
		await lib.nick(at.g, at.u, "Annie");
		assert.equal((await lib.member(at.g, at.u)).nick, "Annie");
	},
	"a member is banned and let in again": async ({ lib, at, get }) => {
		await lib.ban(at.g, at.bob);
		assert.equal((await get(`/guilds/${at.g}/bans/${at.bob}`)).user.id, at.bob);
		await lib.unban(at.g, at.bob);
		assert.equal((await get(`/guilds/${at.g}/bans/${at.bob}`)).code, 10026);
	},
	"a member is kicked": async ({ lib, at, get }) => {
		await lib.kick(at.g, at.cid);
		assert.equal((await get(`/guilds/${at.g}/members/${at.cid}`)).code, 10007);
	},
	"an invite is made and taken back": async ({ lib, at, get }) => {
		const { code } = await lib.invite(at.c);
		assert.equal((await get(`/invites/${code}`)).channel.id, at.c);
		await lib.dropInvite(code);
		assert.equal((await get(`/invites/${code}`)).code, 10006);
	},
	"a webhook is made and speaks": async ({ lib, at, last }) => {
		at.w = await lib.webhook(at.c, "Crier");
		await lib.execute(at.w, "hear");
		assert.deepEqual([(await last()).text, (await last()).from], ["hear", "Crier"]);
	},
	"it is deleted as well": async ({ lib, at, get }) => {
		await lib.dropWebhook(at.w);
		assert.equal((await get(`/webhooks/${at.w.id}`)).code, 10015);
	},
	"commands are registered": async ({ lib, get }) => {
		await lib.commands();
		assert.deepEqual((await get("/applications/900/commands")).map((c) => c.name), ["ask"]);
	},
	"an unknown channel is refused": ({ lib }) =>
		assert.rejects(lib.send("123456789012345678", "x"), (e) => /10003|Unknown Channel/.test(said(e))),
	"an empty message is refused": ({ lib, at }) =>
		assert.rejects(lib.send(at.c, ""), (e) => /50006|empty message|content/i.test(said(e))),
	"a limit is waited for, or told": async ({ lib, at, playground, last }) => {
		await playground.fault("POST /channels/messages", "retry_after", { seconds: 1 });
		const began = Date.now(), problem = await lib.send(at.c, "late").then(() => null, said);
		if (problem)
			return assert.match(problem, /429|rate limited/);
		assert.ok(Date.now() - began >= 900);
		assert.equal((await last()).text, "late");
	},
};

for (const [name, make] of Object.entries(libraries)) {
	const playground = new DiscordPlayground({ tls: true }), at = {};
	let lib;
	const get = async (path) => (await fetch(`${playground.url}/discord/api/v10${path}`, { headers: { authorization: `Bot ${token}` } })).json();
	const role = async () => (await get(`/guilds/${at.g}/roles`)).find((r) => r.id === at.r);
	const last = async (which = () => true) => (await playground.transcript("dev")).filter(which).at(-1);
	const start = async () => {
		await playground.start();
		await playground.settings({ limits: false });
		at.c = (await playground.say("hello, @bot", { chat: "dev", kind: "group" })).chat_id;
		at.u = (await playground.say("hi", { chat: "dev" })).user_id;
		at.bob = (await playground.say("hi", { chat: "dev", user: "Bob" })).user_id;
		at.cid = (await playground.say("hi", { chat: "dev", user: "Cid" })).user_id;
		await playground.control("member", { chat: "dev", action: "promote" });
		at.g = (await get(`/channels/${at.c}`)).guild_id;
		// Some know no port but 443.
		process.env.PORT_443 = new URL(playground.secure.url).port;
		tls.setDefaultCACertificates([readFileSync(playground.secure.authority, "utf8")]);
		lib = await make(playground.url);
	};
	test(`${name}: it is set up`, async () => {
		await start();
		assert.match(at.g, /^\d+$/);
	});
	for (const [what, step] of Object.entries(steps))
		test(`${name}: ${what}`, { timeout: 60000 }, () => step({ lib, at, playground, get, role, last }));
	test(`${name}: all answers were as Discord publishes them`, async () => {
		await playground.stop();
	});
}
