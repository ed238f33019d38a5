// What the conformance suite runs as the client: a gateway whose only MCP server is the suite's, told by its URL. Each tool
// is called once, or as the scenario's context says.
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const dir = mkdtempSync(join(tmpdir(), "conformance-")), config = join(dir, "myna.conf");
const calls = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}").toolCalls;
const url = process.argv.at(-1).replace("localhost", "127.0.0.1");
const samples = { string: "text", number: 5, integer: 5, boolean: true, array: [], object: {} };

function myna(...args) {
	return new Promise((resolve) => {
		execFile(process.env.MYNA, ["-c", config, ...args], { maxBuffer: 1 << 24 }, (error, stdout) => resolve(stdout));
	});
}

function sample(schema) {
	const required = Object.entries(schema?.properties ?? {}).filter(([name]) => schema.required?.includes(name));
	return Object.fromEntries(required.map(([name, { type }]) => [name, samples[type] ?? "text"]));
}

writeFileSync(config, `state = "${dir}/state";\ntools: { mcp_servers: { s: { url = "${url}"; }; }; };\n`, { mode: 0o600 });
const gateway = spawn(process.env.MYNA, ["-c", config, "run"], { stdio: ["ignore", "ignore", openSync(join(dir, "log"), "w")] });
let server;
for (const due = Date.now() + 120000; Date.now() < due && server?.state !== "ready"; await sleep(50))
	server = JSON.parse((await myna("status", "--json")) || "{}").mcp?.[0];
console.log(JSON.stringify(server));
const tools = JSON.parse((await myna("tool", "list", "--json")) || "[]");
const offered = tools.filter(({ name }) => name.startsWith("s__"));
const own = offered.map(({ name, parameters }) => ({ name: name.slice(3), arguments: sample(parameters) }));
for (const { name, arguments: args } of calls ?? own) {
	// One scenario wants the schema of its other tool back.
	if (name === "json_schema_echo")
		args.schema = offered.find((tool) => tool.name !== "s__json_schema_echo").parameters;
	console.log(name, await myna("tool", "run", `s__${name}`, JSON.stringify(args)));
}
gateway.kill("SIGTERM");
await new Promise((resolve) => gateway.once("exit", resolve));
rmSync(dir, { recursive: true });
