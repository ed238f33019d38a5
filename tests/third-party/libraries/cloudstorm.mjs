import { Client } from "cloudstorm";
import { SnowTransfer } from "snowtransfer";

const token = "OTAw.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const rest = new SnowTransfer(token, { baseHost: `${process.env.PLAYGROUND}/discord` });
const client = new Client(token, {
	intents: ["GUILDS", "DIRECT_MESSAGES"],
	snowtransferInstance: rest,
	ws: { encoding: process.env.ENCODING, compress: process.env.COMPRESS !== undefined },
});
client.on("event", async ({ t, d }) => {
	if (t === "READY")
		await rest.interaction.bulkOverwriteApplicationCommands(d.application.id, [{ type: 1, name: "choose", description: "Asks" }]);
	if (t === "INTERACTION_CREATE")
		await rest.interaction.createInteractionResponse(d.id, d.token, d.type === 2 ?
			{ type: 4, data: { content: "Please choose", components: [{ type: 1, components: [{ type: 2, style: 1, label: "Yes", custom_id: "yes" }] }] } } :
			{ type: 7, data: { content: "Chosen: yes", components: [] } });
	if (t === "MESSAGE_CREATE" && !d.author.bot)
		await rest.channel.createMessage(d.channel_id, `You said: ${d.content}`);
});
await client.connect();
