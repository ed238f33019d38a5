import { get } from "./api.js";
import { h, notice } from "./dom.js";
import { feed } from "./feed.js";
import { Inside } from "./inside.js";
import { Kill } from "./kill.js";
import { Pane } from "./pane.js";
import { platforms } from "./platforms.js";
import { save, saved } from "./saved.js";
import { seed } from "./seed.js";
import { Steps } from "./steps.js";
import { turns } from "./turns.js";
import { world } from "./world.js";

const panes = platforms.map((p) => new Pane(p));
const inside = new Inside(document.getElementById("inside"), reveal);
const kill = new Kill(reveal, () => steps.done("kill"));
const steps = new Steps({ hello: () => say("Hello!"), kill: () => say("Count to 20"), inside: () => openInside("ledger") });

function paneOf(platform) {
	return panes.find((p) => p.platform.name === platform);
}

// A message in its chat.
function reveal(chat, message) {
	showTab(chat.platform);
	paneOf(chat.platform).reveal(chat, message);
}

// Suggests a text in the private chat of the first platform.
function say(text) {
	const [pane] = panes, own = pane.chats().find((c) => c.kind === "private");
	showTab(pane.platform.name);
	if (!own) return;
	pane.show(own.key);
	pane.room.composer.suggest(text);
}

function openInside(view) {
	saved.inside = true;
	save();
	showInside();
	showTab("inside");
	inside.pick(view);
	inside.focus();
}

// On narrow screens one part shows at a time; on wide ones the tabs are not there.
function buildTabs() {
	const nav = document.getElementById("tabs"), parts = [...platforms.map((p) => [p.name, p.label]), ["inside", "Inside"]];
	nav.append(...parts.map(([name, label]) => h("button", { type: "button", "data-tab": name, onclick: () => showTab(name) }, label, h("span.tab-unread"))));
}

function showUnread() {
	for (const p of panes) {
		const n = p.allUnread(), mark = document.querySelector(`#tabs [data-tab="${p.platform.name}"] .tab-unread`);
		mark.replaceChildren(...n ? [String(n), h("span.hidden", null, " unread")] : []);
	}
}

function showTab(name) {
	saved.tab = name;
	save();
	document.body.dataset.tab = name;
	for (const b of document.querySelectorAll("#tabs button")) b.setAttribute("aria-pressed", String(b.dataset.tab === name));
	paneOf(name)?.refresh();
}

const themes = ["", "light", "dark"], themeNames = { "": "Theme: system", light: "Theme: light", dark: "Theme: dark" };
function showTheme() {
	document.documentElement.dataset.theme = saved.theme;
	document.getElementById("theme").textContent = themeNames[saved.theme];
}

function nextTheme() {
	saved.theme = themes[(themes.indexOf(saved.theme) + 1) % themes.length];
	save();
	showTheme();
}

function showInside() {
	const button = document.getElementById("inside-switch");
	document.body.classList.toggle("with-inside", saved.inside);
	inside.show(saved.inside);
	button.setAttribute("aria-expanded", String(saved.inside));
}

// What a person does here ticks the steps; looking inside is choosing what to see there.
function watchSteps() {
	inside.onlook = () => steps.done("inside");
	for (const p of panes) {
		p.room.composer.onsaid = () => steps.done("hello");
		p.onunread = showUnread;
	}
}

function showLive(state) {
	const live = document.getElementById("live");
	live.dataset.state = state;
	live.textContent = { live: "live", polling: "live", lost: "connection lost, trying again…" }[state] || "connecting…";
}

// Telegram shows what a bot answers to a press above the chat.
function showAnswered({ method, body }) {
	if (method === "answerCallbackQuery" && body?.text) notice(body.text);
}

// Channels move from node to node without an event: a node is asked each second.
let inCluster = false, nextLook = 0;
async function showNodes() {
	let status = null;
	try { ({ status } = await get("gateway/status")); } catch { /* asked again */ }
	inCluster ||= Boolean(status?.cluster);
	if (!inCluster) return;
	for (const p of panes) p.showNode(status);
	clearTimeout(nextLook);
	nextLook = setTimeout(showNodes, 1000);
}

async function start() {
	if (saved.inside === null) saved.inside = innerWidth >= 1500;
	watchSteps();
	buildTabs();
	showTheme();
	showInside();
	document.getElementById("theme").onclick = nextTheme;
	document.getElementById("inside-switch").onclick = () => {
		saved.inside = !saved.inside;
		save();
		showInside();
		if (saved.inside) steps.done("inside");
	};
	document.getElementById("panes").append(...panes.map((p) => p.node));
	document.addEventListener("visibilitychange", () => panes.forEach((p) => p.refresh()));
	showTab(saved.tab);
	feed.onstate = showLive;
	feed.onload = async () => {
		await world.load();
		if (await seed(world)) await world.load();
		for (const p of panes) p.begin();
		await Promise.all([inside.load(), kill.load(), showNodes()]);
		steps.canKill(Boolean(kill.gateway?.supervised));
		document.body.dataset.ready = "yes";
	};
	feed.onevent = (event) => {
		world.apply(event);
		if (event.type === "trace") turns.apply(event);
		if (event.type === "request") showAnswered(event.request);
		inside.apply(event);
		kill.apply(event);
		if (event.type === "gateway" && !inCluster) showNodes();
	};
	world.onchange = (platform, key) => paneOf(platform)?.changed(key);
	feed.start();
}

start();
