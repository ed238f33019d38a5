import { Telegram } from "puregram";

const telegram = Telegram.fromToken("1001:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", { apiBaseUrl: `${process.env.PLAYGROUND}/telegram/bot` });
telegram.updates.on("message", (ctx) => ctx.send(`You said: ${ctx.text}`));
await telegram.updates.startPolling();
