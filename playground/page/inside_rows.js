// A list of what happened, the newest first, that forgets the oldest.

import { h } from "./dom.js";

const KEPT = 200;

export class Rows {
	constructor(label, empty) {
		this.list = h("ol.rows", { "aria-label": label });
		this.none = h("p.none", null, empty);
		this.node = h("div", null, this.none, this.list);
	}

	add(row) {
		this.none.hidden = true;
		this.list.prepend(row);
		while (this.list.childElementCount > KEPT) this.list.lastChild.remove();
	}

	clear() {
		this.none.hidden = false;
		this.list.replaceChildren();
	}
}

export function foldedRow(kind, head, fill) {
	const box = h("details.row." + kind, null, h("summary", null, head));
	box.addEventListener("toggle", () => {
		if (box.open && box.childElementCount === 1) box.append(h("div.row-in", null, fill(box)));
	});
	return h("li", null, box);
}
