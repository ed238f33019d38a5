"""What the pages and files that people copy say of the platforms, against what the program needs there."""
import json
import re

from pages import blocks_of

# discord.com/developers/docs/topics/permissions, by what needs each in channels/discord.
DISCORD_PERMISSIONS = {
    "Add Reactions": (6, "react.c", "/reactions/"),
    "View Channels": (10, "cache_lookup.c", "/channels/"),
    "Send Messages": (11, "send.c", "/messages"),
    "Embed Links": (14, None, None),        # previews of links in what the agent writes
    "Attach Files": (15, "send.c", "files["),
    "Read Message History": (16, "backfill.c", "/messages?after="),
    "Send Messages in Threads": (38, "send.c", "/messages"),
}
# Scopes of methods that depend on the kind of conversation (docs.slack.dev), and of events.
KINDS = ("channels", "groups", "im", "mpim")
SLACK_BY_KIND = {"conversations.history": "history", "conversations.replies": "history", "users.conversations": "read"}
SLACK_EVENTS = {
    "app_home_opened": ({"app_home_opened"}, set()),
    "app_mention": ({"app_mention"}, {"app_mentions:read"}),
    "channel_id_changed": ({"channel_id_changed"}, {"channels:read"}),
    "member_joined_channel": ({"member_joined_channel"}, {"channels:read", "groups:read"}),
    "message": ({"message." + kind for kind in ("channels", "groups", "im", "mpim")}, {kind + ":history" for kind in KINDS}),
    "reaction_added": ({"reaction_added"}, {"reactions:read"}),
}
# Slash commands; files that people send.
SLACK_ELSE = {"commands", "files:read"}


def source(root, path):
    return open(f"{root}/{path}", encoding="utf-8").read()


def methods_scopes(root):
    """What the playground, whose table follows Slack's documentation, asks of each method."""
    found = {}
    for name, words in re.findall(r"^method ([\w.]+)([^#\n]*)", source(root, "playground/slack/methods.table"), re.M):
        scope = re.search(r" scope=(\S+)", words) or re.search(r" scopes=([^\s,]+)(?= |$)", words)
        found[name] = scope[1] if scope else None
    return found


def slack_manifest_asks_for_what_the_program_uses(stage):
    manifest = json.loads(source(stage.root, "etc/slack-manifest.json"))
    known, needed, events = methods_scopes(stage.root), set(SLACK_ELSE), set()
    for name in re.findall(r'\{ ?"([\w.]+)", TIER', source(stage.root, "channels/slack/api.c")):
        if name in SLACK_BY_KIND:
            needed |= {f"{kind}:{SLACK_BY_KIND[name]}" for kind in KINDS}
        elif known[name]:
            needed.add(known[name])
    handled = re.findall(r'\{ ?"(\w+)", (?:read_(?!ignored)|slack_event_reaction)\w*', source(stage.root, "channels/slack/event.c"))
    for event in set(handled) & set(SLACK_EVENTS):
        events |= SLACK_EVENTS[event][0]
        needed |= SLACK_EVENTS[event][1]
    probed = set(re.findall(r'"([\w:]+)"', source(stage.root, "channels/slack/probe.c").split("scopes_needed[]")[1].split("}")[0]))
    assert set(SLACK_EVENTS) <= set(handled), set(SLACK_EVENTS) - set(handled)
    assert set(manifest["oauth_config"]["scopes"]["bot"]) == needed, set(manifest["oauth_config"]["scopes"]["bot"]) ^ needed
    assert probed == needed, probed ^ needed
    assert set(manifest["settings"]["event_subscriptions"]["bot_events"]) == events
    assert manifest["settings"]["socket_mode_enabled"] and manifest["settings"]["interactivity"]["is_enabled"]
    assert manifest["features"]["app_home"]["messages_tab_enabled"]
    command = re.search(r'\.fallback = "(/\w+)"', source(stage.root, "channels/slack/settings.c"))[1]
    assert [c["command"] for c in manifest["features"]["slash_commands"]] == [command]


def system_folders_that_commands_see_are_those_of_the_sandbox(stage):
    lists = [re.search(rf"{name}\[\] = {{(.*?)}};", source(stage.root, path), re.S)[1]
             for name, path in (("system_folders", "src/tools/exposed.c"), ("system_paths", "src/helpers/sandbox/system_paths.c"))]
    checked, shown = ({path for path in re.findall(r'"(/[^"]*)"', text) if not path.startswith("/etc/")} for text in lists)
    assert len(shown) > 20 and checked == shown, checked ^ shown


def discord_invitation_asks_for_what_the_program_uses(stage):
    page = source(stage.root, "docs/getting-started.md")
    number = 0
    for name, (bit, file, part) in DISCORD_PERMISSIONS.items():
        assert f"| {name} | {1 << bit} |" in page, f"the page lacks {name}, {1 << bit}"
        number |= 1 << bit
        if file:
            assert part in source(stage.root, f"channels/discord/{file}"), f"{file} has no use for {name}"
    named = set(re.findall(r"^ *\| ([A-Z][\w ]+) \| \d+ \|", page, re.M))
    assert named == set(DISCORD_PERMISSIONS), named ^ set(DISCORD_PERMISSIONS)
    assert f"permissions={number}" in page, number
    assert set(re.findall(r"permissions=(\d+)", page)) == {str(number)}


def figures_of_the_readme_are_those_that_were_measured(stage):
    measured = source(stage.root, "docs/measurements.md").splitlines()
    rows = re.findall(r"^\| (.*) \| ([\d.,]+ \S+) \|$", source(stage.root, "README.md").split("## Figures")[1], re.M)
    assert len(rows) > 3
    for what, figure in rows:
        name = what.removesuffix(", idle")
        assert any(line.startswith(f"| {name} | {figure} |") for line in measured), f"{what}: {figure}"


def examples_are_the_files_that_run(stage):
    import glob
    page = source(stage.root, "docs/playground-testing.md")
    files = glob.glob(f"{stage.root}/tests/third-party/examples/*")
    assert len(files) >= 9
    for path in files:
        assert "\n" + open(path, encoding="utf-8").read() + "```" in page, f"docs/playground-testing.md does not show {path}"


def pages(stage):
    """README.md and so on, and what is in docs, as paths from the root."""
    import glob
    return glob.glob("*.md", root_dir=stage.root) + glob.glob("docs/**/*.md", root_dir=stage.root, recursive=True)


def every_page_is_listed(stage):
    index = source(stage.root, "docs/README.md")
    for path in pages(stage):
        name = path.removeprefix("docs/")
        if name != path and name != "README.md":
            assert f"]({name})" in index, f"docs/README.md lacks {name}"


def no_page_is_long_but_a_reference(stage):
    """A reference begins with "Look up"."""
    for page in pages(stage):
        text = source(stage.root, page)
        words = len(text.split())
        assert not page.startswith("docs/") or words <= 2000 or text.split("\n\n")[1].startswith("Look up "), f"{page} has {words} words"


def the_readme_is_short_and_installs_as_getting_started_says(stage):
    readme, started = source(stage.root, "README.md"), source(stage.root, "docs/getting-started.md")
    assert len(readme.split()) <= 900, len(readme.split())
    commands = re.search(r"^   ```\n(.*?)^   ```", readme, re.S | re.M)[1].splitlines()
    assert len(commands) > 3
    for command in commands:
        assert "\n" + command.strip() + "\n" in started, f"docs/getting-started.md lacks: {command}"


def every_link_leads_somewhere(stage):
    import os
    for page in pages(stage):
        text = re.sub(r"```.*?```", "", source(stage.root, page), flags=re.S)
        for target, _, heading in re.findall(r"\]\(([^)#\s]*)(#([^)]*))?\)", text):
            path = os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page
            if "://" in target:
                continue
            assert os.path.exists(f"{stage.root}/{path}"), f"{page}: {target}"
            assert not heading or heading in headings(stage, path), f"{page}: {path} has no heading #{heading}"


def headings(stage, path):
    """As GitHub names them."""
    text = re.sub(r"```.*?```", "", source(stage.root, path), flags=re.S)
    return [re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-") for line in re.findall(r"^#+ (.*)$", text, re.M)]


def every_example_of_the_configuration_is_taken(stage):
    import glob
    seen = 0
    for path in [f"{stage.root}/README.md", *sorted(glob.glob(f"{stage.root}/docs/*.md"))]:
        for block in blocks_of(path, path.rpartition("/")[2]):
            if block.language or not re.match(r"(#.*\n|\s)*[a-z_]+(: \{\s| = \(\s)", block.text):
                continue
            stage.write("example.conf", re.sub(r"\.\.\.(?=\s)", "", block.text))
            said = stage.run("myna -c /etc/myna/example.conf check 2>&1")[1]
            # Whoever gets so far has understood all of it.
            assert "state is missing" in said and "unknown key" not in said, f"{block.page}:{block.line}: {said}"
            seen += 1
    assert seen > 15, seen


def every_source_that_is_named_is_there(stage):
    import glob
    for page in pages(stage):
        for path in re.findall(r"`((?:src|channels|playground|tests)/[\w./*-]+)`", source(stage.root, page)):
            # FOLDER and NAME stand for any; CHANGELOG.md speaks of what was.
            if not re.search(r"[A-Z]{4}", path) and page != "CHANGELOG.md":
                assert glob.glob(path, root_dir=stage.root), f"{page}: {path}"


def texts_of_the_program(stage):
    """All string literals, each with those that follow it directly, and with a mark where values go."""
    import glob
    found = []
    for path in glob.glob("src/**/*.[ch]", root_dir=stage.root, recursive=True) + glob.glob("channels/**/*.[ch]", root_dir=stage.root, recursive=True):
        code = re.sub(r"[ \t]*\\\n", "\n", source(stage.root, path))
        for group in re.findall(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', code):
            found.append(re.sub(r"\\(.)", r"\1", "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', group))))
    return "\n".join(found)


def sentences_to_look_for_are_those_of_the_program(stage):
    """docs/troubleshooting.md: what stands first in the rows of its tables."""
    texts, seen = texts_of_the_program(stage), 0
    for row in re.findall(r"^\| `([^`]+)`", source(stage.root, "docs/troubleshooting.md"), re.M):
        for part in re.split(r"…|FILE:LINE:", row):
            if len(part.strip(" .,:;")) > 2:
                assert part.strip() in texts, f"no text of the program has: {part.strip()}"
                seen += 1
    assert seen > 40, seen


def every_command_explains_itself(stage):
    status, said = stage.run("myna help")
    names = sorted(set(re.findall(r"^  myna ([a-z]+)", said, flags=re.M)) - {"help"})
    assert status == 0 and len(names) > 10, said
    for name in names:
        status, said = stage.run(f"myna {name} --help")
        assert status == 0 and f"usage: myna {name}" in said, said
    status, said = stage.run("myna help init")
    assert status == 0 and "--telegram-token" in said, said
    status, said = stage.run("myna help nonsense 2>&1")
    assert status == 64 and "no command 'nonsense'" in said, said


FACTS = [every_command_explains_itself, sentences_to_look_for_are_those_of_the_program, every_example_of_the_configuration_is_taken,
         figures_of_the_readme_are_those_that_were_measured,
         slack_manifest_asks_for_what_the_program_uses,
         system_folders_that_commands_see_are_those_of_the_sandbox, discord_invitation_asks_for_what_the_program_uses, every_page_is_listed, no_page_is_long_but_a_reference,
         the_readme_is_short_and_installs_as_getting_started_says, examples_are_the_files_that_run,
         every_link_leads_somewhere, every_source_that_is_named_is_there]
