// What tells the three platforms apart: words, rendering, and how the control interface is asked.

import { emojiOf, slackName } from "./emoji.js";
import { discordCall, discordCommands } from "./discord_commands.js";
import { DiscordModal } from "./discord_modal.js";
import { discordBody, listed } from "./discord_parts.js";
import { slackBlocks } from "./slack_blocks.js";
import { inputValues } from "./slack_input.js";
import { mrkdwn } from "./slack_text.js";
import { SlackViews } from "./slack_views.js";
import { telegramText } from "./telegram_text.js";

export function niceName(name) {
	const short = String(name || "?").replace(/^(.*?)(_\d+)?_bot$/, "$1");
	return /^[a-z]/.test(short) ? short[0].toUpperCase() + short.slice(1) : short;
}

// Discord's texts name people by id.
function withNames(text, names) {
	return text.replace(/<(@[!&]?|#)(\d+)>/g, (all, sign, id) => names?.[id] ? sign[0] + names[id] : all);
}

// What a key of Telegram asks for, and what the person says to that.
const shares = { request_location: { location: { latitude: 52.52, longitude: 13.405 } }, request_poll: { poll: { question: "Tea?", answers: ["yes", "no"] } } };
const asks = { request_chat: { ask: "Name or number of the chat", member: "shared", verb: "Share" }, request_users: { ask: "Names of people", member: "users", verb: "Share", take: listed },
	web_app: { ask: "What the Mini App sends", member: "data", verb: "Send" } };

// Keys in rows, each with its label and what it does. Telegram's ReplyKeyboardMarkup stays until another one, or its removal; one for
// one time goes with the next message.
function replyKeyboard(room) {
	const messages = room.messages(), { me } = room.pane;
	const at = messages.findLastIndex((m) => m.bot && !m.deleted && m.keyboard), markup = messages[at]?.keyboard;
	if (!markup?.keyboard || (markup.one_time_keyboard && messages.slice(at + 1).some((m) => m.from === me))) return [];
	const of = (table, b) => Object.assign({}, ...Object.keys(table).filter((name) => b[name]).map((name) => table[name]));
	return markup.keyboard.map((row) => row.map((b) => ({ label: b.text ?? b, ...of(asks, b),
		act: ["press", { message_id: messages[at].id, button: b.text ?? b, ...of(shares, b) }] })));
}

// The prompts that an app suggests in a thread that a person has opened with it, until they have written there.
function suggestedPrompts(room) {
	const prompts = room.chat.assistant?.[room.thread]?.prompts || [];
	if (room.messages().some((m) => !m.bot)) return [];
	return prompts.map((p) => [{ label: p.title, act: ["press", { thread: room.thread, button: p.title }] }]);
}

// A person stops the agents of a session while they work, and renames it.
function sessionKeys(room) {
	const { thread } = room, status = room.chat.assistant?.[thread]?.status;
	return status ? [[...(status === "processing" ? [{ label: "Stop", act: ["assistant", { thread, stop: true }] }] : []),
		{ label: "Rename", ask: "Title of the session", act: ["assistant", { thread }], member: "title", verb: "Rename" }]] : [];
}

const telegram = {
	name: "telegram",
	label: "Telegram",
	threadWord: "topic",
	isForum: (chat) => Boolean(chat.about?.forum),
	threads: (chat) => chat.about?.forum ? [{ id: "general", name: "General" }, ...chat.about.topics] : [],
	canAddThread: (chat) => Boolean(chat.about?.forum),
	shows: (chat, m, thread) => !thread || (thread === "general" ? !m.thread : m.thread === thread),
	placeholder: () => "Message",
	plain: (chat, m) => m.text,
	mention: (chat) => `@${chat.about?.bot_name} `,
	body: (m) => telegramText(m),
	rows: (m) => m.markup?.inline_keyboard?.map((row) => row.map((b) => ({ id: b.callback_data ?? b.text, label: b.text, url: b.url ?? b.login_url?.url ?? b.web_app?.url, act: b.pay && "pay" }))),
	keyboard: replyKeyboard,
	time: (m) => m.date * 1000,
	showReaction: (name) => name,
	reaction: (emoji, mine) => mine ? {} : { emoji },
	commands: (chat) => (chat.about?.commands || []).map((c) => ({ name: c.command, about: c.description })),
	fileKind: (file) => file.type.startsWith("image/") ? "photo" : file.type.startsWith("audio/") ? "audio" : undefined,
	reply: (m) => ({ reply_to: m.id }),
};

const slack = {
	name: "slack",
	label: "Slack",
	threadWord: "thread",
	isForum: () => false,
	threads: (chat) => Object.entries(chat.assistant || {}).map(([id, t]) => ({ id, name: t.title || "New thread" })),
	canAddThread: (chat) => chat.kind === "private",
	beginThread: ["assistant", {}],
	keyboard: (room) => [...sessionKeys(room), ...suggestedPrompts(room)],
	shows: (chat, m, thread) => thread ? m.thread === thread || m.id === thread : !m.thread || m.subtype === "thread_broadcast",
	placeholder: (chat, thread) => thread ? "Reply…" : chat.kind === "private" ? `Message ${niceName(chat.about?.bot_name)}` : `Message #${chat.title}`,
	plain: (chat, m) => m.text,
	mention: (chat) => `@${chat.about?.bot_name} `,
	body: (m, cx) => m.blocks?.length ? slackBlocks(m.blocks, cx) : m.source ? [mrkdwn(m.source, cx.names)] : [],
	rows: (m) => m.streaming ? [[{ id: "stop", label: "Stop" }]] : [],
	time: (m) => m.date * 1000,
	showReaction: (name) => emojiOf(name) || `:${name}:`,
	reaction: (emoji, mine) => ({ emoji: slackName(emoji), remove: mine || undefined }),
	commands: (chat) => (chat.about?.commands || []).map((c) => ({ name: c.command.slice(1), about: c.description })),
	call: (chat, text) => {
		const typed = /^(\/\w+)\s*([\s\S]*)$/.exec(text);
		return typed ? { command: typed[1], text: typed[2] } : undefined;
	},
	values: inputValues,
	views: (room) => new SlackViews(room),
	fileKind: () => undefined,
	reply: (m) => ({ thread: m.thread || m.id }),
	repliesInThread: true,
};

const discord = {
	name: "discord",
	label: "Discord",
	quoteFirst: true,
	threadWord: "thread",
	isForum: () => false,
	threads: (chat) => chat.about?.threads || [],
	canAddThread: (chat) => chat.kind !== "private" && !chat.people,
	shows: (chat, m, thread) => (m.thread || "") === (thread || ""),
	placeholder: (chat) => chat.kind === "private" ? `Message @${chat.about?.bot_name}` : `Message ${chat.people ? "" : "#"}${chat.title}`,
	plain: (chat, m) => withNames(m.text, chat.about?.names),
	mention: (chat) => `@${chat.about?.bot_name} `,
	body: discordBody,
	rows: () => [],
	time: (m) => m.time_us / 1000,
	showReaction: (name) => name.replace(/^(\w+):\d+$/, ":$1:"),
	reaction: (emoji, mine) => ({ emoji, remove: mine || undefined }),
	commands: (chat) => discordCommands(chat.about?.commands),
	call: (chat, text) => discordCall(chat.about?.commands, text),
	menus: (chat, m) => (chat.about?.menus || []).filter((c) => c.type === 3 || !m.bot)
		.map((c) => c.type === 3 ? { label: c.name, call: { command: c.name, message_id: m.id } } : { label: `${c.name}: ${m.from}`, call: { command: c.name, target: m.from } }),
	views: (room) => new DiscordModal(room),
	fileKind: () => undefined,
	reply: (m) => ({ reply_to: m.id }),
};

export const platforms = [telegram, slack, discord];
