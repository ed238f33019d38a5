// Answers that grow: ChatStreamer of @slack/web-api, and the rules of streams.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { SlackPlayground, refused } from "./slack.mjs";

const playground = new SlackPlayground();
let web, me, said;

before(() => playground.start());
after(() => playground.stop());
beforeEach(async () => {
	await playground.control("reset", {});
	await playground.settings({ limits: false, stream_ms: 300000 });
	web = playground.web();
	me = await web.auth.test();
	said = await playground.say("go", { chat: "dev", kind: "channel" });
});

const last = async () => (await playground.transcript("dev")).at(-1);
const place = () => ({ channel: said.chat_id, thread_ts: said.message_id });
const whole = () => ({ ...place(), recipient_team_id: me.team_id, recipient_user_id: said.user_id });

test("a streamer appends and stops", async () => {
	const streamer = web.chatStream({ ...whole(), buffer_size: 4 });
	await streamer.append({ markdown_text: "**Hello** " });
	assert.deepEqual([(await last()).text, (await last()).streaming], ["**Hello** ", true]);
	await streamer.append({ markdown_text: "world", chunks: [{ type: "task_update", id: "1", title: "Look", status: "complete" }] });
	const metadata = { event_type: "answer", event_payload: { id: 1 } };
	await streamer.stop({ markdown_text: "!", metadata });
	assert.deepEqual([(await last()).text, (await last()).streaming], ["**Hello** world!", false]);
	assert.deepEqual((await last()).metadata, metadata);
	assert.deepEqual(await playground.problems(), []);
});

test("outside of direct messages it must be said for whom", async () => {
	await assert.rejects(web.chat.startStream(place()), refused("missing_recipient_team_id"));
	await assert.rejects(web.chat.startStream({ ...place(), recipient_team_id: me.team_id }), refused("missing_recipient_user_id"));
	await assert.rejects(web.chat.startStream({ ...whole(), recipient_team_id: "T0OTHER" }), refused("team_not_found"));
	await assert.rejects(web.chat.startStream({ ...whole(), recipient_user_id: "U0NOBODY" }), refused("user_not_found"));
	const dm = await playground.say("hi", { chat: "Bob", user: "Bob" });
	await web.chat.startStream({ channel: dm.chat_id, thread_ts: dm.message_id });
});

test("a stream ends when it is stopped, when its reader stops it, and when it is too old", async () => {
	const first = await web.chat.startStream(whole());
	await assert.rejects(web.chat.update({ channel: said.chat_id, ts: first.ts, text: "x" }), refused("streaming_state_conflict"));
	await web.chat.stopStream({ channel: said.chat_id, ts: first.ts });
	const append = (stream) => web.chat.appendStream({ channel: said.chat_id, ts: stream.ts, markdown_text: "x" });
	await assert.rejects(append(first), refused("message_not_in_streaming_state"));
	await web.chat.update({ channel: said.chat_id, ts: first.ts, text: "x" });
	const second = await web.chat.startStream({ ...whole(), markdown_text: "a" });
	await playground.control("press", { chat: "dev", user: "Ann", message_id: second.ts, button: "stop" });
	await assert.rejects(append(second), refused("stopped_by_user"));
	await playground.settings({ stream_ms: 1 });
	const third = await web.chat.startStream(whole());
	await new Promise((resolve) => setTimeout(resolve, 20));
	await assert.rejects(append(third), refused("message_not_in_streaming_state"));
	await assert.rejects(append({ ts: said.message_id }), refused("message_not_owned_by_app"));
});

test("chunks are judged, and so is their length", async () => {
	const start = (chunks) => web.chat.startStream({ ...whole(), chunks });
	await assert.rejects(start([{ type: "sound" }]), refused("invalid_chunks"));
	await assert.rejects(start([{ type: "task_update", id: "1", title: "x", status: "asleep" }]), refused("invalid_chunks"));
	await assert.rejects(start([{ type: "markdown_text", text: "x".repeat(12001) }]), refused("msg_too_long"));
	const stream = await start([]);
	await assert.rejects(web.chat.appendStream({ channel: said.chat_id, ts: stream.ts, chunks: [] }), refused("no_text"));
	const nothing = [{ type: "markdown_text", text: "" }];
	await assert.rejects(web.chat.appendStream({ channel: said.chat_id, ts: stream.ts, chunks: nothing }), refused("no_text"));
});

test("a status shows until a message comes", async () => {
	await web.assistant.threads.setStatus({ channel_id: said.chat_id, thread_ts: said.message_id, status: "is thinking..." });
	assert.deepEqual([(await playground.look("dev")).typing, (await playground.look("dev")).status], [true, "is thinking..."]);
	await web.chat.postMessage({ ...place(), text: "so" });
	assert.equal((await playground.look("dev")).typing, false);
	await assert.rejects(web.assistant.threads.setStatus({ channel_id: said.chat_id, thread_ts: "1.000001", status: "x" }),
		refused("invalid_thread_ts"));
});
