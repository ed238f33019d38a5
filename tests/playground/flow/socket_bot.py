"""A bot on Discord or Slack for the flow files of the tests: it opens a form, and says what was chosen in its menu and filled in."""
import base64
import json
import os
import socket
import sys
import urllib.parse
import urllib.request

ROOT = os.environ["PLAYGROUND"]
COLOURS = ["red", "blue"]


class Socket:
    """A WebSocket that carries whole JSON texts."""

    def __init__(self, url):
        at = urllib.parse.urlsplit(url)
        self.wire = socket.create_connection((at.hostname, at.port)).makefile("rwb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.wire.write((f"GET {at.path}?{at.query} HTTP/1.1\r\nHost: {at.netloc}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                         f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())
        self.wire.flush()
        while self.wire.readline().strip():
            pass

    def _send(self, opcode, data):
        length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
        self.wire.write(bytes([0x80 | opcode]) + length + bytes(4) + data)  # a mask of zeros changes nothing
        self.wire.flush()

    def send(self, value):
        self._send(1, json.dumps(value).encode())

    def receive(self):
        while True:
            opcode, length = self.wire.read(2)
            if length >= 126:
                length = int.from_bytes(self.wire.read(2 if length == 126 else 8), "big")
            data = self.wire.read(length)
            if opcode & 15 == 8:
                sys.exit(4)
            if opcode & 15 == 9:
                self._send(10, data)
            elif opcode & 15 == 1:
                return json.loads(data)


def post(path, body, **headers):
    headers = {"Content-Type": "application/json", "User-Agent": "DiscordBot (https://example.org, 1)", **headers}
    with urllib.request.urlopen(urllib.request.Request(ROOT + path, json.dumps(body).encode(), headers)) as response:
        text = response.read()
    return json.loads(text) if text else None


def discord():
    token = "OTAx.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    menu = {"type": 3, "custom_id": "colour", "options": [{"label": c.capitalize(), "value": c} for c in COLOURS]}
    parts = [{"type": 1, "components": [{"type": 2, "style": 1, "label": "Open", "custom_id": "open"}]}, {"type": 1, "components": [menu]}]
    form = {"custom_id": "form", "title": "About you", "components": [
        {"type": 18, "label": "Name", "component": {"type": 4, "custom_id": "name", "style": 1}},
        {"type": 18, "label": "Colour", "component": {**menu, "required": True}}]}

    def say(chat, text, components=()):
        post(f"/discord/api/v10/channels/{chat}/messages", {"content": text, "components": components}, Authorization="Bot " + token)

    def answer(d, kind, data):
        post(f"/discord/api/v10/interactions/{d['id']}/{d['token']}/callback", {"type": kind, "data": data})

    gateway = Socket(ROOT.replace("http", "ws", 1) + "/discord/gateway?v=10&encoding=json")
    gateway.receive()
    gateway.send({"op": 2, "d": {"token": token, "intents": 37377, "properties": {"os": "linux", "browser": "x", "device": "x"}}})
    while True:
        event = gateway.receive()
        d = event["d"]
        if event["t"] == "MESSAGE_CREATE" and not d["author"].get("bot"):
            say(d["channel_id"], "Here you are", parts)
        elif event["t"] == "INTERACTION_CREATE" and d["type"] == 5:
            name, colour = (c["component"] for c in d["data"]["components"])
            answer(d, 4, {"content": f"Hello {name['value']} in {colour['values'][0]}"})
        elif event["t"] == "INTERACTION_CREATE" and d["data"]["custom_id"] == "open":
            answer(d, 9, form)
            say(d["channel_id"], "Fill it in")
        elif event["t"] == "INTERACTION_CREATE":
            answer(d, 4, {"content": "You chose " + d["data"]["values"][0]})


def slack():
    def call(method, token="xoxb-1-2-one", **arguments):
        return post("/slack/api/" + method, arguments, Authorization="Bearer " + token)

    def plain(text):
        return {"type": "plain_text", "text": text}

    menu = {"type": "static_select", "action_id": "colour", "placeholder": plain("Colour"),
            "options": [{"text": plain(c.capitalize()), "value": c} for c in COLOURS]}
    button = {"type": "button", "action_id": "open", "text": plain("Open")}
    form = {"type": "modal", "title": plain("About you"), "submit": plain("Send"), "blocks": [
        {"type": "input", "block_id": "n", "label": plain("Name"), "element": {"type": "plain_text_input", "action_id": "name"}},
        {"type": "input", "block_id": "c", "label": plain("Colour"), "element": menu}]}

    def act(payload):
        action = payload["actions"][0]
        chat = payload["channel"]["id"]
        if action["action_id"] == "open":
            call("views.open", trigger_id=payload["trigger_id"], view={**form, "private_metadata": chat})
            call("chat.postMessage", channel=chat, text="Fill it in")
        else:
            call("chat.postMessage", channel=chat, text="You chose " + action["selected_option"]["value"])

    connection = Socket(call("apps.connections.open", token="xapp-1-A1-2-one")["url"])
    while True:
        envelope = connection.receive()
        payload = envelope.get("payload", {})
        if "envelope_id" in envelope:
            connection.send({"envelope_id": envelope["envelope_id"]})
        if envelope["type"] == "events_api" and payload["event"]["type"] == "message" and "bot_id" not in payload["event"]:
            call("chat.postMessage", channel=payload["event"]["channel"], text="Here you are",
                 blocks=[{"type": "section", "text": plain("Here you are")}, {"type": "actions", "elements": [button, menu]}])
        elif payload.get("type") == "block_actions" and "channel" in payload:
            act(payload)
        elif payload.get("type") == "view_submission":
            values = payload["view"]["state"]["values"]
            call("chat.postMessage", channel=payload["view"]["private_metadata"],
                 text=f"Hello {values['n']['name']['value']} in {values['c']['colour']['selected_option']['value']}")


{"discord": discord, "slack": slack}[sys.argv[1]]()
