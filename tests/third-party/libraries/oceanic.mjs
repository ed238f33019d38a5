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
client.on("ready", () => client.application.bulkEditGlobalCommands([{ type: 1, name: "choose", description: "Asks" }]));
client.on("interactionCreate", async (interaction) => {
	if (interaction.isCommandInteraction())
		await interaction.createMessage({ content: "Please choose", components: [{ type: 1, components: [{ type: 2, style: 1, label: "Yes", customID: "yes" }] }] });
	else if (interaction.isComponentInteraction())
		await interaction.editParent({ content: "Chosen: yes", components: [] });
});
await client.connect();
