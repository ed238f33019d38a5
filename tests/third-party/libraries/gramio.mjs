import { Bot, InlineKeyboard } from "gramio";

const bot = new Bot("1001:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", { api: { baseURL: `${process.env.PLAYGROUND}/telegram/bot` } });
bot.command("choose", (ctx) => ctx.send("Please choose", { reply_markup: new InlineKeyboard().text("Yes", "yes") }));
bot.callbackQuery("yes", async (ctx) => {
	await ctx.answer();
	await ctx.editText("Chosen: yes");
});
bot.on("message", (ctx) => ctx.send(`You said: ${ctx.text}`));
await bot.start();
