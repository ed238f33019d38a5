// What an app on @slack/web-api says and edits, and what it is told when it must not.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { SlackPlayground, refused } from "./slack.mjs";

const playground = new SlackPlayground();
let web, me, channel, root;

before(() => playground.start());
after(() => playground.stop());
beforeEach(async () => {
	await playground.control("reset", {});
	await playground.settings({ limits: false, missing_scopes: [] });
	web = playground.web();
	me = await web.auth.test();
	const said = await playground.say("hello", { chat: "dev", kind: "channel" });
	channel = said.chat_id;
	root = said.message_id;
});

test("a message is posted, changed and deleted", async () => {
	const sent = await web.chat.postMessage({ channel, text: "one & two", unfurl_links: false, mrkdwn: true });
	assert.equal(sent.channel, channel);
	assert.equal(sent.message.bot_id, me.bot_id);
	assert.match(sent.ts, /^\d{10}\.\d{6}$/);
	const changed = await web.chat.update({ channel, ts: sent.ts, text: "three" });
	assert.equal(changed.text, "three");
	assert.equal((await playground.transcript("dev"))[1].text, "three");
	await web.chat.delete({ channel, ts: sent.ts });
	await assert.rejects(web.chat.delete({ channel, ts: sent.ts }), refused("message_not_found"));
	await assert.rejects(web.chat.update({ channel, ts: root, text: "x" }), refused("cant_update_message"));
});

test("answers stand in their thread, and replies lists them with their metadata", async () => {
	const metadata = { event_type: "answer", event_payload: { id: 7, of: "row" } };
	const sent = await web.chat.postMessage({ channel, thread_ts: root, text: "below", metadata });
	await web.chat.postMessage({ channel, thread_ts: root, text: "and above", reply_broadcast: true });
	await assert.rejects(web.chat.postMessage({ channel, thread_ts: sent.ts, text: "x" }), refused("cannot_reply_to_message"));
	await assert.rejects(web.chat.postMessage({ channel, thread_ts: "1.000001", text: "x" }), refused("thread_not_found"));
	const bare = await web.conversations.replies({ channel, ts: root });
	assert.deepEqual(bare.messages.map((m) => m.text), ["hello", "below", "and above"]);
	assert.equal(bare.messages[0].reply_count, 2);
	assert.equal(bare.messages[1].metadata, undefined);
	const full = await web.conversations.replies({ channel, ts: root, include_all_metadata: true });
	assert.deepEqual(full.messages[1].metadata, metadata);
	const history = await web.conversations.history({ channel });
	assert.deepEqual(history.messages.map((m) => m.text), ["and above", "hello"]);
	const link = await web.chat.getPermalink({ channel, message_ts: sent.ts });
	assert.match(link.permalink, /\/archives\/C\w+\/p\d+\?thread_ts=/);
});

test("lists are turned page by page", async () => {
	for (let i = 0; i < 25; i++)
		await web.chat.postMessage({ channel, text: `${i}` });
	const texts = [];
	for await (const page of web.paginate("conversations.history", { channel, limit: 10 }))
		texts.push(...page.messages.map((m) => m.text));
	assert.equal(texts.length, 26);
	assert.equal(texts[0], "24");
});

test("blocks are judged, and buttons show", async () => {
	const button = { type: "button", action_id: "yes", text: { type: "plain_text", text: "Yes" }, value: "1", style: "primary" };
	await web.chat.postMessage({ channel, text: "Sure?", blocks: [
		{ type: "section", text: { type: "mrkdwn", text: "*Sure?*" } },
		{ type: "actions", elements: [button] },
	] });
	const shown = (await playground.transcript("dev"))[1];
	assert.equal(shown.text, "*Sure?*");
	assert.deepEqual(shown.buttons.map((b) => [b.id, b.label]), [["yes", "Yes"]]);
	const wrong = [{ type: "section", text: { type: "mrkdwn", text: "x".repeat(3001) } }];
	await assert.rejects(web.chat.postMessage({ channel, text: "x", blocks: wrong }), (e) => {
		const { messages, scopes } = e.data.response_metadata;
		assert.deepEqual(messages, ["[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]"]);
		// From the header that Slack sends with each answer.
		assert.ok(scopes.includes("chat:write"));
		return refused("invalid_blocks")(e);
	});
	await assert.rejects(web.chat.postMessage({ channel, text: "x", blocks: [{ type: "nonsense" }] }), refused("invalid_blocks"));
	const long = [{ type: "markdown", text: "x".repeat(12001) }];
	await assert.rejects(web.chat.postMessage({ channel, text: "x", blocks: long }), refused("msg_blocks_too_long"));
});

test("what is too long is cut or refused", async () => {
	const sent = await web.chat.postMessage({ channel, text: "x".repeat(40001) });
	assert.equal(sent.message.text.length, 40000);
	assert.equal(sent.warning, "message_truncated");
	await assert.rejects(web.chat.update({ channel, ts: sent.ts, text: "x".repeat(4001) }), refused("msg_too_long"));
	await assert.rejects(web.chat.postMessage({ channel, markdown_text: "x".repeat(12001) }), refused("msg_too_long"));
	await assert.rejects(web.chat.postMessage({ channel, markdown_text: "a", text: "b" }), refused("markdown_text_conflict"));
	await assert.rejects(web.chat.postMessage({ channel, text: "" }), refused("no_text"));
});

test("places that are no good are told apart", async () => {
	await assert.rejects(web.chat.postMessage({ channel: "C0NOWHERE", text: "x" }), refused("channel_not_found"));
	await playground.control("member", { chat: "dev", action: "remove" });
	await assert.rejects(web.chat.postMessage({ channel, text: "x" }), refused("not_in_channel"));
	await web.conversations.join({ channel });
	await web.chat.postMessage({ channel, text: "x" });
	await playground.control("chat", { chat: "dev", gone: "archived" });
	await assert.rejects(web.chat.postMessage({ channel, text: "x" }), refused("is_archived"));
	const opened = await web.conversations.open({ users: (await playground.say("hi", { chat: "Bob", user: "Bob" })).user_id });
	await web.chat.postMessage({ channel: opened.channel.id, text: "x" });
	await playground.control("chat", { chat: "Bob", gone: "messages_tab_disabled" });
	await assert.rejects(web.chat.postMessage({ channel: opened.channel.id, text: "x" }), refused("messages_tab_disabled"));
	const list = await web.conversations.list({ types: "public_channel,im" });
	assert.deepEqual(list.channels.map((c) => [c.is_im, c.is_archived]), [[false, true], [true, false]]);
});

test("reactions come and go once", async () => {
	await web.reactions.add({ channel, timestamp: root, name: "eyes" });
	await assert.rejects(web.reactions.add({ channel, timestamp: root, name: "eyes" }), refused("already_reacted"));
	assert.deepEqual((await web.reactions.get({ channel, timestamp: root })).message.reactions,
		[{ name: "eyes", users: [me.user_id], count: 1 }]);
	await web.reactions.remove({ channel, timestamp: root, name: "eyes" });
	await assert.rejects(web.reactions.remove({ channel, timestamp: root, name: "eyes" }), refused("no_reaction"));
	await assert.rejects(web.reactions.add({ channel, timestamp: root, name: ":eyes:" }), refused("invalid_name"));
});

test("people are known, and one alone may see a message", async () => {
	const ann = (await web.users.list({})).members.find((u) => u.name === "Ann");
	assert.equal((await web.users.info({ user: ann.id })).user.real_name, "Ann");
	assert.equal((await web.bots.info({ bot: me.bot_id })).bot.user_id, me.user_id);
	await web.chat.postEphemeral({ channel, user: ann.id, text: "psst" });
	assert.deepEqual((await playground.transcript("dev")).map((m) => m.only_for), [undefined, ann.id]);
	assert.equal((await web.conversations.history({ channel })).messages.length, 1);
	await assert.rejects(web.chat.postEphemeral({ channel, user: "U0NOBODY", text: "x" }), refused("user_not_in_channel"));
	assert.deepEqual((await web.conversations.members({ channel })).members.sort(), [ann.id, me.user_id].sort());
});

test("tokens and scopes are checked", async () => {
	await assert.rejects(playground.web("xoxb-1-2-revoked").auth.test(), refused("token_revoked"));
	await assert.rejects(playground.web("nonsense").auth.test(), refused("invalid_auth"));
	await assert.rejects(playground.web(undefined, { headers: {} }).apps.connections.open({}), refused("not_allowed_token_type"));
	await playground.settings({ missing_scopes: ["reactions:write"] });
	await assert.rejects(web.reactions.add({ channel, timestamp: root, name: "eyes" }),
		refused("missing_scope", { needed: "reactions:write" }));
	await assert.rejects(web.apiCall("conversations.inviteShared", {}), (e) => e.statusCode === 400 && e.body.error === "not_simulated");
	await assert.rejects(web.apiCall("chat.unheardOf", {}), refused("unknown_method"));
});

test("the client waits as long as a limit says, and goes on", async () => {
	const patient = playground.web(undefined, { retryConfig: { retries: 3, factor: 1 } });
	await playground.fault("chat.postMessage", "retry_after", { seconds: 1 });
	const began = Date.now();
	await patient.chat.postMessage({ channel, text: "late" });
	assert.ok(Date.now() - began >= 950);
	await playground.settings({ limits: true });
	const impatient = playground.web(undefined, { rejectRateLimitedCalls: true });
	let sent = 0;
	await assert.rejects(async () => {
		for (; sent < 50; sent++)
			await impatient.chat.postMessage({ channel, text: `${sent}` });
	}, (e) => e.code === "slack_webapi_rate_limited_error" && e.retryAfter === 1);
	assert.ok(sent >= 5 && sent < 20, `${sent}`);
});
