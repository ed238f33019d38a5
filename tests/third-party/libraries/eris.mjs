import Eris from "eris";

// It insists on port 443.
const client = new Eris("Bot OTAw.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", {
	intents: ["guilds", "directMessages"],
	rest: { domain: "localhost", baseURL: "/discord/api/v10" },
});
client.on("messageCreate", async (message) => {
	if (!message.author.bot)
		await client.createMessage(message.channel.id, `You said: ${message.content}`);
});
client.on("error", console.error);
await client.connect();
