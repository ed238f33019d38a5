#!/usr/bin/env python3
"""Writes the tables of methods and types from what the platforms publish.

    generate.py SPECS           writes them anew; what stands in them by hand is kept (table.py says what that is)
    generate.py --check SPECS   writes nothing, and fails when a table differs from what would be written
    generate.py --page          prints docs/playground-methods.md: what the tables say is simulated, and the rest

SPECS is a folder with telegram/telegram-methods-10.3.json and telegram/telegram-bot-api-10.1.json,
slack/*/methods/*.json and slack/java-sdk-json-samples, discord-openapi.json. @slack/web-api is taken from $MYNA_NODE_MODULES, by default
where tests/third-party has it."""
import difflib
import glob
import json
import os
import re
import sys
import textwrap

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import table  # noqa: E402
from table import Line, Record  # noqa: E402

PLAYGROUND = os.path.dirname(HERE)
NODE_MODULES = os.environ.get("MYNA_NODE_MODULES", os.path.join(PLAYGROUND, "../build/check/third-party/node_modules"))


def load(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return json.load(f)


def limits(low, high):
    """(LOW..HIGH), or nothing where there is no limit; numbers this large stand for none."""
    low = "" if low is None or low <= -(2**53 - 1) else low
    high = "" if high is None or high >= 2**53 - 1 else high
    return f"({low}..{high})" if (low, high) not in (("", ""), (0, "")) else ""


def alternatives(types):
    """Each once; what is null stands last."""
    types = list(dict.fromkeys(part for t in types for part in split(t)))
    return "|".join([t for t in types if t != "null"] + [t for t in types if t == "null"])


def split(t):
    """The alternatives of a type: | inside of brackets or texts separates none."""
    parts, depth, quoted, at = [], 0, False, 0
    for i, c in enumerate(t):
        quoted ^= c == '"' and t[i - 1:i] != "\\"
        depth += 0 if quoted else (c in "[{(") - (c in "]})")
        if c == "|" and depth == 0 and not quoted:
            parts.append(t[at:i])
            at = i + 1
    return parts + [t[at:]]


def quoted(values):
    return "|".join(json.dumps(v, ensure_ascii=False) for v in values)


# Telegram ------------------------------------------------------------------------------------------------------------

SIMPLE = {"Integer": "int", "String": "string", "Boolean": "bool", "Float": "number", "True": "true", "InputFile": "file"}
CHOICES = re.compile(r'(?:can be either|can be one of|can be|[Oo]ne of|either) (?=")')


def telegram_type(name):
    if name.startswith("Array of "):
        return f"[{telegram_type(name[9:])}]"
    return SIMPLE.get(name, name)


def telegram_field_type(field):
    """Values that are fixed stand in sentences: always "x", must be x, can be either "x" or "y"."""
    text = field["description"]
    if field["types"] == ["String"]:
        if match := re.search(r'always "(\w+)"', text) or re.search(r"must be (\w+)$", text):
            return quoted([match[1]])
        sentence = CHOICES.split(text, 1)
        if len(sentence) == 2 and field["name"] != "currency":
            return quoted(re.findall(r'"([^"]+)"', sentence[1]))
    if field["types"] == ["String"] and (match := re.search(r"(\d+)-(\d+) (characters|bytes)(?! after)", text, re.I)):
        return ("bytes" if match[3].lower() == "bytes" else "string") + limits(int(match[1]), int(match[2]))
    types = [telegram_type(t) for t in field["types"]]
    if all(t.startswith("[") for t in types):
        return "[" + alternatives(t[1:-1] for t in types) + "]"
    return alternatives(types)


def telegram_limits(texts):
    for text in texts or []:
        if match := re.fullmatch(r"(\d+)-(\d+) (characters|bytes|items)", text):
            return match[3], limits(int(match[1]), int(match[2]))
    return None, ""


TYPESCRIPT = {"number": "int", "boolean": "bool", "string": "string", "F": "file", "ParseMode": "string",
              "LanguageCode": "string"}


def typescript(text, types):
    """The type of a parameter that the older description has not; of what it cannot name, any object."""
    text = re.sub(r"<[^<>]*>|readonly ", "", text)
    if " | " in text:
        return alternatives(typescript(t, types) for t in text.split(" | "))
    if text.endswith("[]"):
        return f"[{typescript(text[:-2], types)}]"
    return TYPESCRIPT.get(text) or (text if text in types else "{any}")


def telegram_param_type(spec, older, types):
    """The older description says more of types, the newer one of values and limits and of what is new."""
    values = re.findall(r'"([^"]+)"', spec["type"])
    if values and not spec["type"].startswith("Readonly"):
        return quoted(values) + ("|string" if "Record<never" in spec["type"] else "")
    if re.match(r"0x|\d", spec["type"]):
        return "|".join(str(int(v, 0)) for v in re.findall(r"0x[0-9A-F]+|\d+", spec["type"]))
    unit, limit = telegram_limits(spec.get("limits"))
    result = telegram_field_type(older) if older else typescript(spec["type"], types)
    if unit == "bytes":
        result = "bytes"
    return result + limit if result in ("string", "bytes") or result.startswith("[") else result


def telegram(specs):
    newer = load(specs, "telegram", "telegram-methods-10.3.json")["methods"]
    older = load(specs, "telegram", "telegram-bot-api-10.1.json")
    methods, types = {}, {}
    for name in sorted(newer):
        record = Record("method", Line(name))
        before = older["methods"].get(name, {})
        fields = {f["name"]: f for f in before.get("fields", [])}
        returns = alternatives(telegram_type(t) for t in before.get("returns", ["Message", "True"]))
        record.line.flags.append(f"returns={returns}")
        params = newer[name]["params"]
        for param in sorted(params):
            spec = params[param]
            record.add(param, telegram_param_type(spec, fields.get(param), older["types"]),
                       ["required"] if spec["required"] else [])
        methods["method", name] = record
    for name, spec in sorted(older["types"].items()):
        if name in SIMPLE:
            continue
        if "subtypes" in spec:
            types["type", name] = Record("type", Line(name, alternatives(telegram_type(t) for t in spec["subtypes"])))
            continue
        record = types["object", name] = Record("object", Line(name))
        for field in spec.get("fields", []):
            record.add(field["name"], telegram_field_type(field), ["required"] if field["required"] else [])
    return {"telegram/methods.table": methods, "telegram/types.table": types}


# Discord -------------------------------------------------------------------------------------------------------------

class Discord:
    def __init__(self, spec):
        self.spec, self.operations, self.schemas = spec, {}, {}

    def type(self, schema, name):
        """The type of a schema; objects that have no name get this one."""
        if "$ref" in schema:
            ref = schema["$ref"].split("/")[-1]
            return "id" if ref == "SnowflakeType" else ref
        if schema.get("enum"):
            return quoted(schema["enum"])
        for key in ("oneOf", "anyOf"):
            if key in schema and not any("const" in s for s in schema[key]):
                return alternatives(self.type(s, name + str(i or "")) for i, s in enumerate(schema[key]))
        if "allOf" in schema:
            return self.type(schema["allOf"][0], name)
        kinds = schema.get("type", "any")
        return alternatives(self.simple(kind, schema, name) for kind in (kinds if isinstance(kinds, list) else [kinds]))

    def simple(self, kind, schema, name):
        if kind == "integer":
            return "int" + limits(schema.get("minimum"), schema.get("maximum"))
        if kind == "number":
            return "number" + limits(schema.get("minimum"), schema.get("maximum"))
        if kind == "boolean":
            return "bool"
        if kind == "array":
            return f"[{self.type(schema['items'], name)}]" + limits(schema.get("minItems"), schema.get("maxItems"))
        if kind == "string":
            return self.string(schema)
        if kind == "object" and "properties" in schema:
            self.object(name, schema)
            return name
        if kind == "object":
            inside = schema.get("additionalProperties")
            inside = self.type(inside, name) if isinstance(inside, dict) else "any"
            return f"{{{inside}}}" + limits(schema.get("minProperties"), schema.get("maxProperties"))
        return kind

    @staticmethod
    def string(schema):
        most = schema.get("maxLength")
        limit = limits(schema.get("minLength"), most if most and most < 100000 else None)
        kinds = {"snowflake": "id", "date-time": "time", "uri": "url", "binary": "file"}
        kind = kinds.get(schema.get("format")) or kinds.get(schema.get("contentEncoding"), "string")
        return kind + (limit if kind in ("string", "url") else "")

    def object(self, name, schema):
        record = self.schemas["object", name] = Record("object", Line(name))
        whole = [self.spec["components"]["schemas"][s["$ref"].split("/")[-1]] if "$ref" in s else s for s in schema.get("allOf", [])]
        members = {member: inner for s in whole + [schema] for member, inner in s.get("properties", {}).items()}
        for member, inner in sorted(members.items()):
            title = "".join(part.capitalize() for part in re.split(r"\W|_", member))
            record.add(member, self.type(inner, name + title),
                       ["required"] if any(member in s.get("required", []) for s in whole + [schema]) else [])

    def schema(self, name, schema):
        choices = schema.get("oneOf", [])
        if any("const" in c for c in choices):
            self.schemas["type", name] = Record("type", Line(name, quoted(c["const"] for c in choices)))
        elif schema.get("type") == "object" and "additionalProperties" not in schema:
            self.object(name, schema)
        else:
            self.schemas["type", name] = Record("type", Line(name, self.type(schema, name + "Value")))

    def operation(self, method, path, op, shared):
        name = op["operationId"]
        title = "".join(part.capitalize() for part in name.split("_"))
        words = [f"{method}={path}"]
        content = op.get("requestBody", {}).get("content", {})
        if content:
            kind = "application/json" if "application/json" in content else "multipart/form-data"
            words.append("body=" + self.type(content[kind]["schema"], title + "Body"))
        words += [word for word, kind in (("uploads", "multipart/form-data"), ("forms", "application/x-www-form-urlencoded"))
                  if kind in content]
        good = {status: answer.get("content", {}).get("application/json")
                for status, answer in sorted(op["responses"].items()) if status.startswith("2")}
        whole = [answer for answer in good.values() if answer]
        if whole:
            words.append("returns=" + self.type(whole[0]["schema"], title + "Answer"))
        if list(good) != ["200" if whole else "204"]:
            words.append("status=" + ",".join(good))
        if {} in op["security"]:
            words.append("open")
        record = self.operations["method", name] = Record("method", Line(name, flags=words))
        for param in sorted(shared + op.get("parameters", []), key=lambda p: p["name"]):
            if param["in"] == "query":
                record.add(param["name"], self.type(param["schema"], title + "Query"),
                           ["required"] if param.get("required") else [])

    def tables(self):
        for name, schema in sorted(self.spec["components"]["schemas"].items()):
            if name != "SnowflakeType":
                self.schema(name, schema)
        for path, operations in self.spec["paths"].items():
            for method, op in operations.items():
                if method != "parameters":
                    self.operation(method, path, op, operations.get("parameters", []))
        return {"discord/operations.table": dict(sorted(self.operations.items())),
                "discord/schemas.table": dict(sorted(self.schemas.items(), key=lambda kv: kv[0][1]))}


# Slack ---------------------------------------------------------------------------------------------------------------

# The documentation gives these no type, or that of the text in which they come.
SLACK_TYPES = {"attachments": "[any]", "blocks": "[any]", "metadata": "{any}", "prompts": "[any]",
               "user_auth_blocks": "[any]", "view": "{any}", "as_user": "bool", "count": "int", "page": "int"}
SLACK_SIMPLE = {"string": "string", "boolean": "bool", "integer": "int", "number": "int", "array": "[any]"}


def slack_old():
    return {path: table.read(os.path.join(PLAYGROUND, "slack", path))[0] for path in ("methods.table", "types.table")}


def slack_methods(specs):
    """All that Slack has; arguments and errors of those that are simulated."""
    records, old = {}, slack_old()["methods.table"]
    for path in sorted(glob.glob(os.path.join(specs, "slack", "*", "methods", "*.json"))):
        name, spec = os.path.basename(path).removesuffix(".json"), load(path)
        words, scopes = [], spec.get("scopes") or {}
        limit = spec.get("rate_limit")
        label = limit["label"] if isinstance(limit, dict) else ""
        if match := re.match(r"Tier (\d)|Special", label):
            words.append(f"tier={match[1] or 'special'}")
        if scopes.get("bot"):
            words.append("scopes=" + ",".join(s["name"] for s in scopes["bot"]))
        elif scopes.get("user"):
            words.append("user_token")
        record = records["method", name] = Record("method", Line(name, flags=words))
        if not old.get(("method", name), record).has("simulated"):
            continue
        for arg, one in sorted(spec["args"].items()):
            kind = SLACK_SIMPLE.get(one.get("type"), "string")
            record.add(arg, SLACK_TYPES.get(arg, kind) if kind == "string" else kind,
                       ["required"] * bool(one.get("required")) + ["legacy"] * one.get("desc", "").startswith("(Legacy)"))
        record.errors = sorted(e for e in spec["errors"] if re.fullmatch(r"\w+", e))
    for key, record in old.items():
        # What was generated stays where the method's documentation is not at hand.
        if record.kind == "method" and key not in records and not record.has("newer") and not record.has("extra"):
            record.line.flags = [f for f in record.line.flags if not f.startswith("returns=")]
            record.errors = [e for e in record.errors if not e.startswith("+")]
            records[key] = record
    client = os.path.join(NODE_MODULES, "@slack/web-api/dist/methods.js")
    if os.path.exists(client):
        with open(client, encoding="utf-8") as f:
            newer = set(re.findall(r"bindApiCall\w*\(this, [\"']([\w.]+)[\"']", f.read()))
    else:
        newer = {r.name for r in old.values() if r.has("newer")}
    for name in newer - {name for _, name in records}:
        records["method", name] = Record("method", Line(name, flags=["newer"]))
    return dict(sorted(records.items()))


# Samples of what Slack answers and delivers say which members there are, and of which type; a person says which are required.
OPAQUE = {"response_metadata": "answer_metadata", "blocks": "[block]", "attachments": "[any]", **{name: "{any}" for name in (
    "app_unfurl", "function_data", "list_metadata", "media_progress", "metadata", "properties", "rich_text_value", "room", "saved", "shares",
    "state", "transcription")}, "view": "shown_view"}
EVENTS = """AppHomeOpened AppMention AppUninstalled ChannelArchive ChannelCreated ChannelDeleted ChannelLeft ChannelRename ChannelUnarchive EmojiChanged
FileDeleted FileShared GroupArchive GroupDeleted GroupLeft GroupRename GroupUnarchive LinkShared DndUpdatedUser MemberJoinedChannel MemberLeftChannel Message
MessageBot MessageChanged MessageChannelArchive MessageChannelJoin MessageChannelLeave MessageChannelName MessageChannelPurpose MessageChannelTopic
MessageChannelUnarchive MessageDeleted MessageFileShare MessageMe MessageThreadBroadcast PinAdded PinRemoved ReactionAdded ReactionRemoved
SubteamCreated SubteamMembersChanged SubteamUpdated TeamJoin TokensRevoked UserChange""".split()


class Samples:
    """Objects that have the same members are one."""

    def __init__(self):
        self.records, self.names = {}, {}

    def type(self, value, name):
        if isinstance(value, bool):
            return "bool"
        if isinstance(value, (int, float)):
            return "number"
        if isinstance(value, str):
            return "string"
        if isinstance(value, list):
            return f"[{alternatives(self.type(v, name) for v in value) or 'any'}]"
        return self.object(value, name) if isinstance(value, dict) else "any"

    def object(self, value, name, keep=False):
        return self.add({k: OPAQUE.get(k) or self.type(v, f"{name}.{k}") for k, v in sorted(value.items())}, name, keep)

    def add(self, members, name, keep=False, flags=("sample",)):
        key = tuple(members.items())
        if key in self.names and not keep:
            return self.names[key]
        self.names[key] = name
        record = self.records["object", name] = Record("object", Line(name, flags=flags))
        for member, kind in members.items():
            record.add(member, kind)
        return name


# What samples describe well.
KNOWN = {"bot_profile": "event.app_mention.bot_profile", "file": "files.info.answer.file", "files": "[files.info.answer.file]",
         "title_blocks": "[any]", "args": "{any}", "root": "{any}", "assistant_app_thread": "{any}", "icons": "{string}", "prefs": "{any}"}
# The objects of these members are one, with the members of all.
UNITED = {"call": "call", "channel": "channel", "channels": "channel", "latest": "message", "members": "user", "message": "message", "messages": "message",
          "profile": "profile", "user": "user", "usergroup": "usergroup", "usergroups": "usergroup", "view": "shown_view"}
APART = {"team.profile.get.answer.profile"}


class Typed:
    """Of methods without a sample: the types of @slack/web-api, which Slack makes of its own samples. Interfaces that have the same members
    are one. A list of values is of those that were seen: it is a text here."""

    def __init__(self, folder, samples):
        self.folder, self.samples = folder, samples

    def read(self, method):
        name = "".join(part[0].upper() + part[1:] for part in method.split(".")) + "Response"
        path = os.path.join(self.folder, name + ".d.ts")
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as f:
            text = f.read()
        self.interfaces = {}
        for head, body in re.findall(r"^export (?:interface (\w+) |type \w+ = WebAPICallResult & ){\n(.*?)^};?$", text, re.M | re.S):
            self.interfaces[head or name] = re.findall(r"^    (\w+)\?: (.*?);?$", body, re.M)
        self.inside = []
        return self.object(name, method + ".answer", keep=True)

    def type(self, text, name):
        if " | " in text:
            return alternatives(self.type(t, name) for t in text.split(" | "))
        if text.endswith("[]"):
            return f"[{self.type(text[:-2], name)}]"
        if text in ("string", "number", "boolean"):
            return {"boolean": "bool"}.get(text, text)
        if text in self.inside or text in ("any", "{"):
            return "any" if text == "any" else "{any}"
        return self.object(text, name) if text in self.interfaces else "string"

    def object(self, interface, name, keep=False):
        self.inside.append(interface)
        members = {m: m not in UNITED and OPAQUE.get(m) or KNOWN.get(m) or self.type(t, f"{name}.{m}") for m, t in sorted(self.interfaces[interface])}
        self.inside.pop()
        one = None if name in APART else UNITED.get(name.split(".")[-1])
        if not one:
            return self.samples.add(members, name, keep, ["sample", "typed"])
        record = self.samples.records.setdefault(("object", one), Record("object", Line(one, flags=["sample", "typed"])))
        for member, kind in members.items():
            known = record.members.get(member)
            record.add(member, alternatives([known.value, kind]) if known else kind)
        record.members = dict(sorted(record.members.items()))
        return one


def slack_typed(methods, samples):
    """The answers that are simulated and have no sample. What was generated stays where the package is not at hand."""
    old, folder = slack_old(), os.path.join(NODE_MODULES, "@slack/web-api/dist/types/response")
    typed = Typed(folder, samples)
    for key, record in old["methods.table"].items():
        method = methods.get(key)
        if not record.has("simulated") or record.has("extra") or method.attribute("returns"):
            continue
        if os.path.isdir(folder):
            if typed.read(method.name):
                method.line.flags.append(f"returns={method.name}.answer")
        elif record.attribute("returns"):
            method.line.flags.append("returns=" + record.attribute("returns"))
    return {} if os.path.isdir(folder) else {k: r for k, r in old["types.table"].items() if r.has("typed")}


def without_envelope(records):
    """What every answer may have, and only a failure has."""
    for (_, name), record in records.items():
        if name.endswith(".answer"):
            record.members = {m: line for m, line in record.members.items() if m not in ("error", "needed", "provided")}
            record.add("response_metadata", "answer_metadata")
            record.add("warning", "string")
            record.members = dict(sorted(record.members.items()))


def slack(specs):
    methods, samples = slack_methods(specs), Samples()
    folder = os.path.join(specs, "slack", "java-sdk-json-samples")
    for name in EVENTS:
        payload = load(folder, "events", name + "Payload.json")
        event = payload.pop("event")
        kind = ".".join(["event", event["type"]] + ([event["subtype"]] if event.get("subtype") else []))
        record = samples.records["object", samples.object(event, kind, keep=True)]
        for member in {"type", "subtype"} & set(event):
            record.members[member].value = quoted([event[member]]) if event[member] else "string"
        if event["type"] == "message" and "channel_type" in event:
            record.members["channel_type"].value = quoted(["app_home", "channel", "group", "im", "mpim"])
        if name == "AppMention":
            samples.object({**payload, "event": None}, "events_api", keep=True)
    backend = os.path.join(folder, "app-backend")
    samples.object(load(backend, "interactive-components", "BlockActionPayload.json"), "interactive", keep=True)
    for kind, path in (("message_action", "interactive-components/MessageShortcutPayload.json"),
                       ("view_closed", "views/ViewClosedPayload.json"), ("view_submission", "views/ViewSubmissionPayload.json")):
        samples.object(load(backend, path), f"interactive.{kind}", keep=True)
    samples.object(load(backend, "slash-commands", "SlashCommandPayload.json"), "slash_commands", keep=True)
    for path in sorted(glob.glob(os.path.join(folder, "api", "*.json"))):
        method = methods["method", os.path.basename(path).removesuffix(".json")]
        samples.object(load(path), method.name + ".answer", keep=True)
        method.line.flags.append(f"returns={method.name}.answer")
    kept = slack_typed(methods, samples)
    without_envelope(samples.records)
    common = load(glob.glob(os.path.join(specs, "slack", "*", "common_errors.json"))[0])
    types = {("type", "common_errors"): Record("type", Line("common_errors", quoted(sorted(common))))}
    return {"slack/methods.table": methods, "slack/types.table": {**types, **dict(sorted({**kept, **samples.records}.items()))}}


# The page ------------------------------------------------------------------------------------------------------------

PAGE_TOP = """# Methods of the playground

Look up which methods of a platform the [playground](playground.md) simulates, and which it leaves out. It knows all of them: it judges
the parameters of those that it simulates as the platform does, and answers 400 to the others, with a sentence. The page is made from the
tables in `playground`: `playground/spec/generate.py --page`.
"""
PLATFORMS = (("Telegram", "telegram/methods.table", "methods of Bot API 10.3"),
             ("Discord", "discord/operations.table", "operations of the HTTP API, by their names in Discord's OpenAPI description"),
             ("Slack", "slack/methods.table", "methods of the Web API that want no user's token, as documented in May 2026 and named in `@slack/web-api`"))


def wrapped(words):
    """A list of names in lines."""
    return textwrap.fill(", ".join(f"`{w}`" for w in words), 138, break_long_words=False, break_on_hyphens=False)


def marked(records, record, flag):
    """The parameters of a method that have a flag, those of its body included."""
    body = record.attribute("body")
    found = list(record.members.values())
    if body and ("object", body) in records:
        found += records["object", body].members.values()
    return ", ".join(f"`{m.name}`" for m in found if flag in m.flags)


def page():
    text = PAGE_TOP
    for title, name, what in PLATFORMS:
        folder = os.path.join(PLAYGROUND, os.path.dirname(name))
        records = {k: r for path in sorted(glob.glob(f"{folder}/*.table")) for k, r in table.read(path)[0].items()}
        every = [r for r in records.values() if r.kind == "method"]
        methods = [r for r in every if not r.has("user_token")]
        rows = {}
        for r in methods:
            if r.has("simulated"):
                key = (r.line.note, marked(records, r, "left_out"), marked(records, r, "no_effect"))
                rows.setdefault(key, []).append(r)
        text += (f"\n## {title}\n\n{sum(map(len, rows.values()))} of {len(methods)} {what}.\n\n"
                 "| simulated | what of it | refused parameters | without effect |\n|---|---|---|---|\n")
        for key, group in sorted(rows.items(), key=lambda row: row[1][0].name.lower()):
            cells = [", ".join(f"`{r.name}`" for r in group), *key]
            text += "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|\n"
        text += "\nNot simulated:\n\n" + wrapped(r.name for r in methods if not r.has("simulated")) + "\n"
        if refused := [r.name for r in every if r.has("user_token")]:
            rest = ["admin.*"] + [name for name in refused if not name.startswith("admin.")]
            text += f"\nThese {len(refused)} want a user's token, and refuse that of a bot, as {title} does:\n\n{wrapped(rest)}\n"
    return text


def published(specs):
    """The records of each table as the platforms publish them."""
    return {**telegram(specs), **slack(specs), **Discord(load(specs, "discord-openapi.json")).tables()}


def main():
    if sys.argv[1] == "--page":
        sys.stdout.write(page())
        return 0
    check, status = sys.argv[1] == "--check", 0
    tables = published(sys.argv[-1])
    for name, records in tables.items():
        path = os.path.join(PLAYGROUND, name)
        old, head = table.read(path) if os.path.exists(path) else ({}, f"# {name}")
        text = table.write(table.merge(records, old), head)
        if not check:
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            continue
        with open(path, encoding="utf-8") as f:
            lines = f.read().splitlines()
        for line in difflib.unified_diff(lines, text.splitlines(), name, "as published", lineterm="", n=0):
            print(line)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
