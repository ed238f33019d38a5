import detritus from "detritus-client";

const client = new detritus.ShardClient("OTAw.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", {
	gateway: { intents: ["GUILDS", "DIRECT_MESSAGES"] },
	rest: { baseUrl: `${process.env.PLAYGROUND}/discord/api/v10` },
});
client.on("messageCreate", async ({ message }) => {
	if (!message.author.bot)
		await client.rest.createMessage(message.channelId, `You said: ${message.content}`);
});
await client.run();
