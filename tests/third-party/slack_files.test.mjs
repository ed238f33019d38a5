// Files of @slack/web-api's files.uploadV2, and files of people.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { SlackPlayground, refused } from "./slack.mjs";
import { until } from "./playground.mjs";

const playground = new SlackPlayground();
let web, said;

before(() => playground.start());
after(() => playground.stop());
beforeEach(async () => {
	await playground.control("reset", {});
	await playground.settings({ limits: false, file_redirect: false });
	web = playground.web();
	await web.auth.test();
	said = await playground.say("send it", { chat: "dev", kind: "channel", files: [{ name: "a.png", base64: "iVBORw==" }] });
});

function get(url, token = "xoxb-1-2-one") {
	return fetch(url, { headers: token ? { Authorization: `Bearer ${token}` } : {}, redirect: "manual" });
}

test("uploadV2 puts files into a thread, with a comment, some time after it has answered", async () => {
	await web.files.uploadV2({
		channel_id: said.chat_id, thread_ts: said.message_id, initial_comment: "two",
		file_uploads: [{ file: Buffer.from("one"), filename: "one.txt" }, { content: "zwei", filename: "two.md", title: "Two" }],
	});
	await until(async () => (await playground.transcript("dev")).length === 2, "the message with the files");
	const message = (await playground.transcript("dev"))[1];
	assert.equal(message.thread, said.message_id);
	assert.equal(message.text, "two");
	assert.deepEqual(message.files.map((f) => [f.name, f.title, f.size]), [["one.txt", "one.txt", 3], ["two.md", "Two", 4]]);
	const { file } = await web.files.info({ file: message.files[0].id });
	assert.equal(file.shares.public[said.chat_id][0].ts, message.id);
	assert.equal(await (await get(file.url_private_download)).text(), "one");
	assert.deepEqual(await playground.problems(), []);
});

test("a file of a person is downloaded with the token, and only so", async () => {
	const { messages } = await web.conversations.history({ channel: said.chat_id });
	const file = messages[0].files[0];
	assert.equal(messages[0].subtype, "file_share");
	assert.equal(file.mimetype, "image/png");
	assert.equal((await (await get(file.url_private)).arrayBuffer()).byteLength, 4);
	const login = await get(file.url_private, null);
	assert.equal(login.status, 200);
	assert.match(login.headers.get("content-type"), /^text\/html/);
	await playground.settings({ file_redirect: true });
	const moved = await get(file.url_private);
	assert.equal(moved.status, 302);
	assert.notEqual(new URL(moved.headers.get("location")).hostname, new URL(file.url_private).hostname);
});

test("steps of an upload that are left out or wrong are refused", async () => {
	await assert.rejects(web.files.getUploadURLExternal({ filename: "a", length: 0 }), refused("invalid_arguments"));
	const url = await web.files.getUploadURLExternal({ filename: "a.txt", length: 5 });
	const complete = () => web.files.completeUploadExternal({ files: [{ id: url.file_id }], channel_id: said.chat_id });
	await assert.rejects(complete(), refused("file_update_failed"));
	assert.equal((await fetch(url.upload_url, { method: "POST", body: "four" })).status, 400);
	const put = await fetch(url.upload_url, { method: "POST", body: "fives" });
	assert.equal(await put.text(), "OK - 5");
	assert.equal((await fetch(url.upload_url, { method: "POST", body: "fives" })).status, 404);
	await assert.rejects(web.files.completeUploadExternal({ files: [{ id: "F0NONE" }] }), refused("file_not_found"));
	await complete();
	await assert.rejects(complete(), refused("file_update_failed"));
});
