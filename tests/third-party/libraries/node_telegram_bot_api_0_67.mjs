import TelegramBot from "node-telegram-bot-api-0.67";

const bot = new TelegramBot("1001:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", { baseApiUrl: `${process.env.PLAYGROUND}/telegram`, polling: true });
bot.on("message", (message) => bot.sendMessage(message.chat.id, `You said: ${message.text}`));
