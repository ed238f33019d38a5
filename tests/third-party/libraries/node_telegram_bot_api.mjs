import { Bot, InlineKeyboardBuilder } from "node-telegram-bot-api";

const bot = new Bot("1001:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", { apiRoot: `${process.env.PLAYGROUND}/telegram` });
bot.command("choose", (ctx) => ctx.reply("Please choose", { reply_markup: new InlineKeyboardBuilder().text("Yes", "yes").build() }));
bot.on("callback_query", async (ctx) => {
	await ctx.answerCallbackQuery();
	const { chat, message_id } = ctx.callbackQuery.message;
	await ctx.api.editMessageText({ chat_id: chat.id, message_id, text: "Chosen: yes" });
});
bot.on("message", (ctx) => ctx.reply(`You said: ${ctx.message.text}`));
await bot.startPolling();
