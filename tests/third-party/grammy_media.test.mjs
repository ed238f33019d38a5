// Files both ways: grammY's multipart bodies, and downloads of what people send.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { GrammyError, InputFile, InputMediaBuilder } from "grammy";
import { Playground } from "./playground.mjs";

// The smallest PNG there is: one pixel.
const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const playground = new Playground();
let bot, offset = 0;

before(() => playground.start());
after(() => playground.stop());
beforeEach(async () => {
	await playground.control("reset", {});
	await playground.settings({ limits: false });
	bot = playground.bot();
	await playground.say("hello", { user: "77" });
	await messages();
});

// What people have sent since the last call.
async function messages() {
	const updates = await bot.api.getUpdates({ offset, timeout: 5 });
	offset = updates.at(-1).update_id + 1;
	return updates.map((update) => update.message);
}

async function download(file_id) {
	const file = await bot.api.getFile(file_id);
	const answer = await fetch(`${playground.url}/telegram/file/bot${bot.token}/${file.file_path}`);
	assert.equal(answer.status, 200);
	return Buffer.from(await answer.arrayBuffer());
}

function refused(code, description) {
	return (error) => error instanceof GrammyError && error.error_code === code && description.test(error.description);
}

test("a photo is uploaded from memory", async () => {
	const sent = await bot.api.sendPhoto(77, new InputFile(png, "dot.png"),
		{ caption: "<b>a</b> dot", parse_mode: "HTML", has_spoiler: true });
	assert.equal(sent.caption, "a dot");
	assert.equal(sent.photo.at(-1).width, 1);
	assert.equal(sent.has_media_spoiler, true);
	assert.deepEqual(await download(sent.photo.at(-1).file_id), png);
	const again = await bot.api.sendPhoto(77, sent.photo.at(-1).file_id);
	assert.equal(again.photo.at(-1).file_size, png.length);
	await assert.rejects(bot.api.sendPhoto(77, new InputFile(Buffer.from("text"), "a.png")), refused(400, /IMAGE_PROCESS_FAILED/));
	await assert.rejects(bot.api.sendPhoto(77, "AgACAgIAAx"), refused(400, /wrong file identifier\/HTTP URL specified/));
	await assert.rejects(bot.api.sendPhoto(77, new InputFile(Buffer.alloc(0), "a.png")), refused(400, /file must be non-empty/));
});

test("every kind of file is uploaded under its own name", async () => {
	const content = Buffer.from(Array.from({ length: 5000 }, (_, i) => i % 256)), file = () => new InputFile(content, "näme.bin");
	const kinds = {
		document: await bot.api.sendDocument(77, file(), { reply_markup: { inline_keyboard: [[{ text: "a", callback_data: "b" }]] } }),
		audio: await bot.api.sendAudio(77, file(), { duration: 3, title: "t", performer: "p" }),
		voice: await bot.api.sendVoice(77, file(), { duration: 4 }),
		video: await bot.api.sendVideo(77, file(), { duration: 5, width: 640, height: 480, supports_streaming: true }),
		video_note: await bot.api.sendVideoNote(77, file(), { length: 240 }),
		animation: await bot.api.sendAnimation(77, file()),
		sticker: await bot.api.sendSticker(77, file()),
	};
	for (const [kind, sent] of Object.entries(kinds)) {
		assert.equal(sent[kind].file_size, content.length, kind);
		assert.deepEqual(await download(sent[kind].file_id), content);
	}
	assert.equal(kinds.document.document.file_name, "näme.bin");
	assert.equal(kinds.document.reply_markup.inline_keyboard[0][0].callback_data, "b");
	assert.equal(kinds.video.video.width, 640);
	assert.deepEqual(await playground.problems(), []);
});

test("an album goes out together, and only what fits together", async () => {
	const album = await bot.api.sendMediaGroup(77, [
		InputMediaBuilder.photo(new InputFile(png, "a.png"), { caption: "*both*", parse_mode: "MarkdownV2" }),
		InputMediaBuilder.video(new InputFile(png, "b.mp4")),
	]);
	assert.equal(album.length, 2);
	assert.ok(album[0].media_group_id);
	assert.equal(album[0].media_group_id, album[1].media_group_id);
	assert.equal(album[0].caption, "both");
	assert.deepEqual(await download(album[1].video.file_id), png);
	const mixed = [InputMediaBuilder.photo(album[0].photo.at(-1).file_id), InputMediaBuilder.document(new InputFile(png, "c"))];
	await assert.rejects(bot.api.sendMediaGroup(77, mixed), refused(400, /document can't be mixed with other media types/));
	const many = Array.from({ length: 11 }, () => InputMediaBuilder.photo(album[0].photo.at(-1).file_id));
	await assert.rejects(bot.api.sendMediaGroup(77, many), refused(400, /too many messages to send as an album/));
});

test("what a person sends can be fetched", async () => {
	await playground.say("see", { user: "77", files: [
		{ name: "a.png", kind: "photo", base64: png.toString("base64") },
		{ name: "b.png", kind: "photo", base64: png.toString("base64") },
	] });
	await playground.say("", { user: "77", files: [{ name: "v.oga", kind: "voice", base64: "AAE=", duration: 2 }] });
	await playground.say("", { user: "77", location: { latitude: 52.5, longitude: 13.4 } });
	const [first, second, voice, place] = await messages();
	assert.equal(first.caption, "see");
	assert.equal(second.caption, undefined);
	assert.equal(first.media_group_id, second.media_group_id);
	assert.deepEqual(await download(second.photo.at(-1).file_id), png);
	assert.equal(voice.voice.duration, 2);
	assert.deepEqual(await download(voice.voice.file_id), Buffer.from([0, 1]));
	assert.equal(place.location.latitude, 52.5);
});

test("files above 20 MB cannot be fetched", async () => {
	await playground.say("", { user: "77", files: [{ name: "large.iso", size: (20 << 20) + 1 }] });
	const [message] = await messages();
	assert.equal(message.document.file_size, (20 << 20) + 1);
	await assert.rejects(bot.api.getFile(message.document.file_id), refused(400, /^Bad Request: file is too big$/));
});

test("a caption is edited as a caption", async () => {
	const sent = await bot.api.sendDocument(77, new InputFile(png, "a.png"), { caption: "one" });
	const edited = await bot.api.editMessageCaption(77, sent.message_id, { caption: "two" });
	assert.equal(edited.caption, "two");
	await assert.rejects(bot.api.editMessageText(77, sent.message_id, "x"), refused(400, /there is no text in the message to edit/));
	await assert.rejects(bot.api.editMessageCaption(77, sent.message_id, { caption: "x".repeat(1025) }),
		refused(400, /message caption is too long/));
});
