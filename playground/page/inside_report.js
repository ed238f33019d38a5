// What the bots did that a platform would punish.

import { get } from "./api.js";
import { h, notice, plural } from "./dom.js";

const SOON_MS = 500;

export class ReportView {
	constructor() {
		this.rows = h("ol.rows", { "aria-label": "Findings" });
		this.sum = h("p.none", { role: "status" });
		this.node = h("div", null, h("p.about", null, "What the bots did that a platform would punish, or soon will. ",
			h("a", { href: "/control/report?format=junit", download: "report.xml" }, "As JUnit XML")), this.sum, this.rows);
	}

	async load() {
		try { this.show(await get("report")); } catch (e) { notice(e); }
	}

	// Many requests come together.
	apply(event) {
		if (event.type === "reset") this.load();
		if (event.type !== "request" || event.platform === "model" || this.timer) return;
		this.timer = setTimeout(() => { this.timer = null; this.load(); }, SOON_MS);
	}

	show({ problems, warnings, findings }) {
		this.sum.textContent = `${plural(problems, "problem")}, ${plural(warnings, "warning")}`;
		this.rows.replaceChildren(...findings.map((f) => h("li", null, h(`div.row.${f.level === "problem" ? "bad" : "good"}`, null, h("div.row-in", null,
			h("span.row-line", null, h(`span.dot.${f.platform}`, { title: f.platform }, h("span.hidden", null, f.platform)), h("span.row-what", null, f.method),
				h("span.row-side", null, `${f.level}, ${plural(f.count, "time")}${f.first ? `, request ${f.first}` : ""}`)),
			h("span.row-line.why", null, f.text), h("p.hint", null, f.advice))))));
	}
}
