"""Acts as people in a myna-playground, and reads what a bot does there. Needs nothing but Python's own library."""
from __future__ import annotations

import json
import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Callable, Iterator, Union

WAIT_S = 20.0
LOOK_S = 0.05
Body = dict[str, Any]
Wanted = Union[str, "re.Pattern[str]", Callable[[Body], bool], None]


class PlaygroundError(Exception):
    def __init__(self, message: str, status: int = 0):
        super().__init__(message)
        self.status = status


class Playground:
    def __init__(self, url: str | None = None):
        """Without a URL, that in $PLAYGROUND, or http://127.0.0.1:8090."""
        self.url = (url or os.environ.get("PLAYGROUND") or "http://127.0.0.1:8090").rstrip("/")

    def _open(self, name: str, body: Body | None = None, timeout: float | None = 660):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/control/{name}", data, {"Content-Type": "application/json"})
        try:
            return urllib.request.urlopen(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            with error:
                text = error.read().decode(errors="replace")
            try:
                text = json.loads(text)["error"]
            except (ValueError, KeyError, TypeError):
                pass
            raise PlaygroundError(text, error.code) from None
        except urllib.error.URLError as error:
            raise PlaygroundError(f"no playground answers at {self.url} ({error.reason}): start myna-playground, "
                                  "or say where it is with $PLAYGROUND") from None

    def call(self, name: str, /, **body: Any) -> Any:
        """POST /control/NAME: each call of the reference."""
        with self._open(name, body) as response:
            return json.load(response)

    def get(self, name: str, /, **parameters: Any) -> Any:
        """GET /control/NAME."""
        known = urllib.parse.urlencode({key: value for key, value in parameters.items() if value is not None})
        with self._open(f"{name}?{known}" if known else name) as response:
            return json.load(response)

    def ready(self, platform: str, timeout: float = WAIT_S) -> None:
        """Waits until a bot has connected to the platform; where bots poll, has asked since the last reset."""
        until = time.monotonic() + timeout
        while True:
            if platform == "telegram":
                count = len(self.requests(platform))
            else:
                sockets = self.call("socket", platform=platform)
                count = sockets.get("sessions", sockets["connections"])
            if count > 0:
                return
            if time.monotonic() >= until:
                raise PlaygroundError(f"no bot has come to {platform} within {timeout:g} s", 408)
            time.sleep(LOOK_S)

    def chat(self, platform: str, chat: str, user: str | None = None, kind: str | None = None, thread: str | None = None) -> Chat:
        """The person is named as the chat unless user says otherwise."""
        return Chat(self, platform, chat, user or chat, kind, thread)

    def requests(self, platform: str, method: str | None = None, after: int | None = None) -> list[Body]:
        if platform == "model":
            return self.get("model", method=method, after=after)["requests"]
        return self.get("requests", platform=platform, method=method, after=after)["requests"]

    def fault(self, platform: str, kind: str, method: str = "*", **more: Any) -> int:
        """Orders a failure; returns its id."""
        return self.call("fault", platform=platform, kind=kind, method=method, **more)["id"]

    def clear_faults(self, **which: Any) -> int:
        return self.call("faults/clear", **which)["cleared"]

    def report(self) -> Body:
        """What the bot did that a platform would punish."""
        return self.get("report")

    def junit(self) -> str:
        with self._open("report?format=junit") as response:
            return response.read().decode()

    def now(self) -> float:
        """The playground's time, in seconds since 1970."""
        return self.get("clock")["time_ms"] / 1000

    def advance(self, seconds: float) -> float:
        """Lets that many seconds pass at once; returns the time then."""
        return self.call("clock", advance=seconds)["time_ms"] / 1000

    def snapshot(self) -> Body:
        """All chats of all platforms; an object that JSON can keep."""
        return self.get("snapshot")["snapshot"]

    def restore(self, snapshot: Body) -> None:
        self.call("snapshot", snapshot=snapshot)

    def reset(self) -> None:
        self.call("reset")

    def world(self, name: str) -> Playground:
        """A playground beside this one, with a clock, bots and chats of its own: the bot gets its url."""
        return Playground(self.call("world", name=name)["url"])

    def end_world(self, name: str) -> None:
        self.call("world", name=name, end=True)

    def settings(self, **settings: Body) -> Body:
        """Changes settings by platform; without any, returns them."""
        return self.call("settings", **settings) if settings else self.get("settings")

    def events(self, timeout: float = 60) -> Iterator[Body]:
        """Changes as they happen. The playground says something every 15 seconds: nothing for timeout is an error."""
        with self._open("events", timeout=timeout) as response:
            for line in response:
                if line.startswith(b"data: "):
                    yield json.loads(line[len(b"data: "):])


class Chat:
    """A chat of one platform, as a person sees it."""

    def __init__(self, playground: Playground, platform: str, chat: str, user: str, kind: str | None, thread: str | None):
        self.playground, self.user = playground, user
        self.place = {"platform": platform, "chat": chat, **({"thread": thread} if thread else {})}
        self.person = {"user": user, **({"kind": kind} if kind else {})}
        self._seen = 0

    def act(self, name: str, /, **more: Any) -> Body:
        """Any call of the reference, in this chat and by this person."""
        return self.playground.call(name, **{**self.place, **self.person, **more})

    def say(self, text: str, **more: Any) -> Body:
        """A person writes; returns message_id and more. What the bot has said before is no answer to it."""
        self._seen = len(self._said())
        return self.act("say", text=text, **more)

    def command(self, command: str, text: str | None = None, **more: Any) -> Body:
        return self.act("command", command=command, **({} if text is None else {"text": text}), **more)

    def press(self, button: str, timeout: float = WAIT_S, **more: Any) -> Body:
        """Presses a button by its label or id, on the newest message that has it, or will have it soon."""
        until = time.monotonic() + timeout
        while "message_id" not in more:
            having = [m["id"] for m in self._said() if any(button in (b["label"], b["id"]) for b in m["buttons"])]
            if having:
                more["message_id"] = having[-1]
            elif time.monotonic() >= until:
                raise PlaygroundError(f'no message of the bot has a button "{button}" within {timeout:g} s', 404)
            else:
                time.sleep(LOOK_S)
        return self.act("press", button=button, **more)

    def react(self, message_id: str, emoji: str | None = None) -> Body:
        return self.act("react", message_id=message_id, **({"emoji": emoji} if emoji else {}))

    def poll(self, question: str, answers: list[str], **more: Any) -> Body:
        """Makes a poll of those answers, on Telegram and Discord."""
        return self.act("say", poll={"question": question, "answers": answers, **more})

    def vote(self, answer: Any = None, **more: Any) -> Body:
        """Votes by the text or number of an answer, or a list of these; in the newest poll."""
        return self.act("vote", **({} if answer is None else {"answer": answer}), **more)

    def forward(self, message_id: str, chat: str | None = None, **more: Any) -> Body:
        """Forwards a message; without chat, one of this chat."""
        return self.act("say", forward={"message_id": message_id, **({"chat": chat} if chat else {})}, **more)

    def voice(self, seconds: float, **more: Any) -> Body:
        """A voice note, or audio clip, of that many seconds."""
        return self.act("say", files=[{"name": "voice.ogg", "size": int(2000 * seconds), "kind": "voice", "duration": seconds, **more}])

    def transcript(self) -> Body:
        return self.playground.get("transcript", **self.place)

    def messages(self) -> list[Body]:
        return self.transcript()["messages"]

    def _said(self) -> list[Body]:
        try:
            return [m for m in self.messages() if m["bot"] and not m["deleted"]]
        except PlaygroundError as error:
            if error.status >= 500:
                raise
            return []  # nobody has written there yet

    def answer(self, wanted: Wanted = None, timeout: float = WAIT_S) -> Body:
        """Waits for the bot's next message that fits: a text in it, a pattern, or a function; None: any."""
        until = time.monotonic() + timeout
        while True:
            left_ms = max(0, int((until - time.monotonic()) * 1000))
            try:
                self.playground.call("wait", **self.place, bot_messages=self._seen + 1, timeout_ms=left_ms)
            except PlaygroundError as error:
                if error.status != 408:
                    raise
                said = self._said()
                why = f"the last was {said[-1]['text']!r}" if said else str(error)
                raise PlaygroundError(f"no answer of the bot fits {wanted!r}; {why}", 408) from None
            for message in self._said()[self._seen:]:
                self._seen += 1
                if _fits(message, wanted):
                    return message


def _fits(message: Body, wanted: Wanted) -> bool:
    if wanted is None:
        return True
    if isinstance(wanted, str):
        return wanted in message["text"]
    return bool(wanted(message) if callable(wanted) else wanted.search(message["text"]))
