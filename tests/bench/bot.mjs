// A chat bot on grammY and @grammyjs/runner that asks a model and answers, many at a time. By default it sends the message alone to the
// model and keeps nothing. BOT_ASKS_ALIKE=1: it sends what Myna sent (file BOT_ASKED), with its own message, and the chat's history before
// it. BOT_DURABLE=1: it commits each message to SQLite before it asks, and each answer before it sends it.
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { run } from "@grammyjs/runner";
import { Bot } from "grammy";

function keepOnDisk(path) {
	const db = new DatabaseSync(path);
	db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
		CREATE TABLE message (event INTEGER PRIMARY KEY, chat INTEGER, text TEXT, answer TEXT);
		CREATE INDEX message_chat ON message (chat, event)`);
	const insert = db.prepare("INSERT OR IGNORE INTO message (event, chat, text) VALUES (?, ?, ?)");
	const finish = db.prepare("UPDATE message SET answer = ? WHERE event = ?");
	const select = db.prepare("SELECT text, answer FROM message WHERE chat = ? AND answer IS NOT NULL ORDER BY event");
	return {
		received: (event, chat, text) => insert.run(event, chat, text),
		answered: (event, chat, text, answer) => finish.run(answer, event),
		history: (chat) => select.all(chat),
	};
}
function keepInMemory() {
	const chats = new Map();
	const history = (chat) => chats.get(chat) ?? [];
	return { received() {}, answered: (event, chat, text, answer) => chats.set(chat, [...history(chat), { text, answer }]), history };
}

// Myna's request, cut where its only message stands.
function askAlike(asked) {
	const { content } = JSON.parse(asked).messages.at(-1);
	const [, line, own, text] = content.match(/^(\[.* UTC, (\d+)\]\n)(.*)$/s);
	const [before, after] = asked.split(JSON.stringify({ role: "user", content: line + text }));
	return (chat, text, history) => {
		const user = (text) => JSON.stringify({ role: "user", content: line.replace(own, chat) + text });
		const past = history(chat).map((m) => `${user(m.text)},${JSON.stringify({ role: "assistant", content: m.answer })},`);
		return before.replaceAll(own, chat) + past.join("") + user(text) + after;
	};
}
const askAlone = (chat, text) => JSON.stringify({ model: "scripted", messages: [{ role: "user", content: text }] });

// The answer, which may be a stream.
const read = (text) => (text.startsWith("{") ? [text] : text.split("\n").filter((line) => line.startsWith("data: {")).map((line) => line.slice(6)))
	.map((piece) => JSON.parse(piece).choices[0]).map((choice) => (choice?.message ?? choice?.delta)?.content ?? "").join("");

const { BOT_API, BOT_ASKED, BOT_ASKS_ALIKE, BOT_DIR, BOT_DURABLE, BOT_MODEL, BOT_TOKEN } = process.env;
const store = BOT_DURABLE ? keepOnDisk(`${BOT_DIR}/bot.db`) : keepInMemory();
const write = BOT_ASKS_ALIKE ? askAlike(readFileSync(BOT_ASKED, "utf8")) : askAlone;

const bot = new Bot(BOT_TOKEN, { client: { apiRoot: BOT_API } });
bot.on("message:text", async (ctx) => {
	const { update_id, message: { chat, text } } = ctx.update;
	store.received(update_id, chat.id, text);
	const response = await fetch(`${BOT_MODEL}/chat/completions`, {
		method: "POST",
		headers: { "content-type": "application/json", authorization: "Bearer a-key-for-measurements" },
		body: write(chat.id, text, store.history),
	});
	const answer = read(await response.text());
	store.answered(update_id, chat.id, text, answer);
	await ctx.reply(answer);
});
bot.catch((error) => console.error(error));
run(bot);
