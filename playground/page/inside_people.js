// Everything that people can do and that has no place of its own in the chats: any action of /control, in the chat that is open.

import { post } from "./api.js";
import { h, notice } from "./dom.js";
import { saved } from "./saved.js";
import { world } from "./world.js";

const file = (kind, name) => ({ name, size: 4000, kind }), voice = { files: [{ ...file("voice", "voice.ogg"), duration: 3 }] };
const poll = { question: "Tea?", answers: ["yes", "no"] }, bea = "bea";
// [what it is called, the action, its members besides where and by whom]. What is "" is filled in if it is known.
const anywhere = [["Forward a message", "say", { forward: { message_id: "" } }], ["Send a voice note", "say", voice], ["Pin a message", "pin", { message_id: "" }],
	["Unpin it", "pin", { message_id: "", remove: true }], ["Take back one's reactions", "react", { message_id: "" }],
	["Delete a message", "delete", { message_id: "" }]];
const polls = [["Make a poll", "say", { poll }], ["Vote in a poll", "vote", { answer: "yes" }], ["Take the vote back", "vote", { remove: true }], ["End an own poll", "vote", { end: true }]];
const group = [["Add a person", "member", { action: "add", who: bea }], ["Remove a person", "member", { action: "remove", who: bea }],
	["Remove the bot", "member", { action: "remove" }], ["Add the bot", "member", { action: "add" }]];
const rename = ["Rename the chat", "chat", { title: "" }];
const topics = (word, actions) => [...actions.map((action) => [`${action[0].toUpperCase()}${action.slice(1)} the ${word}`, "topic", { action, thread: "" }]),
	[`Rename the ${word}`, "topic", { action: "rename", thread: "", name: "" }]];
const operate = (label, path, body, method = "POST") => [label, "operate", { method, path, body }];
const inDays = (n) => new Date(Date.now() + n * 86400000).toISOString();
const event = { name: "Tea time", privacy_level: 2, entity_type: 3, entity_metadata: { location: "the kitchen" }, scheduled_start_time: inDays(365), scheduled_end_time: inDays(366) };
const actions = {
	telegram: [...anywhere, ...polls, ["Make a quiz", "say", { poll: { ...poll, correct: "yes" } }], ["Send an album", "say", { files: [file("photo", "a.jpg"), file("photo", "b.jpg")] }],
		["Share a contact", "say", { contact: { phone_number: "+15550100", first_name: bea } }], ["Share a place", "say", { location: { latitude: 52.52, longitude: 13.405 } }],
		["Roll a dice", "say", { dice: {} }], ["Quote a part of a message", "say", { reply_to: "", quote: "", text: "" }],
		["Write bold text", "say", { text: "bold", entities: [{ type: "bold", offset: 0, length: 4 }] }],
		["Write a rich message", "say", { rich_message: { blocks: [{ type: "paragraph", text: "rich" }] } }], ["Write as the group", "say", { sender_chat: "self", text: "" }],
		["Summon a bot that is not here", "say", { guest: true, text: "" }], ["Tick a task", "tick", { message_id: "", task: 1 }], ["Untick it", "tick", { message_id: "", task: 1, done: false }],
		["Ask in inline mode", "inline", { query: "" }], ["See what the bot offers", "inline", { query_id: "" }], ["Send one of that", "inline", { query_id: "", result: "" }],
		["Pay an invoice", "pay", { message_id: "" }], ["See what became of it", "pay", { query_id: "" }],
		["Let the bot work for one's account", "business", {}], ["Write to that account", "say", { business: "", chat: bea, user: bea, text: "" }],
		["Take the account from the bot", "business", { enabled: false }], ["Change one's photo", "profile", { photo: { name: "me.jpg", size: 4000 } }],
		["Join by a link", "join", { invite_link: "" }], ["Ask to join", "join", {}], ...group,
		["Make the bot an administrator", "member", { action: "promote" }], ["Give it other rights", "member", { action: "promote", rights: ["can_pin_messages"] }],
		["Take that back", "member", { action: "demote" }], ["Mute the bot", "member", { action: "mute" }],
		["Make a person an administrator", "member", { action: "promote", who: bea }], ["Make them a member again", "member", { action: "demote", who: bea }],
		["Mute a person", "member", { action: "mute", who: bea }], ...topics("topic", ["close", "reopen", "delete"]), rename, ["Make it a forum", "chat", { forum: true }],
		["Make it a supergroup", "chat", { migrate: true }], ["Block the bot", "chat", { gone: "blocked" }], ["Delete the chat", "chat", { gone: "deleted" }], ["Undo that", "chat", { gone: "no" }]],
	slack: [...anywhere, ["Say what one does", "say", { subtype: "me_message", text: "" }], ["Reply in a thread and in the channel", "say", { thread: "", broadcast: true, text: "" }],
		["Give a command", "command", { command: "/myna", text: "" }], ["Use a shortcut", "shortcut", { callback_id: "" }], ["Use it on a message", "shortcut", { callback_id: "", message_id: "" }],
		["Choose in a menu", "press", { message_id: "", button: "", value: "" }], ["Submit the modal", "submit", { values: {} }], ["Close the modal", "close", {}],
		["Close all modals", "close", { all: true }], ["Open the app's page", "home", { tab: "about" }], ["Open a thread with the app beside a channel", "assistant", { context: "" }],
		...group, ["Give a person an account", "member", { action: "join", who: bea }], ["Rename a person", "member", { action: "rename", who: bea, name: "" }],
		["Go away", "member", { action: "away", who: bea }], ["Come back", "member", { action: "active", who: bea }], ["Snooze", "member", { action: "snooze", who: bea }],
		["Wake", "member", { action: "wake", who: bea }], ["Close an account", "member", { action: "disable", who: bea }],
		["Add an emoji", "emoji", { name: "", url: "https://example.org/emoji.png" }], ["Remove it", "emoji", { name: "", remove: true }],
		rename, ["Set the topic", "chat", { topic: "" }], ["Set the purpose", "chat", { purpose: "" }], ["Archive the channel", "chat", { gone: "archived" }], ["Delete it", "chat", { gone: "deleted" }],
		["Let only some write", "chat", { gone: "restricted" }], ["Uninstall the app", "chat", { gone: "uninstalled" }], ["Undo that", "chat", { gone: "no" }]],
	discord: [...anywhere, ...polls, ["Ping the bot's role", "say", { mention_role: true, text: "" }], ["Type", "typing", {}],
		["Give a command with options", "command", { command: "config role add", options: {} }], ["Type in an option", "command", { command: "", autocomplete: "", options: {} }],
		["Use a command on a person", "command", { command: "", target: bea }], ["Use a command on a message", "command", { command: "", message_id: "" }],
		["Choose in a menu", "press", { message_id: "", button: "", values: [] }], ["Submit the modal", "submit", { fields: {} }], ["Close the modal", "close", {}],
		["Join the server", "member", { action: "join", user: bea }], ["Leave it", "member", { action: "leave", user: bea }], ["Own the server", "member", { action: "own" }],
		["Change a nickname", "member", { action: "nick", user: bea, nick: "" }], ["Give a role", "member", { action: "give", user: bea, role: "" }],
		["Take a role", "member", { action: "take", user: bea, role: "" }], ["Time out a person", "member", { action: "timeout", user: bea, seconds: 60 }],
		["Ban a person", "member", { action: "ban", user: bea }], ["Unban them", "member", { action: "unban", user: bea }],
		["Remove the bot", "member", { action: "remove" }], ["Add the bot", "member", { action: "add" }],
		["Make the bot an administrator", "member", { action: "promote" }], ["Take that back", "member", { action: "demote" }],
		["Give the bot a right", "member", { action: "grant", permission: "MANAGE_MESSAGES" }], ["Revoke it", "member", { action: "revoke", permission: "MANAGE_MESSAGES" }],
		["Take a right from the bot here", "member", { action: "deny", permission: "SEND_MESSAGES" }], ["Give it back", "member", { action: "allow", permission: "SEND_MESSAGES" }],
		["Mute the bot", "member", { action: "mute" }], ["Unmute it", "member", { action: "unmute" }], ["Hide the channel from it", "member", { action: "hide" }],
		["Show it", "member", { action: "show" }], ["Time out the bot", "member", { action: "timeout", user: undefined, seconds: 60 }],
		["Enter a voice channel", "voice", {}], ["Leave it for another room", "voice", { leave: true }],
		operate("Make a role", "/guilds/{guild}/roles", { name: "crew" }), operate("Make a voice channel", "/guilds/{guild}/channels", { name: "Kitchen", type: 2 }),
		operate("Plan an event", "/guilds/{guild}/scheduled-events", event), ["Be interested in it", "attend", { event: "" }], ["Be so no longer", "attend", { event: "", remove: true }],
		operate("Do anything else of the client", "/channels/{channel}", { nsfw: true }, "PATCH"),
		...topics("thread", ["archive", "unarchive", "lock", "unlock", "delete"]), rename, ["Set the topic of the channel", "chat", { topic: "" }], ["Slow it down", "chat", { slowmode: 10 }],
		["Block the bot", "chat", { gone: "blocked" }], ["Delete the channel", "chat", { gone: "deleted" }], ["Undo that", "chat", { gone: "no" }]],
};

export class PeopleView {
	constructor() {
		this.platform = h("select", { "aria-label": "Platform", onchange: () => this.list() }, Object.keys(actions).map((name) => h("option", { value: name }, name)));
		this.action = h("select", { "aria-label": "What to do", onchange: () => this.fill() });
		this.call = h("code");
		this.body = h("textarea", { rows: "9", spellcheck: "false", "aria-label": "With what, as JSON" });
		this.answer = h("p.result", { role: "status" });
		this.found = {}; // in answers, for what is done next
		this.node = h("form.model-form", { onsubmit: (e) => this.act(e) }, h("p.about", null, "What people do and has no button in the chats, for the chat that is open. ",
			"message_id is the number of a message, as in the transcript, or newest."), this.platform, this.action, this.call, this.body, h("button.strong", { type: "submit" }, "Do it"), this.answer);
	}

	load() { this.list(); }

	apply() {}

	list() {
		this.action.replaceChildren(...actions[this.platform.value].map(([label], i) => h("option", { value: String(i) }, label)));
		this.fill();
	}

	fill() {
		const platform = this.platform.value, { key, thread } = saved.open[platform] || {}, chat = world.chats.get(key), [, name, more] = actions[platform][this.action.value];
		const said = chat?.messages.findLast((m) => m.bot && !m.deleted)?.id ?? "newest", known = { message_id: said, reply_to: said, thread, ...this.found };
		const body = structuredClone({ ...(chat ? chat.where() : { platform, chat: "" }), user: saved.me[platform] || saved.people[0], ...more });
		for (const part of [body, body.forward || {}]) for (const member in part) if (part[member] === "" && known[member]) part[member] = known[member];
		this.name = name;
		this.call.textContent = `POST /control/${name}`;
		this.body.value = JSON.stringify(body, null, "\t");
	}

	async act(event) {
		event.preventDefault();
		try {
			const answer = await post(this.name, JSON.parse(this.body.value)), { query_id, business, answer: made } = answer;
			this.answer.textContent = JSON.stringify(answer);
			Object.assign(this.found, query_id && { query_id }, business && { business }, made?.id && { event: made.id });
		} catch (e) { notice(e); }
	}
}
