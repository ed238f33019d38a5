import { createBot, Intents, InteractionTypes } from "@discordeno/bot";

const bot = createBot({
	token: "OTAw.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	intents: Intents.Guilds | Intents.DirectMessages,
	gateway: { transportCompression: process.env.COMPRESS },
	rest: { proxy: { baseUrl: `${process.env.PLAYGROUND}/discord/api` } },
	desiredProperties: { message: { content: true, channelId: true, author: true }, user: { id: true },
		interaction: { id: true, type: true, token: true, data: true } },
	events: {
		ready: () => bot.helpers.upsertGlobalApplicationCommands([{ name: "choose", description: "Asks" }]),
		interactionCreate: async (interaction) => {
			if (interaction.type === InteractionTypes.ApplicationCommand)
				await interaction.respond({ content: "Please choose", components: [{ type: 1, components: [{ type: 2, style: 1, label: "Yes", customId: "yes" }] }] });
			else
				await interaction.edit({ content: "Chosen: yes", components: [] });
		},
		messageCreate: async ({ author, channelId, content }) => {
			if (author.id !== bot.id)
				await bot.helpers.sendMessage(channelId, { content: `You said: ${content}` });
		},
	},
});
await bot.start();
