// The page itself: what it shows of each platform's formatting, what is harmless, what it keeps, who can use it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { contrastProblems, nameProblems } from "./access.mjs";
import { bots, telegramToken } from "./bots.mjs";
import { artefacts, PaneDriver, Rig } from "./rig.mjs";

const rig = new Rig(), evil = '<script>window.harmed = 1</script><img src=x onerror="window.harmed = 1"><b>bold</b>';
const { botCall, slackApp, discordApp } = bots(rig);
let page, telegram, slack, discord;

before(async () => {
	await rig.start({ gateway: false });
	page = await rig.open();
	[telegram, slack, discord] = ["telegram", "slack", "discord"].map((name) => new PaneDriver(page, name));
});
afterEach(async (t) => {
	if (page) await page.screenshot({ path: join(artefacts, `page-${t.name.replaceAll(/\W+/g, "-")}.png`) });
});
after(() => rig.stop());


test("text that looks like markup is text", async () => {
	for (const pane of [telegram, slack, discord]) {
		await pane.say(evil);
		await pane.node.locator(".own", { hasText: evil }).waitFor();
	}
	await telegram.node.getByRole("button", { name: "Add a person" }).click();
	await page.getByRole("textbox", { name: "Name of the person" }).fill("dora");
	await page.keyboard.press("Enter");
	assert.equal(await page.evaluate(() => window.harmed), undefined);
	assert.equal(await page.locator(".messages script, .messages img[src=x]").count(), 0);
	const policy = (await page.request.get(rig.url)).headers()["content-security-policy"];
	assert.match(policy, /script-src 'self'/);
	assert.doesNotMatch(policy, /unsafe/);
	await assert.rejects(page.evaluate(() => { document.body.innerHTML = "<i>"; }), /TrustedHTML/);
	await telegram.node.getByLabel("Write on Telegram as").selectOption("ann");
});

test("a suggestion is said with a click; what is new elsewhere, or further down, is marked", async () => {
	const news = (text) => rig.control("say", { platform: "telegram", chat: "-1001", user: "bea", kind: "group", text });
	const mark = telegram.node.locator('button.chat[title="Ops"] .unread'), log = telegram.node.locator(".log");
	await telegram.openChat("Ops");
	await telegram.node.locator(".suggestions").getByRole("button", { name: "Count to 20" }).click();
	await telegram.node.locator(".own", { hasText: "Count to 20" }).waitFor();
	await telegram.node.locator(".suggestions").getByRole("button", { name: "Count to 20" }).waitFor({ state: "hidden" });
	assert.ok(await telegram.node.locator(".suggestions").getByRole("button", { name: "Read notes.txt" }).isVisible());
	await telegram.node.locator("button.chat").first().click();
	for (let i = 0; i < 30; i++) await news(`news ${i}`);
	await mark.waitFor();
	await telegram.openChat("Ops");
	await mark.waitFor({ state: "detached" });
	await telegram.node.locator(".messages > li", { hasText: "news 29" }).waitFor();
	for (const place of ["scrollHeight", "clientTop"]) await log.evaluate((e, p) => new Promise((scrolled) => {
		e.scrollTop = e[p];
		requestAnimationFrame(() => requestAnimationFrame(scrolled));
	}), place);
	await telegram.node.getByRole("button", { name: "To the newest" }).waitFor();
	await news("the last");
	await telegram.node.getByRole("button", { name: "New messages" }).click();
	await telegram.node.getByRole("button", { name: "To the newest" }).waitFor({ state: "hidden" });
	assert.ok(await log.evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight < 5));
	await telegram.node.locator("button.chat").first().click();
});

test("Telegram's entities show: code, quotations, spoilers, links, a keyboard in rows", async () => {
	const chat = (await rig.control("chats?platform=telegram")).chats.find((c) => c.user === "ann").chat;
	const answer = await botCall(`/telegram/bot${telegramToken}/sendMessage`, "", { chat_id: Number(chat), parse_mode: "HTML",
		text: '<b>bold <i>both</i></b> <code>x &lt; y</code> <a href="https://example.org/">link</a> <tg-spoiler>secret</tg-spoiler>\n<pre>a\n b</pre><blockquote>said</blockquote>',
		reply_markup: { inline_keyboard: [[{ text: "Yes", callback_data: "y" }, { text: "No", callback_data: "n" }], [{ text: "Later", callback_data: "l" }]] } });
	assert.ok(answer.ok, JSON.stringify(answer));
	const message = telegram.lastFromBot();
	await message.locator("strong em", { hasText: "both" }).waitFor();
	assert.equal(await message.locator("code").first().innerText(), "x < y");
	assert.equal(await message.locator("a").getAttribute("href"), "https://example.org/");
	assert.equal(await message.locator("pre").innerText(), "a\n b");
	assert.equal(await message.locator("blockquote").innerText(), "said");
	await message.getByRole("button", { name: "Spoiler: show it" }).press("Enter");
	await message.getByText("secret").waitFor();
	assert.equal(await message.locator(".keyboard-row").count(), 2);
	await botCall(`/telegram/bot${telegramToken}/sendMessage`, "", { chat_id: Number(chat), text: "Which?",
		reply_markup: { keyboard: [[{ text: "Tea" }, "Coffee"]], one_time_keyboard: true } });
	const keys = telegram.node.getByRole("group", { name: "Suggested by the bot" });
	await keys.getByRole("button", { name: "Coffee" }).click();
	await telegram.node.locator(".own", { hasText: "Coffee" }).waitFor();
	await keys.getByRole("button", { name: "Coffee" }).waitFor({ state: "detached" });
});

test("Telegram's rich messages show, and what people are shown of drafts", async () => {
	const chat = Number((await rig.control("chats?platform=telegram")).chats.find((c) => c.user === "ann").chat);
	const call = (method, body) => botCall(`/telegram/bot${telegramToken}/${method}`, "", { chat_id: chat, ...body });
	const answer = await call("sendRichMessage", { rich_message: { markdown: `# Title\n\nsome **bold** ==marked== [link](https://example.org/) $x$

3. three\n4. four\n\n- [x] done\n\n> said\n\n\`\`\`c\nint x;\n\`\`\`\n\n| A | B |\n|---|--:|\n| 1 | 2 |

<details><summary>More</summary>\n\ninside\n\n</details>\n\n<tg-map lat="1.5" long="2" zoom="14"/>` } });
	assert.ok(answer.ok, JSON.stringify(answer));
	const message = telegram.lastFromBot();
	await message.getByRole("heading", { name: "Title" }).waitFor();
	assert.equal(await message.locator("strong").innerText(), "bold");
	assert.equal(await message.locator("mark").innerText(), "marked");
	assert.equal(await message.locator("p a").getAttribute("href"), "https://example.org/");
	assert.deepEqual(await message.locator("ol li").evaluateAll((all) => all.map((li) => [li.value, li.innerText])), [[3, "three"], [4, "four"]]);
	assert.ok(await message.getByRole("checkbox", { name: "Done" }).isChecked());
	assert.equal(await message.locator("blockquote").innerText(), "said");
	assert.equal(await message.locator("pre code").innerText(), "int x;");
	assert.deepEqual(await message.locator("tr").evaluateAll((all) => all.map((tr) => tr.innerText.split("\t"))), [["A", "B"], ["1", "2"]]);
	assert.ok(await message.getByText("inside").isHidden());
	await message.getByText("More").click();
	await message.getByText("inside").waitFor();
	await call("sendRichMessageDraft", { draft_id: 3, rich_message: { html: "<tg-thinking>pondering</tg-thinking>" } });
	await telegram.node.locator(".growing", { hasText: "pondering" }).waitFor();
	await call("sendRichMessage", { rich_message: { html: "<b>found</b>" } });
	await telegram.node.locator(".growing").waitFor({ state: "detached" });
	await telegram.lastFromBot().locator("strong", { hasText: "found" }).waitFor();
});

test("Slack's mrkdwn and blocks show", async () => {
	await slack.openChat("general");
	const channel = (await rig.control("chats?platform=slack")).chats.find((c) => c.title === "general").chat;
	const token = "Bearer xoxb-1001-2002-playgroundTokenOfTheQuickstart";
	const answer = await botCall("/slack/api/chat.postMessage", token, { channel, text: "in short", blocks: [
		{ type: "header", text: { type: "plain_text", text: "Deploy" } }, { type: "divider" },
		{ type: "section", text: { type: "mrkdwn", text: "*bold* _it_ ~no~ `a &lt; b` <https://example.org|site>\n&gt; quoted" } },
		{ type: "markdown", text: "| a | b |\n|---|---|\n| 1 | **2** |" },
		{ type: "context", elements: [{ type: "mrkdwn", text: "by *ann*" }] },
		{ type: "actions", elements: [{ type: "button", action_id: "go", text: { type: "plain_text", text: "Approve" }, style: "primary" },
			{ type: "button", action_id: "look", text: { type: "plain_text", text: "Look" }, url: "https://example.org/" },
			{ type: "button", action_id: "harm", text: { type: "plain_text", text: "Harm" }, url: "javascript:window.harmed=1" }] }] });
	assert.ok(answer.ok, JSON.stringify(answer));
	const message = slack.lastFromBot();
	await message.getByRole("heading", { name: "Deploy" }).waitFor();
	for (const [tag, text] of [["strong", "bold"], ["em", "it"], ["s", "no"], ["code", "a < b"], ["blockquote", "quoted"], ["td strong", "2"], ["a", "site"]])
		assert.equal((await message.locator(tag).first().innerText()).trim(), text);
	await message.getByRole("button", { name: "Approve" }).waitFor();
	assert.equal(await message.getByRole("link", { name: "Look" }).getAttribute("href"), "https://example.org/");
	await message.getByText("Harm").waitFor();
	assert.equal(await message.locator("a[href^=javascript]").count(), 0);
});

test("Slack's menus act, a modal is filled in, and a home shows", async () => {
	const token = "Bearer xoxb-1001-2002-playgroundTokenOfTheQuickstart", plain = (text) => ({ type: "plain_text", text }), app = await slackApp();
	const option = (text) => ({ text: plain(text), value: text.toLowerCase() });
	await slack.openChat("general");
	const channel = (await rig.control("chats?platform=slack")).chats.find((c) => c.title === "general").chat;
	await botCall("/slack/api/chat.postMessage", token, { channel, text: "which?", blocks: [{ type: "actions", elements: [
		{ type: "static_select", action_id: "size", placeholder: plain("Size"), options: [option("Small"), option("Large")] }] }] });
	await slack.lastFromBot().getByLabel("Size").selectOption("large");
	const chosen = await app.hears("block_actions"), { trigger_id, user } = chosen;
	assert.equal(chosen.actions[0].selected_option.value, "large");
	const opened = await botCall("/slack/api/views.open", token, { trigger_id, view: { type: "modal", title: plain("Order"), submit: plain("Send"), blocks: [
		{ type: "input", block_id: "why", label: plain("Why"), element: { type: "plain_text_input", action_id: "text" } },
		{ type: "input", block_id: "proof", label: plain("Proof"), element: { type: "file_input", action_id: "files", filetypes: ["txt"] } }] } });
	assert.ok(opened.ok, JSON.stringify(opened));
	const modal = slack.node.getByRole("dialog", { name: "Order" });
	await modal.getByLabel("Why").fill("it is ready");
	await modal.getByLabel("Proof").setInputFiles(["a.txt", "b.txt"].map((name) => ({ name, mimeType: "text/plain", buffer: Buffer.from("proof") })));
	assert.deepEqual(await contrastProblems(page), []);
	await modal.getByRole("button", { name: "Send" }).click();
	const { values } = (await app.hears("view_submission")).view.state;
	assert.equal(values.why.text.value, "it is ready");
	assert.deepEqual(values.proof.files.files.map((f) => f.name), ["a.txt", "b.txt"]);
	await modal.waitFor({ state: "detached" });
	await botCall("/slack/api/views.publish", token, { user_id: user.id, view: { type: "home", blocks: [{ type: "section", text: plain("Welcome home") }] } });
	await slack.openChat("Myna");
	await slack.node.locator("summary", { hasText: "Home" }).click();
	await slack.node.getByText("Welcome home").waitFor();
	await slack.openChat("general");
	app.close();
});

test("Slack's menus that ask the app offer what it has", async () => {
	const token = "Bearer xoxb-1001-2002-playgroundTokenOfTheQuickstart", plain = (text) => ({ type: "plain_text", text });
	const app = await slackApp((typed) => ({ options: ["Rome", "Romans"].filter((x) => x.startsWith(typed)).map((x) => ({ text: plain(x), value: x.toLowerCase() })) }));
	await slack.openChat("general");
	const channel = (await rig.control("chats?platform=slack")).chats.find((c) => c.title === "general").chat;
	await botCall("/slack/api/chat.postMessage", token, { channel, text: "where?", blocks: [{ type: "actions", elements: [
		{ type: "external_select", action_id: "city", placeholder: plain("City") }] }] });
	const field = slack.lastFromBot().getByLabel("City");
	await field.fill("Rom");
	await slack.lastFromBot().locator("datalist option[value=Rome]").waitFor({ state: "attached" });
	await field.fill("Rome");
	assert.equal((await app.hears("block_actions")).actions[0].selected_option.value, "rome");
	app.close();
});

test("Discord's commands have subcommands, options and menus, and a modal is filled in", async () => {
	const app = await discordApp("Bot MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.playgroundTokenOfTheQuickstart012345");
	await app.put([{ name: "order", description: "Orders", options: [{ type: 1, name: "tea", description: "Orders tea",
		options: [{ type: 3, name: "kind", description: "Which", required: true }, { type: 4, name: "cups", description: "How many" }] }] },
	{ type: 3, name: "Translate" }, { type: 2, name: "Greet" }]);
	await discord.openChat("builds");
	await discord.field.fill("/ord");
	const option = discord.node.getByRole("option", { name: "/order tea" });
	await option.waitFor();
	assert.match(await option.innerText(), /\(kind, cups\?\)/);
	await discord.field.press("Enter");
	assert.equal(await discord.field.inputValue(), "/order tea ");
	await discord.say("/order tea kind: green leaves cups: 2");
	const ordered = await app.hears();
	assert.deepEqual(ordered.data.options[0].options.map((o) => o.value), ["green leaves", 2]);
	const label = (text, component) => ({ type: 18, label: text, component });
	await app.answer(ordered, 9, { custom_id: "order", title: "Your tea", components: [
		label("Why", { type: 4, custom_id: "why", style: 2, max_length: 100 }),
		label("Sizes", { type: 3, custom_id: "sizes", max_values: 2, options: ["S", "M", "L"].map((x) => ({ label: x, value: x.toLowerCase() })) }),
		label("Sugar", { type: 23, custom_id: "sugar" }), label("Photo", { type: 19, custom_id: "photo" })] });
	const modal = discord.node.getByRole("dialog", { name: "Your tea" });
	await modal.getByLabel("Why").fill("it is cold");
	await modal.getByLabel("Sizes").selectOption(["s", "l"]);
	await modal.getByLabel("Sugar").check();
	await modal.getByLabel("Photo").setInputFiles({ name: "cup.png", mimeType: "image/png", buffer: Buffer.from("a cup") });
	assert.deepEqual(await contrastProblems(page), []);
	await modal.getByRole("button", { name: "Submit" }).click();
	const submitted = await app.hears();
	const [photo] = Object.values(submitted.data.resolved.attachments);
	assert.deepEqual([photo.filename, photo.size], ["cup.png", 5]);
	assert.deepEqual(submitted.data.components.map((c) => c.component.value ?? c.component.values), ["it is cold", ["s", "l"], true, [photo.id]]);
	await modal.waitFor({ state: "detached" });
	await app.answer(submitted, 4, { content: "Choose", components: [{ type: 1, components: [
		{ type: 3, custom_id: "days", placeholder: "Days", max_values: 2, options: ["Mo", "Tu"].map((x) => ({ label: x, value: x })) }] }] });
	await discord.lastFromBot().getByLabel("Days").selectOption(["Mo", "Tu"]);
	await discord.lastFromBot().getByRole("button", { name: "Choose" }).click();
	const chosen = await app.hears();
	assert.deepEqual(chosen.data.values, ["Mo", "Tu"]);
	await app.answer(chosen, 9, { custom_id: "again", title: "Again", components: [label("Name", { type: 4, custom_id: "name", style: 1 })] });
	await discord.node.getByRole("dialog", { name: "Again" }).getByRole("button", { name: "Cancel" }).click();
	await discord.node.getByRole("dialog", { name: "Again" }).waitFor({ state: "detached" });
	await discord.say("to be translated");
	const own = discord.node.locator(".own", { hasText: "to be translated" });
	await own.hover();
	await own.getByLabel("Apps").selectOption("Translate");
	const translate = await app.hears();
	assert.equal(translate.data.resolved.messages[translate.data.target_id].content, "to be translated");
	await own.hover();
	await own.getByLabel("Apps").selectOption("Greet: ann");
	assert.equal((await app.hears()).data.type, 2);
	app.close();
});

test("Slack's threads with an app have titles and prompts, and sessions are stopped and renamed", async () => {
	const token = "Bearer xoxb-1001-2002-playgroundTokenOfTheQuickstart", app = await slackApp();
	await slack.openChat("Myna");
	await slack.node.getByRole("button", { name: "New thread" }).click();
	let event = {};
	while (event.type !== "assistant_thread_started") ({ event } = await app.hears("event_callback"));
	const { channel_id, thread_ts } = event.assistant_thread;
	const call = (method, body) => botCall(`/slack/api/assistant.threads.${method}`, token, { channel_id, thread_ts, ...body });
	assert.ok((await call("setTitle", { title: "Tea time" })).ok);
	assert.ok((await call("setSuggestedPrompts", { prompts: [{ title: "Green", message: "Make green tea" }] })).ok);
	await slack.node.locator("button.thread", { hasText: "Tea time" }).waitFor();
	const keys = slack.node.getByRole("group", { name: "Suggested by the bot" });
	await keys.getByRole("button", { name: "Green" }).click();
	await slack.node.locator(".own", { hasText: "Make green tea" }).waitFor();
	await keys.getByRole("button", { name: "Green" }).waitFor({ state: "detached" });
	const setStatus = (status) => botCall("/slack/api/agents.sessions.setStatus", token, { channel_id, thread_ts, status });
	assert.ok((await setStatus("processing")).ok);
	await keys.getByRole("button", { name: "Stop" }).click();
	while (event.type !== "agent_session_stopped") ({ event } = await app.hears("event_callback"));
	assert.ok((await setStatus("active")).ok);
	await keys.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
	await keys.getByRole("button", { name: "Rename" }).click();
	await page.getByRole("textbox", { name: "Title of the session" }).fill("Coffee time");
	await page.keyboard.press("Enter");
	await slack.node.locator("button.thread", { hasText: "Coffee time" }).waitFor();
	while (event.type !== "agent_session_title_changed") ({ event } = await app.hears("event_callback"));
	assert.deepEqual([event.title, event.previous_title], ["Coffee time", "Tea time"]);
	app.close();
	await slack.openChat("general");
});

test("Slack's inputs, videos and plans show, and what is filled in goes with the press", async () => {
	const channel = (await rig.control("chats?platform=slack")).chats.find((c) => c.title === "general").chat, plain = (text) => ({ type: "plain_text", text });
	const token = "Bearer xoxb-1001-2002-playgroundTokenOfTheQuickstart", option = (text) => ({ text: plain(text), value: text.toLowerCase() });
	const answer = await botCall("/slack/api/chat.postMessage", token, { channel, text: "a form", blocks: [
		{ type: "video", title: plain("How it works"), alt_text: "A film", video_url: "https://example.org/v", thumbnail_url: "https://example.org/t.png", provider_name: "Films" },
		{ type: "plan", title: "Steps", tasks: [{ type: "task_card", task_id: "t", title: "Build", status: "complete" }] },
		{ type: "input", block_id: "why", label: plain("Why now?"), hint: plain("In a word"), element: { type: "plain_text_input", action_id: "text" } },
		{ type: "input", block_id: "where", label: plain("Where"), element: { type: "static_select", action_id: "place", options: [option("Here"), option("There")] } },
		{ type: "input", block_id: "who", label: plain("Who"), element: { type: "checkboxes", action_id: "names", options: [option("Ann"), option("Bea")] } },
		{ type: "input", block_id: "when", label: plain("Days"), element: { type: "multi_static_select", action_id: "days", options: [option("Mo"), option("Tu"), option("We")] } },
		{ type: "input", block_id: "mate", label: plain("With"), element: { type: "users_select", action_id: "user" } },
		{ type: "actions", elements: [{ type: "button", action_id: "send", text: plain("Send it") }] }] });
	assert.ok(answer.ok, JSON.stringify(answer));
	const message = slack.lastFromBot();
	await message.getByRole("link", { name: "How it works" }).waitFor();
	await message.getByText("Build complete").waitFor();
	await message.getByLabel("Why now?").fill("it is ready");
	await message.getByLabel("Where").selectOption("there");
	await message.getByRole("group", { name: "Who" }).getByLabel("Bea").check();
	await message.getByLabel("Days").selectOption(["mo", "we"]);
	await message.getByLabel("With").selectOption({ label: "ann" });
	assert.deepEqual(await contrastProblems(page), []);
	await page.route("**/control/press", (route) => route.fulfill({ json: { ok: true } }), { times: 1 }); // no app is connected that could hear it
	const asked = page.waitForRequest((r) => r.url().endsWith("/control/press"));
	await message.getByRole("button", { name: "Send it" }).click();
	const { values } = (await asked).postDataJSON();
	assert.equal(values.why.text.value, "it is ready");
	assert.equal(values.where.place.selected_option.value, "there");
	assert.deepEqual(values.who.names.selected_options.map((o) => o.value), ["bea"]);
	assert.deepEqual(values.when.days.selected_options.map((o) => o.value), ["mo", "we"]);
	assert.match(values.mate.user.selected_user, /^U/);
});

test("what was chosen on Slack, and the app has taken away, is not sent", async () => {
	const token = "Bearer xoxb-1001-2002-playgroundTokenOfTheQuickstart", plain = (text) => ({ type: "plain_text", text });
	const channel = (await rig.control("chats?platform=slack")).chats.find((c) => c.title === "general").chat;
	const option = (text) => ({ text: plain(text), value: text.toLowerCase() });
	const blocks = (...days) => [
		{ type: "input", block_id: "day", label: plain("Meet on"), element: { type: "static_select", action_id: "one", options: days.map(option) } },
		{ type: "input", block_id: "days", label: plain("Free on"), element: { type: "checkboxes", action_id: "some", options: days.map(option) } },
		{ type: "actions", elements: [{ type: "button", action_id: "send", text: plain("Send it") }] }];
	const { ts } = await botCall("/slack/api/chat.postMessage", token, { channel, text: "a day", blocks: blocks("Mo", "Tu", "We") });
	const message = slack.lastFromBot();
	await message.getByLabel("Meet on").selectOption("we");
	for (const name of ["Tu", "We"]) await message.getByRole("group", { name: "Free on" }).getByLabel(name).check();
	assert.ok((await botCall("/slack/api/chat.update", token, { channel, ts, text: "a day", blocks: blocks("Mo", "Tu") })).ok);
	await message.getByRole("checkbox", { name: "We" }).waitFor({ state: "detached" });
	await page.route("**/control/press", (route) => route.fulfill({ json: { ok: true } }), { times: 1 }); // no app is connected that could hear it
	const asked = page.waitForRequest((r) => r.url().endsWith("/control/press"), { timeout: 10000 });
	await message.getByRole("button", { name: "Send it" }).click();
	const { values } = (await asked).postDataJSON();
	assert.equal(values.day.one.selected_option, null);
	assert.deepEqual(values.days.some.selected_options.map((o) => o.value), ["tu"]);
});

test("Slack's menu of commands is what the app declares", async () => {
	await slack.field.fill("/");
	await slack.node.getByRole("option", { name: "/myna" }).waitFor();
	assert.equal(await slack.node.locator(".menu [role=option]").count(), 1);
	await slack.field.fill("");
});

test("Discord's markdown, embeds and components show", async () => {
	await discord.openChat("builds");
	const { chat } = (await rig.control("chats?platform=discord")).chats.find((c) => c.title === "builds");
	const token = "Bot MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.playgroundTokenOfTheQuickstart012345";
	const answer = await botCall(`/discord/api/v10/channels/${chat}/messages`, token, { content: "## Head\n**b** __u__ ||hidden|| ~~s~~ `c`\n> quote\n- item",
		embeds: [{ title: "Report", description: "all *green*", color: 0x2da44e, fields: [{ name: "Tests", value: "812", inline: true }] }],
		components: [{ type: 1, components: [{ type: 2, style: 1, label: "Merge", custom_id: "merge" }, { type: 2, style: 4, label: "Drop", custom_id: "drop", disabled: true }] }] });
	assert.ok(answer.id, JSON.stringify(answer));
	const message = discord.lastFromBot();
	await message.getByRole("heading", { name: "Head" }).waitFor();
	for (const [tag, text] of [["strong", "b"], ["u", "u"], ["s", "s"], ["code", "c"], ["blockquote", "quote"], ["ul li", "item"], [".embed-title", "Report"], [".embed em", "green"], [".field-name", "Tests"]])
		assert.equal((await message.locator(tag).first().innerText()).trim(), text);
	assert.ok(await message.getByRole("button", { name: "Drop" }).isDisabled());
	await message.getByRole("button", { name: "Merge" }).waitFor();
});

test("everything can be done from the keyboard", async () => {
	await page.reload();
	await page.waitForSelector("body[data-ready]");
	await page.keyboard.press("Tab");
	assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the chats");
	await page.keyboard.press("Enter");
	const seen = new Set();
	for (let i = 0; i < 60 && !seen.has("Message on Telegram"); i++) {
		await page.keyboard.press("Tab");
		seen.add(await page.evaluate(() => document.activeElement.getAttribute("aria-label") || document.activeElement.className));
	}
	assert.ok(seen.has("Write on Telegram as") && seen.has("chat"), [...seen].join());
	await page.keyboard.type("typed only");
	await page.keyboard.press("Shift+Enter");
	await page.keyboard.type("on two lines");
	await page.keyboard.press("Enter");
	const mine = telegram.node.locator("li.own", { hasText: "typed only\non two lines" });
	await mine.waitFor();
	await mine.focus();
	await page.keyboard.press("ArrowUp");
	await page.keyboard.press("ArrowDown");
	assert.ok(await mine.evaluate((li) => document.activeElement === li));
	for (let i = 0; i < 9 && !(await page.evaluate(() => document.activeElement.title === "React")); i++) await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await page.keyboard.press("ArrowRight");
	await page.keyboard.press("Enter");
	await mine.locator(".reaction", { hasText: "👎" }).waitFor();
	await telegram.field.focus();
	await page.keyboard.press("ArrowUp");
	assert.match(await telegram.field.inputValue(), /typed only/);
	await page.keyboard.press("Escape");
	assert.equal(await telegram.field.inputValue(), "");
});

test("a reaction goes to the message that it was chosen for, whatever moves below the pointer", async () => {
	for (const text of ["the one meant", "another one"]) await telegram.say(text);
	const [meant, other] = ["the one meant", "another one"].map((hasText) => telegram.node.locator("li.own", { hasText }));
	await telegram.tool(meant, "React");
	const dialog = page.getByRole("dialog", { name: "Choose a reaction" });
	await dialog.waitFor();
	await other.hover({ force: true }); // or the list moves
	await dialog.getByRole("button", { name: "fire" }).press("Enter");
	await telegram.node.locator('.reaction[aria-pressed="true"]', { hasText: "🔥" }).waitFor();
	assert.equal(await meant.locator(".reaction").count(), 1);
	assert.equal(await other.locator(".reaction").count(), 0);
});

test("what happens while a chat loads is there afterwards", async () => {
	const chat = "-1001", loads = new RegExp(`/control/transcript\\?.*chat=${chat}\\b`);
	let held = 0, release;
	const shown = new Promise((resolve) => { release = resolve; });
	await page.route(loads, async (route) => {
		if (held++) return shown.then(() => route.continue()); // a later one cannot mend what the first has lost
		const response = await route.fetch(); // it comes after what follows, and without it
		await rig.control("say", { platform: "telegram", chat, user: "ann", text: "meanwhile" });
		await telegram.node.locator("button.chat", { hasText: "meanwhile" }).waitFor();
		await route.fulfill({ response });
	});
	await telegram.node.getByRole("button", { name: "Add a person" }).click(); // loads all chats
	await page.getByRole("textbox", { name: "Name of the person" }).fill("eve");
	const loaded = page.waitForResponse((r) => loads.test(r.url()));
	await page.keyboard.press("Enter");
	await (await loaded).finished();
	await telegram.openChat("Ops");
	await telegram.node.locator(".messages > li", { hasText: "meanwhile" }).waitFor();
	release();
	await page.unrouteAll({ behavior: "wait" });
	assert.ok(held);
	await telegram.node.getByLabel("Write on Telegram as").selectOption("ann");
});

test("a request whose body is no JSON keeps nothing from the page", async () => {
	const context = await rig.browser.newContext(), other = await context.newPage(), pane = new PaneDriver(other, "telegram"), errors = [];
	const say = (text) => rig.control("say", { platform: "telegram", chat: "-1001", user: "ann", text });
	const wrong = () => fetch(`${rig.url}/v1/chat/completions`, { method: "POST", body: "{", headers: { Authorization: "Bearer sk-key" } });
	const shown = (hasText) => pane.node.locator(".messages > li", { hasText }).waitFor();
	let begun, release;
	const begins = new Promise((resolve) => { begun = resolve; }), released = new Promise((resolve) => { release = resolve; });
	other.on("pageerror", (e) => errors.push(String(e)));
	await other.route(/\/control\/transcript\?/, async (route) => {
		const response = await route.fetch(); // it knows nothing of what follows
		begun();
		await released;
		await route.fulfill({ response });
	});
	await other.goto(rig.url);
	await begins;
	await wrong();
	await say("while it loads");
	await page.locator(".pane.telegram button.chat", { hasText: "while it loads" }).waitFor(); // the other one has heard of it, too
	release();
	await other.waitForSelector("body[data-ready]");
	await pane.openChat("Ops");
	await shown("while it loads");
	await wrong();
	await say("when it has loaded");
	await shown("when it has loaded");
	assert.deepEqual(errors, []);
	await context.close();
});

test("the menu of commands stays when the field is left and entered again", async () => {
	const commands = [{ command: "whoami", description: "Who you are" }];
	assert.ok((await botCall(`/telegram/bot${telegramToken}/setMyCommands`, "", { commands })).ok);
	await page.reload();
	await page.waitForSelector("body[data-ready]");
	await telegram.field.fill("/who");
	const option = telegram.node.getByRole("option", { name: "/whoami" });
	await option.waitFor();
	await telegram.field.evaluate(async (field) => {
		field.blur();
		field.focus();
		await new Promise((resolve) => setTimeout(resolve, 200)); // later than what the field had set up
	});
	assert.ok(await option.isVisible());
	await telegram.field.fill("");
});

test("a reload keeps who writes, what is open, what was being written, and the theme", async () => {
	await telegram.node.getByLabel("Write on Telegram as").selectOption("bea");
	await telegram.openChat("Forum");
	await telegram.openThread("Releases");
	await telegram.field.fill("half a thought");
	await page.getByRole("button", { name: /^Theme/ }).click();
	await page.getByRole("button", { name: "Theme: light" }).click();
	await page.reload();
	await page.waitForSelector("body[data-ready]");
	assert.equal(await telegram.node.getByLabel("Write on Telegram as").inputValue(), "bea");
	assert.equal(await telegram.node.getByRole("heading", { level: 3 }).innerText(), "Releases");
	assert.equal(await telegram.field.inputValue(), "half a thought");
	await page.getByRole("button", { name: "Theme: dark" }).waitFor();
});

test("in the dark and in the light every text is legible, and every control has a name", async () => {
	for (const theme of ["dark", "system"]) {
		const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
		assert.equal(theme === "dark", back === "rgb(11, 13, 16)", back);
		for (const view of ["Model", "Requests", "Faults", "Gateway"]) {
			await page.getByRole("tab", { name: view }).click();
			assert.deepEqual(await contrastProblems(page), []);
			assert.deepEqual(await nameProblems(page), []);
		}
		await page.screenshot({ path: join(artefacts, `page-${theme}.png`) });
		await page.getByRole("button", { name: /^Theme/ }).click();
	}
});

test("without a gateway the page says so in a plain sentence", async () => {
	for (const view of ["Ledger", "Gateway"]) {
		await page.getByRole("tab", { name: view }).click();
		await page.getByText("This playground was given no gateway.").filter({ visible: true }).waitFor();
	}
});

test("landmarks and roles tell the parts of the page", async () => {
	for (const role of ["banner", "main", "complementary"]) assert.equal(await page.getByRole(role).count(), 1, role);
	assert.equal(await page.getByRole("log").count(), 3);
	for (const name of ["Telegram", "Slack", "Discord"]) assert.equal(await page.getByRole("region", { name, exact: true }).count(), 1);
});

test("on a phone the parts are tabs", async () => {
	await page.setViewportSize({ width: 390, height: 780 });
	await page.getByRole("navigation", { name: "Parts of the page" }).getByRole("button", { name: "Slack" }).click();
	assert.ok(await slack.field.isVisible());
	assert.ok(!(await telegram.field.isVisible()));
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
	await page.getByRole("navigation", { name: "Parts of the page" }).getByRole("button", { name: "Inside" }).click();
	await page.getByRole("tab", { name: "Requests" }).waitFor();
	await page.setViewportSize({ width: 1280, height: 800 });
	assert.ok(await telegram.field.isVisible() && await discord.field.isVisible());
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});

test("the browser had nothing to complain of", () => {
	assert.deepEqual(page.problems.filter((p) => !p.includes("TrustedHTML")), []);
});
