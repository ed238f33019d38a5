#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/discord/world/bot.h"
#include "playground/discord/http/call.h"
#include "playground/discord/world/channel.h"
#include "playground/discord/gateway/event.h"
#include "playground/discord/world/guild.h"
#include "playground/discord/world/message.h"
#include "playground/discord/world/permission.h"
#include "playground/discord/http/handlers.h"
#include "playground/discord/control/show.h"
#include "playground/discord/world/snowflake.h"
#include "playground/discord/world/world.h"
#include "playground/playground.h"

#define TYPING_MS       10000 /* Discord: Trigger Typing Indicator */
#define ARCHIVE_DEFAULT 1440

int cord_get_channel(struct cord_call *call)
{
	struct cord_channel *c = cord_call_channel(call);

	if (!c)
		return -1;
	call->result = cord_channel_json(c, call->bot);
	return 0;
}

/* Discord: users, Create DM. An unknown user shares no guild with the bot either. */
int cord_create_dm(struct cord_call *call)
{
	uint64_t id = cord_get_id(call->body, "recipient_id");
	struct cord_user *u = cord_user_find(call->world, id);

	if (map_get(&call->world->bots, (int64_t)id, 0))
		return cord_fail(call, CORD_NO_DM_TO_USER);
	if (!u)
		return cord_refuse_field(call, "recipient_id", "USER_NOT_FOUND", "Unknown user.");
	call->result = cord_channel_json(cord_channel_dm(call->bot, u, 0), call->bot);
	return 0;
}

int cord_trigger_typing(struct cord_call *call)
{
	struct cord_channel *c = cord_call_channel(call);
	struct json_object *d;
	uint64_t want;

	if (!c)
		return -1;
	want = cord_channel_is_thread(c) ? CORD_MAY_SEND_IN_THREADS : CORD_MAY_SEND;
	if (!(cord_channel_may(c, call->bot) & want))
		return cord_fail(call, CORD_MISSING_PERMISSIONS);
	c->typing_until_ms = clock_now() + TYPING_MS;
	cord_show_typing(c);
	d = json_object_new_object();
	cord_set_id(d, "channel_id", c->id);
	cord_set_id(d, "user_id", call->bot->id);
	json_set_int(d, "timestamp", clock_wall() / 1000);
	if (c->guild) {
		cord_set_id(d, "guild_id", c->guild->id);
		json_set(d, "member", cord_member_bot_json(c->guild, call->bot, true));
	}
	cord_event_in_channel(c, "TYPING_START", CORD_EVENT_TYPING, d);
	playground_changed(call->world->pg);
	return 0;
}

/* Discord: channel, Modify Channel. For channels that are not threads, only the name is simulated. */
int cord_update_channel(struct cord_call *call)
{
	struct cord_channel *c = cord_call_channel(call);
	const char *name = json_get_str(call->body, "name");
	uint64_t want;

	if (!c)
		return -1;
	if (!c->guild)
		return cord_fail(call, CORD_NOT_IN_DM);
	want = !cord_channel_is_thread(c)                 ? CORD_MAY_MANAGE_CHANNELS :
	    c->locked || cord_given(call->body, "locked") ? CORD_MAY_MANAGE_THREADS :
							    CORD_MAY_SEND_IN_THREADS;
	if (!(cord_channel_may(c, call->bot) & want))
		return cord_fail(call, CORD_MISSING_PERMISSIONS);
	if (c->archived && json_get_bool(call->body, "archived", true))
		return cord_fail(call, CORD_THREAD_ARCHIVED);
	if (name && name[0] != '\0') {
		char *fresh = xstrdup(name);

		free(c->name);
		c->name = fresh;
	}
	c->archived = json_get_bool(call->body, "archived", c->archived);
	c->locked = json_get_bool(call->body, "locked", c->locked);
	c->auto_archive = json_get_int(call->body, "auto_archive_duration", c->auto_archive);
	c->archive_ms = clock_wall();
	cord_show_channel(c);
	cord_event_channel(c, cord_channel_is_thread(c) ? "THREAD_UPDATE" : "CHANNEL_UPDATE");
	playground_changed(call->world->pg);
	call->result = cord_channel_json(c, call->bot);
	return 0;
}

static struct cord_channel *thread_parent(struct cord_call *call, uint64_t want)
{
	struct cord_channel *c = cord_call_channel(call);

	if (!c)
		return NULL;
	if (c->type != CORD_TEXT && c->type != CORD_NEWS)
		cord_fail(call, CORD_WRONG_CHANNEL_TYPE);
	else if (!(cord_channel_may(c, call->bot) & want))
		cord_fail(call, CORD_MISSING_PERMISSIONS);
	else
		return c;
	return NULL;
}

/* Adds the notice that opens or announces a thread. */
static void add_notice(struct cord_channel *c, struct cord_bot *b, enum cord_message_type type,
    const char *text, uint64_t refers_channel, uint64_t refers_to)
{
	struct cord_message *m = cord_message_new(c);

	m->bot = b;
	m->type = type;
	m->reply_channel = refers_channel;
	m->reply_to = refers_to;
	cord_message_set_content(m, text, strlen(text));
	cord_channel_add(c, m);
	cord_event_message(m, "MESSAGE_CREATE");
}

static int answer_thread(struct cord_call *call, struct cord_channel *t)
{
	call->status = 201;
	call->result = cord_channel_json(t, call->bot);
	playground_changed(call->world->pg);
	return 0;
}

int cord_create_thread_from_message(struct cord_call *call)
{
	struct cord_channel *c = thread_parent(call, CORD_MAY_MAKE_THREADS), *t;
	struct cord_message *m = c ? cord_call_message(call, c) : NULL;

	if (!m)
		return -1;
	if (m->thread)
		return cord_fail(call, CORD_THREAD_EXISTS);
	if (!cord_message_is_said(m))
		return cord_fail(call, CORD_SYSTEM_MESSAGE);
	t = cord_channel_thread(c, c->type == CORD_NEWS ? CORD_NEWS_THREAD : CORD_PUBLIC_THREAD, m->id,
	    json_get_str(call->body, "name"), call->bot->id,
	    json_get_int(call->body, "auto_archive_duration", ARCHIVE_DEFAULT));
	m->thread = t;
	m->flags |= CORD_FLAG_HAS_THREAD;
	add_notice(t, call->bot, CORD_MESSAGE_THREAD_STARTER, "", c->id, m->id);
	cord_show_message(m, "edited");
	cord_event_message(m, "MESSAGE_UPDATE");
	return answer_thread(call, t);
}

int cord_create_thread(struct cord_call *call)
{
	int64_t type = json_get_int(call->body, "type", CORD_PRIVATE_THREAD);
	struct cord_channel *c =
	    thread_parent(call, type == CORD_PRIVATE_THREAD ? CORD_MAY_MAKE_PRIVATE : CORD_MAY_MAKE_THREADS);
	const char *name = json_get_str(call->body, "name");
	struct cord_channel *t;

	if (!c)
		return -1;
	if ((c->type == CORD_NEWS) != (type == CORD_NEWS_THREAD))
		return cord_fail(call, CORD_WRONG_CHANNEL_TYPE);
	t = cord_channel_thread(c, (enum cord_channel_type)type, cord_new_id(call->world), name,
	    call->bot->id, json_get_int(call->body, "auto_archive_duration", ARCHIVE_DEFAULT));
	if (type != CORD_PRIVATE_THREAD)
		add_notice(c, call->bot, CORD_MESSAGE_THREAD_CREATED, name, t->id, 0);
	return answer_thread(call, t);
}

static struct cord_channel *open_thread(struct cord_call *call)
{
	struct cord_channel *c = cord_call_channel(call);

	if (!c)
		return NULL;
	if (cord_channel_is_thread(c) && !c->archived)
		return c;
	cord_fail(call, cord_channel_is_thread(c) ? CORD_THREAD_ARCHIVED : CORD_WRONG_CHANNEL_TYPE);
	return NULL;
}

/* Bots see threads without being members, so nothing changes. */
int cord_join_thread(struct cord_call *call)
{
	return open_thread(call) ? 0 : -1;
}

int cord_leave_thread(struct cord_call *call)
{
	return open_thread(call) ? 0 : -1;
}
