import { Client, createEvent } from "seyfert";
import { ApiHandler } from "seyfert/lib/api/index.js";

// It insists on port 443.
const token = "OTAw.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const client = new Client({ gateway: { compress: process.env.COMPRESS === "payload" }, getRC: () => ({ token, intents: 1 | 1 << 12, locations: { base: "." } }) });
client.setServices({ rest: new ApiHandler({ token, domain: "https://localhost/discord" }) });
client.events.set([
	createEvent({
		data: { name: "messageCreate" },
		run: async (message) => message.author.bot || client.messages.write(message.channelId, { content: `You said: ${message.content}` }),
	}),
]);
await client.start();
