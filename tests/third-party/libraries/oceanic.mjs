import { Client } from "oceanic.js";

const client = new Client({
	auth: "Bot OTAw.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	gateway: { compress: process.env.COMPRESS ?? false, intents: ["GUILDS", "DIRECT_MESSAGES"] },
	rest: { baseURL: `${process.env.PLAYGROUND}/discord/api/v10` },
});
client.on("messageCreate", async (message) => {
	if (!message.author.bot)
		await client.rest.channels.createMessage(message.channelID, { content: `You said: ${message.content}` });
});
await client.connect();
