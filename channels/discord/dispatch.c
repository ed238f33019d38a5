#include "channels/discord/dispatch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "bus/message.h"
#include "bus/reaction.h"
#include "channels/discord/discord_internal.h"
#include "channels/discord/greeting.h"
#include "channels/discord/cache.h"
#include "channels/discord/event_queue.h"

/* A guild that the bot joined longer ago is new only to this process. */
#define JOINED_MS (10 * 60 * 1000)
/* How far ahead the first mark is: it cancels MARGIN_MS of backfill.c, because messages from before the bot's
 * first start are not for it. */
#define FIRST_MS 60000

struct event {
	struct discord *d;
	struct discord_shard *s;
	struct discord_queued_event *item;
	struct json_object *data; /* of item, borrowed with a count of its own */
	struct discord_event_out *out;
};

typedef int handler(struct task *t, struct event *e, struct error *err);

static size_t length(struct json_object *list)
{
	return list ? json_object_array_length(list) : 0;
}

static int note_channel(struct task *t, struct event *e, struct error *err)
{
	(void)t;
	(void)err;
	discord_cache_note_channel(&e->d->cache, e->data, 0);
	return 0;
}

static int drop_channel(struct task *t, struct event *e, struct error *err)
{
	(void)t;
	(void)err;
	discord_cache_drop_channel(&e->d->cache, discord_id_get(e->data, "id"));
	return 0;
}

static void note_channels(struct discord *d, struct json_object *list, uint64_t guild)
{
	for (size_t i = 0; i < length(list); i++)
		discord_cache_note_channel(&d->cache, json_object_array_get_idx(list, i), guild);
}

static int sync_threads(struct task *t, struct event *e, struct error *err)
{
	(void)t;
	(void)err;
	note_channels(e->d, json_get_array(e->data, "threads"), discord_id_get(e->data, "guild_id"));
	return 0;
}

static int note_role(struct task *t, struct event *e, struct error *err)
{
	struct discord_guild *g = discord_cache_guild(&e->d->cache, discord_id_get(e->data, "guild_id"));

	(void)t;
	(void)err;
	if (g)
		discord_cache_note_role(g, json_get_object(e->data, "role"), e->d->self.user);
	return 0;
}

static int change_guild(struct task *t, struct event *e, struct error *err)
{
	(void)t;
	(void)err;
	discord_cache_note_guild(&e->d->cache, e->data, e->d->self.user);
	return 0;
}

static int drop_guild(struct task *t, struct event *e, struct error *err)
{
	uint64_t id = discord_id_get(e->data, "id");

	(void)t;
	(void)err;
	if (json_get_bool(e->data, "unavailable", false))
		return 0; /* an outage: it comes back */
	log_warn(e->d->self.channel, "the bot was removed from a server: server=%" PRIu64, id);
	discord_cache_drop_guild(&e->d->cache, id);
	return 0;
}

static bool is_pending(const struct discord_shard *s, uint64_t guild)
{
	for (size_t i = 0; i < s->pending_count; i++)
		if (s->pending_guilds[i] == guild)
			return true;
	return false;
}

static void guild_done(struct discord_shard *s, uint64_t guild)
{
	for (size_t i = 0; i < s->pending_count; i++) {
		if (s->pending_guilds[i] != guild)
			continue;
		s->pending_guilds[i] = s->pending_guilds[--s->pending_count];
		if (s->pending_count == 0 && s->session.gap != 0) {
			s->session.gap = 0;
			s->session.dirty = true;
		}
		if (s->pending_count == 0 && s->guilds_arriving)
			discord_gateway_ready(s);
		return;
	}
}

void discord_dispatch_give_up_guilds(struct discord_shard *s)
{
	if (s->session.gap != 0)
		log_warn(s->d->self.channel, "gave up the backfill of unavailable servers: servers=%zu",
		    s->pending_count);
	while (s->pending_count > 0)
		guild_done(s, s->pending_guilds[0]);
}

static bool is_new(struct discord *d, uint64_t id, int64_t joined_ms)
{
	return !discord_cache_guild(&d->cache, id) && joined_ms > clock_wall() - JOINED_MS;
}

static int guild_create(struct task *t, struct event *e, struct error *err)
{
	struct discord *d = e->d;
	struct json_object *channels = json_get_array(e->data, "channels"),
			   *threads = json_get_array(e->data, "threads");
	uint64_t id = discord_id_get(e->data, "id");
	int64_t joined_ms = discord_time_parse(json_get_str(e->data, "joined_at"));
	struct message *greeting;
	bool pending = is_pending(e->s, id), new = !pending &&is_new(d, id, joined_ms);

	if (json_get_bool(e->data, "unavailable", false) || id == 0)
		return 0;
	if (pending && e->s->session.gap != 0) {
		note_channels(d, channels, id);
		note_channels(d, threads, id);
		if (discord_backfill_channels(t, e->s, channels, joined_ms, err) < 0 ||
		    discord_backfill_channels(t, e->s, threads, joined_ms, err) < 0)
			return -1;
	}
	if (new &&discord_event_joined(e->data, &d->self, &greeting) == DISCORD_EVENT_MESSAGE)
		discord_greeting_later(d, id, greeting);
	discord_cache_note_guild(&d->cache, e->data, d->self.user);
	note_channels(d, channels, id);
	note_channels(d, threads, id);
	guild_done(e->s, id);
	return 0;
}

/* A new session does not replay messages since the last committed one. */
static int ready(struct task *t, struct event *e, struct error *err)
{
	struct discord *d = e->d;
	struct json_object *guilds = json_get_array(e->data, "guilds");
	struct discord_shard *shard = e->s;
	struct discord_gateway_session *s = &shard->session;

	discord_gateway_session_begin(
	    s, json_get_str(e->data, "session_id"), json_get_str(e->data, "resume_gateway_url"));
	/* From here on a RESUME suffices: the content of READY is handled. */
	discord_gateway_session_commit(s, e->item->seq);
	free(shard->pending_guilds);
	shard->pending_guilds = xcalloc(length(guilds) + 1, sizeof(*shard->pending_guilds));
	shard->pending_count = 0;
	for (size_t i = 0; i < length(guilds); i++)
		shard->pending_guilds[shard->pending_count++] =
		    discord_id_get(json_object_array_get_idx(guilds, i), "id");
	shard->pending_until = clock_now() + d->limits->pending_ms;
	s->dirty = true;
	if (s->mark == 0)
		s->mark = discord_id_at(clock_wall() + FIRST_MS);
	else if (s->gap == 0 && d->settings->backfill_ms > 0)
		s->gap = s->mark;
	if (s->gap != 0 && shard->id == 0 && discord_backfill_dms(t, shard, err) < 0)
		return -1;
	if (shard->pending_count == 0)
		s->gap = 0;
	if (shard->pending_count == 0 && shard->guilds_arriving)
		discord_gateway_ready(shard);
	return 0;
}

static int context_of(struct task *t, struct event *e, struct discord_event_context *s, struct error *err)
{
	struct discord *d = e->d;
	struct discord_channel *channel = discord_cache_lookup_channel(t, d, e->data);

	*s = (struct discord_event_context){.self = &d->self, .cache = &d->cache, .menu = d->ch->menu};
	if (!channel && discord_id_get(e->data, "channel_id") != 0) {
		if (task_check(t, err) < 0)
			return -1;
		return error_set(
		    err, ERROR_NETWORK, "Discord did not return the type of a message's channel");
	}
	uint64_t id = channel ? channel->id : 0;
	s->guild = discord_cache_lookup_guild(t, d, e->data, channel);
	/* The lookup may have suspended for long; other events may have come meanwhile. */
	s->channel = discord_cache_channel(&d->cache, id);
	if (s->channel && s->channel->guild == 0)
		d->dms.dirty |= discord_dms_add(&d->dms, id);
	return 0;
}

static void tell_empty(struct discord *d)
{
	if (d->empty_content_logged)
		return;
	d->empty_content_logged = true;
	log_warn(d->self.channel,
	    "messages come without their content, because the Message Content Intent is off: the bot sees "
	    "only direct "
	    "messages, mentions and replies. Switch it on in the Developer Portal (Bot, Privileged "
	    "Gateway Intents) and restart");
}

static int event_message(struct task *t, struct event *e, struct error *err,
    enum discord_event (*read)(struct json_object *, const struct discord_event_context *, struct message **))
{
	struct discord_event_context s;
	enum discord_event kind;

	if (context_of(t, e, &s, err) < 0)
		return -1;
	kind = read(e->data, &s, &e->out->message);
	if (kind == DISCORD_EVENT_EMPTY)
		tell_empty(e->d);
	if (kind == DISCORD_EVENT_MESSAGE && e->out->message->addressed && s.channel->guild != 0)
		discord_greeting_drop(e->d, s.channel->guild);
	if (kind == DISCORD_EVENT_BAD)
		log_warn(e->d->self.channel, "skipped a malformed event: type=%s seq=%" PRId64, e->item->type,
		    e->item->seq);
	return 0;
}

static int message_create(struct task *t, struct event *e, struct error *err)
{
	e->out->mark = discord_id_get(e->data, "id");
	return event_message(t, e, err, discord_event_message);
}

static int message_update(struct task *t, struct event *e, struct error *err)
{
	return event_message(t, e, err, discord_event_edit);
}

static int interaction_create(struct task *t, struct event *e, struct error *err)
{
	return event_message(t, e, err, discord_event_interaction);
}

/* Only the emoji that stops turns is worth a look-up of its channel. */
static int reaction_add(struct task *t, struct event *e, struct error *err)
{
	const char *emoji = json_get_str(json_get_object(e->data, "emoji"), "name");

	if (json_get_str(json_get_object(e->data, "emoji"), "id") ||
	    !reaction_is(emoji, e->d->ch->stop_reaction))
		return 0;
	int rc = event_message(t, e, err, discord_event_reaction);
	struct message *m = e->out->message;
	if (m) {
		m->sent_ms = clock_wall();
		m->event_id = xasprintf("%s:r:%s:%" PRId64, m->message_id, m->sender_id, e->item->seq);
	}
	return rc;
}

static const struct {
	const char *type;
	handler *handle;
	bool first;
} events[] = {
    {"CHANNEL_CREATE", note_channel, false},
    {"CHANNEL_DELETE", drop_channel, false},
    {"CHANNEL_UPDATE", note_channel, false},
    {"GUILD_CREATE", guild_create, true},
    {"GUILD_DELETE", drop_guild, false},
    {"GUILD_ROLE_CREATE", note_role, false},
    {"GUILD_ROLE_UPDATE", note_role, false},
    {"GUILD_UPDATE", change_guild, false},
    {"INTERACTION_CREATE", interaction_create, false},
    {"MESSAGE_CREATE", message_create, false},
    {"MESSAGE_REACTION_ADD", reaction_add, false},
    {"MESSAGE_UPDATE", message_update, false},
    {"READY", ready, true},
    {"THREAD_CREATE", note_channel, false},
    {"THREAD_DELETE", drop_channel, false},
    {"THREAD_LIST_SYNC", sync_threads, false},
    {"THREAD_UPDATE", note_channel, false},
};

static int find(const char *type)
{
	for (size_t i = 0; i < ARRAY_LEN(events); i++)
		if (strcmp(events[i].type, type) == 0)
			return (int)i;
	return -1;
}

bool discord_dispatch_wants(const char *type)
{
	return find(type) >= 0;
}

bool discord_dispatch_is_first(const char *type)
{
	int i = find(type);

	return i >= 0 && events[i].first;
}

int discord_dispatch(struct task *t, struct discord_shard *s, struct discord_queued_event *item,
    struct discord_event_out *out, struct error *err)
{
	struct event e = {.d = s->d, .s = s, .item = item, .out = out};
	int i = find(item->type), rc;

	if (i < 0)
		return 0;
	/* The item may be dropped while the handler suspends. */
	e.data = json_object_get(item->data);
	rc = events[i].handle(t, &e, err);
	json_object_put(e.data);
	return rc;
}
