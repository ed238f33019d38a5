import { createBot, Intents } from "@discordeno/bot";

const bot = createBot({
	token: "OTAw.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	intents: Intents.Guilds | Intents.DirectMessages,
	gateway: { transportCompression: process.env.COMPRESS },
	rest: { proxy: { baseUrl: `${process.env.PLAYGROUND}/discord/api` } },
	desiredProperties: { message: { content: true, channelId: true, author: true }, user: { id: true } },
	events: {
		messageCreate: async ({ author, channelId, content }) => {
			if (author.id !== bot.id)
				await bot.helpers.sendMessage(channelId, { content: `You said: ${content}` });
		},
	},
});
await bot.start();
