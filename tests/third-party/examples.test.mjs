// The bots that docs/playground.md shows, as they stand there: each answers a person.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Playground } from "./playground.mjs";

const bots = [
	{ file: "telegram_grammy.mjs", platform: "telegram", program: process.execPath },
	{ file: "telegram_url.py", platform: "telegram", program: "python3" },
	{ file: "slack_bolt.mjs", platform: "slack", program: process.execPath },
	{ file: "discord_js.mjs", platform: "discord", program: process.execPath },
];

describe("examples", { concurrency: true }, () => {
	for (const { file, platform, program } of bots)
		test(`${file} answers`, { timeout: 300000 }, async () => {
			const playground = await new Playground({ platform }).start();
			const bot = spawn(program, [join(import.meta.dirname, "examples", file)], {
				env: { ...process.env, PLAYGROUND: playground.url },
				stdio: ["ignore", "ignore", "inherit"],
			});
			try {
				// Said again until the bot is there: what is said before is for nobody.
				let answers = [];
				for (let i = 0; i < 600 && answers.length === 0; i++) {
					try {
						await playground.say("hello", { chat: "Ann", kind: "private" });
						answers = (await playground.transcript("Ann")).filter((m) => m.bot);
					} catch {
						// No bot yet.
					}
					await new Promise((resolve) => setTimeout(resolve, 300));
				}
				assert.equal(answers[0]?.text, "You said: hello");
				assert.deepEqual(await playground.problems(), []);
			} finally {
				const ended = new Promise((resolve) => bot.once("exit", resolve));
				bot.kill("SIGKILL");
				await ended;
				await playground.stop();
			}
		});
});
