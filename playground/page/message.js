// One message, drawn into its list item.

import { download } from "./api.js";
import { avatar } from "./chatlist.js";
import { bytes, clock, h, icon, notice, plural } from "./dom.js";
import { link, linkButton } from "./inline.js";
import { niceName } from "./platforms.js";

// Each of these runs from the right if its first letter does.
const TEXTS = ".text:not(.markdown), .markdown :is(p, li, blockquote, th, td), .text :is(li, blockquote), .reply-text, .author, .file-name";
const pictures = new Map(); // blob URLs, by what they show

function where(m, cx, index) {
	return { ...cx.room.chat.where(), message_id: m.id, index: String(index) };
}

async function takeDown(m, cx, index) {
	try {
		const { name, blob } = await download(where(m, cx, index)), url = URL.createObjectURL(blob);
		h("a", { href: url, download: name }).click();
		setTimeout(() => URL.revokeObjectURL(url), 10000);
	} catch (e) { notice(e); }
}

async function picture(img, m, cx, index) {
	const key = `${cx.room.chat.key} ${m.id} ${index} ${m.files[index].size}`;
	try {
		if (!pictures.has(key)) {
			const { blob, name } = await download(where(m, cx, index));
			pictures.set(key, URL.createObjectURL(new Blob([blob], { type: `image/${name.split(".").pop().replace("jpg", "jpeg")}` })));
		}
		img.src = pictures.get(key);
	} catch { img.remove(); }
}

function fileRow(m, f, index, cx) {
	const label = `Download ${f.name}, ${bytes(f.size)}`;
	const row = h("button.file", { type: "button", "aria-label": label, title: label, onclick: () => takeDown(m, cx, index) },
		icon("file"), h("span.file-text", null, h("span.file-name", null, f.name), h("span.file-size", null, bytes(f.size))));
	if (!/\.(png|jpe?g|gif|webp)$/i.test(f.name) || f.size > 4e6) return row;
	const img = h("img.photo", { alt: f.name });
	picture(img, m, cx, index);
	return [img, row];
}

function buttonNode(m, b, cx) {
	if (b.url) return linkButton(b);
	return h("button.press", { type: "button", class: `press ${b.style || ""}`, disabled: Boolean(b.disabled),
		onclick: () => b.act ? cx.room.act(b.act, { message_id: m.id }) : cx.room.press(m, b.id, cx.room.pane.platform.values?.(m)) }, b.label);
}

function reactionPills(m, cx) {
	const { platform, me } = cx.room.pane, by = new Map();
	for (const r of m.reactions || []) {
		const emoji = platform.showReaction(r.emoji), row = by.get(emoji) || by.set(emoji, { names: [], mine: false }).get(emoji);
		row.names.push(niceName(r.from));
		row.mine ||= !r.bot && r.from === me;
	}
	if (!by.size) return null;
	return h("div.reactions", null, [...by].map(([emoji, row]) => h("button.reaction", { type: "button", "aria-pressed": String(row.mine),
		"aria-label": `${emoji} ${row.names.length}, from ${row.names.join(", ")}`, title: row.names.join(", "),
		onclick: () => cx.room.react(m, emoji) }, h("span", null, emoji), h("span.count", null, String(row.names.length)))));
}

function quote(m, cx) {
	if (!m.reply_to || cx.room.pane.platform.repliesInThread) return null;
	const to = cx.replied;
	return h("div.reply-to", null, h("span.reply-name", null, to ? niceName(to.from) : "A message"),
		h("span.reply-text", null, to ? to.deleted ? "deleted" : cx.room.pane.platform.plain(cx.room.chat, to) || to.files[0]?.name || "" : "that is not here"));
}

function threadLink(m, cx) {
	if (!cx.replies) return null;
	return h("button.replies", { type: "button", onclick: () => cx.room.pane.show(cx.room.chat.key, m.id) },
		plural(cx.replies, "reply", "replies"));
}

function serviceText(m) {
	const s = m.service;
	if (s === "thread_created") return `${niceName(m.from)} started a thread: ${m.text}`;
	if (typeof s === "string") return s.replaceAll("_", " ");
	if (s.forum_topic_created) return `${niceName(m.from)} created the topic “${s.forum_topic_created.name}”`;
	if (s.new_chat_title) return `${niceName(m.from)} changed the title to “${s.new_chat_title}”`;
	const [name] = Object.keys(s);
	return `${niceName(m.from)}: ${name.replaceAll("_", " ")}`;
}

function meta(m, cx, own) {
	const at = cx.room.pane.platform.time(m);
	return h("span.meta", null, m.edits && !m.draft ? h("span.edited", null, "edited") : null,
		at ? h("time", { datetime: new Date(at).toISOString() }, clock(at)) : null,
		own ? h("span.ticks", { "aria-hidden": "true" }, "✓✓") : null);
}

// Where a forwarded message is from; Slack and Discord show what it says there, too.
function forwarded(m) {
	const origin = m.extra?.forward_origin, share = (m.attachments || []).find((a) => a.is_share), said = share?.text ?? m.forward;
	const who = share?.author_name || origin?.sender_user?.first_name || origin?.sender_user_name || (origin?.chat || origin?.sender_chat)?.title;
	if (!origin && said === undefined) return null;
	return h("div.reply-to", null, h("span.reply-name", null, who ? `Forwarded from ${niceName(who)}` : "Forwarded"), h("span.reply-text", null, said || ""));
}

// Slack keeps a notice of what was deleted only above a thread; elsewhere, and on the others, it is shown struck out here.
function body(m, cx) {
	if (m.deleted) return [h("p.gone", null, "This message was deleted.")];
	const { platform } = cx.room.pane, names = cx.room.chat.about?.names, button = (b) => buttonNode(m, b, cx);
	const content = platform.body(m, { names, bot: cx.room.chat.about?.bot_name, button, message: m, press: (id, values) => cx.room.press(m, id, values),
		choose: (button, value) => cx.room.act("press", { message_id: m.id, button, value }),
		ask: (button, query) => cx.room.offered({ message_id: m.id }, button, query),
		vote: (answer) => cx.room.act("vote", { message_id: m.id, answer }) });
	return [cx.room.pane.platform.quoteFirst ? null : quote(m, cx), forwarded(m), content, (m.files || []).map((f, i) => fileRow(m, f, i, cx)),
		m.loading ? h("p.gone", null, "is thinking…") : null, extra(m, cx)];
}

function keyboard(m, cx) {
	const rows = m.deleted || cx.stalled ? [] : cx.room.pane.platform.rows(m) || (m.draft ? [m.buttons] : []);
	return rows.length ? h("div.keyboard", null, rows.map((row) => h("div.keyboard-row", null, row.map((b) => buttonNode(m, b, cx))))) : null;
}

// What a message of Telegram is besides text and files.
function extra(m, cx) {
	const { location: at, poll, dice, contact, venue, game, invoice } = m.extra || {};
	const place = at ? link(`https://www.openstreetmap.org/?mlat=${at.latitude}&mlon=${at.longitude}`, `Place: ${at.latitude}, ${at.longitude}`) : null;
	const vote = (o, i) => h("button.press", { type: "button", disabled: poll.is_closed, onclick: () => cx.room.act("vote", { message_id: m.id, answer: i + 1 }) },
		`${o.text}: ${o.voter_count}`);
	if (poll) return h("div.poll", null, h("p", null, poll.question), poll.options.map(vote));
	const text = dice ? `${dice.emoji} ${dice.value}` : contact ? `${contact.first_name} ${contact.phone_number}` : venue ? `${venue.title}, ${venue.address}` :
		game ? `Game: ${game.title}` : invoice ? `${invoice.title}: ${invoice.description}` : null;
	return text ? [h("p", null, text), place] : place;
}

export function drawMessage(li, m, cx) {
	const { me } = cx.room.pane, own = !m.bot && m.from === me, growing = m.draft || (m.streaming && !cx.stalled) || m.loading;
	if (m.service && !m.deleted) {
		li.className = "service";
		li.replaceChildren(h("p", null, serviceText(m)));
		return;
	}
	li.className = ["message", own && "own", m.bot && "from-bot", cx.together && "together", cx.ends && "ends", growing && "growing",
		m.only_for && "only", m.deleted && "deleted"].filter(Boolean).join(" ");
	li.setAttribute("aria-label", `${niceName(m.from)}${m.bot ? ", bot" : ""}`);
	li.replaceChildren(avatar(m.bot ? "bot" : m.from, m.bot), h("article.bubble", null,
		cx.room.pane.platform.quoteFirst && !m.deleted ? quote(m, cx) : null,
		h("div.byline", null, h("span.author", null, niceName(m.from)), m.bot ? h("span.badge", null, "bot") : null, meta(m, cx, own)),
		m.only_for ? h("p.only-note", null, "Only you can see this") : null,
		h("div.body", null, body(m, cx), m.deleted ? null : meta(m, cx, own)),
		keyboard(m, cx), reactionPills(m, cx), threadLink(m, cx)));
	for (const part of li.querySelectorAll(TEXTS)) part.dir = "auto";
	li.querySelector(".author").style.setProperty("--hue", li.firstChild.style.getPropertyValue("--hue"));
}
