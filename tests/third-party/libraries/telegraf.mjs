import { Telegraf } from "telegraf";

const bot = new Telegraf("1001:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", { telegram: { apiRoot: `${process.env.PLAYGROUND}/telegram` } });
bot.on("text", (ctx) => ctx.reply(`You said: ${ctx.message.text}`));
await bot.launch();
