// The stream of what happens; where there is none, everything is asked for again and again.

import { notice } from "./dom.js";

const POLL_MS = 1000;

export const feed = {
	onstate: () => {},
	onload: async () => {},
	onevent: () => {},

	start() {
		let loaded = Promise.resolve(), shown = false;
		const source = new EventSource("/control/events"), waiting = [];
		let loading = false;
		const load = async () => {
			loading = true;
			try { await this.onload(); } catch (e) { notice(e); }
			loading = false;
			for (const event of waiting.splice(0)) {
				try { this.onevent(event); } catch (e) { reportError(e); } // the others are shown
			}
		};
		source.onmessage = ({ data }) => {
			const event = JSON.parse(data);
			if (event.type === "hello") {
				this.onstate("live");
				if (!shown) loaded = load();
				shown = true;
			} else if (event.type === "reload" || event.type === "reset") {
				loaded = loaded.then(load);
			} else if (loading) {
				waiting.push(event);
			} else {
				this.onevent(event);
			}
		};
		source.onerror = () => {
			if (source.readyState !== EventSource.CLOSED) {
				this.onstate("lost");
			} else {
				source.close();
				this.poll();
			}
		};
	},

	async poll() {
		try {
			await this.onload();
			this.onstate("polling");
		} catch {
			this.onstate("lost");
		}
		setTimeout(() => this.poll(), POLL_MS);
	},
};
