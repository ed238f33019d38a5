import { Bot } from "node-telegram-bot-api";

const bot = new Bot("1001:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", { apiRoot: `${process.env.PLAYGROUND}/telegram` });
bot.on("message", (ctx) => ctx.reply(`You said: ${ctx.message.text}`));
await bot.startPolling();
