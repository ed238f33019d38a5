// Everything that people can do and that has no place of its own in the chats: any action of /control, in the chat that is open.

import { post } from "./api.js";
import { h, notice } from "./dom.js";
import { saved } from "./saved.js";
import { world } from "./world.js";

const voice = { files: [{ name: "voice.ogg", size: 4000, kind: "voice", duration: 3 }] };
const poll = { poll: { question: "Tea?", answers: ["yes", "no"] } };
const anywhere = [["Forward a message", "say", { forward: { message_id: "" } }], ["Send a voice note", "say", voice], ["Pin a message", "pin", { message_id: "" }]];
const polls = [["Make a poll", "say", poll], ["Vote in a poll", "vote", { answer: "yes" }], ["End an own poll", "vote", { end: true }]];
const group = [["Add a person", "member", { action: "add", who: "Bea" }], ["Remove a person", "member", { action: "remove", who: "Bea" }],
	["Remove the bot", "member", { action: "remove" }], ["Add the bot", "member", { action: "add" }]];
const actions = {
	telegram: [...anywhere, ...polls, ["Join by a link", "join", { invite_link: "" }], ...group,
		["Make the bot an administrator", "member", { action: "promote" }], ["Take that back", "member", { action: "demote" }], ["Mute the bot", "member", { action: "mute" }],
		["Block the bot", "chat", { gone: "blocked" }], ["Delete the chat", "chat", { gone: "deleted" }], ["Undo that", "chat", { gone: "no" }],
		["Ask in inline mode", "inline", { query: "" }], ["Pay an invoice", "pay", { message_id: "" }], ["Tick a task", "tick", { message_id: "", task: 1 }]],
	slack: [...anywhere, ["Use a shortcut", "shortcut", { callback_id: "" }], ["Use it on a message", "shortcut", { callback_id: "", message_id: "" }],
		["Choose in a menu", "press", { message_id: "", button: "", value: "" }], ["Submit the modal", "submit", { values: {} }], ["Close the modal", "close", {}],
		...group, ["Archive the channel", "chat", { gone: "archived" }], ["Delete it", "chat", { gone: "deleted" }],
		["Let only some write", "chat", { gone: "restricted" }], ["Undo that", "chat", { gone: "no" }]],
	discord: [...anywhere, ...polls, ["Give a command with options", "command", { command: "config role add", options: {} }], ["Type in an option", "command", { command: "", autocomplete: "", options: {} }],
		["Use a command on a person", "command", { command: "", target: "Bea" }], ["Use a command on a message", "command", { command: "", message_id: "" }],
		["Choose in a menu", "press", { message_id: "", button: "", values: [] }], ["Submit the modal", "submit", { fields: {} }], ["Close the modal", "close", {}],
		["Join the server", "member", { action: "join", user: "Bea" }], ["Leave it", "member", { action: "leave", user: "Bea" }],
		["Give a role", "member", { action: "give", user: "Bea", role: "" }], ["Take a right from the bot", "member", { action: "deny", permission: "SEND_MESSAGES" }],
		["Give it back", "member", { action: "allow", permission: "SEND_MESSAGES" }], ["Enter a voice channel", "voice", {}],
		["Block the bot", "chat", { gone: "blocked" }], ["Delete the channel", "chat", { gone: "deleted" }], ["Undo that", "chat", { gone: "no" }]],
};

export class PeopleView {
	constructor() {
		this.platform = h("select", { "aria-label": "Platform", onchange: () => this.list() }, Object.keys(actions).map((name) => h("option", { value: name }, name)));
		this.action = h("select", { "aria-label": "What to do", onchange: () => this.fill() });
		this.body = h("textarea", { rows: "9", spellcheck: "false", "aria-label": "With what, as JSON" });
		this.answer = h("p.result", { role: "status" });
		this.node = h("form.model-form", { onsubmit: (e) => this.act(e) }, h("p.about", null, "What people do and has no button in the chats, for the chat that is open. ",
			"message_id is the number of a message, as in the transcript, or newest."), this.platform, this.action, this.body, h("button.strong", { type: "submit" }, "Do it"), this.answer);
	}

	load() { this.list(); }

	apply() {}

	list() {
		this.action.replaceChildren(...actions[this.platform.value].map(([label], i) => h("option", { value: String(i) }, label)));
		this.fill();
	}

	fill() {
		const platform = this.platform.value, chat = world.chats.get(saved.open[platform]?.key), [, name, more] = actions[platform][this.action.value];
		const said = chat?.messages.findLast((m) => m.bot && !m.deleted);
		const body = structuredClone({ ...(chat ? chat.where() : { platform, chat: "" }), user: saved.me[platform] || saved.people[0], ...more });
		for (const part of [body, body.forward]) if (part?.message_id === "" && said) part.message_id = said.id;
		this.name = name;
		this.body.value = JSON.stringify(body, null, "\t");
	}

	async act(event) {
		event.preventDefault();
		try { this.answer.textContent = JSON.stringify(await post(this.name, JSON.parse(this.body.value))); } catch (e) { notice(e); }
	}
}
