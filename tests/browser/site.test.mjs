// The site that docs/site/make.sh makes: opened as files, without a server and without the network.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { contrastProblems, nameProblems } from "./access.mjs";
import { artefacts, PATIENCE } from "./rig.mjs";

const site = mkdtempSync(join(tmpdir(), "myna-site-"));
let browser, page, problems, asked;

async function open(path, options = {}) {
	await page?.context().close();
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: "light", ...options });
	page = await context.newPage();
	page.setDefaultTimeout(PATIENCE);
	problems = [];
	asked = [];
	page.on("pageerror", (e) => problems.push(String(e)));
	page.on("console", (m) => ["error", "warning"].includes(m.type()) && problems.push(m.text()));
	page.on("request", (r) => asked.push(r.url()));
	await page.goto(pathToFileURL(join(site, path)).href);
}

before(async () => {
	execFileSync(join(process.env.MYNA_SOURCE, "docs/site/make.sh"), [site]);
	browser = await chromium.launch({ executablePath: process.env.MYNA_CHROMIUM, chromiumSandbox: false });
});
afterEach(async (t) => {
	if (page) await page.screenshot({ path: join(artefacts, `site-${t.name.replaceAll(/\W+/g, "-")}.png`) });
});
after(async () => {
	await browser?.close();
	rmSync(site, { recursive: true, force: true });
});

const pages = () => readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html"));
const marks = new Map();
function hasMark(file, mark) {
	if (!marks.has(file)) marks.set(file, new Set([...readFileSync(file, "utf8").matchAll(/ id="([^"]*)"/g)].map((m) => m[1])));
	return marks.get(file).has(mark);
}

test("every link and picture of every page leads somewhere", () => {
	const broken = [];
	let links = 0;
	for (const name of pages()) {
		for (const [, target] of readFileSync(join(site, name), "utf8").matchAll(/ (?:href|src)="([^"]*)"/g)) {
			if (/^(https?|mailto):/.test(target)) continue;
			const url = new URL(target.replaceAll("&amp;", "&"), pathToFileURL(join(site, name))), file = fileURLToPath(url.origin === "null" ? url.href.replace(/#.*/, "") : url);
			links++;
			if (!existsSync(file) || !statSync(file).isFile() || (url.hash && !hasMark(file, decodeURIComponent(url.hash.slice(1))))) broken.push(`${name}: ${target}`);
		}
	}
	assert.deepEqual(broken, []);
	assert.ok(links > 1000, `only ${links} links`);
});

test("every page of the sources is there", () => {
	const sources = ["", "docs", "docs/recipes"].flatMap((folder) => readdirSync(join(process.env.MYNA_SOURCE, folder)).filter((name) => name.endsWith(".md")).map((name) => join(folder, name)));
	const made = pages();
	assert.deepEqual(sources.filter((name) => !made.includes(name.replace(/README\.md$/, "index.md").replace(/md$/, "html"))), []);
});

test("the search finds a section by its words and leads to it", async () => {
	await open("docs/recipes/team-slack.html");
	await page.keyboard.press("/");
	await page.keyboard.type("dead letters");
	const first = page.locator("#found a").first();
	await first.locator("b", { hasText: "Dead letters" }).waitFor();
	assert.match(await first.textContent(), /dead/i);
	await page.keyboard.press("Enter");
	await page.waitForURL(/docs\/administration\.html#dead-letters$/);
	assert.ok(await page.locator("#dead-letters").isVisible());
	await page.locator("#query").fill("xyzzyplugh");
	await page.getByText("Nothing is found.").waitFor();
	await page.keyboard.press("Escape");
	assert.ok(await page.locator("#found").isHidden());
	assert.deepEqual(problems, []);
});

test("nothing is asked of another host", async () => {
	for (const name of ["index.html", "docs/index.html", "docs/playground.html"]) {
		await open(name);
		assert.deepEqual(asked.filter((url) => !url.startsWith("file:")), []);
		assert.deepEqual(problems, []);
		assert.ok(await page.evaluate(() => [...document.images].every((i) => i.complete && i.naturalWidth > 0)));
	}
});

test("a phone in the dark shows a page in its width", async () => {
	for (const name of ["index.html", "docs/configuration.html", "docs/architecture.html", "docs/recipes/ollama-small.html"]) {
		await open(name, { viewport: { width: 360, height: 740 }, colorScheme: "dark", isMobile: true });
		assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, name);
		assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(20, 24, 28)");
		assert.ok(!await page.locator(".pages nav").isVisible());
	}
	await page.getByText("Pages", { exact: true }).click();
	await page.locator(".pages nav").getByRole("link", { name: "budgets" }).click();
	await page.waitForURL(/docs\/budgets\.html$/);
});

test("all of it can be read and has names, in the light and in the dark", async () => {
	for (const colorScheme of ["light", "dark"]) {
		await open("docs/external-tools.html", { colorScheme });
		await page.locator("#query").fill("sandbox");
		await page.locator("#found a").first().waitFor();
		assert.deepEqual(await contrastProblems(page), []);
		assert.deepEqual(await nameProblems(page), []);
	}
});
