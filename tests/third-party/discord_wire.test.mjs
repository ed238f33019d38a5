// What goes over the gateway's wire: encodings and compressions, with nothing but Node.js, and over TLS.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, before, test } from "node:test";
import { constants, createZstdDecompress, inflateSync } from "node:zlib";
import { DiscordPlayground, tokenOf } from "./discord.mjs";

const playground = new DiscordPlayground({ tls: true });

before(async () => {
	await playground.start();
	await playground.settings({ limits: false });
	await playground.say("first, @bot", { chat: "dev", kind: "group" });
});
after(() => playground.stop());

class Socket {
	constructor(query, path = "") {
		this.ws = new WebSocket(`${playground.url.replace("http", "ws")}/discord/gateway${path}?v=10&${query}`);
		this.ws.binaryType = "arraybuffer";
		this.messages = [];
		this.closed = new Promise((resolve) => (this.ws.onclose = resolve));
		this.ws.onmessage = ({ data }) => {
			this.messages.push(typeof data === "string" ? data : Buffer.from(data));
			this.wake?.();
		};
	}

	async next() {
		while (this.messages.length === 0)
			await new Promise((resolve) => (this.wake = resolve));
		return this.messages.shift();
	}

	send(payload) {
		this.ws.send(payload);
	}

	async code() {
		const { code, reason } = await this.closed;
		return `${code} ${reason}`;
	}

	end() {
		this.ws.close(1000);
		return this.closed;
	}
}

const identity = (more = {}) => ({ op: 2, d: { token: tokenOf(900), intents: 37377, properties: { os: "x", browser: "x", device: "x" }, ...more } });

// Terms of Erlang: just what the tests need. key is the tag of the keys of maps.
function term(value, key = "m") {
	const sized = (tag, n, ...rest) => Buffer.concat([Buffer.from([tag.charCodeAt(0), n >> 24, n >> 16, n >> 8, n]), ...rest]);
	const text = (s) => sized("m", Buffer.byteLength(s), Buffer.from(s));
	const atom = (s) => Buffer.concat([Buffer.from(["d".charCodeAt(0), 0, s.length]), Buffer.from(s)]);
	if (value === null || typeof value === "boolean")
		return atom(`${value ?? "nil"}`);
	if (typeof value === "number")
		return sized("b", value);
	if (typeof value === "string")
		return text(value);
	return sized("t", Object.keys(value).length,
		...Object.entries(value).flatMap(([name, v]) => [key === "m" ? text(name) : atom(name), term(v, key)]));
}
const etf = (value, key) => Buffer.concat([Buffer.from([131]), term(value, key)]);

test("HELLO comes first, in JSON", async () => {
	const socket = new Socket("encoding=json");
	assert.deepEqual(JSON.parse(await socket.next()), { t: null, s: null, op: 10, d: { heartbeat_interval: 41250 } });
	await socket.end();
});

test("a zstd stream has a message of the gateway in each of its messages", async () => {
	const socket = new Socket("encoding=json&compress=zstd-stream"), zstd = createZstdDecompress();
	const read = async () => {
		const packed = await socket.next();
		const plain = new Promise((resolve) => {
			const parts = [];
			zstd.on("data", (part) => parts.push(part));
			zstd.write(packed, () => setImmediate(() => resolve(Buffer.concat(parts).toString())));
		});
		const text = await plain;
		zstd.removeAllListeners("data");
		return JSON.parse(text);
	};
	assert.equal((await read()).op, 10);
	socket.send(JSON.stringify(identity()));
	assert.deepEqual([(await read()).t, (await read()).t], ["READY", "GUILD_CREATE"]);
	await socket.end();
});

test("payload compression packs what is large, each for itself, and after a resume, too", async () => {
	let socket = new Socket("encoding=json");
	await socket.next();
	socket.send(JSON.stringify(identity({ compress: true })));
	const ready = JSON.parse(await socket.next());
	const packed = await socket.next();
	assert.ok(Buffer.isBuffer(packed));
	assert.equal(JSON.parse(inflateSync(packed, { finishFlush: constants.Z_FINISH })).t, "GUILD_CREATE");
	socket.ws.close(4000);
	await socket.closed;
	await playground.say("x".repeat(1500), { chat: "dev" });
	socket = new Socket("encoding=json", "/resume");
	await socket.next();
	socket.send(JSON.stringify({ op: 6, d: { token: tokenOf(900), session_id: ready.d.session_id, seq: 2 } }));
	assert.equal(JSON.parse(inflateSync(await socket.next())).d.content.length, 1500);
	assert.equal(JSON.parse(await socket.next()).t, "RESUMED");
	await socket.end();
});

test("ETF is spoken, with strings as keys", async () => {
	const socket = new Socket("encoding=etf");
	assert.equal((await socket.next())[0], 131);
	socket.send(etf(identity()));
	assert.ok((await socket.next()).includes("m\0\0\0\x05READY"));
	assert.ok((await socket.next()).includes("GUILD_CREATE"));
	socket.send(etf({ op: 1, d: null }));
	assert.ok((await socket.next()).includes("d\0\x02opa\x0b"));
	await socket.end();
});

for (const [what, payload] of [["atoms as keys", etf({ op: 1, d: null }, "d")], ["text", '{"op":1,"d":null}'],
	["a term that is cut", etf({ op: 1, d: null }).subarray(0, -1)], ["a compressed term", Buffer.from([131, 80, 0, 0, 0, 1])]])
	test(`in ETF, ${what} ends the connection`, async () => {
		const socket = new Socket("encoding=etf");
		await socket.next();
		socket.send(payload);
		assert.equal(await socket.code(), "4002 Error while decoding payload.");
	});

// A program of its own, because Node.js reads the authorities once.
const fetching = (env) => spawnSync(process.execPath, ["-e", `fetch("${playground.secure.url}/discord/api/v10/gateway")
	.then(async (a) => console.log((await a.json()).url), (e) => console.log(e.cause.code))`],
	{ env: { ...process.env, ...env }, encoding: "utf8" }).stdout.trim();

test("over TLS, who trusts the authority is served", () =>
	assert.equal(fetching({ NODE_EXTRA_CA_CERTS: playground.secure.authority }),
		`${playground.secure.url.replace("https", "wss")}/discord/gateway`));
test("who does not refuses", () => assert.match(fetching({ NODE_EXTRA_CA_CERTS: "" }), /UNABLE_TO_VERIFY|SELF_SIGNED/));
test("Python trusts it by SSL_CERT_FILE", () => {
	const asked = spawnSync("/usr/bin/python3", ["-c",
		`import urllib.request; print(urllib.request.urlopen("${playground.secure.url}/discord/api/v10/gateway").status)`],
		{ env: { ...process.env, SSL_CERT_FILE: playground.secure.authority }, encoding: "utf8" });
	assert.equal(asked.stdout.trim(), "200", asked.stderr);
});
