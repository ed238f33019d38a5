// An app on Bolt with a form, a menu of its own, a home and shortcuts: by Socket Mode, and by HTTP with signatures.
import bolt from "@slack/bolt";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { SlackPlayground } from "./slack.mjs";
import { until } from "./playground.mjs";

const playground = new SlackPlayground();
const text = (t) => ({ type: "plain_text", text: t });
const option = (t) => ({ text: text(t), value: t.toLowerCase() });
const form = (callback_id, more = {}) => ({ type: "modal", callback_id, title: text("Order"), submit: text("Send"), notify_on_close: true, blocks: [
	{ type: "input", block_id: "name", label: text("Name"), element: { type: "plain_text_input", action_id: "in" } },
	{ type: "input", block_id: "city", optional: true, label: text("City"),
		element: { type: "external_select", action_id: "city", min_query_length: 1 } },
], ...more });

before(() => playground.start());
after(() => playground.stop());
beforeEach(async () => {
	await playground.control("reset", {});
	await playground.settings({ limits: false, request_url: "" });
});

// What the app has heard is in heard.
function listen(app, heard) {
	app.shortcut("order", async ({ ack, body, client }) => {
		await ack();
		heard.push((await client.views.open({ trigger_id: body.trigger_id, view: form("order") })).view.type);
	});
	app.options("city", ({ ack, options }) => ack({ options: ["Rome", "Oslo"].filter((c) => c.startsWith(options.value)).map(option) }));
	app.action("city", async ({ ack, action }) => {
		await ack();
		heard.push(action.selected_option.value);
	});
	app.view("order", async ({ ack, view }) => {
		const { value } = view.state.values.name.in;
		if (value.length < 3) return ack({ response_action: "errors", errors: { name: "Too short" } });
		return ack({ response_action: "update", view: form("sure", { private_metadata: value }) });
	});
	app.view("sure", async ({ ack, view, body, client }) => {
		await ack();
		heard.push(view.private_metadata);
		await client.views.publish({ user_id: body.user.id, view: { type: "home", blocks: [{ type: "section", text: text("Ordered") }] } });
	});
	app.view({ callback_id: "order", type: "view_closed" }, async ({ ack, body }) => {
		await ack();
		heard.push(`closed ${body.is_cleared}`);
	});
	app.command("/order", async ({ ack, respond }) => {
		await ack("A moment");
		await respond({ response_type: "in_channel", text: "Ordered" });
	});
	app.event("app_home_opened", async ({ event }) => { heard.push(`${event.tab} ${event.view?.type}`); });
	app.message("hello", async ({ say }) => { await say("Hello!"); });
}

async function play(heard) {
	const about = async () => (await fetch(`${playground.url}/control/about?platform=slack&chat=Ann&user=Ann`)).json();
	const modal = async () => (await about()).views.at(-1);
	await playground.say("hello", { chat: "Ann" });
	await until(async () => (await playground.transcript("Ann")).length === 2, "the answer");
	await playground.control("shortcut", { user: "Ann", callback_id: "order" });
	await until(() => heard.includes("modal"), "the modal");
	await playground.control("press", { user: "Ann", view: "modal", button: "City", query: "R", value: "Rome" });
	await until(async () => (await modal()).state.values.city.city.selected_option?.value === "rome", "the options");
	await playground.control("submit", { user: "Ann", values: { Name: "Bo" } });
	await until(async () => (await modal()).errors?.name === "Too short", "the error");
	await playground.control("submit", { user: "Ann", values: { Name: "Bob" } });
	await until(async () => (await modal()).callback_id === "sure", "the next view");
	await playground.control("submit", { user: "Ann" });
	await until(async () => (await about()).home?.blocks[0].text.text === "Ordered", "the home");
	assert.deepEqual((await about()).views, []);
	await playground.control("home", { user: "Ann" });
	await until(() => heard.includes("home home"), "the visit");
	await playground.control("shortcut", { user: "Ann", callback_id: "order" });
	await until(async () => (await modal())?.callback_id === "order", "the modal");
	await playground.control("close", { user: "Ann" });
	await until(() => heard.includes("closed false"), "the end of the modal");
	await playground.control("command", { user: "Ann", chat: "dev", kind: "channel", command: "/order" });
	await until(async () => (await playground.transcript("dev")).length === 2, "both answers");
	assert.deepEqual((await playground.transcript("dev")).map((m) => [m.text, Boolean(m.only_for)]), [["A moment", true], ["Ordered", false]]);
	assert.ok(heard.includes("Bob"));
	assert.deepEqual(await playground.problems(), []);
}

const clientOptions = () => ({ slackApiUrl: playground.api });

test("an app on Socket Mode", async () => {
	const heard = [], app = new bolt.App({ token: "xoxb-1-2-one", appToken: "xapp-1-A1-2-one", socketMode: true, logLevel: "error", clientOptions: clientOptions() });
	listen(app, heard);
	await app.start();
	await play(heard);
	await app.stop();
});

test("an app on HTTP", async () => {
	const heard = [], app = new bolt.App({ token: "xoxb-1-2-two", signingSecret: "secret", logLevel: "error", clientOptions: clientOptions() });
	listen(app, heard);
	const server = await app.start(0);
	await playground.settings({ signing_secret: "secret", request_url: `http://127.0.0.1:${server.address().port}/slack/events` });
	await until(async () => (await (await fetch(`${playground.url}/control/settings`)).json()).slack.request_url_state === "verified", "the challenge");
	await play(heard);
	await app.stop();
});

test("an assistant in a thread of its own", async () => {
	const heard = [], app = new bolt.App({ token: "xoxb-1-2-three", appToken: "xapp-1-A1-2-three", socketMode: true, logLevel: "error", clientOptions: clientOptions() });
	app.assistant(new bolt.Assistant({
		threadStarted: async ({ say, setSuggestedPrompts, saveThreadContext }) => {
			await say("What can I do?");
			await saveThreadContext();
			await setSuggestedPrompts({ title: "Try", prompts: [{ title: "Sum up", message: "Sum up this channel" }] });
		},
		threadContextChanged: async ({ saveThreadContext, event }) => {
			await saveThreadContext();
			heard.push(event.assistant_thread.context.channel_id ?? "nowhere");
		},
		userMessage: async ({ message, say, setStatus, setTitle, getThreadContext }) => {
			await setTitle(message.text);
			await setStatus("is reading …");
			await say(`Of ${(await getThreadContext()).channel_id}`);
		},
	}));
	await app.start();
	const dev = (await playground.say("hi", { chat: "dev", kind: "channel" })).chat_id;
	const { thread } = await playground.control("assistant", { user: "Ann", context: "dev" });
	const shown = async () => (await playground.look("Ann")).assistant[thread];
	await until(async () => (await shown()).prompts?.[0].title === "Sum up", "the prompts");
	await playground.control("press", { user: "Ann", chat: "Ann", thread, button: "Sum up" });
	await until(async () => (await playground.transcript("Ann")).at(-1).text === `Of ${dev}`, "the answer");
	assert.equal((await shown()).title, "Sum up this channel");
	assert.equal((await shown()).context.channel_id, dev);
	await playground.control("assistant", { user: "Ann", thread });
	await until(() => heard.includes("nowhere"), "the other context");
	assert.deepEqual(await playground.problems(), []);
	await app.stop();
});

test("an agent is stopped and its session renamed, by HTTP", async () => {
	const heard = [], app = new bolt.App({ token: "xoxb-1-2-two", signingSecret: "secret", logLevel: "error", clientOptions: clientOptions() });
	for (const name of ["agent_session_stopped", "agent_session_title_changed"])
		app.event(name, async ({ event }) => { heard.push(event); });
	const server = await app.start(0);
	await playground.settings({ signing_secret: "secret", request_url: `http://127.0.0.1:${server.address().port}/slack/events` });
	const { user_id: bot } = await app.client.auth.test();
	const said = await playground.say("plan a trip", { chat: "Ann", bot }), where = { channel_id: said.chat_id, thread_ts: said.message_id };
	const { sessions } = app.client.agents, thread = said.message_id;
	const session = await sessions.setStatus({ ...where, status: "processing", title: "A trip" });
	assert.deepEqual([session.status, session.agent_status, session.title], ["processing", "processing", "A trip"]);
	const stream = app.client.chatStream({ channel: where.channel_id, thread_ts: thread, recipient_team_id: "T0PLAYGRND", recipient_user_id: said.user_id,
		buffer_size: 1 });
	await stream.append({ markdown_text: "First …" });
	await playground.control("assistant", { user: "Ann", bot, thread, stop: true });
	await until(() => heard.length === 1, "the stop");
	const { messages } = await app.client.conversations.replies({ channel: where.channel_id, ts: thread });
	assert.deepEqual([heard[0].thread_ts, heard[0].streaming_message_ts], [thread, [messages[1].ts]]);
	assert.equal(messages[0].agent_session.status, "processing");
	await sessions.setStatus({ ...where, status: "active" });
	await sessions.rename({ ...where, title: "The sea" });
	await playground.control("assistant", { user: "Ann", bot, thread, title: "The mountains" });
	await until(() => heard.length === 2, "the title");
	assert.deepEqual([heard[1].title, heard[1].previous_title], ["The mountains", "The sea"]);
	assert.deepEqual(await playground.problems(), []);
	await app.stop();
});

test("an app with another secret refuses the challenge", async () => {
	const app = new bolt.App({ token: "xoxb-1-2-two", signingSecret: "other", logLevel: "error", clientOptions: clientOptions(), logger: undefined });
	const server = await app.start(0);
	await playground.settings({ signing_secret: "secret", request_url: `http://127.0.0.1:${server.address().port}/slack/events` });
	await until(async () => (await (await fetch(`${playground.url}/control/settings`)).json()).slack.request_url_state === "failed", "the refusal");
	await app.stop();
});
