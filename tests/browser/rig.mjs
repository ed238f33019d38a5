// A playground with a real gateway behind it, and a browser that looks at its page.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const build = process.env.MYNA_BUILD;
export const artefacts = process.env.MYNA_ARTEFACTS;
export const PATIENCE = 120000; // ms, on a loaded machine

const secrets = {
	"telegram.token": "4242424242:AAEplaygroundTokenOfTheQuickstart01",
	"slack-bot.token": "xoxb-1001-2002-playgroundTokenOfTheQuickstart",
	"slack-app.token": "xapp-1-A1001-2002-playgroundTokenOfTheQuickstart",
	"discord.token": "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.playgroundTokenOfTheQuickstart012345",
};
const notes = "Release checklist\n1. Tests are green on both machines.\n2. The changelog names every change that users see.\n3. Ann signs the tag on Friday.\n";

// settings: more of them.
export function configuration(dir, url, state = `${dir}/state`, settings = "") {
	return `state = "${state}"; ${settings}
tools: { workspace_scope = "shared"; };
channels: {
	telegram: { type = "telegram"; token = "file:${dir}/telegram.token"; api_base = "${url}/telegram"; allow = ["*"]; };
	slack: { type = "slack"; bot_token = "file:${dir}/slack-bot.token"; app_token = "file:${dir}/slack-app.token"; api_base = "${url}/slack/api"; allow = ["*"]; };
	discord: { type = "discord"; token = "file:${dir}/discord.token"; api_base = "${url}/discord/api/v10"; allow = ["*"]; };
};
targets: { ops = ["telegram:-1001"]; everyone = ["discord:200000000000000001", "telegram:-1001"]; };
llm: { default = "model"; providers: {
@include "model.conf"
}; };
`;
}

function firstLine(child) {
	return new Promise((resolve, reject) => {
		createInterface(child.stdout).once("line", resolve);
		child.once("exit", (code) => reject(new Error(`it ended with ${code}`)));
	});
}

export function stop(child) {
	if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
	return new Promise((resolve) => {
		child.removeAllListeners("exit").once("exit", resolve);
		child.kill("SIGTERM");
	});
}

export class Rig {
	// gateway: the daemon runs, too, under the supervisor of the quickstart. watched: the control socket of one that others start.
	async start({ gateway = true, watched } = {}) {
		this.dir = mkdtempSync(join(tmpdir(), "myna-browser-"));
		const options = ["--listen", "127.0.0.1:0"], file = (name) => join(this.dir, name);
		if (gateway) {
			execFileSync("mkfifo", ["-m", "600", file("orders")]);
			options.push("--gateway-socket", file("state/control.sock"), "--gateway-model", file("model.conf"), "--supervisor", file("orders"));
		}
		if (watched) options.push("--gateway-socket", watched, "--gateway-model", file("model.conf"));
		this.playground = spawn(join(build, "myna-playground"), options, { stdio: ["ignore", "pipe", "inherit"] });
		this.url = (await firstLine(this.playground)).split(" ").pop();
		await this.control("settings", { slack: { commands: [{ command: "/myna", description: "Talk to the agent, or give it a command: /myna help" }] } });
		if (gateway) await this.startGateway();
		this.browser = await chromium.launch({ executablePath: process.env.MYNA_CHROMIUM, chromiumSandbox: false });
		return this;
	}

	async startGateway() {
		mkdirSync(join(this.dir, "state", "workspace"), { recursive: true });
		this.writeSecrets();
		writeFileSync(join(this.dir, "state", "workspace", "notes.txt"), notes);
		writeFileSync(join(this.dir, "myna.conf"), configuration(this.dir, this.url), { mode: 0o600 });
		this.gateway = spawn(process.env.MYNA_SUPERVISE, [join(build, "myna"), join(this.dir, "myna.conf"), join(this.dir, "orders"), this.url],
			{ stdio: ["ignore", "ignore", "pipe"] });
		this.log = "";
		this.gateway.stderr.on("data", (text) => { this.log += text; });
		for (const until = Date.now() + PATIENCE; ;) {
			if (await this.isConnected()) return;
			if (this.gateway.exitCode !== null || Date.now() > until) throw new Error(`the gateway does not run: ${this.log}`);
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	}

	writeSecrets() {
		for (const [name, text] of Object.entries(secrets)) writeFileSync(join(this.dir, name), text + "\n", { mode: 0o600 });
	}

	// All three bots have come: Slack and Discord have a socket, Telegram polls.
	async isConnected() {
		const methods = { telegram: "setMyCommands", slack: "apps.connections.open", discord: "PUT /applications/commands" };
		for (const [platform, method] of Object.entries(methods)) {
			const answer = await fetch(`${this.url}/control/requests?platform=${platform}`), { requests } = await answer.json();
			if (!requests.some((r) => r.method.startsWith(method))) return false;
		}
		return true;
	}

	async control(name, body) {
		const answer = await fetch(`${this.url}/control/${name}`, body ? { method: "POST", body: JSON.stringify(body) } : {});
		return answer.json();
	}

	// A new window on the page, that has loaded everything. What the page does wrong is kept in problems.
	async open(options = {}) {
		const context = await this.browser.newContext({ viewport: { width: 1720, height: 960 }, colorScheme: "light", reducedMotion: "reduce", locale: "en-GB", ...options });
		const page = await context.newPage();
		page.setDefaultTimeout(PATIENCE);
		page.problems = [];
		page.on("pageerror", (e) => page.problems.push(String(e)));
		page.on("console", (m) => ["error", "warning"].includes(m.type()) && page.problems.push(`${m.text()} ${m.location().url}`));
		await page.goto(this.url);
		await page.waitForSelector("body[data-ready]");
		return page;
	}

	// What a failure is explained with: the gateway's log, and what it asked each platform.
	async keepRecords() {
		writeFileSync(join(artefacts, "gateway.log"), this.log);
		for (const platform of ["telegram", "slack", "discord"]) {
			const { requests } = await this.control(`requests?platform=${platform}`);
			writeFileSync(join(artefacts, `${platform}.json`), requests.map((r) => JSON.stringify(r) + "\n").join(""));
		}
	}

	async stop() {
		await this.browser?.close();
		if (this.gateway) await this.keepRecords();
		await stop(this.gateway);
		await stop(this.playground);
		if (this.dir) rmSync(this.dir, { recursive: true, force: true });
	}
}

// What a person does in one of the panes.
export class PaneDriver {
	constructor(page, platform) {
		this.page = page;
		this.node = page.locator(`.pane.${platform}`);
		this.field = this.node.locator("textarea");
	}

	messages() {
		return this.node.locator(".messages > li");
	}

	lastFromBot() {
		return this.node.locator(".messages > li.from-bot").last();
	}

	async say(text) {
		await this.field.fill(text);
		await this.field.press("Enter");
	}

	// Until the bot has said something with that text.
	async hears(text) {
		await this.node.locator(".messages > li.from-bot", { hasText: text }).last().waitFor();
	}

	async openChat(name) {
		await this.node.locator(`button.chat:is([title="${name}"], [title="#${name}"])`).click();
	}

	async openThread(name) {
		await this.node.locator("button.thread", { hasText: name }).click();
	}

	async tool(message, label) {
		const button = message.getByRole("button", { name: label, exact: true });
		for (const until = Date.now() + PATIENCE; ;) {
			await message.hover();
			try { return await button.click({ timeout: 1000 }); } catch (e) { if (Date.now() > until) throw e; } // it has moved away
		}
	}
}
