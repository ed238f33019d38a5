// The gateway's MCP client with servers that others wrote: the reference servers from npm, and one built on version 2 of the SDK.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, openSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 60000;
const here = import.meta.dirname;
const dir = mkdtempSync(join(here, "data-"));
const config = join(dir, "myna.conf");
const modules = join(here, "node_modules");
const files = join(dir, "files");
const everything = join(here, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const filesystem = join(here, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
const v2 = join(here, "mcp_server.mjs");
const children = [];
let gateway, port, everythingHttp;

// Its standard output, until it says a line that has the text.
function start(args, env, text, stream) {
	const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
	children.push(child);
	child[stream === "stdout" ? "stderr" : "stdout"].resume();
	return new Promise((resolve, reject) => {
		createInterface(child[stream]).on("line", (line) => line.includes(text) && resolve({ child, line }));
		child.once("exit", () => reject(new Error(`${args} ended`)));
	});
}

async function startHttp(...more) {
	const { line } = await start([v2, "http", ...more], {}, "listening on", "stdout");
	return line.split(" ").pop();
}

async function startEverything() {
	everythingHttp = (await start([everything, "streamableHttp"], { PORT: port }, "listening", "stderr")).child;
}

function freePort() {
	return new Promise((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address();
			server.close(() => resolve(port));
		});
	});
}

function myna(...args) {
	return new Promise((resolve) => {
		execFile(process.env.MYNA, ["-c", config, ...args], { maxBuffer: 1 << 24 }, (error, stdout) => resolve(stdout));
	});
}

async function call(tool, args = {}) {
	return JSON.parse(await myna("tool", "run", tool, JSON.stringify(args)));
}

async function servers() {
	const status = await myna("status", "--json");
	return status ? Object.fromEntries(JSON.parse(status).mcp.map((s) => [s.name, s])) : {};
}

async function until(condition, what) {
	for (const due = Date.now() + PATIENCE_MS; Date.now() < due; await sleep(100)) {
		const value = await condition();
		if (value)
			return value;
	}
	throw new Error(`${what} did not happen:\n${readFileSync(join(dir, "log"))}`);
}

const isReady = (name) => until(async () => (await servers())[name]?.state === "ready", `${name} ready`);

before(async () => {
	port = await freePort();
	const [both, modern] = await Promise.all([startHttp(), startHttp("modern"), startEverything()]);
	const list = {
		every: `command = ["${process.execPath}", "${everything}", "stdio"]; read = ["${modules}"]`,
		files: `command = ["${process.execPath}", "${filesystem}", "${files}"]; read = ["${modules}"]`,
		chats: `command = ["${process.execPath}", "${filesystem}", "."]; read = ["${modules}"]; files = true`,
		http: `url = "http://127.0.0.1:${port}/mcp"`,
		modern: `command = ["${process.execPath}", "${v2}", "stdio", "modern"]; read = ["${modules}"]; timeout = "2 s"`,
		modern_http: `url = "http://127.0.0.1:${modern}/mcp"`,
		both_http: `url = "http://127.0.0.1:${both}/mcp"`,
	};
	const text = Object.entries(list).map(([name, settings]) => `${name}: { ${settings}; };`).join("\n");
	writeFileSync(config, `state = "${dir}/state";\ntools: { mcp_servers: { ${text} }; };\n`, { mode: 0o600 });
	// Servers of root's gateway run as nobody.
	chmodSync(dir, 0o755);
	mkdirSync(files);
	writeFileSync(join(files, "a.txt"), "from a file\n");
	gateway = spawn(process.env.MYNA, ["-c", config, "run"], { stdio: ["ignore", "ignore", openSync(join(dir, "log"), "w")] });
	for (const name of Object.keys(list))
		await isReady(name);
});

after(async () => {
	const pids = Object.values(await servers()).filter((s) => s.pid).map((s) => s.pid);
	gateway.kill("SIGTERM");
	const code = await new Promise((resolve) => gateway.once("exit", resolve));
	for (const child of children)
		child.kill("SIGKILL");
	assert.equal(code, 0);
	assert.equal(pids.length, 4);
	for (const pid of pids)
		assert.throws(() => process.kill(pid, 0), `server ${pid} is left`);
});

test("each server is spoken to in its own era", async () => {
	const now = await servers();
	for (const name of ["every", "files", "http"])
		assert.equal(now[name].protocol, "2025-11-25");
	for (const name of ["modern", "modern_http", "both_http"]) {
		assert.equal(now[name].protocol, "2026-07-28");
		assert.equal(now[name].server, "sdk-v2 1.0.0");
	}
});

test("server-everything answers over stdio and over HTTP", async () => {
	for (const name of ["every", "http"]) {
		assert.deepEqual(await call(`${name}__echo`, { message: "hello" }), { content: "Echo: hello" });
		const image = await call(`${name}__get-tiny-image`);
		assert.match(image.content, /\[image: image\/png, \d+ bytes, not shown\]/);
		const weather = await call(`${name}__get-structured-content`, { location: "Chicago" });
		assert.equal(typeof weather.structured.temperature, "number");
	}
});

test("server-filesystem reads within its folder and refuses beyond", async () => {
	assert.equal((await call("files__read_text_file", { path: join(files, "a.txt") })).content, "from a file\n");
	const refused = await call("files__read_text_file", { path: "/etc/passwd" });
	assert.equal(refused.error_code, "TOOL_FAILED");
	assert.match(refused.error, /outside allowed directories/);
});

test("server-filesystem with files works in its folder and sees no other", async () => {
	const workspace = join(dir, "state/workspace"), path = join(workspace, "b.txt");
	await call("chats__write_file", { path, content: "new\n" });
	assert.equal(readFileSync(path, "utf8"), "new\n");
	assert.equal((await call("chats__read_text_file", { path: "b.txt" })).content, "new\n");
	assert.equal((await call("chats__read_text_file", { path: join(files, "a.txt") })).error_code, "TOOL_FAILED");
	assert.equal((await servers()).chats.processes, 1);
});

test("modern servers answer, and get the headers that they want", async () => {
	for (const name of ["modern", "modern_http", "both_http"]) {
		assert.deepEqual((await call(`${name}__add`, { a: 1, b: 2 })).structured, { sum: 3 });
		for (const region of ["Zürich", "=?base64?eA==?="])
			assert.equal((await call(`${name}__where`, { region })).content, `in ${region}`);
	}
});

test("a tool that is added while it runs is there soon", async () => {
	await call("modern__grow");
	await until(async () => (await call("modern__grown")).content === "here", "the new tool");
});

test("a call that takes too long is cancelled", async () => {
	assert.equal((await call("modern__wait")).error_code, "TOOL_TIMEOUT");
	await until(() => readFileSync(join(dir, "log"), "utf8").includes("wait was cancelled"), "the cancel");
});

test("a killed server is started again", async () => {
	const { pid, starts } = (await servers()).files;
	process.kill(pid, "SIGKILL");
	await until(async () => (await servers()).files.starts > starts, "the restart");
	await isReady("files");
	assert.equal((await call("files__read_text_file", { path: join(files, "a.txt") })).content, "from a file\n");
});

test("a session that is lost begins anew within the call", async () => {
	everythingHttp.kill("SIGKILL");
	await startEverything();
	assert.deepEqual(await call("http__echo", { message: "again" }), { content: "Echo: again" });
});
