// The playground's tables of what it sends, against types that others publish: @slack/types, discord-api-types, @grammyjs/types. They say
// what descriptions and samples leave open: the events of Discord's gateway, what Slack's events always have, the newest of Telegram.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import ts from "typescript";

const modules = join(import.meta.dirname, "node_modules");

// Tables (playground/spec/spec.h describes their form) --------------------------------------------------------------------

// What | separates, outside of brackets and texts.
function alternatives(text) {
	const parts = [""];
	let depth = 0, quoted = false;
	for (const c of text) {
		quoted ^= c === '"';
		depth += quoted ? 0 : "[{(".includes(c) - "]})".includes(c);
		if (c === "|" && depth === 0 && !quoted)
			parts.push("");
		else
			parts[parts.length - 1] += c;
	}
	return parts;
}

function readTables(...names) {
	const records = new Map();
	let record;
	for (const line of names.flatMap((name) => readFileSync(join(process.env.MYNA_SOURCE, "playground", name), "utf8").split("\n"))) {
		const words = line.replace(/ #.*$/, "").match(/(?:"(?:[^"\\]|\\.)*"|[^\s"])+/g) ?? [];
		if (/^(object|type) /.test(line))
			records.set(words[1], record = { kind: words[0], name: words[1], words: words.slice(2), members: new Map() });
		else if (line.startsWith("\t"))
			record.members.set(words[0], { type: words[1], required: words.includes("required"), extra: words.includes("extra") });
	}
	for (const r of records.values()) {
		const like = records.get(r.words.find((word) => word.startsWith("like="))?.slice(5));
		r.members = new Map([...(like?.members ?? []), ...r.members]);
	}
	return records;
}

// Published types: string, number, boolean, null, array, object, any, or a literal as JSON ------------------------------------

const opened = new Map();

function publishedTypes(path) {
	if (!opened.has(path))
		opened.set(path, open(path));
	return opened.get(path);
}

function open(path) {
	const entry = join(modules, path);
	const program = ts.createProgram([entry], { strict: true, module: ts.ModuleKind.NodeNext, skipLibCheck: true, types: [] });
	const checker = program.getTypeChecker();
	const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)));
	const types = new Map(symbols.map((symbol) => [symbol.name, symbol]));
	return { checker, type: (name) => types.has(name) ? checker.getDeclaredTypeOfSymbol(types.get(name)) : undefined };
}

const parts = (type) => type.isUnion() ? type.types.flatMap(parts) : [type];

const flags = [[ts.TypeFlags.StringLike, "string"], [ts.TypeFlags.NumberLike, "number"], [ts.TypeFlags.BooleanLike, "boolean"], [ts.TypeFlags.Null, "null"],
	[ts.TypeFlags.Undefined, "undefined"], [ts.TypeFlags.Any | ts.TypeFlags.Unknown, "any"]];

function kindOf(checker, type) {
	if (type.isStringLiteral() || type.isNumberLiteral())
		return JSON.stringify(type.value);
	const simple = flags.find(([flag]) => type.flags & flag);
	if (simple || (type.isIntersection() && type.types.some((one) => one.flags & ts.TypeFlags.StringLike)))
		return simple?.[1] ?? "string";
	return checker.isArrayLikeType(type) ? "array" : "object";
}

// The members of the objects among types, of each alternative. null: they may have any.
function membersOf(checker, types) {
	const objects = types.filter((type) => kindOf(checker, type) === "object"), members = new Map();
	if (objects.length === 0 || objects.some((type) => checker.getIndexInfosOfType(type).length > 0))
		return null;
	for (const property of objects.flatMap((type) => checker.getPropertiesOfType(type))) {
		const its = parts(checker.getTypeOfSymbol(property));
		const member = members.get(property.name) ?? { types: [], seen: 0, optional: false };
		member.types.push(...its);
		member.optional ||= (property.flags & ts.SymbolFlags.Optional) !== 0 || its.some((type) => type.flags & ts.TypeFlags.Undefined);
		members.set(property.name, { ...member, seen: member.seen + 1 });
	}
	for (const member of members.values())
		member.optional ||= member.seen < objects.length;
	return members;
}

// The comparison ----------------------------------------------------------------------------------------------------------

const simple = { bool: "boolean", bytes: "string", id: "string", int: "number", number: "number", null: "null", string: "string", time: "string",
	true: "boolean", url: "string" };

// named: other records are compared by their own names; else what is inside is compared, too.
class Comparison {
	constructor(checker, tables, { named }) {
		Object.assign(this, { checker, tables, named, wrong: new Set(), seen: [] });
	}

	object(record, types) {
		const members = membersOf(this.checker, types);
		if (!members || this.seen.includes(record.name))
			return;
		this.seen.push(record.name);
		for (const [name, member] of members)
			if (!member.optional && !record.members.get(name)?.required)
				this.wrong.add(`${record.name}.${name}: must be required`);
		for (const [name, { type }] of record.members)
			if (!members.has(name))
				this.wrong.add(`${record.name}.${name}: there is no such member`);
			else
				this.type(type, members.get(name).types, `${record.name}.${name}`);
		this.seen.pop();
	}

	type(text, types, place) {
		const kinds = new Set(types.map((type) => kindOf(this.checker, type)));
		const expect = (kind, ...kindToo) => [kind, ...kindToo].some((one) => kinds.has(one)) ||
			this.wrong.add(`${place}: is ${[...kinds].join("|").slice(0, 100)}, not ${text.slice(0, 40)}`);
		for (const one of kinds.has("any") ? [] : alternatives(text)) {
			const name = one.replace(/\([^)]*\)$/, ""), record = this.tables.get(name);
			if (name === "any")
				continue;
			if (name.startsWith("[")) {
				const lists = types.filter((type) => kindOf(this.checker, type) === "array");
				expect("array");
				this.type(name.slice(1, -1), lists.flatMap((type) => this.checker.getTypeArguments(type)).flatMap(parts), place);
			} else if (name.startsWith("{")) {
				expect("object");
			} else if (/^["\d-]/.test(name)) {
				expect(name, name.startsWith('"') ? "string" : "number");
			} else if (name in simple) {
				expect(simple[name]);
			} else if (record.kind === "type" && !this.seen.includes(name)) {
				this.seen.push(name);
				this.type(record.words[0], types, place);
				this.seen.pop();
			} else if (record.kind === "object") {
				expect("object");
				if (!this.named && alternatives(text).length === 1)
					this.object(record, types);
			}
		}
	}
}

const platforms = {
	slack: {
		tables: ["slack/types.table", "slack/blocks.table"],
		*pairs({ checker, type }, tables) {
			for (const event of parts(type("SlackEvent"))) {
				const text = (name) => event.getProperty(name) && checker.getTypeOfSymbol(event.getProperty(name)).value;
				yield [tables.get(["event", text("type"), text("subtype")].filter(Boolean).join(".")), [event]];
			}
		},
		entry: "@slack/types/dist/index.d.ts",
		least: 35,
		// Where these types contradict what Slack sends: its own samples of May 2026 (types.table).
		differs: [
			/: there is no such member$/, // samples have more
			/^event\.[\w.]+\.(item\.type|root\.\w+|subtype|tab): is /, // samples do not say which values there are
			/^event\.channel_created\.channel\.is_frozen: must be required$/,
			/^event\.message\.message_changed\.message\./, // as in an event, which it is not
			/^event\.pin_(added|removed)\.pin_count: is string/,
			/^(event\.message\.file_share\.files|files\.info\.answer\.file)\./,
			/^message\./, // all messages are one
			/^shown_view\.(close|submit): is /, // null, as documented
		],
	},
	discord: {
		tables: ["discord/schemas.table", "discord/gateway.table"],
		*pairs({ checker, type }, tables) {
			for (const event of parts(type("GatewayDispatchPayload"))) {
				const of = (name) => parts(checker.getTypeOfSymbol(event.getProperty(name)));
				for (const name of of("t"))
					yield [tables.get(name.value), of("d")];
			}
		},
		entry: "discord-api-types/v10.d.ts",
		named: true,
		least: 35,
		// The description of the HTTP API (schemas.table) is newer, or says more.
		differs: [
			/^GUILD_AUDIT_LOG_ENTRY_CREATE\.action_type: /, /^MESSAGE_CREATE\.(type|lobby_member|purchase_notification): /,
			/^GUILD_CREATE\.(features|home_header|hub_type|nsfw|preferred_locale|premium_progress_bar_enabled_user_updated_at): /,
			/^INTERACTION_CREATE\.(guild_)?locale: /, /^THREAD_CREATE\.(bitrate|parent_id|permissions|rtc_region|user_limit|video_quality_mode): /,
			/flags: is .*not int$/, // sums of these
			/^READY\.private_channels: /, // always empty; old clients read it
		],
	},
	telegram: {
		tables: ["telegram/types.table"],
		*pairs({ type }, tables) {
			for (const record of tables.values())
				if (type(record.name))
					yield [record, parts(type(record.name))];
		},
		entry: "@grammyjs/types/mod.d.ts",
		named: true,
		least: 300,
		differs: [
			/parse_mode: is /, /\.date_time_format: is /, /^KeyboardButtonPollType\.type: /, /^InlineQueryResultVideo\.mime_type: /, // refused in words
			/^Input\w+\.(animation|photo|thumbnail|video): is .*object, not /, // the name of a part, attach://
			/^User\.\w+: there is no such member$/, // in getMe alone, as documented
			/^(Sticker\.needs_repainting|BusinessBotRights\.can_delete_sent_messages): there/,
			/^(DirectMessagesTopic\.user|Game\.(text|text_entities|animation)|SentWebAppMessage\.inline_message_id): must/, // documented as optional
			/^InaccessibleMessage\.date: /, /^RichBlock\w+\.\w+: /, /^SuggestedPost\w+\.currency: /, /^WebhookInfo\.allowed_updates: /,
		],
	},
};

function compare({ tables: names, pairs, entry, named }, change = () => {}) {
	const tables = readTables(...names), types = publishedTypes(entry), done = new Set();
	const comparison = new Comparison(types.checker, tables, { named });
	change(tables);
	for (const [record, its] of pairs(types, tables))
		if (record?.kind === "object" && !done.has(record.name)) {
			done.add(record.name);
			comparison.object(record, its);
		}
	return { wrong: [...comparison.wrong], count: done.size };
}

for (const [name, platform] of Object.entries(platforms))
	test(`${name}: the tables of what it sends are as published`, () => {
		const { wrong, count } = compare(platform);
		assert.ok(count >= platform.least, `${count} were compared`);
		assert.deepEqual(wrong.filter((line) => !platform.differs.some((known) => known.test(line))), []);
		assert.deepEqual(platform.differs.filter((known) => !wrong.some((line) => known.test(line))).map(String), [], "differences that are none");
	});

test("a wrong row shows", () => {
	for (const [name, record, member, row] of [
		["slack", "event.reaction_added", "user", { type: "string", required: false }],
		["slack", "event.reaction_added", "event_ts", { type: "number", required: true }],
		["slack", "event.message", "channel_type", { type: '"channel"|"room"', required: true }],
		["discord", "TYPING_START", "timestamp", { type: "string", required: true }],
		["discord", "MESSAGE_REACTION_ADD", "type", { type: "0|7", required: true }],
		["discord", "MESSAGE_DELETE", "channel_id", { type: "id", required: false }],
		["telegram", "Message", "message_id", { type: "int", required: false }],
		["telegram", "Message", "text", { type: "bool" }],
		["telegram", "Chat", "type", { type: '"private"|"club"', required: true }],
	]) {
		const platform = platforms[name];
		const { wrong } = compare(platform, (tables) => tables.get(record).members.set(member, row));
		const found = wrong.filter((line) => line.startsWith(`${record}.${member}: `));
		assert.ok(found.some((line) => !platform.differs.some((known) => known.test(line))), `${record}.${member}`);
	}
});
