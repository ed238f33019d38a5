"""What is done wrong on the way to a bot, and what myna check says of it: each as it stands in docs/getting-started.md."""
import re

from stage import DISCORD, SLACK_APP, SLACK_BOT, TELEGRAM

CHANNELS = {
    "telegram": 'telegram: { type = "telegram"; token = "%s"; api_base = "http://127.0.0.1:8090/telegram"; allow = ["77"]; %s };',
    "slack": 'slack: { type = "slack"; bot_token = "%s"; app_token = "%s"; api_base = "http://127.0.0.1:8090/slack/api"; allow = ["U0ANN"]; };',
    "discord": 'discord: { type = "discord"; token = "%s"; api_base = "http://127.0.0.1:8090/discord/api/v10"; allow = ["377"]; %s };',
}
MODEL = 'main: { api = "openai-chat"; base_url = "%s"; model = "scripted"; key = "%s"; };'
GOOD_MODEL = MODEL % ("http://127.0.0.1:8090/v1", "a-key-for-tests")


def telegram(token=TELEGRAM):
    return CHANNELS["telegram"] % (token, "")


def slack(bot=SLACK_BOT, app=SLACK_APP):
    return CHANNELS["slack"] % (bot, app)


def discord(token=DISCORD, more=""):
    return CHANNELS["discord"] % (token, more)


# Of each: the channels, the model, and what is different at the platforms.
CASES = {
    "all is well": (telegram() + slack() + discord(), GOOD_MODEL, {}),
    "a token that @BotFather has revoked": (telegram("4242424242:revokedTokenOfTheDocsTests0123456789"), GOOD_MODEL, {}),
    "a token without the number before its colon": (telegram("AAEdocsTokenOfTheDocsTests0123456789"), GOOD_MODEL, {}),
    "privacy mode off": (telegram(), GOOD_MODEL, {"telegram": {"privacy": False}}),
    "the tokens of Slack exchanged": (slack(SLACK_APP, SLACK_BOT), GOOD_MODEL, {}),
    "a bot token that Slack does not know": (slack("xoxb-1-2-revoked"), GOOD_MODEL, {}),
    "an app-level token that Slack does not know": (slack(SLACK_BOT, "xapp-1-A1-2-revoked"), GOOD_MODEL, {}),
    "scopes left out": (slack(), GOOD_MODEL, {"slack": {"missing_scopes": ["reactions:read", "reactions:write"]}}),
    "a bot token of Discord that was reset": (discord("MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.revokedTokenOfTheDocsTests0123456"), GOOD_MODEL, {}),
    "the application's secret in place of the token": (discord("aSecretOfAnApplicationOfDiscord0"), GOOD_MODEL, {}),
    "the intent left off": (discord(), GOOD_MODEL, {"discord": {"message_content": False}}),
    "no key of the model": (telegram(), GOOD_MODEL.replace(' key = "a-key-for-tests";', ""), {}),
    "a model's server that is not running": (telegram(), MODEL % ("http://127.0.0.1:1/v1", "a-key-for-tests"), {}),
}
RIGHT = {"telegram": {"privacy": True}, "slack": {"missing_scopes": []}, "discord": {"message_content": True}}


SAID = {}


def said(stage, case):
    """The exit status, and the lines as the page shows them."""
    if case not in SAID:
        SAID[case] = ask(stage, case)
    return SAID[case]


def ask(stage, case):
    channels, model, settings = CASES[case]
    stage.write("trial.conf", stage.here(f'state = "/var/lib/myna/trial";\nchannels: {{ {channels} }};\n'
                                                f'llm: {{ default = "main"; providers: {{ {model} }}; }};\n'))
    stage.control("settings", **settings)
    status, out = stage.run("myna -c /etc/myna/trial.conf check --probe")
    stage.control("settings", **RIGHT)
    lines = [re.sub(r"\d+ logins", "1000 logins", line.replace("trial.conf", "myna.conf")) for line in out.splitlines()]
    return status, lines
