// A chat bot on grammY that asks a model and answers. "node bot.mjs" handles updates as bot.start() does, one after the
// other; "node bot.mjs" with BOT_RUNNER=1 as @grammyjs/runner does, many at a time. It keeps nothing on disk.
import { run } from "@grammyjs/runner";
import { Bot } from "grammy";

const bot = new Bot(process.env.BOT_TOKEN, { client: { apiRoot: process.env.BOT_API } });

bot.on("message:text", async (ctx) => {
	const answer = await fetch(`${process.env.BOT_MODEL}/chat/completions`, {
		method: "POST",
		headers: { "content-type": "application/json", authorization: "Bearer a-key-for-measurements" },
		body: JSON.stringify({ model: "scripted", messages: [{ role: "user", content: ctx.message.text }] }),
	});
	const { choices } = await answer.json();
	await ctx.reply(choices[0].message.content);
});
bot.catch((error) => console.error(error));
if (process.env.BOT_RUNNER)
	run(bot);
else
	bot.start();
