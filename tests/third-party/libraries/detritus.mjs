import detritus from "detritus-client";

const client = new detritus.ShardClient("OTAw.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", {
	gateway: { intents: ["GUILDS", "DIRECT_MESSAGES"] },
	rest: { baseUrl: `${process.env.PLAYGROUND}/discord/api/v10` },
});
client.on("messageCreate", async ({ message }) => {
	if (!message.author.bot)
		await client.rest.createMessage(message.channelId, `You said: ${message.content}`);
});
client.on("gatewayReady", () => client.rest.bulkOverwriteApplicationCommands(client.applicationId, [{ type: 1, name: "choose", description: "Asks" }]));
client.on("interactionCreate", async ({ interaction }) => {
	if (interaction.isFromApplicationCommand)
		await interaction.createResponse(4, { content: "Please choose", components: [{ type: 1, components: [{ type: 2, style: 1, label: "Yes", customId: "yes" }] }] });
	else
		await interaction.createResponse(7, { content: "Chosen: yes", components: [] });
});
await client.run();
