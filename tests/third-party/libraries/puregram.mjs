import { InlineKeyboard, Telegram } from "puregram";

const telegram = Telegram.fromToken("1001:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", { apiBaseUrl: `${process.env.PLAYGROUND}/telegram/bot` });
telegram.updates.on("message", (ctx) => ctx.text === "/choose" ?
	ctx.send("Please choose", { reply_markup: InlineKeyboard.keyboard([InlineKeyboard.textButton({ text: "Yes", payload: "yes" })]) }) :
	ctx.send(`You said: ${ctx.text}`));
telegram.updates.on("callback_query", async (ctx) => {
	await ctx.answerCallbackQuery();
	await ctx.message.editMessageText("Chosen: yes");
});
await telegram.updates.startPolling();
