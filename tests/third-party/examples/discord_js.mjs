// An ordinary bot with discord.js. Only rest.api and rest.cdn are different: the playground instead of https://discord.com/api.
import { Client, GatewayIntentBits, Partials } from "discord.js";

const playground = process.env.PLAYGROUND ?? "http://127.0.0.1:8090";
const client = new Client({
	intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.DirectMessages, GatewayIntentBits.MessageContent],
	partials: [Partials.Channel],
	rest: { api: `${playground}/discord/api`, cdn: `${playground}/discord/cdn` },
});

client.on("messageCreate", (message) => message.author.bot || message.reply(`You said: ${message.content}`));
await client.login("OTAx.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
