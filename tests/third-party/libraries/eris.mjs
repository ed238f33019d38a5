import Eris, { Constants } from "eris";

// It insists on port 443.
const client = new Eris("Bot OTAw.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", {
	intents: ["guilds", "directMessages"],
	rest: { domain: "localhost", baseURL: "/discord/api/v10" },
});
client.on("messageCreate", async (message) => {
	if (!message.author.bot)
		await client.createMessage(message.channel.id, `You said: ${message.content}`);
});
client.on("ready", () => client.bulkEditCommands([{ type: 1, name: "choose", description: "Asks" }]));
client.on("interactionCreate", async (interaction) => {
	if (interaction.type === Constants.InteractionTypes.APPLICATION_COMMAND)
		await interaction.createMessage({ content: "Please choose", components: [{ type: 1, components: [{ type: 2, style: 1, label: "Yes", custom_id: "yes" }] }] });
	else
		await interaction.editParent({ content: "Chosen: yes", components: [] });
});
client.on("error", console.error);
await client.connect();
