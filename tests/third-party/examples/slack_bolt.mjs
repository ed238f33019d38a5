// An ordinary app with Bolt for JavaScript. Only slackApiUrl is different: the playground instead of https://slack.com/api/.
import bolt from "@slack/bolt";

const playground = process.env.PLAYGROUND ?? "http://127.0.0.1:8090";
const app = new bolt.App({
	token: "xoxb-1-2-example",
	appToken: "xapp-1-A1-2-example",
	socketMode: true,
	clientOptions: { slackApiUrl: `${playground}/slack/api/` },
});

app.message(async ({ message, say }) => say(`You said: ${message.text}`));
await app.start();
