// Switches for what goes wrong.

import { get, post } from "./api.js";
import { h, notice, plural } from "./dom.js";

const send = { telegram: "sendMessage", slack: "chat.postMessage", discord: "POST /channels/messages" };
const labels = { telegram: "Telegram", slack: "Slack", discord: "Discord", model: "The model" };

function onPlatform(platform) {
	return [
		{ platform, title: "Rate limit", about: `${send[platform]} is answered 429: try again in 3 seconds`,
			fault: { kind: "retry_after", method: send[platform], seconds: 3, count: -1 } },
		{ platform, title: "Server error", about: `${send[platform]} is answered 502`, fault: { kind: "status", method: send[platform], status: 502, count: -1 } },
		{ platform, title: "Cut answers", about: "the message is taken, its answer breaks off",
			fault: { kind: "cut", method: send[platform], at_byte: 10, count: -1 } },
	];
}

const switches = [
	...["telegram", "slack", "discord"].flatMap(onPlatform),
	{ platform: "model", title: "Slow", about: "0.2 seconds from word to word", fault: { kind: "slow", method: "*", token_ms: 200, count: -1 } },
	{ platform: "model", title: "Overloaded", about: "every request is answered 503", fault: { kind: "status", method: "*", status: 503, count: -1 } },
	{ platform: "model", title: "Rate limit", about: "429: try again in 5 seconds", fault: { kind: "retry_after", method: "*", seconds: 5, count: -1 } },
	{ platform: "model", title: "Cut streams", about: "each answer ends after 200 bytes", fault: { kind: "cut", method: "*", at_byte: 200, count: -1 } },
];

export class FaultsView {
	constructor() {
		this.faults = [];
		this.rows = switches.map((s) => this.makeSwitch(s));
		this.node = h("div", null, h("p.about", null, "A fault stays until it is switched off. What comes of it shows in the chats, and under Requests."),
			Object.keys(labels).map((platform) => this.group(platform)));
	}

	group(platform) {
		const rows = this.rows.filter((r) => r.wanted.platform === platform);
		return h("fieldset.faults", null, h("legend", null, labels[platform]), rows.map((r) => r.node), platform === "model" ? null :
			h("p.buttons", null, h("button", { type: "button", onclick: () => this.order({ platform, kind: "disconnect", method: "*" }) }, "Disconnect now"),
				h("button", { type: "button", onclick: () => this.order({ platform, kind: "outage", method: "*", seconds: 10 }) }, "Go offline for 10 s")));
	}

	makeSwitch(wanted) {
		const used = h("span.used"), box = h("input", { type: "checkbox", role: "switch", onchange: () => this.turn(wanted, box.checked) });
		return { wanted, box, used, node: h("label.switch", null, box, h("span", null, h("span.switch-title", null, wanted.title), used,
			h("span.switch-about", null, wanted.about))) };
	}

	find(wanted) {
		return this.faults.find((f) => f.platform === wanted.platform && f.kind === wanted.fault.kind && (f.status || 0) === (wanted.fault.status || 0));
	}

	async turn(wanted, on) {
		const there = this.find(wanted);
		try {
			if (on && !there) await post("fault", { platform: wanted.platform, ...wanted.fault });
			if (!on && there) await post("faults/clear", { id: there.id });
		} catch (e) { notice(e); }
		await this.load();
	}

	async order(fault) {
		try { await post("fault", fault); } catch (e) { notice(e); }
	}

	async load() {
		try { this.faults = (await get("faults")).faults; } catch (e) { if (e.status !== 404) notice(e); }
		this.show();
	}

	apply(event) {
		if (event.type !== "fault") return;
		this.faults = event.faults;
		this.show();
	}

	show() {
		for (const r of this.rows) {
			const fault = this.find(r.wanted);
			r.box.checked = Boolean(fault);
			r.used.textContent = fault?.used ? ` met ${plural(fault.used, "time")}` : "";
		}
	}
}
