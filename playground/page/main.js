import { h, notice } from "./dom.js";
import { feed } from "./feed.js";
import { Inside } from "./inside.js";
import { Pane } from "./pane.js";
import { platforms } from "./platforms.js";
import { save, saved } from "./saved.js";
import { seed } from "./seed.js";
import { world } from "./world.js";

const panes = platforms.map((p) => new Pane(p));
const inside = new Inside(document.getElementById("inside"));

// On narrow screens one part shows at a time; on wide ones the tabs are not there.
function buildTabs() {
	const nav = document.getElementById("tabs"), parts = [...platforms.map((p) => [p.name, p.label]), ["inside", "Inside"]];
	nav.append(...parts.map(([name, label]) => h("button", { type: "button", "data-tab": name, onclick: () => showTab(name) }, label)));
}

function showTab(name) {
	saved.tab = name;
	save();
	document.body.dataset.tab = name;
	for (const b of document.querySelectorAll("#tabs button")) b.setAttribute("aria-pressed", String(b.dataset.tab === name));
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

function showLive(state) {
	const live = document.getElementById("live");
	live.dataset.state = state;
	live.textContent = { live: "live", polling: "live", lost: "connection lost, trying again…" }[state] || "connecting…";
}

// Telegram shows what a bot answers to a press above the chat.
function showAnswered(request) {
	const body = typeof request.body === "string" ? JSON.parse(request.body) : request.body;
	if (request.method === "answerCallbackQuery" && body?.text) notice(body.text);
}

async function start() {
	if (saved.inside === null) saved.inside = innerWidth >= 1500;
	buildTabs();
	showTab(saved.tab);
	showTheme();
	showInside();
	document.getElementById("theme").onclick = nextTheme;
	document.getElementById("inside-switch").onclick = () => {
		saved.inside = !saved.inside;
		save();
		showInside();
	};
	document.getElementById("panes").append(...panes.map((p) => p.node));
	feed.onstate = showLive;
	feed.onload = async () => {
		await world.load();
		if (await seed(world)) await world.load();
		for (const p of panes) p.refresh();
		await inside.load();
		document.body.dataset.ready = "yes";
	};
	feed.onevent = (event) => {
		world.apply(event);
		if (event.type === "request") showAnswered(event.request);
		inside.apply(event);
	};
	world.onchange = (platform, key) => panes.find((p) => p.platform.name === platform)?.changed(key);
	feed.start();
}

start();
