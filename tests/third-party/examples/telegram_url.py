# A bot with nothing but HTTP. Libraries take the same address: python-telegram-bot as
# Application.builder().token(TOKEN).base_url(f"{PLAYGROUND}/telegram/bot"), others as the "API server" or "API root".
import json
import os
import urllib.request

PLAYGROUND = os.environ.get("PLAYGROUND", "http://127.0.0.1:8090")
TOKEN = "1002:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"


def call(method, **parameters):
    request = urllib.request.Request(f"{PLAYGROUND}/telegram/bot{TOKEN}/{method}", json.dumps(parameters).encode(),
                                     {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))["result"]


offset = 0
while True:
    for update in call("getUpdates", offset=offset, timeout=30):
        offset = update["update_id"] + 1
        message = update["message"]
        call("sendMessage", chat_id=message["chat"]["id"], text="You said: " + message["text"])
