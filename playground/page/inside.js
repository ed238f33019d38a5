// What goes on behind the chats: a column of tabs.

import { get } from "./api.js";
import { h } from "./dom.js";
import { FaultsView } from "./inside_faults.js";
import { GatewayView } from "./inside_gateway.js";
import { LedgerView } from "./inside_ledger.js";
import { ModelView } from "./inside_model.js";
import { PeopleView } from "./inside_people.js";
import { ReportView } from "./inside_report.js";
import { RequestsView } from "./inside_requests.js";
import { WorldView } from "./inside_world.js";
import { save, saved } from "./saved.js";

const makers = [
	["model", "Model", ModelView],
	["requests", "Requests", RequestsView],
	["report", "Report", ReportView],
	["ledger", "Ledger", LedgerView],
	["faults", "Faults", FaultsView],
	["people", "People", PeopleView],
	["world", "World", WorldView],
	["gateway", "Gateway", GatewayView],
];

export class Inside {
	// reveal(chat, message): the page shows that message. onlook: a person has chosen what to see.
	constructor(node, reveal) {
		this.node = node;
		this.onlook = () => {};
		this.views = makers.map(([name, label, View]) => ({ name, label, view: new View(reveal) }));
		this.tabs = h("div.inside-tabs", { role: "tablist", "aria-label": "What goes on inside", onkeydown: (e) => this.walk(e) },
			this.views.map((v) => h("button", { type: "button", role: "tab", id: `tab-${v.name}`, "aria-controls": `view-${v.name}`, "data-view": v.name,
				onclick: () => this.look(v.name) }, v.label)));
		node.addEventListener("toggle", () => this.onlook(), true);
		node.append(this.tabs, ...this.views.map((v) => h("div.view", { role: "tabpanel", id: `view-${v.name}`, "aria-labelledby": `tab-${v.name}`, tabindex: "0" },
			v.view.node)));
		this.pick(this.views.some((v) => v.name === saved.insideTab) ? saved.insideTab : "model");
	}

	show(visible) {
		this.node.hidden = !visible;
	}

	look(name) {
		this.pick(name);
		this.onlook();
	}

	focus() {
		this.tabs.querySelector('[aria-selected="true"]').focus();
		this.onlook();
	}

	pick(name) {
		saved.insideTab = name;
		save();
		for (const tab of this.tabs.children) {
			const here = tab.dataset.view === name;
			tab.setAttribute("aria-selected", String(here));
			tab.tabIndex = here ? 0 : -1;
			document.getElementById(`view-${tab.dataset.view}`)?.toggleAttribute("hidden", !here);
		}
		for (const v of this.views) this.node.querySelector(`#view-${v.name}`).hidden = v.name !== name;
	}

	walk(event) {
		const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], tabs = [...this.tabs.children];
		if (!step) return;
		const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
		event.preventDefault();
		this.look(next.dataset.view);
		next.focus();
	}

	async load() {
		await Promise.all(this.views.map((v) => v.view.load(get)));
	}

	apply(event) {
		for (const v of this.views) v.view.apply(event);
	}
}
