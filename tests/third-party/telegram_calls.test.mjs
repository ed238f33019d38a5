// The ordinary calls of each library for Telegram: every library makes all of them, in its own way.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { MediaUpload, Bot as Gramio } from "gramio";
import { Bot as Grammy, InputFile as GrammyFile } from "grammy";
import { Api, InputFile as NodeFile } from "node-telegram-bot-api";
import NodeTelegramBot from "node-telegram-bot-api-0.67";
import { MediaSource, Telegram as Puregram } from "puregram";
import { Telegram as Telegraf } from "telegraf";
import { Playground } from "./playground.mjs";

const token = "1001:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", group = -1001234567890;
// The smallest PNG there is: one pixel.
const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

// What stands before the options where a library takes them by position.
const positions = {
	answerCallbackQuery: "callback_query_id", banChatMember: "chat_id user_id", copyMessage: "chat_id from_chat_id message_id",
	createChatInviteLink: "chat_id", deleteMessage: "chat_id message_id", editMessageCaption: "chat_id message_id",
	editMessageReplyMarkup: "chat_id message_id", editMessageText: "chat_id message_id text", exportChatInviteLink: "chat_id",
	forwardMessage: "chat_id from_chat_id message_id", getChat: "chat_id", getChatAdministrators: "chat_id",
	getChatMember: "chat_id user_id", getChatMemberCount: "chat_id", getFile: "file_id", getUserProfilePhotos: "user_id",
	leaveChat: "chat_id", pinChatMessage: "chat_id message_id", promoteChatMember: "chat_id user_id",
	restrictChatMember: "chat_id user_id", revokeChatInviteLink: "chat_id invite_link", sendAnimation: "chat_id animation",
	sendAudio: "chat_id audio", sendChatAction: "chat_id action", sendContact: "chat_id phone_number first_name",
	sendDice: "chat_id", sendDocument: "chat_id document", sendLocation: "chat_id latitude longitude",
	sendMediaGroup: "chat_id media", sendMessage: "chat_id text", sendPhoto: "chat_id photo",
	sendPoll: "chat_id question options", sendSticker: "chat_id sticker",
	sendVenue: "chat_id latitude longitude title address", sendVideo: "chat_id video", sendVideoNote: "chat_id video_note",
	sendVoice: "chat_id voice", setChatDescription: "chat_id description", setChatPermissions: "chat_id permissions",
	setChatTitle: "chat_id title", setMessageReaction: "chat_id message_id", setMyCommands: "commands", setWebhook: "url",
	stopPoll: "chat_id message_id", unbanChatMember: "chat_id user_id", unpinAllChatMessages: "chat_id", unpinChatMessage: "chat_id",
};

// texts: options that the library does not write as JSON by itself.
function byPosition(target, own = {}, names = {}, texts = []) {
	return (method, params = {}) => {
		const rest = { ...params };
		for (const name of texts)
			if (rest[name] && !own[method])
				rest[name] = JSON.stringify(rest[name]);
		const args = (own[method] ?? positions[method] ?? "").split(" ").filter(Boolean).map((name) => {
			const value = rest[name];
			delete rest[name];
			return value;
		});
		const file = args.find(Buffer.isBuffer);
		if (file || Object.keys(rest).length > 0)
			args.push(rest);
		if (file)
			args.push({ filename: file.filename, contentType: "application/octet-stream" });
		return target[names[method] ?? method](...args);
	};
}
const byName = (target) => (method, ...params) => target[method](...params);

const libraries = {
	gramio: (url) => ({
		call: byName(new Gramio(token, { api: { baseURL: `${url}/telegram/bot` } }).api),
		file: (bytes, name) => MediaUpload.buffer(bytes, name),
	}),
	grammy: (url) => ({
		call: byPosition(new Grammy(token, { client: { apiRoot: `${url}/telegram` } }).api,
			{ sendDice: "chat_id emoji", setMessageReaction: "chat_id message_id reaction", setMyDescription: "description",
				unpinChatMessage: "chat_id message_id" }),
		file: (bytes, name) => new GrammyFile(bytes, name),
	}),
	"node-telegram-bot-api 0.67": (url) => ({
		call: byPosition(new NodeTelegramBot(token, { baseApiUrl: `${url}/telegram` }),
			{ editMessageCaption: "caption", editMessageReplyMarkup: "reply_markup", editMessageText: "text",
				setChatPermissions: "chat_id permissions" },
			{ deleteWebhook: "deleteWebHook", getWebhookInfo: "getWebHookInfo", setWebhook: "setWebHook" },
			["link_preview_options", "permissions"]),
		file: (bytes, filename) => Object.assign(Buffer.from(bytes), { filename }),
	}),
	"node-telegram-bot-api": (url) => ({
		call: byName(new Api(token, { apiRoot: `${url}/telegram`, maxRetries: 0 })),
		file: (bytes, filename) => new NodeFile(bytes, { filename }),
	}),
	puregram: (url) => ({
		call: byName(Puregram.fromToken(token, { apiBaseUrl: `${url}/telegram/bot` }).api),
		file: (bytes, filename) => MediaSource.buffer(bytes, { filename }),
	}),
	telegraf: (url) => ({
		call: byPosition(new Telegraf(token, { apiRoot: `${url}/telegram` }),
			{ answerCallbackQuery: "callback_query_id text", editMessageCaption: "chat_id message_id inline_message_id caption",
				editMessageReplyMarkup: "chat_id message_id inline_message_id reply_markup",
				editMessageText: "chat_id message_id inline_message_id text", setMessageReaction: "chat_id message_id reaction",
				getUpdates: "timeout limit offset allowed_updates", setMyDescription: "description",
				banChatMember: "chat_id user_id until_date", unpinChatMessage: "chat_id message_id" },
			{ answerCallbackQuery: "answerCbQuery", getChatMemberCount: "getChatMembersCount" }),
		file: (source, filename) => ({ source, filename }),
	}),
};

// In this order: a step uses what those before it left. at has the chat, the last message and so on.
const steps = {
	"getMe says who it is": async ({ call, at }) => {
		at.me = await call("getMe");
		assert.deepEqual([at.me.id, at.me.is_bot], [1001, true]);
	},
	"commands are set and read": async ({ call }) => {
		const commands = [{ command: "start", description: "Begins" }];
		assert.equal(await call("setMyCommands", { commands }), true);
		assert.deepEqual(await call("getMyCommands"), commands);
	},
	"a description is set and read": async ({ call }) => {
		assert.equal(await call("setMyDescription", { description: "Answers" }), true);
		assert.equal((await call("getMyDescription")).description, "Answers");
	},
	"getUpdates has what was said": async ({ updates, playground, at }) => {
		await playground.say("hello");
		const [{ message }] = await updates();
		assert.deepEqual([message.text, message.chat.type], ["hello", "private"]);
		at.chat_id = message.chat.id;
		at.said = message.message_id;
	},
	"what was confirmed does not come again": async ({ call, updates, playground }) => {
		await playground.say("next");
		assert.deepEqual((await updates()).map((u) => u.message.text), ["next"]);
		assert.deepEqual(await call("getUpdates", { offset: -1 }).then((list) => list.map((u) => u.message.text)), ["next"]);
	},
	"sendMessage shows": async ({ call, at, last }) => {
		const sent = await call("sendMessage", { chat_id: at.chat_id, text: "Zażółć 🙂" });
		assert.deepEqual([sent.text, (await last()).text], ["Zażółć 🙂", "Zażółć 🙂"]);
		at.sent = sent.message_id;
	},
	"a message is a reply": async ({ call, at }) => {
		const sent = await call("sendMessage", { chat_id: at.chat_id, text: "re", reply_parameters: { message_id: at.said } });
		assert.equal(sent.reply_to_message.text, "hello");
	},
	"HTML becomes entities": async ({ call, at }) => {
		const sent = await call("sendMessage", { chat_id: at.chat_id, text: "<b>a</b> &lt;", parse_mode: "HTML" });
		assert.deepEqual([sent.text, sent.entities], ["a <", [{ offset: 0, length: 1, type: "bold" }]]);
	},
	"entities are sent": async ({ call, at }) => {
		const entities = [{ type: "italic", offset: 0, length: 2 }];
		assert.deepEqual((await call("sendMessage", { chat_id: at.chat_id, text: "it", entities })).entities, entities);
	},
	"a preview is switched off": async ({ call, at }) => {
		const sent = await call("sendMessage",
			{ chat_id: at.chat_id, text: "https://example.org", link_preview_options: { is_disabled: true } });
		assert.deepEqual(sent.link_preview_options, { is_disabled: true });
	},
	"a button is pressed": async ({ call, at, playground, updates }) => {
		const reply_markup = { inline_keyboard: [[{ text: "Yes", callback_data: "y" }, { text: "No", callback_data: "n" }]] };
		const sent = await call("sendMessage", { chat_id: at.chat_id, text: "Sure?", reply_markup });
		assert.deepEqual(sent.reply_markup, reply_markup);
		await playground.control("press", { chat: "Ann", user: "Ann", message_id: `${sent.message_id}`, button: "No" });
		const [{ callback_query }] = await updates();
		assert.equal(callback_query.data, "n");
		at.asked = sent.message_id;
		at.query = callback_query.id;
	},
	"answerCallbackQuery answers it": async ({ call, at }) => {
		assert.equal(await call("answerCallbackQuery", { callback_query_id: at.query, text: "Thanks" }), true);
	},
	"buttons are changed": async ({ call, at }) => {
		const reply_markup = { inline_keyboard: [[{ text: "Again", callback_data: "a" }]] };
		const edited = await call("editMessageReplyMarkup", { chat_id: at.chat_id, message_id: at.asked, reply_markup });
		assert.deepEqual(edited.reply_markup, reply_markup);
	},
	"a keyboard of the person's shows": async ({ call, at }) => {
		const reply_markup = { keyboard: [[{ text: "One" }, { text: "Two" }]], resize_keyboard: true };
		assert.equal((await call("sendMessage", { chat_id: at.chat_id, text: "Choose", reply_markup })).text, "Choose");
		assert.equal((await call("sendMessage", { chat_id: at.chat_id, text: "Gone", reply_markup: { remove_keyboard: true } })).text, "Gone");
	},
	"editMessageText edits": async ({ call, at, message }) => {
		const edited = await call("editMessageText", { chat_id: at.chat_id, message_id: at.sent, text: "edited" });
		assert.equal(edited.text, "edited");
		assert.ok(edited.edit_date >= edited.date);
		assert.equal((await message(at.sent)).text, "edited");
	},
	"an edit that changes nothing is refused": ({ call, at, refused }) =>
		refused(call("editMessageText", { chat_id: at.chat_id, message_id: at.sent, text: "edited" }), /message is not modified/),
	"sendChatAction shows": async ({ call, at, playground }) => {
		assert.equal(await call("sendChatAction", { chat_id: at.chat_id, action: "typing" }), true);
		assert.equal((await playground.look("Ann")).typing, true);
	},
	"a reaction is put": async ({ call, at, message }) => {
		const reaction = [{ type: "emoji", emoji: "👍" }];
		assert.equal(await call("setMessageReaction", { chat_id: at.chat_id, message_id: at.said, reaction }), true);
		assert.deepEqual((await message(at.said)).reactions.map((r) => r.emoji ?? r), ["👍"]);
	},
	"copyMessage copies": async ({ call, at, last }) => {
		const copy = await call("copyMessage", { chat_id: at.chat_id, from_chat_id: at.chat_id, message_id: at.said });
		assert.equal(`${copy.message_id}`, (await last()).id);
		assert.equal((await last()).text, "hello");
	},
	"forwardMessage says where from": async ({ call, at }) => {
		const sent = await call("forwardMessage", { chat_id: at.chat_id, from_chat_id: at.chat_id, message_id: at.said });
		assert.deepEqual([sent.text, sent.forward_origin.type], ["hello", "user"]);
	},
	"deleteMessage deletes": async ({ call, at, message }) => {
		assert.equal(await call("deleteMessage", { chat_id: at.chat_id, message_id: at.sent }), true);
		assert.equal((await message(at.sent)).deleted, true);
	},
	"a photo is uploaded": async ({ call, at, file }) => {
		const sent = await call("sendPhoto", { chat_id: at.chat_id, photo: file(png, "dot.png"), caption: "a dot" });
		assert.deepEqual([sent.caption, sent.photo.at(-1).width, sent.photo.at(-1).file_size], ["a dot", 1, png.length]);
		at.photo = sent;
	},
	"it is sent again by its id": async ({ call, at }) => {
		const { file_id } = at.photo.photo.at(-1);
		const sent = await call("sendPhoto", { chat_id: at.chat_id, photo: file_id });
		assert.equal(sent.photo.at(-1).file_unique_id, at.photo.photo.at(-1).file_unique_id);
	},
	"its caption is edited": async ({ call, at }) => {
		const edited = await call("editMessageCaption",
			{ chat_id: at.chat_id, message_id: at.photo.message_id, caption: "*the* dot", parse_mode: "MarkdownV2" });
		assert.deepEqual([edited.caption, edited.caption_entities[0].type], ["the dot", "bold"]);
	},
	"getFile leads to the bytes": async ({ call, at, playground }) => {
		const { file_path } = await call("getFile", { file_id: at.photo.photo.at(-1).file_id });
		const answer = await fetch(`${playground.url}/telegram/file/bot${token}/${file_path}`);
		assert.deepEqual(Buffer.from(await answer.arrayBuffer()), png);
	},
	"a document keeps its name": async ({ call, at, file }) => {
		const sent = await call("sendDocument", { chat_id: at.chat_id, document: file(Buffer.from("x".repeat(5000)), "notes.txt") });
		assert.deepEqual([sent.document.file_name, sent.document.file_size], ["notes.txt", 5000]);
	},
	...Object.fromEntries([["audio", "sendAudio"], ["voice", "sendVoice"], ["video", "sendVideo"], ["animation", "sendAnimation"],
		["video_note", "sendVideoNote"]].map(([kind, method]) => [`${method} uploads`, async ({ call, at, file }) => {
		const sent = await call(method, { chat_id: at.chat_id, [kind]: file(Buffer.from("sound"), "a.bin") });
		assert.equal(sent[kind].file_size, 5);
	}])),
	"an album is one group": async ({ call, at, file }) => {
		const media = [{ type: "photo", media: file(png, "a.png"), caption: "two" }, { type: "photo", media: file(png, "b.png") }];
		const sent = await call("sendMediaGroup", { chat_id: at.chat_id, media });
		assert.deepEqual([sent.length, sent[0].caption, sent[0].media_group_id], [2, "two", sent[1].media_group_id]);
	},
	"a location is sent": async ({ call, at }) => {
		const { location } = await call("sendLocation", { chat_id: at.chat_id, latitude: 52.5, longitude: 13.25 });
		assert.deepEqual([location.latitude, location.longitude], [52.5, 13.25]);
	},
	"a venue is sent": async ({ call, at }) => {
		const { venue } = await call("sendVenue", { chat_id: at.chat_id, latitude: 1, longitude: 2, title: "Café", address: "Street 1" });
		assert.deepEqual([venue.title, venue.address], ["Café", "Street 1"]);
	},
	"a contact is sent": async ({ call, at }) => {
		const { contact } = await call("sendContact", { chat_id: at.chat_id, phone_number: "+4930123", first_name: "Bo" });
		assert.deepEqual([contact.phone_number, contact.first_name], ["+4930123", "Bo"]);
	},
	"a die is cast": async ({ call, at }) => {
		const { dice } = await call("sendDice", { chat_id: at.chat_id, emoji: "🎯" });
		assert.equal(dice.emoji, "🎯");
		assert.ok(dice.value >= 1 && dice.value <= 6);
	},
	"a poll is sent and stopped": async ({ call, at }) => {
		const sent = await call("sendPoll", { chat_id: at.chat_id, question: "Tea?", options: [{ text: "yes" }, { text: "no" }] });
		assert.deepEqual(sent.poll.options.map((o) => o.text), ["yes", "no"]);
		assert.equal((await call("stopPoll", { chat_id: at.chat_id, message_id: sent.message_id })).is_closed, true);
	},
	"getChat knows the person": async ({ call, at }) => {
		const chat = await call("getChat", { chat_id: at.chat_id });
		assert.deepEqual([chat.type, chat.first_name], ["private", "Ann"]);
	},
	"the person has no photos": async ({ call, at }) => {
		assert.equal((await call("getUserProfilePhotos", { user_id: at.chat_id })).total_count, 0);
	},
	"a group is joined": async ({ call, playground, updates }) => {
		await playground.control("chat", { chat: `${group}`, title: "Team", user: "Ann" });
		await playground.control("member", { chat: `${group}`, user: "Ann", action: "promote" });
		assert.ok((await updates()).some((u) => u.my_chat_member));
		assert.equal((await call("getChat", { chat_id: group })).title, "Team");
	},
	"its members are counted": async ({ call }) =>
		assert.equal(await call("getChatMemberCount", { chat_id: group }), 2),
	"the bot is its administrator": async ({ call, at }) => {
		assert.equal((await call("getChatMember", { chat_id: group, user_id: at.me.id })).status, "administrator");
		assert.ok((await call("getChatAdministrators", { chat_id: group })).some((m) => m.user.id === at.me.id));
	},
	"its title is changed": async ({ call }) => {
		assert.equal(await call("setChatTitle", { chat_id: group, title: "Crew" }), true);
		assert.equal((await call("getChat", { chat_id: group })).title, "Crew");
	},
	"its description is changed": async ({ call }) => {
		assert.equal(await call("setChatDescription", { chat_id: group, description: "Works" }), true);
		assert.equal((await call("getChat", { chat_id: group })).description, "Works");
	},
	"a message is pinned": async ({ call, at }) => {
		const { message_id } = await call("sendMessage", { chat_id: group, text: "pin me" });
		assert.equal(await call("pinChatMessage", { chat_id: group, message_id, disable_notification: true }), true);
		assert.equal((await call("getChat", { chat_id: group })).pinned_message.text, "pin me");
		at.pinned = message_id;
	},
	"it is unpinned": async ({ call, at }) => {
		assert.equal(await call("unpinChatMessage", { chat_id: group, message_id: at.pinned }), true);
		assert.equal((await call("getChat", { chat_id: group })).pinned_message, undefined);
		assert.equal(await call("unpinAllChatMessages", { chat_id: group }), true);
	},
	"rights are those of all": async ({ call }) => {
		assert.equal(await call("setChatPermissions", { chat_id: group, permissions: { can_send_messages: true, can_send_polls: false } }), true);
		assert.equal((await call("getChat", { chat_id: group })).permissions.can_send_polls, false);
	},
	"a person is restricted": async ({ call, at, playground }) => {
		const { user_id } = await playground.say("hi", { chat: `${group}`, user: "Bob" });
		at.bob = Number(user_id);
		assert.equal(await call("restrictChatMember", { chat_id: group, user_id: at.bob, permissions: { can_send_messages: false } }), true);
		assert.equal((await call("getChatMember", { chat_id: group, user_id: at.bob })).status, "restricted");
	},
	"a person is banned and let in again": async ({ call, at }) => {
		assert.equal(await call("banChatMember", { chat_id: group, user_id: at.bob }), true);
		assert.equal((await call("getChatMember", { chat_id: group, user_id: at.bob })).status, "kicked");
		assert.equal(await call("unbanChatMember", { chat_id: group, user_id: at.bob, only_if_banned: true }), true);
		assert.equal((await call("getChatMember", { chat_id: group, user_id: at.bob })).status, "left");
	},
	"a link invites, and no longer": async ({ call }) => {
		const { invite_link } = await call("createChatInviteLink", { chat_id: group, name: "door", member_limit: 2 });
		assert.match(invite_link, /^https:\/\/t\.me\//);
		assert.equal((await call("revokeChatInviteLink", { chat_id: group, invite_link })).is_revoked, true);
		assert.match(await call("exportChatInviteLink", { chat_id: group }), /^https:\/\/t\.me\//);
	},
	"the group is left": async ({ call, refused }) => {
		assert.equal(await call("leaveChat", { chat_id: group }), true);
		await refused(call("sendMessage", { chat_id: group, text: "x" }), /bot is not a member|chat not found/);
	},
	"a webhook is set, told and taken back": async ({ call }) => {
		assert.equal(await call("setWebhook", { url: "http://127.0.0.1:9/hook", max_connections: 5 }), true);
		const info = await call("getWebhookInfo");
		assert.deepEqual([info.url, info.max_connections], ["http://127.0.0.1:9/hook", 5]);
		assert.equal(await call("deleteWebhook"), true);
		assert.equal((await call("getWebhookInfo")).url, "");
	},
	"an unknown chat is refused": ({ call, refused }) => refused(call("sendMessage", { chat_id: 5, text: "x" }), /chat not found/),
	"an empty text is refused": ({ call, at, refused }) =>
		refused(call("sendMessage", { chat_id: at.chat_id, text: " " }), /text must be non-empty|message text is empty/),
	"bad HTML is refused": ({ call, at, refused }) =>
		refused(call("sendMessage", { chat_id: at.chat_id, text: "<b>", parse_mode: "HTML" }), /can't parse entities/),
	"a photo that is none is refused": ({ call, at, file, refused }) =>
		refused(call("sendPhoto", { chat_id: at.chat_id, photo: file(Buffer.from("text"), "a.png") }), /IMAGE_PROCESS_FAILED/),
	"a limit is told": async ({ call, at, playground, refused }) => {
		await playground.fault("sendMessage", "retry_after", { seconds: 7 });
		await refused(call("sendMessage", { chat_id: at.chat_id, text: "x" }), /retry after 7/);
	},
	"a failing server is told": async ({ call, at, playground }) => {
		await playground.fault("getChat", "status", { status: 500 });
		await assert.rejects(call("getChat", { chat_id: at.chat_id }));
		assert.equal((await call("getChat", { chat_id: at.chat_id })).id, at.chat_id);
	},
};

for (const [name, make] of Object.entries(libraries)) {
	const playground = new Playground(), at = {};
	let offset = 0, bot;
	before(async () => {
		await playground.start();
		await playground.settings({ limits: false });
		bot = make(playground.url);
	});
	after(() => playground.stop());
	const message = async (id) => (await playground.transcript("Ann")).find((m) => m.id === `${id}`);
	const last = async () => (await playground.transcript("Ann")).at(-1);
	const updates = async () => {
		const all = await bot.call("getUpdates", { offset, timeout: 5 });
		offset = all.at(-1).update_id + 1;
		return all;
	};
	const refused = (promise, words) =>
		assert.rejects(promise, (e) => words.test([e.message, e.description, e.payload?.description].join()) || assert.fail(`${e}`));
	for (const [what, step] of Object.entries(steps))
		test(`${name}: ${what}`, { timeout: 60000 }, () => step({ ...bot, at, playground, message, last, updates, refused }));
}
