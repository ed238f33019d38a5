"""Plays the recipes of docs/recipes: a gateway runs with the configuration that stands on the page, people write what the page shows,
and the agent has to say what it shows, in that order and nothing else. Only the addresses of the platforms and of the model are others;
the files of the tokens hold the playground's. What the model says is in recipes.json: it is simulated, the gateway is not. The people
and chats of a page have the ids that its configuration gives them, each by the name in the comment behind it; other names are strangers.

In a block ```chat PLATFORM KIND CHAT the lines are
    NAME: TEXT              a person says that, or Myna; lines that begin with two spaces belong to the text, … stands for anything, and
                            where Myna's lines end is of no account
    NAME (thread): TEXT     the same in the thread of the last message of a person outside of threads
    NAME presses BUTTON     on the newest message with that button
    NAME adds the bot       to the chat
    (no answer)             what comes before it gets none: whoever writes next here gets the next answer
Minutes of a reminder pass as if they were seconds."""
import json
import re
import time
import urllib.error

from pages import blocks_of, difference
from stage import Stage

WAIT = 60   # seconds, at most, for each message; rates of the platforms slow some
LINE = re.compile(r"^(\w+)( \(thread\))?: (.*)$")
ADDS = re.compile(r"^(\w+) adds the bot$")
PRESS = re.compile(r"^(\w+) presses (.+)$")
NAMED = re.compile(r'^[^#]*?((?:"[-\w]+"(?:, )?)+)[^"#]*# ([\w, ]+)$', re.M)
BASES = {"telegram": "http://{}/telegram", "slack": "http://{}/slack/api", "discord": "http://{}/discord/api/v10"}
# The playground asks everybody for a key, Ollama nobody.
MODELS = {"anthropic": 'base_url = "http://{}";', "ollama": 'base_url = "http://{}/v1"; key = "a-key-for-tests";'}


class Chat:
    def __init__(self, platform, kind, name, id):
        self.platform, self.kind, self.name, self.id = platform, kind, name, id
        self.seen = 0       # messages of the bot that were expected so far
        self.last = None    # the last message of a person outside of threads


class Recipe:
    def __init__(self, build, root, path):
        self.name = path.rpartition("/")[2].removesuffix(".md")
        self.blocks = blocks_of(path, f"recipes/{self.name}.md")
        conf = [block.text for block in self.blocks if block.language == "conf"]
        assert len(conf) == 1, f"{path} has {len(conf)} configurations"
        self.ids = {}
        for ids, names in NAMED.findall(conf[0]):
            listed, called = re.findall(r'"([-\w]+)"', ids), names.split(", ")
            if len(listed) == len(called):
                self.ids.update(zip(called, listed))
        self.chats, self.users = {}, {}
        rules = json.load(open(f"{root}/tests/docs/recipes.json", encoding="utf-8"))[self.name]
        # The playground's Ollama has one model.
        names = [(name, "scripted") for name in re.findall(r'profile = "ollama"; model = "([^"]+)"', conf[0])]
        self.stage = Stage(build, root, conf[0], json.dumps({**rules["says"], "delay_ms": 0}), self.point, names=names)
        self.by_hand = rules.get("by-hand", [])

    def point(self, conf, playground):
        """The configuration with the addresses of the playground."""
        conf = re.sub(r'type = "(\w+)";', lambda m: f'{m[0]} api_base = "{BASES[m[1]].format(playground)}";', conf)
        return re.sub(r'profile = "([\w.]+)";', lambda m: f"{m[0]} {MODELS[m[1]].format(playground)}", conf)

    def chat(self, mark):
        platform, kind, name = mark.split(" ", 2)
        return self.chats.setdefault((platform, name), Chat(platform, kind, name, self.ids.get(name, name)))

    def control(self, chat, verb, **body):
        return self.stage.control(verb, platform=chat.platform, chat=chat.id, **body)

    def messages(self, chat):
        """Nothing yet was said in a chat that is not there."""
        try:
            return self.stage.look("transcript", platform=chat.platform, chat=chat.id)["messages"]
        except urllib.error.HTTPError as error:
            assert error.code in (400, 404), error
            return []

    def say(self, chat, who, thread, text):
        user = self.ids.get(who, who)
        text = re.sub(r"\bin \d+ min\b", "in 2 s", text)
        if text.startswith("/") and chat.platform != "telegram":
            # What clients make of a mention.
            command, _, words = re.sub(r"@(\w+)", lambda m: f"<@{self.users[m[1]]}>", text).partition(" ")
            self.control(chat, "command", user=user, kind=chat.kind, command=command, text=words)
            return
        text = text.replace("@myna ", "@bot ") if chat.platform == "slack" else text
        more = {"thread": chat.last} if thread else {}
        said = self.control(chat, "say", user=user, kind=chat.kind, text=text, **more)
        self.users[who] = said["user_id"]
        if not thread:
            chat.last = said["message_id"]

    def press(self, chat, who, button):
        self.until(lambda: self.newest_with(chat, button), lambda: f"no message has the button {button}")
        self.control(chat, "press", user=self.ids.get(who, who), message_id=self.newest_with(chat, button), button=button)

    def newest_with(self, chat, button):
        for message in reversed(self.messages(chat)):
            if button in json.dumps(message.get("buttons") or [], ensure_ascii=False):
                return message["id"]
        return None

    def of_the_bot(self, chat):
        return [m for m in self.messages(chat) if m["bot"] and not m.get("deleted")]

    def expect(self, chat, thread, text):
        number, wrong = chat.seen, ["it says nothing"]
        chat.seen += 1

        def said():
            found = self.of_the_bot(chat)
            if len(found) <= number:
                return False
            wrong[0] = difference(text, " ".join(found[number]["text"].split())) or ""
            # In Telegram, answers are shown as a thread, too.
            if not wrong[0] and chat.platform == "slack" and bool(found[number].get("thread")) != thread:
                wrong[0] = "it says so in another place: " + json.dumps(found[number])
            return not wrong[0]
        self.until(said, lambda: f"in {chat.platform}, {chat.name}: {wrong[0]}")

    def until(self, condition, why):
        end = time.monotonic() + WAIT
        while not condition():
            assert time.monotonic() < end, why() + "\n" + self.stage.log_end()
            time.sleep(0.05)

    def steps(self, block):
        """(line, list of lines of the text)"""
        steps = []
        for line in block.text.splitlines():
            if line.startswith("  ") and steps:
                steps[-1][1].append(line[2:])
            elif line.strip():
                steps.append((line, []))
        return steps

    def play(self, block):
        chat = self.chat(block.mark)
        for line, rest in self.steps(block):
            said, pressed, added = LINE.match(line), PRESS.match(line), ADDS.match(line)
            if line == "(no answer)":
                continue
            if added:
                self.control(chat, "member", user=self.ids.get(added[1], added[1]), kind=chat.kind, action="add")
                continue
            assert said or pressed, f"{block.page}: what is this line? {line}"
            if pressed:
                self.press(chat, *pressed.groups())
                continue
            if said[1] == "Myna":
                self.expect(chat, bool(said[2]), " ".join([said[3], *rest]))
            else:
                self.say(chat, said[1], bool(said[2]), "\n".join([said[3], *rest]))

    def nothing_else_was_said(self):
        for chat in self.chats.values():
            found = self.of_the_bot(chat)
            assert len(found) == chat.seen, f"{chat.platform}, {chat.name}: more was said: {found[chat.seen:]}"

    def run(self, block):
        status, out = self.stage.run(block.text)
        assert status == 0, f"exit status {status}:\n{out}"
        wrong = difference(block.shown, out) if block.shown is not None else None
        assert not wrong, wrong

    def do_by_hand(self):
        """What people do to their machine is done to the playground: recipes.json has calls of its control for it, in this order."""
        if self.by_hand:
            for verb, body in self.by_hand.pop(0).items():
                self.stage.control(verb, **body)

    def tests(self):
        for block in self.blocks:
            if block.language == "sh" and block.mark == "":
                yield f"{block.page}_line_{block.line}", lambda block=block: self.run(block)
            elif block.language == "sh":
                yield f"{block.page}_line_{block.line}_by_hand", self.do_by_hand
            elif block.language == "chat":
                yield f"{block.page}_line_{block.line}", lambda block=block: self.play(block)
        yield f"recipes/{self.name}.md_shows_all_that_was_said", self.nothing_else_was_said
