import { Bot } from "gramio";

const bot = new Bot("1001:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", { api: { baseURL: `${process.env.PLAYGROUND}/telegram/bot` } });
bot.on("message", (ctx) => ctx.send(`You said: ${ctx.text}`));
await bot.start();
