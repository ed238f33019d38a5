#include "channels/slack/settings.h"

#include <string.h>

#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "net/http/http.h"

#define TOKEN_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."
#define COMMAND_MAX 32

static const struct config_key keys[] = {
    {.name = "bot_token",
	.type = CONFIG_SECRET,
	.flags = CONFIG_REQUIRED,
	.offset = offsetof(struct slack_settings, bot_token),
	.help = "The bot's token (xoxb-...) from \"OAuth & Permissions\" of the app, or where to read it "
		"(\"file:PATH\", \"cred:NAME\")."},
    {.name = "app_token",
	.type = CONFIG_SECRET,
	.flags = CONFIG_REQUIRED,
	.offset = offsetof(struct slack_settings, app_token),
	.help = "The app-level token (xapp-...) with the scope connections:write, from \"Basic "
		"Information\", or where to read it. Socket Mode, through which messages arrive, needs it."},
    {.name = "api_base",
	.type = CONFIG_STRING,
	.offset = offsetof(struct slack_settings, api_base),
	.fallback = "https://slack.com/api",
	.help = "The Web API, followed by /METHOD. Plain http only for loopback hosts."},
    {.name = "command",
	.type = CONFIG_STRING,
	.offset = offsetof(struct slack_settings, command),
	.fallback = "/myna",
	.help = "The slash command of the app: \"/myna stop\" does what /stop does elsewhere. Empty: none."},
    {.name = "thread_replies",
	.type = CONFIG_BOOL,
	.offset = offsetof(struct slack_settings, thread_replies),
	.fallback = "true",
	.help = "In a thread where the agent has written, also answer replies that mention nobody."},
    {.name = "previews",
	.type = CONFIG_BOOL,
	.offset = offsetof(struct slack_settings, previews),
	.fallback = "true",
	.help = "Show an answer while the model writes it: as a stream in threads, elsewhere as a message "
		"that is edited."},
    {.name = "preview_after",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct slack_settings, preview_after_ms),
	.fallback = "1500 ms",
	.min = 0,
	.max = 60000,
	.help = "An answer that is complete before this time is sent as one message without edits."},
    {.name = "rate_chat",
	.type = CONFIG_INT,
	.offset = offsetof(struct slack_settings, rate_chat),
	.fallback = "1",
	.min = 0,
	.max = 1000,
	.help = "Maximum number of messages per second to one conversation, with bursts of up to 3. 0 lifts "
		"the limit."},
    {.name = "rate_global",
	.type = CONFIG_INT,
	.offset = offsetof(struct slack_settings, rate_global),
	.fallback = "5",
	.min = 0,
	.max = 1000,
	.help = "Maximum number of messages per second over all conversations, with bursts of up to 10. 0 "
		"lifts the limit."},
    {.name = "backfill",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct slack_settings, backfill_ms),
	.fallback = "24 h",
	.min = 0,
	.max = 7LL * 24 * 3600 * 1000,
	.help =
	    "After a start or a lost connection: how far back missed messages are fetched. 0: they are not "
	    "fetched."},
};

const struct config_section slack_section = {
    .path = "channels.*",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .restart = true,
    .help = "A Slack app in one workspace (type = \"slack\").",
};

const struct slack_limits slack_limits = {
    .connect_ms = 10000,
    .call_ms = 15000,
    .send_ms = 30000,
    .file_ms = 10 * 60 * 1000,
    .hello_ms = 30000,
    .ping_ms = 15000,
    .retire_ms = 10000,
    .stable_ms = 8000,
    .age_ms = 6 * 3600 * 1000,
    .retry_ms = 1000,
    .retry_max_ms = 60000,
    .crowded_ms = 60000,
    .limited_extra_ms = 500,
    .long_pause_ms = 30000,
    .settle_ms = 2000,
    .share_ms = 10000,
    .stream_ms = 240000,
    .status_ms = 60000,
    .message_max = 16 << 20,
    .answer_max = 8 << 20,
    .batch = 64,
    .check_ms = 10000,
    .redelivered_ms = 5 * 60 * 1000,
    .roots_ms = 7LL * 24 * 3600 * 1000,
    .backfill_chats = 300,
    .backfill_pages = 5,
    .backfill_messages = 500,
    .backfill_threads = 50,
    .recent_chats = 16,
    .recent_ms = 10 * 60 * 1000,
};

static int token_check(
    const char *key, const char *token, const char *prefix, const char *where, struct error *err)
{
	static const struct {
		const char *prefix, *kind;
	} kinds[] = {
	    {"xapp-", "an app-level token"},
	    {"xoxb-", "a bot token"},
	    {"xoxe", "a configuration token"},
	    {"xoxp-", "a user's token"},
	};

	if (!token)
		return error_set(
		    err, ERROR_OURS, "%s is empty: it begins with %s and comes from %s", key, prefix, where);
	if (strncmp(token, prefix, strlen(prefix)) == 0 && token[strlen(prefix)] != '\0' &&
	    token[strspn(token, TOKEN_CHARS)] == '\0')
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (strcmp(kinds[i].prefix, prefix) != 0 &&
		    strncmp(token, kinds[i].prefix, strlen(kinds[i].prefix)) == 0)
			return error_set(err, ERROR_OURS,
			    "%s holds %s (%s): the one that belongs here begins with %s and comes from %s",
			    key, kinds[i].kind, kinds[i].prefix, prefix, where);
	}
	return error_set(err, ERROR_OURS,
	    "%s does not look like one of Slack: it begins with %s and comes from %s", key, prefix, where);
}

static int check_prefix(const char *token, const char *kind, const char *prefix, struct error *err)
{
	if (strncmp(token, prefix, strlen(prefix)) == 0)
		return 0;
	return error_set(err, ERROR_OURS, "%s begins with %s", kind, prefix);
}

static int check_bot_token(const char *token, struct error *err)
{
	return check_prefix(token, "a bot token", "xoxb-", err);
}

static int check_app_token(const char *token, struct error *err)
{
	return check_prefix(token, "an app-level token", "xapp-", err);
}

const struct channel_question slack_setup[] = {
    {.option = "bot-token",
	.kind = CHANNEL_ASK_SECRET,
	.key = "bot_token",
	.text = "Slack: bot token (xoxb-...)",
	.check = check_bot_token},
    {.option = "app-token",
	.kind = CHANNEL_ASK_SECRET,
	.key = "app_token",
	.text = "Slack: app-level token (xapp-...)",
	.check = check_app_token},
    {.option = "api-base", .kind = CHANNEL_ASK_URL, .key = "api_base"},
    {.option = "allow", .kind = CHANNEL_ASK_PEOPLE, .text = "Slack: your member id (U...)"},
    {0},
};

static int command_check(const char *command, struct error *err)
{
	size_t len = command ? strlen(command) : 0;

	if (len == 0 ||
	    (command[0] == '/' && len > 1 && len <= COMMAND_MAX && strcspn(command, " \t") == len))
		return 0;
	return error_set(err, ERROR_OURS,
	    "command is written as people type it, \"/myna\", in at most %d characters", COMMAND_MAX);
}

int slack_settings_check(const void *settings, struct error *err)
{
	const struct slack_settings *s = settings;

	if (token_check("bot_token", s->bot_token, "xoxb-", "\"OAuth & Permissions\"", err) < 0 ||
	    token_check(
		"app_token", s->app_token, "xapp-", "\"Basic Information\", \"App-Level Tokens\"", err) < 0 ||
	    command_check(s->command, err) < 0)
		return -1;
	if (!s->api_base || !http_url_allowed(s->api_base, err))
		return error_prefix(err, "api_base");
	return 0;
}
