// Three steps to begin with: each is ticked when the person has done it, and the card can be closed for good.

import { h, iconButton } from "./dom.js";
import { save, saved } from "./saved.js";

const STEPS = [
	["hello", "Say hello", "in any chat"],
	["kill", "Kill me in mid-answer", "let me count to 20, then press Kill -9 above"],
	["inside", "Look inside", "what the gateway wrote down on the way"],
];

export class Steps {
	// acts: what the button of each step does, by its name.
	constructor(acts) {
		this.node = document.getElementById("steps");
		this.rows = new Map(STEPS.map(([name, title, about], i) => [name, h("li", null, h("button.step-button", { type: "button", onclick: () => acts[name]() },
			h("span.step-mark", { "aria-hidden": "true" }, String(i + 1)), h("span.step-name", null, title, h("span.hidden.step-state")), h("span.step-hint", null, about)))]));
		this.node.append(h("h2", null, "Begin here"), h("ol", null, ...this.rows.values()), iconButton("close", "Close these steps for good", () => this.close()));
		this.show();
	}

	// Without a supervisor nobody can kill the gateway.
	canKill(yes) {
		this.rows.get("kill").hidden = !yes;
		this.show();
	}

	done(name) {
		if (saved.steps[name]) return;
		saved.steps[name] = true;
		save();
		this.show();
	}

	close() {
		saved.steps.closed = true;
		save();
		this.show();
		document.getElementById("panes").focus();
	}

	show() {
		const rows = [...this.rows].filter(([, li]) => !li.hidden);
		this.node.hidden = Boolean(saved.steps.closed);
		rows.forEach(([name, li], i) => {
			const done = Boolean(saved.steps[name]);
			li.classList.toggle("done", done);
			li.querySelector(".step-mark").textContent = done ? "✓" : String(i + 1);
			li.querySelector(".step-state").textContent = done ? ", done" : "";
		});
		this.node.querySelector("h2").textContent = rows.every(([name]) => saved.steps[name]) ? "All done" : "Begin here";
	}
}
