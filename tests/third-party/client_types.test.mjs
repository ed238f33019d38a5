// The types of the playground's client for JavaScript: what they declare is there, and its own tests keep to them.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import ts from "typescript";

const folder = join(process.env.MYNA_SOURCE, "playground/clients/javascript");
const options = { allowJs: true, checkJs: true, noEmit: true, strictNullChecks: false, target: ts.ScriptTarget.ESNext,
	module: ts.ModuleKind.NodeNext, typeRoots: [join(import.meta.dirname, "node_modules/@types")], types: ["node"] };
// Beside the client, but not on the disk.
const wrong = join(folder, "wrong.ts"), text = 'import { Playground } from "./playground.js";\nnew Playground().chat("irc", "Ann").say(1);\n';
const host = ts.createCompilerHost(options), disk = { ...host };
host.fileExists = (path) => path === wrong || disk.fileExists(path);
host.getSourceFile = (path, version) => path === wrong ? ts.createSourceFile(path, text, version) : disk.getSourceFile(path, version);
const program = ts.createProgram([join(folder, "playground.test.js"), wrong], options, host);

function mistakesIn(name) {
	const file = program.getSourceFile(join(folder, name));
	return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map((d) =>
		`${name}:${file.getLineAndCharacterOfPosition(d.start).line + 1}: ${ts.flattenDiagnosticMessageText(d.messageText, "\n")}`);
}

test("all methods are declared, and nothing else", async () => {
	const client = await import(join(folder, "playground.js"));
	const methods = (of) => Object.getOwnPropertyNames(of.prototype).filter((name) => name !== "constructor").sort();
	const classes = program.getSourceFile(join(folder, "playground.d.ts")).statements.filter(ts.isClassDeclaration);
	assert.ok(classes.length >= 3);
	for (const { name, members } of classes)
		assert.deepEqual(members.filter(ts.isMethodDeclaration).map((member) => member.name.text).sort(), methods(client[name.text]), name.text);
});
test("the declarations are TypeScript", () => assert.deepEqual(mistakesIn("playground.d.ts"), []));
test("the client's tests keep to the types", () => assert.deepEqual(mistakesIn("playground.test.js"), []));
test("a wrong call is a mistake", () => assert.equal(mistakesIn("wrong.ts").length, 2));
