#include "channels/telegram/settings.h"

#include <string.h>

#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "net/http/http.h"

#define DIGITS  "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* Figures of the platform: "My bot is hitting limits" in the Bots FAQ, and grammy.dev/advanced/flood. */
static const struct config_key keys[] = {
    {.name = "token",
	.type = CONFIG_SECRET,
	.flags = CONFIG_REQUIRED,
	.offset = offsetof(struct telegram_settings, token),
	.help = "The bot's token from @BotFather, or where to read it (\"file:PATH\", \"cred:NAME\")."},
    {.name = "api_base",
	.type = CONFIG_STRING,
	.offset = offsetof(struct telegram_settings, api_base),
	.fallback = "https://api.telegram.org",
	.help = "The Bot API server, followed by /bot<TOKEN>/<Method>. Plain http only for loopback hosts."},
    {.name = "poll_timeout",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct telegram_settings, poll_timeout_ms),
	.fallback = "30 s",
	.min = 1000,
	.max = 50000,
	.help = "How long one long poll waits for updates, in whole seconds."},
    {.name = "previews",
	.type = CONFIG_BOOL,
	.offset = offsetof(struct telegram_settings, previews),
	.fallback = "true",
	.help = "Show an answer while the model writes it: as a draft in private chats, in groups as a "
		"message that is edited."},
    {.name = "preview_after",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct telegram_settings, preview_after_ms),
	.fallback = "1500 ms",
	.min = 0,
	.max = 60000,
	.help = "An answer that is complete before this time is sent as one message without edits: an edit "
		"notifies nobody."},
    {.name = "rate_private",
	.type = CONFIG_INT,
	.offset = offsetof(struct telegram_settings, rate_private),
	.fallback = "1",
	.min = 0,
	.max = 1000,
	.help = "Maximum number of messages per second to one private chat, with bursts of up to 3. 0 lifts "
		"the limit, for a Bot API server of your own."},
    {.name = "rate_group",
	.type = CONFIG_INT,
	.offset = offsetof(struct telegram_settings, rate_group),
	.fallback = "20",
	.min = 0,
	.max = 60000,
	.help = "Maximum number of messages per minute to one group. 0 lifts the limit."},
    {.name = "rate_global",
	.type = CONFIG_INT,
	.offset = offsetof(struct telegram_settings, rate_global),
	.fallback = "30",
	.min = 0,
	.max = 1000,
	.help = "Maximum number of messages per second over all chats. 0 lifts the limit."},
};

const struct config_section telegram_section = {
    .path = "channels.*",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .restart = true,
    .help = "A Telegram bot (type = \"telegram\").",
};

const struct telegram_limits telegram_limits = {
    .connect_ms = 10000,
    .call_ms = 15000,
    .send_ms = 30000,
    .upload_ms = 300000,
    .poll_grace_ms = 15000,
    .confirm_ms = 2000,
    .watchdog_ms = 120000,
    .retry_ms = 1000,
    .retry_max_ms = 30000,
    .empty_ms = 400,
    .empty_max_ms = 5000,
    .conflict_ms = 5000,
    .conflict_max_ms = 60000,
    .limited_extra_ms = 500,
    .long_pause_ms = 30000,
    .batch = 100,
    .batch_max = 32 << 20,
    .answer_max = 1 << 20,
    .presses = 16,
    .typing_errors = 3,
};

/* The token is part of the URL's path: allow only characters that Telegram issues. */
static int token_check(const char *token)
{
	size_t id = strspn(token, DIGITS);

	if (id == 0 || id > 15 || token[id] != ':' || token[id + 1] == '\0')
		return -1;
	return token[id + 1 + strspn(token + id + 1, DIGITS LETTERS "_-")] == '\0' ? 0 : -1;
}

static int check_token(const char *token, struct error *err)
{
	if (token_check(token) == 0)
		return 0;
	return error_set(err, ERROR_OURS, "a bot's token looks like 123456:ABC..., as @BotFather gives it");
}

const struct channel_question telegram_setup[] = {
    {.option = "token",
	.kind = CHANNEL_ASK_SECRET,
	.key = "token",
	.text = "Telegram: token of the bot, from @BotFather",
	.check = check_token},
    {.option = "api-base", .kind = CHANNEL_ASK_URL, .key = "api_base"},
    {.option = "allow", .kind = CHANNEL_ASK_PEOPLE, .text = "Telegram: your user id, a number"},
    {0},
};

int telegram_settings_check(const void *settings, struct error *err)
{
	const struct telegram_settings *s = settings;

	if (!s->token || token_check(s->token) < 0)
		return error_set(err, ERROR_OURS,
		    "token does not look like a Telegram bot token (123456:ABC...): copy it from @BotFather");
	if (!s->api_base || !http_url_allowed(s->api_base, err))
		return error_prefix(err, "api_base");
	return 0;
}
