#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "playground/discord/discord.h"
#include "playground/discord/gateway/event.h"
#include "playground/discord/gateway/gateway.h"
#include "playground/discord/http/errors.h"
#include "playground/discord/world/guild.h"
#include "playground/platform.h"
#include "playground/server/exchange.h"

#define IDENTIFY_MS 5000 /* one per this time in each bucket */

/* Records the payload, without its token. refused: why, although nothing is wrong with it; or NULL. */
static void record(struct cord_socket *s, const char *method, struct json_object *d,
    struct cord_errors *errors, const char *refused)
{
	struct json_object *shown = json_object_new_object();
	struct buf body = BUF_INIT, problem = BUF_INIT;
	struct exchange ex;

	exchange_begin(&ex, s->world->pg, NULL, s->world->log, discord_platform.name, NULL);
	str_copy(ex.method, sizeof(ex.method), method);
	if (json_object_is_type(d, json_type_object)) {
		json_object_object_foreach(d, key, value) {
			if (strcmp(key, "token") != 0)
				json_object_object_add(shown, key, json_object_get(value));
		}
	}
	json_write(&body, shown);
	exchange_set_body(&ex, body.data, body.len, true);
	if (errors->tree) {
		json_write(&problem, errors->tree);
		exchange_problem(&ex, "%s", problem.data);
	}
	cord_errors_remark(errors, &ex);
	if (refused)
		exchange_remark(&ex, "%s", refused);
	exchange_end(&ex);
	json_object_put(shown);
	buf_clear(&body);
	buf_clear(&problem);
}

/* Returns false after a close. */
static bool check_payload(
    struct cord_socket *s, const char *method, const char *type, struct json_object *d, const char *refused)
{
	struct cord_errors errors = {0};
	bool good;

	if (json_object_is_type(d, json_type_object))
		cord_judge_members(&errors, spec_type(spec_of("discord"), type), d);
	else
		cord_errors_add(
		    &errors, NULL, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType");
	good = !errors.tree;
	record(s, method, d, &errors, refused);
	cord_errors_clear(&errors);
	if (!good)
		cord_socket_close(s, CORD_CLOSE_DECODE);
	else if (s->session)
		cord_socket_close(s, CORD_CLOSE_ALREADY_AUTHENTICATED);
	return good && !s->session;
}

/* Returns the close code for intents that are not granted; 0 if they are. */
static unsigned check_intents(const struct cord_settings *set, int64_t intents)
{
	uint64_t bits = (uint64_t)intents;

	if (intents < 0 || bits >> (CORD_INTENT_LAST + 1) != 0)
		return CORD_CLOSE_INVALID_INTENTS;
	if (((bits & CORD_INTENT_CONTENT) && !set->message_content) ||
	    ((bits & CORD_INTENT_MEMBERS) && !set->members) ||
	    ((bits & CORD_INTENT_PRESENCES) && !set->presences))
		return CORD_CLOSE_DISALLOWED_INTENTS;
	return 0;
}

struct shard {
	int64_t id, count; /* count 0: none was named */
};

/* Returns the close code for a shard that does not exist, or has too many guilds; 0 if it is fine. */
static unsigned check_shard(const struct cord_socket *s, struct json_object *named, struct shard *shard)
{
	int64_t guilds = 0;

	*shard = (struct shard){0};
	if (named) {
		shard->id = json_object_get_int64(json_at(named, 0));
		shard->count = json_object_get_int64(json_at(named, 1));
		if (shard->id < 0 || shard->count < 1 || shard->id >= shard->count)
			return CORD_CLOSE_INVALID_SHARD;
	}
	list_each_entry(&s->world->guild_list, struct cord_guild, g, link)
		guilds += cord_guild_has(g, s->bot) && cord_shard_has(shard->id, shard->count, g->id);
	return guilds > s->world->settings.shard_guilds ? CORD_CLOSE_SHARDING_REQUIRED : 0;
}

static uint64_t *next_identify(const struct cord_settings *set, struct cord_bot *b, int64_t shard)
{
	return &b->next_identify_ms[shard % set->max_concurrency];
}

/* Discord: events/gateway, Session Start Limit, Max Concurrency: shards wait for those of the same bucket. */
static bool is_soon(const struct cord_socket *s, struct json_object *d)
{
	const struct cord_settings *set = &s->world->settings;
	struct cord_bot *b = cord_bot_of_token(s->world, json_get_str(d, "token"));
	struct json_object *named = json_get_array(d, "shard");
	int64_t shard = json_count(named) > 0 ? json_object_get_int64(json_at(named, 0)) : 0;

	return b && set->limits && !s->session && shard >= 0 && clock_now() < *next_identify(set, b, shard);
}

/* Returns false when a limit is exceeded. */
static bool take_start(struct cord_socket *s, struct cord_bot *b, const struct shard *shard, bool soon)
{
	struct cord_settings *set = &s->world->settings;

	if (!set->limits)
		return true;
	if (set->session_starts <= 0) { /* all sessions end, and the token is reset */
		b->token_reset = true;
		list_each_entry(&b->sessions, struct cord_session, other, link) {
			if (other->socket)
				cord_socket_end(other->socket, CORD_CLOSE_AUTHENTICATION_FAILED, true);
			cord_session_free(other);
		}
		cord_socket_close(s, CORD_CLOSE_AUTHENTICATION_FAILED);
		return false;
	}
	if (soon) {
		cord_socket_op(s, CORD_OP_INVALID_SESSION, "false");
		return false;
	}
	set->session_starts--;
	*next_identify(set, b, shard->id) = clock_now() + IDENTIFY_MS;
	return true;
}

static struct json_object *ready_json(const struct cord_socket *s, struct json_object *shard)
{
	struct json_object *d = json_object_new_object(), *guilds = json_object_new_array(),
			   *application = json_object_new_object();
	char url[192];

	list_each_entry(&s->world->guild_list, struct cord_guild, g, link) {
		if (!cord_guild_has(g, s->bot) || !cord_session_serves(s->session, g->id))
			continue;
		json_object_array_add(
		    guilds, json_newf("{id: %p, unavailable: true}", cord_id_or_null(g->id)));
	}
	snprintf(url, sizeof(url), "ws%s/discord/gateway/resume", s->world->origin + strlen("http"));
	json_setf(d,
	    "v: %jd, user: %p, guilds: %p, private_channels: %p, session_id: %s, resume_gateway_url: %s",
	    s->version, cord_bot_json(s->bot), guilds, json_object_new_array(), s->session->id, url);
	if (shard)
		json_set(d, "shard", json_object_get(shard));
	cord_set_id(application, "id", s->bot->id);
	json_set_int(application, "flags", cord_application_flags(s->world));
	json_set(d, "application", application);
	return d;
}

static void say_ready(struct cord_socket *s, struct json_object *shard)
{
	struct json_object *d = ready_json(s, shard);

	cord_session_dispatch(s->session, "READY", d);
	json_object_put(d);
	if (!(s->session->intents & CORD_INTENT_GUILDS) || !s->world->settings.guild_create)
		return;
	list_each_entry(&s->world->guild_list, struct cord_guild, g, link) {
		if (!cord_guild_has(g, s->bot) || !cord_session_serves(s->session, g->id))
			continue;
		d = cord_guild_json(g, s->bot);
		cord_session_dispatch(s->session, "GUILD_CREATE", d);
		json_object_put(d);
	}
}

void cord_identify(struct cord_socket *s, struct json_object *d)
{
	struct json_object *named = json_get_array(d, "shard");
	struct shard shard;
	bool soon = is_soon(s, d);
	unsigned code;

	if (!check_payload(s, "gateway IDENTIFY", "Identify", d,
		soon ? "over the rate limit: one in 5 seconds for each bucket of shards" : NULL))
		return;
	s->bot = cord_bot_of_token(s->world, json_get_str(d, "token"));
	code = s->bot ? check_shard(s, named, &shard) : CORD_CLOSE_AUTHENTICATION_FAILED;
	if (code == 0)
		code = check_intents(&s->world->settings, json_get_int(d, "intents", 0));
	if (code != 0) {
		cord_socket_close(s, code);
		return;
	}
	if (!take_start(s, s->bot, &shard, soon))
		return;
	s->session = cord_session_new(s->bot, (uint64_t)json_get_int(d, "intents", 0));
	s->session->socket = s;
	s->session->compress = json_get_bool(d, "compress", false);
	s->session->shard = shard.id;
	s->session->shards = shard.count;
	say_ready(s, named);
}

/* Closes the session's previous connection: a session has only one. */
static void take_over(struct cord_socket *s, struct cord_session *session)
{
	struct cord_socket *old = session->socket;

	session->socket = NULL;
	if (old) {
		old->session = NULL;
		cord_socket_end(old, CORD_CLOSE_UNKNOWN, true);
	}
	s->session = session;
	session->socket = s;
}

void cord_resume(struct cord_socket *s, struct json_object *d)
{
	struct json_object *resumed;
	struct cord_session *session;
	int64_t seq;

	if (!check_payload(s, "gateway RESUME", "Resume", d, NULL))
		return;
	s->bot = cord_bot_of_token(s->world, json_get_str(d, "token"));
	if (!s->bot) {
		cord_socket_close(s, CORD_CLOSE_AUTHENTICATION_FAILED);
		return;
	}
	seq = json_get_int(d, "seq", 0);
	session = cord_session_find(s->bot, json_get_str(d, "session_id"));
	if (session && seq > session->seq) {
		cord_session_free(session);
		cord_socket_close(s, CORD_CLOSE_INVALID_SEQ);
		return;
	}
	if (!session || seq < 0 || !cord_session_has(session, seq)) {
		cord_socket_op(s, CORD_OP_INVALID_SESSION, "false");
		return;
	}
	take_over(s, session);
	cord_session_replay(session, seq);
	resumed = json_object_new_object();
	cord_session_dispatch(session, "RESUMED", resumed);
	json_object_put(resumed);
}
