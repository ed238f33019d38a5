// An ordinary bot with grammY. Only apiRoot is different: the playground instead of https://api.telegram.org.
import { Bot } from "grammy";

const playground = process.env.PLAYGROUND ?? "http://127.0.0.1:8090";
const bot = new Bot("1001:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", { client: { apiRoot: `${playground}/telegram` } });

bot.on("message:text", (ctx) => ctx.reply(`You said: ${ctx.message.text}`));
bot.start();
