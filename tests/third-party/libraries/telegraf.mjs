import { Markup, Telegraf } from "telegraf";

const bot = new Telegraf("1001:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", { telegram: { apiRoot: `${process.env.PLAYGROUND}/telegram` } });
bot.command("choose", (ctx) => ctx.reply("Please choose", Markup.inlineKeyboard([Markup.button.callback("Yes", "yes")])));
bot.action("yes", async (ctx) => {
	await ctx.answerCbQuery();
	await ctx.editMessageText("Chosen: yes");
});
bot.on("text", (ctx) => ctx.reply(`You said: ${ctx.message.text}`));
await bot.launch();
