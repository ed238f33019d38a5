// The pictures of the README, in the folder that is named: what stands still, and what moves.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { artefacts, PaneDriver, Rig } from "./rig.mjs";

const folder = process.argv[2];
const panes = (page) => ["telegram", "slack", "discord"].map((name) => new PaneDriver(page, name));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Looks at the page again and again while act() lasts, and makes an animated WebP of that.
class Film {
	constructor(page, name) {
		this.page = page;
		this.name = name;
		this.frames = [];
	}

	async record(act) {
		const dir = join(artefacts, this.name);
		mkdirSync(dir, { recursive: true });
		let over = false;
		const looking = (async () => {
			for (let last; !over; await pause(60)) {
				const path = join(dir, `${this.frames.length}.png`), image = await this.page.screenshot({ path, caret: "initial" });
				// The same picture once more only lasts longer.
				if (!last?.equals(image)) this.frames.push({ path, at: Date.now() });
				last = image;
			}
			this.end = Date.now();
		})();
		try {
			await act();
		} finally {
			over = true;
			await looking;
		}
		const frames = this.frames.flatMap(({ path, at }, i) => ["-d", String((this.frames[i + 1]?.at ?? this.end) - at), path]);
		execFileSync("img2webp", ["-loop", "0", "-min_size", ...frames, "-o", join(folder, `${this.name}.webp`)], { stdio: ["ignore", "ignore", "inherit"] });
		rmSync(dir, { recursive: true });
	}
}

// As a person types.
async function type(pane, text) {
	await pane.field.pressSequentially(text, { delay: 45 });
	await pause(300);
	await pane.field.press("Enter");
}

// All three platforms in use, with the model's requests beside them.
async function still(rig) {
	const page = await rig.open({ viewport: { width: 1680, height: 830 } });
	const [telegram, slack, discord] = panes(page);
	const as = (pane, label, name) => pane.node.getByLabel(`Write on ${label} as`).selectOption(name);
	await telegram.say("read notes.txt");
	await telegram.hears("Ann signs");
	await telegram.tool(telegram.lastFromBot(), "React");
	await page.getByRole("dialog").getByRole("button", { name: "thumbs up" }).click();
	await slack.openChat("release");
	await as(slack, "Slack", "bea");
	await slack.say("Release 1.4 is tagged. :tada:");
	await as(slack, "Slack", "ann");
	await slack.say("@bot tell everyone that release 1.4 is out");
	await slack.node.locator(".replies").first().waitFor();
	await slack.say("@bot markdown sample");
	await slack.node.locator(".replies").nth(1).click();
	await slack.hears("A quotation");
	await discord.openChat("builds");
	await discord.hears("release 1.4 is out");
	await as(discord, "Discord", "cem");
	await discord.say("Great! @myna what is 17*23");
	await discord.hears("391");
	await discord.tool(discord.lastFromBot(), "React");
	await page.getByRole("dialog").getByRole("button", { name: "party" }).click();
	await discord.say("@myna count to 12");
	await telegram.say("tell ops that the build is green");
	await telegram.hears("To ops");
	await telegram.say("count to 40");
	await page.waitForTimeout(3500);
	await page.locator("#view-model .row", { hasText: "read notes.txt" }).locator(":scope > summary").click();
	await page.getByRole("tab", { name: "Model" }).focus();
	await page.mouse.move(840, 20);
	await page.locator("body").evaluate(() => document.activeElement.blur());
	await page.screenshot({ path: join(folder, "playground.png") });
	await page.context().close();
}

// The gateway is killed in the middle of an answer, and the answer comes nevertheless, once.
async function kill(rig) {
	const page = await rig.open({ viewport: { width: 720, height: 600 } });
	const [telegram] = panes(page), button = page.getByRole("button", { name: "Kill -9", exact: true });
	await new Film(page, "kill").record(async () => {
		await pause(600);
		await type(telegram, "count to 20");
		await telegram.node.locator(".growing", { hasText: "7" }).waitFor();
		await button.hover();
		await pause(400);
		await button.click();
		await page.locator("#banner").filter({ hasText: ", resumed, nothing lost, nothing twice." }).waitFor();
		await pause(4000);
	});
	await page.context().close();
}

// A person on one platform, and everybody on the others hears of it.
async function platforms(rig) {
	const page = await rig.open({ viewport: { width: 1240, height: 600 } });
	const [telegram, slack, discord] = panes(page);
	await telegram.openChat("Ops");
	await slack.openChat("release");
	await discord.openChat("builds");
	await new Film(page, "platforms").record(async () => {
		await pause(600);
		await type(slack, "@bot tell everyone that release 1.4 is out");
		await telegram.hears("release 1.4 is out");
		await discord.hears("release 1.4 is out");
		await pause(1500);
		await type(discord, "@myna count to 12");
		await discord.hears("12.");
		await pause(500);
		await type(telegram, "@myna_bot what is 17*23");
		await telegram.hears("391");
		await pause(3500);
	});
	await page.context().close();
}

for (const picture of [still, kill, platforms]) {
	const rig = new Rig();
	try {
		await rig.start();
		await picture(rig);
	} finally {
		await rig.stop();
	}
}
