#include "playground/discord/discord.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/discord/control/control.h"
#include "playground/discord/gateway/gateway.h"
#include "playground/discord/http/api.h"
#include "playground/discord/world/bot.h"
#include "playground/discord/world/world.h"
#include "playground/platform.h"
#include "playground/world/settings.h"

/* Undocumented: what clients have observed. */
#define HEARTBEAT_MS 41250
/* Over a network, HELLO comes in a packet of its own, some time after the handshake's. cloudstorm listens for
 * it only then, and drops what comes with the handshake. */
#define HELLO_MS     50
#define CDN_SECONDS  86400
#define SHARD_GUILDS 2500 /* Discord: events/gateway, Sharding */

static void *discord_create(struct playground *pg, struct record_log *log)
{
	struct cord_world *w = xcalloc(1, sizeof(*w));
	uint64_t random[2];

	w->pg = pg;
	w->log = log;
	w->settings = (struct cord_settings){
	    .limits = true,
	    .message_content = true,
	    .hello = true,
	    .hello_ms = HELLO_MS,
	    .fragments = 1,
	    .heartbeat_ms = HEARTBEAT_MS,
	    .session_starts = CORD_SESSION_STARTS,
	    .shards = 1,
	    .max_concurrency = 1,
	    .shard_guilds = SHARD_GUILDS,
	    .guild_create = true,
	    .cdn_seconds = CDN_SECONDS,
	};
	clock_random(random, sizeof(random));
	snprintf(w->secret, sizeof(w->secret), "%016" PRIx64 "%016" PRIx64, random[0], random[1]);
	str_copy(w->origin, sizeof(w->origin), "http://127.0.0.1");
	list_init(&w->bot_list);
	list_init(&w->guild_list);
	list_init(&w->channel_list);
	list_init(&w->interaction_list);
	list_init(&w->file_list);
	list_init(&w->sockets);
	cord_records_init(&w->records);
	return w;
}

static void discord_destroy(void *self)
{
	cord_world_clear(self);
	free(self);
}

/* Keeps the bots, with their sessions and commands; forgets the people. */
static void discord_reset(void *self)
{
	struct cord_world *w = self;

	cord_guilds_announce(w, false);
	cord_world_forget(w);
	w->settings.session_starts = CORD_SESSION_STARTS;
	list_each_entry(&w->bot_list, struct cord_bot, b, link) {
		memset(b->next_identify_ms, 0, sizeof(b->next_identify_ms));
		b->token_reset = false;
	}
}

/* Maps each setting to its field in struct cord_settings. */
static const struct setting settings[] = {
    {"cdn_seconds", SETTING_NUMBER, offsetof(struct cord_settings, cdn_seconds), -86400, 8640000},
    {"fragments", SETTING_NUMBER, offsetof(struct cord_settings, fragments), 1, 1000},
    {"heartbeat_ms", SETTING_NUMBER, offsetof(struct cord_settings, heartbeat_ms), 10, 86400000},
    {"guild_create", SETTING_BOOL, offsetof(struct cord_settings, guild_create), 0, 0},
    {"hello", SETTING_BOOL, offsetof(struct cord_settings, hello), 0, 0},
    {"hello_ms", SETTING_NUMBER, offsetof(struct cord_settings, hello_ms), 0, 600000},
    {"limits", SETTING_BOOL, offsetof(struct cord_settings, limits), 0, 0},
    {"max_concurrency", SETTING_NUMBER, offsetof(struct cord_settings, max_concurrency), 1,
	CORD_CONCURRENCY_MAX},
    {"members", SETTING_BOOL, offsetof(struct cord_settings, members), 0, 0},
    {"message_content", SETTING_BOOL, offsetof(struct cord_settings, message_content), 0, 0},
    {"presences", SETTING_BOOL, offsetof(struct cord_settings, presences), 0, 0},
    {"shard_guilds", SETTING_NUMBER, offsetof(struct cord_settings, shard_guilds), 1, SHARD_GUILDS},
    {"shards", SETTING_NUMBER, offsetof(struct cord_settings, shards), 1, 1000},
    {"session_starts", SETTING_NUMBER, offsetof(struct cord_settings, session_starts), 0,
	CORD_SESSION_STARTS},
    {.name = NULL},
};

static int discord_set(void *self, struct json_object *in, struct error *err)
{
	struct cord_world *w = self;

	return settings_set(settings, &w->settings, sizeof(w->settings), in, err);
}

static void discord_settings(void *self, struct json_object *out)
{
	struct cord_world *w = self;

	settings_write(settings, &w->settings, out);
}

static void discord_time_moved(void *self)
{
	cord_threads_archive(self);
	cord_polls_finish(self);
}

static void discord_unanswered(void *self, platform_unanswered_fn *add, void *arg)
{
	struct cord_world *w = self;

	list_each_entry(&w->interaction_list, struct cord_interaction, entry, link)
		if (strcmp(cord_interaction_state(entry), "failed") == 0)
			add(arg, "POST /interactions/callback", 1);
}

/* Members of every action: where it is done, and by whom. */
#define COMMON_MEMBERS PLATFORM_COMMON_MEMBERS " guild thread"

static const struct platform_action discord_actions[] = {
    {"attend", COMMON_MEMBERS " event remove", cord_control_attend},
    {"chat", COMMON_MEMBERS " gone slowmode title topic", cord_control_chat},
    {"close", COMMON_MEMBERS " interaction_id", cord_control_close},
    {"command", COMMON_MEMBERS " autocomplete command message_id options target text", cord_control_command},
    {"delete", COMMON_MEMBERS " message_id", cord_control_delete},
    {"member", COMMON_MEMBERS " action nick permission role seconds", cord_control_member},
    {"operate", COMMON_MEMBERS " body method path reason", cord_control_operate},
    {"pin", COMMON_MEMBERS " message_id remove", cord_control_pin},
    {"press", COMMON_MEMBERS " button message_id values", cord_control_press},
    {"react", COMMON_MEMBERS " emoji message_id remove", cord_control_react},
    {"say", COMMON_MEMBERS " as_bot edit embeds files forward mention_role poll reply_to text webhook",
	cord_control_say},
    {"socket", "action bot code on platform resumable shard text", cord_control_socket},
    {"submit", COMMON_MEMBERS " fields interaction_id", cord_control_submit},
    {"topic", COMMON_MEMBERS " action name", cord_control_topic},
    {"typing", COMMON_MEMBERS "", cord_control_typing},
    {"voice", COMMON_MEMBERS " leave self_deaf self_mute", cord_control_voice},
    {"vote", COMMON_MEMBERS " answer end message_id remove", cord_control_vote},
    {NULL, NULL, NULL},
};

const struct platform discord_platform = {
    .name = "discord",
    .prefix = "/discord/",
    .address = "/discord/api",
    .chat_kinds = "private people group channel news",
    .has_method = cord_api_has_method,
    .create = discord_create,
    .destroy = discord_destroy,
    .serve = cord_api_serve,
    .reset = discord_reset,
    .set = discord_set,
    .settings = discord_settings,
    .chats = cord_transcript_chats,
    .transcript = cord_transcript_write,
    .about = cord_about_write,
    .file = cord_about_file,
    .progress = cord_transcript_progress,
    .show = cord_show_write,
    .disconnect = cord_sockets_abort,
    .time_moved = discord_time_moved,
    .unanswered = discord_unanswered,
    .save = cord_persist_save,
    .load = cord_persist_load,
    .people_actions = discord_actions,
};
