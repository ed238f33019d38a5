"""Runs against the playground at $PLAYGROUND; the bot is a loop over the Bot API."""
import json
import re
import threading
import unittest
import urllib.error
import urllib.request

from myna_playground import Playground, PlaygroundError

playground = Playground()
API = f"{playground.url}/telegram/bot4002:{'B' * 35}"
ended = threading.Event()


def bot(method, **parameters):
    request = urllib.request.Request(f"{API}/{method}", json.dumps(parameters).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)["result"]
    except urllib.error.HTTPError as error:
        error.close()
        return None


def echo():
    """Echoes with a button; a press is answered."""
    offset = 0
    while not ended.is_set():
        for update in bot("getUpdates", offset=offset, timeout=30) or []:
            offset = update["update_id"] + 1
            if "text" in (message := update.get("message", {})):
                bot("sendMessage", chat_id=message["chat"]["id"], text="You said: " + message["text"],
                    reply_markup={"inline_keyboard": [[{"text": "Well done", "callback_data": "well"}]]})
            if press := update.get("callback_query"):
                bot("answerCallbackQuery", callback_query_id=press["id"])
                bot("sendMessage", chat_id=press["message"]["chat"]["id"], text="Thank you.")


class Test(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.thread = threading.Thread(target=echo)
        cls.thread.start()

    @classmethod
    def tearDownClass(cls):
        ended.set()
        playground.chat("telegram", "Ann").say("the end")  # ends the poll
        cls.thread.join()

    def setUp(self):
        playground.reset()
        self.chat = playground.chat("telegram", "Ann")

    def test_a_person_writes_and_presses_and_the_bot_answers(self):
        said = self.chat.say("hello")
        self.assertEqual(self.chat.answer("You said: ")["text"], "You said: hello")
        self.chat.press("Well done")
        self.assertEqual(self.chat.answer(re.compile("^Thank"))["text"], "Thank you.")
        self.assertEqual([m["text"] for m in self.chat.messages()], ["hello", "You said: hello", "Thank you."])
        self.assertEqual(self.chat.messages()[0]["id"], said["message_id"])
        self.assertEqual(len(playground.requests("telegram", method="answerCallbackQuery")), 1)
        self.assertEqual(playground.report()["problems"], 0)

    def test_what_does_not_come_is_an_error(self):
        self.chat.say("hello")
        self.chat.answer()
        with self.assertRaises(PlaygroundError) as caught:
            self.chat.answer("never", timeout=0.05)
        self.assertEqual(caught.exception.status, 408)
        self.assertRegex(str(caught.exception), "'never'.*'You said: hello'")
        with self.assertRaises(PlaygroundError):
            self.chat.press("Nothing", timeout=0.05)
        with self.assertRaisesRegex(PlaygroundError, "start myna-playground"):
            Playground("http://127.0.0.1:1").reset()

    def test_a_button_that_is_not_there_yet_is_waited_for(self):
        self.chat.say("hello")
        self.chat.press("Well done")
        self.chat.answer("Thank you.")

    def test_a_bot_is_waited_for(self):
        world = playground.world("empty")
        for platform in ("telegram", "slack", "discord"):
            with self.assertRaisesRegex(PlaygroundError, "no bot has come"):
                world.ready(platform, timeout=0)
        urllib.request.urlopen(f"{world.url}/telegram/bot4002:{'B' * 35}/getMe").close()
        world.ready("telegram")
        playground.end_world("empty")

    def test_a_fault_meets_the_bot_and_the_report_says_what_is_wrong(self):
        playground.fault("telegram", "retry_after", method="sendMessage", seconds=60)
        self.chat.say("one")
        self.chat.say("two")  # the bot does not wait
        self.chat.answer("two")
        problems = [f for f in playground.report()["findings"] if f["level"] == "problem"]
        self.assertEqual([(f["check"], f["method"], f["count"]) for f in problems], [("retry_after", "sendMessage", 1)])
        self.assertIn("<failure", playground.junit())
        self.assertEqual(playground.clear_faults(), 0)

    def test_time_passes_and_a_snapshot_comes_back(self):
        before = playground.now()
        self.chat.say("hello")
        self.chat.answer("hello")
        snapshot = json.loads(json.dumps(playground.snapshot()))
        self.assertGreaterEqual(playground.advance(86400) - before, 86400)
        playground.reset()
        self.assertEqual(playground.get("chats")["chats"], [])
        playground.restore(snapshot)
        self.assertEqual(len(self.chat.messages()), 2)
        self.chat.say("again")
        self.chat.answer("You said: again")

    def test_people_vote_forward_pin_and_speak(self):
        for platform in ("telegram", "slack", "discord"):
            with self.subTest(platform):
                name, kind = ("-100777", "group") if platform == "telegram" else ("dev", "channel")
                place, bea = playground.chat(platform, name, user="Ann", kind=kind), playground.chat(platform, "Bea")
                said = place.say("look")["message_id"]
                bea.forward(said, name, kind="private")
                place.voice(3)
                place.act("pin", message_id=said)
                if platform != "slack":
                    place.poll("Tea?", ["yes", "no"])
                    place.vote("no")
                    place.vote(end=True)
                messages = place.messages()
                self.assertTrue(next(m for m in messages if m["id"] == said)["pinned"])
                self.assertEqual(next(m for m in messages if m["files"])["files"][0]["kind"], "voice")
                self.assertEqual(len([m for m in bea.messages() if not m["bot"]]), 1)

    def test_all_that_a_person_does_can_be_done_in_a_thread_and_a_chat_of_a_kind(self):
        for platform, name, kind in (("telegram", "forum", "group"), ("slack", "dev", "channel"), ("discord", "dev", "channel")):
            with self.subTest(platform):
                top = playground.chat(platform, name, user="Ann", kind=kind)
                if platform == "telegram":
                    top.act("chat", forum=True)
                thread = top.say("begin")["message_id"] if platform == "slack" else top.act("topic", action="create", name="News")["thread"]
                chat = playground.chat(platform, name, user="Ann", kind=kind, thread=str(thread))
                said = chat.say("look")["message_id"]
                chat.react(said, "eyes" if platform == "slack" else "👀")
                chat.act("pin", message_id=said)
                with self.assertRaises(PlaygroundError) as caught:
                    chat.press("nothing", message_id=said)
                self.assertNotIn("means nothing here", str(caught.exception))
                self.assertEqual(len(next(m for m in chat.messages() if m["id"] == said)["reactions"]), 1)

    def test_a_world_beside_has_its_own_time_and_chats(self):
        world, before = playground.world("side"), playground.now()
        world.chat("telegram", "Ann").say("hello")
        began = world.now()
        self.assertGreaterEqual(world.advance(86400) - began, 86400)
        self.assertLess(playground.now() - before, 60)
        self.assertEqual(playground.get("chats")["chats"], [])
        playground.end_world("side")
        self.assertEqual(playground.get("worlds")["worlds"], [])

    def test_events_come_as_they_happen(self):
        seen = []
        for event in playground.events():
            seen.append(event["type"])
            if event["type"] == "hello":
                self.chat.say("hello")
            if event["type"] == "message":
                break
        self.assertEqual(seen[0], "hello")


if __name__ == "__main__":
    unittest.main()
