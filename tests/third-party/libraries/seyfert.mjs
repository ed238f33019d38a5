import { Client, createEvent } from "seyfert";
import { ApiHandler } from "seyfert/lib/api/index.js";

// It insists on port 443.
const token = "OTAw.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const client = new Client({ gateway: { compress: process.env.COMPRESS === "payload" }, getRC: () => ({ token, intents: 1 | 1 << 12, locations: { base: "." } }) });
client.setServices({ rest: new ApiHandler({ token, domain: "https://localhost/discord" }) });
client.events.set([
	createEvent({ data: { name: "botReady" }, run: () => client.proxy.applications(client.applicationId).commands.put({ body: [{ type: 1, name: "choose", description: "Asks" }] }) }),
	createEvent({
		data: { name: "interactionCreate" },
		run: async (interaction) => interaction.isButton() ? interaction.update({ content: "Chosen: yes", components: [] }) :
			interaction.write({ content: "Please choose", components: [{ type: 1, components: [{ type: 2, style: 1, label: "Yes", custom_id: "yes" }] }] }),
	}),
	createEvent({
		data: { name: "messageCreate" },
		run: async (message) => message.author.bot || client.messages.write(message.channelId, { content: `You said: ${message.content}` }),
	}),
]);
await client.start();
