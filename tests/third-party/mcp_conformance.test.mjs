// The official conformance suite of the Model Context Protocol, with the gateway as the client, in every version of the
// protocol that a scenario knows.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const here = import.meta.dirname;
const suite = join(here, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const client = `${process.execPath} ${join(here, "mcp_conformance_client.mjs")}`;

// Left out: auth/* (OAuth is not supported), elicitation-* (a person must answer, and a call of the command line has none),
// sep-2640-* (the extension for skills is not supported).
const unsupported = /^(auth\/|elicitation-|sep-2640-)/;
// The tool list has the schemas that a model gets: without what providers refuse at the root of a schema.
const dropped = ["$Schema", "CompositionKeywords", "ConditionalKeywords"].map((what) => `JsonSchema2020_12Client${what}Preserved`);
const expected = { "json-schema-2020-12-preservation": dropped };

function run(...args) {
	return new Promise((resolve) => {
		execFile(process.execPath, [suite, ...args], { timeout: 300000, maxBuffer: 1 << 24 }, (error, stdout, stderr) =>
			resolve({ code: error ? 1 : 0, text: stdout + stderr }));
	});
}

const { text } = await run("list");
const list = text.slice(text.indexOf("Client scenarios"), text.indexOf("Authorization server scenarios"));
const scenarios = [...list.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)].filter(([, name]) => !unsupported.test(name));

test("the suite has the scenarios that the gateway passes", () => {
	for (const name of ["initialize", "tools_call", "sse-retry", "request-metadata", "http-standard-headers", "http-custom-headers",
		"sep-2322-client-request-state"])
		assert.ok(scenarios.some((scenario) => scenario[1] === name), `${name} is gone:\n${text}`);
});

for (const [, name, versions] of scenarios) {
	for (const version of versions.split(",")) {
		test(`conformance: ${name} ${version}`, async () => {
			const { text } = await run("client", "--scenario", name, "--spec-version", version, "--command", client);
			const failed = [...text.matchAll(/^ {2}- (\S+): /gm)].map((match) => match[1]);
			assert.deepEqual(failed.filter((check) => !expected[name]?.includes(check)), [], text);
			assert.match(text, /Passed: [1-9]/);
		});
	}
}
