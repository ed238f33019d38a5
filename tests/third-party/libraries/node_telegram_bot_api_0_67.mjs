import TelegramBot from "node-telegram-bot-api-0.67";

const bot = new TelegramBot("1001:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", { baseApiUrl: `${process.env.PLAYGROUND}/telegram`, polling: true });
bot.onText(/^\/choose$/, ({ chat }) => bot.sendMessage(chat.id, "Please choose", { reply_markup: { inline_keyboard: [[{ text: "Yes", callback_data: "yes" }]] } }));
bot.on("callback_query", async ({ id, message }) => {
	await bot.answerCallbackQuery(id);
	await bot.editMessageText("Chosen: yes", { chat_id: message.chat.id, message_id: message.message_id });
});
bot.on("message", ({ chat, text }) => text.startsWith("/") || bot.sendMessage(chat.id, `You said: ${text}`));
