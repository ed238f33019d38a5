// A running playground for tests, and short ways to do what people do there.
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Bot } from "grammy";

export class Playground {
	// keep: what is said outlives stop() and start(). tls: secure.url is served, too, to who trusts secure.authority.
	constructor({ keep = false, platform = "telegram", tls = false } = {}) {
		this.platform = platform;
		this.tls = tls;
		this.options = keep || tls ? ["--data", mkdtempSync(join(import.meta.dirname, "data-"))] : [];
		if (tls)
			this.options.push("--tls=0");
		this.listen = "127.0.0.1:0";
	}

	async start() {
		this.process = spawn(process.env.MYNA_PLAYGROUND, ["--listen", this.listen, "--strict-answers", ...this.options], {
			stdio: ["ignore", "pipe", "inherit"],
		});
		const lines = await new Promise((resolve, reject) => {
			const said = [];
			createInterface(this.process.stdout).on("line", (line) => said.push(line) === (this.tls ? 2 : 1) && resolve(said));
			this.process.once("exit", (code) => reject(new Error(`the playground ended with ${code}`)));
		});
		this.url = lines[0].split(" ").pop();
		if (this.tls)
			this.secure = { url: /https:[^ ]*:\d+/.exec(lines[1])[0], authority: /CERTS=([^ ]*)/.exec(lines[1])[1] };
		this.listen = this.url.replace("http://", "");
		return this;
	}

	// The environment of a program that knows no port but 443, and trusts it.
	trust() {
		return this.tls ? { PORT_443: new URL(this.secure.url).port, NODE_EXTRA_CA_CERTS: this.secure.authority } : {};
	}

	// It must end in good order: built with sanitizers, it does not when it leaked or worse.
	async stop() {
		const code = await new Promise((resolve) => {
			this.process.removeAllListeners("exit").once("exit", resolve);
			this.process.kill("SIGTERM");
		});
		if (code !== 0)
			throw new Error(`the playground ended with ${code}`);
	}

	// A bot with a token of its own for each number.
	bot(number = 1) {
		return new Bot(`${1000 + number}:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`, {
			client: { apiRoot: `${this.url}/telegram` },
		});
	}

	async control(name, body) {
		const answer = await fetch(`${this.url}/control/${name}`, {
			method: "POST",
			body: JSON.stringify({ platform: this.platform, ...body }),
		});
		const json = await answer.json();
		if (!json.ok)
			throw new Error(`/control/${name}: ${json.error}`);
		return json;
	}

	say(text, more = {}) {
		return this.control("say", { user: "Ann", text, ...more });
	}

	settings(some) {
		return fetch(`${this.url}/control/settings`, {
			method: "POST",
			body: JSON.stringify({ [this.platform]: some }),
		});
	}

	fault(method, kind, more = {}) {
		return this.control("fault", { method, kind, count: 1, ...more });
	}

	async look(chat) {
		const answer = await fetch(`${this.url}/control/transcript?platform=${this.platform}&chat=${chat}`);
		return answer.json();
	}

	async transcript(chat) {
		return (await this.look(chat)).messages;
	}

	// What the bot was refused, as sentences.
	async problems() {
		const answer = await fetch(`${this.url}/control/requests?platform=${this.platform}`);
		const { requests } = await answer.json();
		return requests.filter((r) => r.verdict === "refused").flatMap((r) => r.problems);
	}
}

// Waits until condition() is true, at most a minute.
export async function until(condition, what) {
	for (let i = 0; i < 6000; i++) {
		if (await condition())
			return;
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	throw new Error(`it never came to this: ${what}`);
}
