// What an app shows a person on Slack beside messages: the topmost modal, and the Home tab.

import { h } from "./dom.js";
import { linkButton } from "./inline.js";
import { slackBlocks } from "./slack_blocks.js";
import { inputFiles, inputValues } from "./slack_input.js";

// What blocks need of the room; the view stands for the message.
function context(room, view) {
	const press = (button, more) => room.act("press", { view: view.id, button, ...more });
	return { names: room.chat.about?.names, bot: room.chat.about?.bot_name, message: view, press: (id, values) => press(id, { values }),
		choose: (id, value) => press(id, { value }), ask: (id, query) => room.offered({ view: view.id }, id, query),
		button: (b) => b.url ? linkButton(b) :
			h("button.press", { type: "button", class: `press ${b.style || ""}`, onclick: () => press(b.id, { values: inputValues(view) }) }, b.label) };
}

const nowhere = { chat: undefined }; // it belongs to a person, and to no conversation

function errors(view) {
	return Object.entries(view.errors || {}).map(([block, text]) =>
		h("p.view-error", { role: "alert" }, `${view.blocks.find((b) => b.block_id === block)?.label?.text || block}: ${text}`));
}

function modal(room, view) {
	const submit = async () => room.act("submit", { ...nowhere, view: view.id, state: inputValues(view), values: await inputFiles(view) });
	return h("section.view", { role: "dialog", "aria-label": view.title.text }, h("header", null, h("strong", null, view.title.text)),
		slackBlocks(view.blocks, context(room, view)), errors(view), view.problem ? h("p.view-error", { role: "alert" }, view.problem) : null,
		h("footer", null, h("button.press", { type: "button", onclick: () => room.act("close", nowhere) }, view.close?.text || "Cancel"),
			view.submit ? h("button.press.primary", { type: "button", onclick: submit }, view.submit.text) : null));
}

function home(room, view) {
	const box = h("details.view", { ontoggle: () => box.open && room.act("home", nowhere) }, h("summary", null, "Home"),
		slackBlocks(view.blocks, context(room, view)));
	return box;
}

// Drawn anew only when it has changed: a person may be filling it in.
export class SlackViews {
	constructor(room) {
		this.room = room;
		this.node = h("div.views");
	}

	// The private chat of the person tells of the views.
	render() {
		if (!this.room.chat) return;
		const about = this.room.pane.chats().find((c) => c.kind === "private")?.about, top = about?.views?.at(-1);
		const published = this.room.chat.kind === "private" ? about?.home : null, shape = JSON.stringify([top, published, this.room.chat.key]);
		if (shape === this.shape) return;
		this.shape = shape;
		this.node.replaceChildren(...[published && home(this.room, published), top && modal(this.room, top)].filter(Boolean));
	}
}
