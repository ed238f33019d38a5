// Above each platform stands the node of a cluster that serves it: two real nodes, of which one is killed.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { contrastProblems } from "./access.mjs";
import { artefacts, configuration, PaneDriver, PATIENCE, Rig, stop } from "./rig.mjs";

const build = process.env.MYNA_BUILD, platforms = ["telegram", "slack", "discord"], rig = new Rig(), nodes = new Map();
const database = mkdtempSync("/tmp/myna-browser-"), watched = join(database, "node.sock"); // a short path, where the user of the server may go
const postgres = (command, ...more) => spawnSync(join(process.env.MYNA_SOURCE, "tests/lib/postgres-cluster.sh"), [command, ...more], { stdio: ["ignore", "ignore", "inherit"] }).status;
const missing = postgres("find") === 77 && "PostgreSQL's server is not installed (Debian: postgresql)";

function startNode(name) {
	const file = join(rig.dir, `${name}.conf`), state = join(rig.dir, name), log = openSync(join(artefacts, `node-${name}.log`), "a");
	mkdirSync(state);
	writeFileSync(file, configuration(rig.dir, rig.url, state, `store = { engine = "postgres"; url = "postgresql:///postgres?host=${database}&user=myna"; }; cluster = { node = "${name}"; };`), { mode: 0o600 });
	nodes.set(name, spawn(join(build, "myna"), ["run", "-c", file], { stdio: ["ignore", "ignore", log] }));
}

before(async () => {
	if (missing) return;
	assert.equal(postgres("start", database), 0);
	await rig.start({ gateway: false, watched });
	rig.writeSecrets();
	for (const name of ["anna", "bert"]) startNode(name);
});
after(async () => {
	for (const node of nodes.values()) await stop(node);
	await rig.stop();
	if (!missing) postgres("remove", database);
	rmSync(database, { recursive: true, force: true });
});

// What the page says of each platform.
const shown = (page) => Promise.all(platforms.map((name) => page.locator(`.pane.${name} .node-name`).innerText()));

async function until(page, what, holds) {
	for (const due = Date.now() + PATIENCE; ; await page.waitForTimeout(100)) {
		const names = await shown(page);
		if (holds(names)) return names;
		assert.ok(Date.now() < due, `${what}: ${names}`);
	}
}

test("the page names the node that serves a platform, and another one after a kill", { skip: missing }, async () => {
	const page = await rig.open(); // before there is a node that it can ask
	assert.deepEqual(await shown(page), ["", "", ""]);
	symlinkSync(join(rig.dir, "bert", "control.sock"), watched);
	const shared = await until(page, "both nodes serve something", (names) => ["anna", "bert"].every((node) => names.includes(`served by ${node}`)) && !names.includes("served by no node"));
	assert.deepEqual(await contrastProblems(page), []);
	await page.screenshot({ path: join(artefacts, "cluster.png") });
	nodes.get("anna").kill("SIGKILL");
	await until(page, "bert serves everything", (names) => names.every((name) => name === "served by bert"));
	const pane = new PaneDriver(page, platforms[shared.indexOf("served by anna")]);
	await pane.say("what is 17*23");
	await pane.hears("391");
	assert.deepEqual(page.problems, []);
});
