// Each bot answers a person: those that docs/playground-testing.md shows, as they stand there, and those of libraries as they are shipped.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { basename, dirname, join } from "node:path";
import { describe, test } from "node:test";
import { Playground } from "./playground.mjs";

// Debian's Python has Debian's modules.
const python = "/usr/bin/python3";
const bots = [
	{ file: "examples/telegram_grammy.mjs", platform: "telegram" },
	{ file: "examples/telegram_url.py", platform: "telegram", program: python },
	{ file: "examples/slack_bolt.mjs", platform: "slack" },
	{ file: "examples/discord_js.mjs", platform: "discord" },
	{ file: "examples/discord_py.py", platform: "discord", program: python, module: "discord" },
	// It also asks for a list of games, at a path that is not documented.
	{ file: "libraries/detritus.mjs", platform: "discord", refused: [/^50035/, /"Value \\"detectable\\" is not snowflake/] },
	{ file: "libraries/cloudstorm.mjs", platform: "discord", env: { ENCODING: "etf" } },
	{ file: "libraries/cloudstorm.mjs", platform: "discord", env: { ENCODING: "etf", COMPRESS: "zlib-stream" } },
	{ file: "libraries/cloudstorm.mjs", platform: "discord", env: { ENCODING: "json" } },
	{ file: "libraries/cloudstorm.mjs", platform: "discord", env: { ENCODING: "json", COMPRESS: "zlib-stream" } },
	{ file: "libraries/discordeno.mjs", platform: "discord" },
	{ file: "libraries/discordeno.mjs", platform: "discord", env: { COMPRESS: "zlib-stream" } },
	// It may lose the first events: its zstd decompressor hands them out before it looks for them.
	{ file: "libraries/discordeno.mjs", platform: "discord", env: { COMPRESS: "zstd-stream" }, echoes: true },
	{ file: "libraries/eris.mjs", platform: "discord", tls: true },
	{ file: "libraries/gramio.mjs", platform: "telegram" },
	{ file: "libraries/node_telegram_bot_api.mjs", platform: "telegram" },
	{ file: "libraries/node_telegram_bot_api_0_67.mjs", platform: "telegram" },
	{ file: "libraries/oceanic.mjs", platform: "discord" },
	{ file: "libraries/oceanic.mjs", platform: "discord", env: { COMPRESS: "zlib-stream" } },
	{ file: "libraries/oceanic.mjs", platform: "discord", env: { COMPRESS: "zstd-stream" } },
	{ file: "libraries/puregram.mjs", platform: "telegram" },
	{ file: "libraries/python_telegram_bot.py", platform: "telegram", program: python, module: "telegram" },
	{ file: "libraries/seyfert.mjs", platform: "discord", tls: true },
	{ file: "libraries/seyfert.mjs", platform: "discord", tls: true, env: { COMPRESS: "payload" } },
	{ file: "libraries/telegraf.mjs", platform: "telegram" },
];

const lacks = (module) => module && spawnSync(python, ["-c", `import ${module}`]).status !== 0 && `there is no ${module} in Debian's Python`;

// A person gives the command, and presses the button that it brings: the bot changes its message.
async function choose(playground) {
	const say = (name, body) => playground.control(name, { chat: "Ann", user: "Ann", kind: "private", ...body });
	const shown = async (text) => (await playground.transcript("Ann")).find((m) => m.bot && m.text === text);
	for (let i = 0; i < 300; i++) {
		try {
			await (playground.platform === "telegram" ? say("say", { text: "/choose" }) : say("command", { command: "choose" }));
			break;
		} catch {
			await new Promise((resolve) => setTimeout(resolve, 100)); // it is not registered yet
		}
	}
	for (let i = 0; i < 300 && !await shown("Please choose"); i++)
		await new Promise((resolve) => setTimeout(resolve, 100));
	await say("press", { message_id: (await shown("Please choose")).id, button: "Yes" });
	for (let i = 0; i < 300 && !await shown("Chosen: yes"); i++)
		await new Promise((resolve) => setTimeout(resolve, 100));
	assert.ok(await shown("Chosen: yes"));
}

// Some at a time: each is a playground and a bot.
describe("bots", { concurrency: 4 }, () => {
	for (const { file, platform, program = process.execPath, module, env = {}, tls = false, refused = [],
		echoes = !file.startsWith("libraries/") || file.endsWith(".py") } of bots)
		test(`${[file, ...Object.values(env)].join(" ")} answers`, { timeout: 300000, skip: lacks(module) }, async () => {
			const playground = await new Playground({ platform, tls }).start();
			const bot = spawn(program, [...(tls ? ["--import", join(import.meta.dirname, "port_443.mjs")] : []), join(import.meta.dirname, file)], {
				env: { ...process.env, ...env, PLAYGROUND: playground.url, ...playground.trust() },
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
				if (!echoes)
					await choose(playground);
				const problems = await playground.problems();
				assert.equal(problems.length, refused.length, `${problems}`);
				refused.forEach((pattern, i) => assert.match(problems[i], pattern));
			} finally {
				const ended = new Promise((resolve) => bot.once("exit", resolve));
				bot.kill("SIGKILL");
				await ended;
				await playground.stop();
			}
		});
});

// Tests of bots, as people run them.
describe("flows", { concurrency: 4 }, () => {
	for (const [flow, module] of [["examples/bolt"], ["examples/discord_js"], ["examples/discord_py", "discord"], ["examples/grammy"],
		["libraries/discord_py_interactions", "discord"]])
		test(`${flow}.flow is played`, { timeout: 300000, skip: lacks(module) }, () => {
			const path = [dirname(process.execPath), dirname(python), process.env.PATH].join(":");
			const played = spawnSync(process.env.MYNA_PLAYGROUND, ["--flow", `${basename(flow)}.flow`, "--strict-answers"],
				{ cwd: join(import.meta.dirname, dirname(flow)), env: { ...process.env, PATH: path }, encoding: "utf8" });
			assert.equal(played.status, 0, played.stdout + played.stderr);
		});
});
