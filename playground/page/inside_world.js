// The world of the playground: its time, and snapshots of it.

import { get, post } from "./api.js";
import { h, notice } from "./dom.js";

const steps = [["1 minute", 60], ["1 hour", 3600], ["1 day", 86400], ["1 week", 604800]];

export class WorldView {
	constructor() {
		this.time = h("p.hint", { role: "status" });
		this.file = h("input", { type: "file", accept: ".json,application/json", hidden: true, onchange: () => this.restore() });
		this.node = h("div", null,
			h("fieldset.faults", null, h("legend", null, "Time"), this.time, h("p.hint", null, "Scheduled messages arrive, polls close, limits and links expire."),
				h("p.buttons", null, steps.map(([label, seconds]) => h("button", { type: "button", onclick: () => this.advance(seconds) }, `+ ${label}`)))),
			h("fieldset.faults", null, h("legend", null, "Snapshot"), h("p.hint", null, "All chats of all platforms, as a file."),
				h("p.buttons", null, h("button", { type: "button", onclick: () => this.save() }, "Save"),
					h("button", { type: "button", onclick: () => this.file.click() }, "Load"), this.file)));
	}

	async load() {
		try { this.show(await get("clock")); } catch (e) { notice(e); }
	}

	apply(event) {
		if (event.type === "reset") this.load();
	}

	show({ time_ms, ahead_ms }) {
		this.time.textContent = `${new Date(time_ms).toLocaleString()}${ahead_ms ? `, ${Math.round(ahead_ms / 60000)} minutes ahead` : ""}`;
	}

	async advance(seconds) {
		try { this.show(await post("clock", { advance: seconds })); } catch (e) { notice(e); }
	}

	async save() {
		try {
			const { snapshot } = await get("snapshot");
			const url = URL.createObjectURL(new Blob([JSON.stringify(snapshot)], { type: "application/json" }));
			h("a", { href: url, download: "snapshot.json" }).click();
			URL.revokeObjectURL(url);
		} catch (e) { notice(e); }
	}

	async restore() {
		const [file] = this.file.files;
		this.file.value = "";
		try { if (file) await post("snapshot", { snapshot: JSON.parse(await file.text()) }); } catch (e) { notice(e); }
	}
}
