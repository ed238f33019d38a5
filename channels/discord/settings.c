#include "channels/discord/settings.h"

#include <string.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "channels/discord/shard.h"
#include "net/http/http.h"

#define TOKEN_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-="

static const char *const content_names[] = {"auto", "required", "off", NULL};

static const struct config_key keys[] = {
    {.name = "token",
	.type = CONFIG_SECRET,
	.flags = CONFIG_REQUIRED,
	.offset = offsetof(struct discord_settings, token),
	.help = "The bot's token from the Developer Portal (Bot, Reset Token), or where to read it "
		"(\"file:PATH\", \"cred:NAME\")."},
    {.name = "api_base",
	.type = CONFIG_STRING,
	.offset = offsetof(struct discord_settings, api_base),
	.fallback = "https://discord.com/api/v10",
	.help = "The REST API, with its version. Plain http only for loopback hosts."},
    {.name = "gateway_url",
	.type = CONFIG_STRING,
	.offset = offsetof(struct discord_settings, gateway_url),
	.help = "The gateway's WebSocket URL. Default: the one that GET /gateway/bot returns. Plain ws only "
		"for loopback "
		"hosts."},
    {.name = "message_content",
	.type = CONFIG_ENUM,
	.choices = content_names,
	.offset = offsetof(struct discord_settings, message_content),
	.fallback = "auto",
	.help = "The privileged Message Content Intent: use it if the application has it (auto), stop "
		"without it (required), or never request it (off). Without it the bot sees only direct "
		"messages, mentions and replies."},
    {.name = "reply_pings",
	.type = CONFIG_BOOL,
	.offset = offsetof(struct discord_settings, reply_pings),
	.fallback = "false",
	.help = "Whether a reply notifies the person whom it answers. Nothing else ever mentions anybody."},
    {.name = "embeds",
	.type = CONFIG_BOOL,
	.offset = offsetof(struct discord_settings, embeds),
	.fallback = "false",
	.help =
	    "Whether links in messages unfold into previews, which Discord fetches from the linked site."},
    {.name = "commands",
	.type = CONFIG_BOOL,
	.offset = offsetof(struct discord_settings, commands),
	.fallback = "true",
	.help = "Register the commands as slash commands of the application, replacing those that it has."},
    {.name = "previews",
	.type = CONFIG_BOOL,
	.offset = offsetof(struct discord_settings, previews),
	.fallback = "true",
	.help = "Show an answer while the model writes it, as a message that is edited."},
    {.name = "preview_after",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct discord_settings, preview_after_ms),
	.fallback = "1500 ms",
	.min = 0,
	.max = 60000,
	.help = "An answer that is complete before this time is sent as one message without edits: an edit "
		"notifies nobody."},
    {.name = "rate_channel",
	.type = CONFIG_INT,
	.offset = offsetof(struct discord_settings, rate_channel),
	.fallback = "5",
	.min = 0,
	.max = 1000,
	.help = "Maximum number of messages, edits and reactions in five seconds to one channel. 0 lifts the "
		"limit; Discord's own limits, which come with every response, still apply."},
    {.name = "rate_global",
	.type = CONFIG_INT,
	.offset = offsetof(struct discord_settings, rate_global),
	.fallback = "45",
	.min = 0,
	.max = 1000,
	.help = "Maximum number of requests per second over all channels; Discord refuses more than 50. 0 "
		"lifts the limit."},
    {.name = "shards",
	.type = CONFIG_INT,
	.offset = offsetof(struct discord_settings, shards),
	.fallback = "0",
	.min = 0,
	.max = DISCORD_SHARDS_MAX,
	.help =
	    "How many connections (shards) to open to Discord's gateway, each for a part of the servers. 0: "
	    "as many as Discord recommends. All sessions begin anew when it changes."},
    {.name = "units",
	.type = CONFIG_INT,
	.offset = offsetof(struct discord_settings, units),
	.fallback = "1",
	.min = 1,
	.max = DISCORD_UNITS_MAX,
	.help =
	    "Into how many parts the servers are divided, each with its shards, which the nodes of a cluster "
	    "serve like channels of their own. The same on all nodes: stop them all to change it. The "
	    "number of shards is a multiple of it."},
    {.name = "backfill",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct discord_settings, backfill_ms),
	.fallback = "24 h",
	.min = 0,
	.max = 7LL * 24 * 3600 * 1000,
	.help =
	    "After the session was lost: how far back missed messages are fetched. 0: they are not fetched."},
};

const struct config_section discord_section = {
    .path = "channels.*",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .restart = true,
    .help = "A Discord bot (type = \"discord\").",
};

const struct discord_limits discord_limits = {
    .connect_ms = 10000,
    .call_ms = 15000,
    .send_ms = 20000,
    .upload_ms = 60000,
    .hello_ms = 20000,
    .ready_ms = 30000,
    .guilds_ms = 5000,
    .identify_gap_ms = 5250,
    .invalid_ms = 1000,
    .retry_ms = 1000,
    .retry_max_ms = 60000,
    .healthy_ms = 60000,
    .limited_extra_ms = 50,
    .long_pause_ms = 30000,
    .typing_ms = 7500,
    .greet_ms = 3000,
    .thinking_ms = 20000,
    .nonce_ms = 120000,
    .frame_max = 16 << 20,
    .answer_max = 8 << 20,
    .pending_ms = 600000,
    .queue_events = 2000,
    .queue_bytes = 32 << 20,
    .batch = 64,
    .identifies_hour = 50,
    .identifies_day = 500,
    .identifies_left = 20,
    .resumes = 3,
    .backfill_channels = 500,
    .backfill_messages = 500,
    .invalid_max = 500,
    .invalid_stop = 5000,
};

/* The token becomes a part of a header: three parts of base64url. */
static int token_check(const char *token)
{
	const char *at = token;

	for (int part = 0; part < 3; part++) {
		size_t len = strspn(at, TOKEN_CHARS);

		if (len == 0 || at[len] != (part < 2 ? '.' : '\0'))
			return -1;
		at += len + 1;
	}
	return strlen(token) >= 30 && strlen(token) <= 1024 ? 0 : -1;
}

static int check_token(const char *token, struct error *err)
{
	if (token_check(token) == 0)
		return 0;
	return error_set(err, ERROR_OURS, "a bot's token has three parts with dots between them");
}

const struct channel_question discord_setup[] = {
    {.option = "token",
	.kind = CHANNEL_ASK_SECRET,
	.key = "token",
	.text = "Discord: token of the bot",
	.check = check_token},
    {.option = "api-base", .kind = CHANNEL_ASK_URL, .key = "api_base"},
    {.option = "allow", .kind = CHANNEL_ASK_PEOPLE, .text = "Discord: your user id, a number"},
    {0},
};

bool discord_settings_gateway_allowed(const char *url, struct error *err)
{
	struct buf http = BUF_INIT;
	bool allowed = false;

	if (strncmp(url, "ws://", 5) != 0 && strncmp(url, "wss://", 6) != 0) {
		error_set(err, ERROR_OURS, "must begin with wss:// (or ws:// for a loopback host)");
	} else {
		buf_addf(&http, "http%s", url + 2);
		allowed = http_url_allowed(http.data, err);
	}
	buf_clear(&http);
	return allowed;
}

unsigned discord_settings_units(const void *settings)
{
	const struct discord_settings *s = settings;

	return s->units > 1 ? (unsigned)s->units : 1;
}

int discord_settings_check(const void *settings, struct error *err)
{
	const struct discord_settings *s = settings;

	if (!s->token || token_check(s->token) < 0)
		return error_set(err, ERROR_OURS,
		    "token does not look like a Discord bot token (three parts with dots between them, "
		    "without \"Bot \"): copy it from the Developer Portal, Bot, Reset Token");
	if (!s->api_base || !http_url_allowed(s->api_base, err))
		return error_prefix(err, "api_base");
	if (s->shards % discord_settings_units(s) != 0)
		return error_set(err, ERROR_OURS,
		    "shards must be a multiple of units (%u), so that each unit has as many",
		    discord_settings_units(s));
	if (s->gateway_url && !discord_settings_gateway_allowed(s->gateway_url, err))
		return error_prefix(err, "gateway_url");
	return 0;
}
