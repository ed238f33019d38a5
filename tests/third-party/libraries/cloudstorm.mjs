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
	if (t === "MESSAGE_CREATE" && !d.author.bot)
		await rest.channel.createMessage(d.channel_id, `You said: ${d.content}`);
});
await client.connect();
