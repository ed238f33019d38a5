"""A bot for the flow files of the tests: it says again what it hears, with a button. Told "break", it ends; "nonsense" makes it ask wrongly."""
import json
import os
import sys
import urllib.error
import urllib.request

ROOT = os.environ["PLAYGROUND"] + "/telegram/bot123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/"
KEYS = {"inline_keyboard": [[{"text": "Well done", "callback_data": "well"}]]}


def call(method, **parameters):
    request = urllib.request.Request(ROOT + method, json.dumps(parameters).encode(), {"Content-Type": "application/json"})
    try:
        return json.load(urllib.request.urlopen(request))["result"]
    except urllib.error.HTTPError:
        return None


def hear(message):
    if message["text"] == "break":
        sys.exit(3)
    if message["text"] == "nonsense":
        call("sendMessage", chat_id=message["chat"]["id"], txt="nonsense")
    while call("sendMessage", chat_id=message["chat"]["id"], text="You said: " + message["text"], reply_markup=KEYS) is None:
        pass


def answer(query):
    call("editMessageText", chat_id=query["message"]["chat"]["id"], message_id=query["message"]["message_id"], text="Thank you.")
    call("answerCallbackQuery", callback_query_id=query["id"])


offset = 0
while True:
    for update in call("getUpdates", offset=offset, timeout=30) or []:
        offset = update["update_id"] + 1
        if "text" in update.get("message", {}):
            hear(update["message"])
        elif "callback_query" in update:
            answer(update["callback_query"])
