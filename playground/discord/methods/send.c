#include <string.h>

#include "base/time/clock.h"
#include "playground/discord/methods/methods.h"

#define OLD_MS   3600000
#define NONCE_MS 300000 /* "the past few minutes". Undocumented: how many; a choice */

/* Discord: resources/message, Create Message: enforce_nonce. */
static struct cord_message *find_nonce(
    const struct cord_channel *c, const struct cord_bot *b, const char *nonce)
{
	int64_t since = clock_wall() - NONCE_MS;

	for (size_t i = c->count; i > 0; i--) {
		struct cord_message *m = c->messages[i - 1];

		if (cord_snowflake_ms(m->id) < since)
			break;
		if (m->bot == b && m->nonce && strcmp(json_object_get_string(m->nonce), nonce) == 0)
			return m;
	}
	return NULL;
}

/* Checks whether the bot may write there now. */
static int check_place(struct cord_call *call, struct cord_channel *c)
{
	uint64_t want = cord_channel_is_thread(c) ? CORD_MAY_SEND_IN_THREADS : CORD_MAY_SEND;
	uint64_t may = cord_call_may(call, c);
	int64_t wait_ms;

	if (!cord_channel_takes_messages(c))
		return cord_fail(call,
		    c->type == CORD_CATEGORY ? "Cannot send messages in a non-text channel" :
					       "Cannot send a message in a forum channel");
	if (!c->guild && c->blocked)
		return cord_fail(call, "Cannot send messages to this user");
	if (!(may & want))
		return cord_fail(call, "Missing Permissions");
	if (c->locked && !(may & CORD_MAY_MANAGE_THREADS))
		return cord_fail(call, "This thread is locked");
	wait_ms = c->slow_until_ms - clock_wall();
	if (wait_ms > 0 && !(may & (CORD_MAY_MANAGE_MESSAGES | CORD_MAY_MANAGE_CHANNELS)))
		return cord_fail_wait(
		    call, "This action cannot be performed due to slowmode rate limit.", (uint64_t)wait_ms);
	return 0;
}

/* Discord: resources/message, Message Reference. */
static int read_reference(struct cord_call *call, struct cord_channel *c, struct cord_message *m)
{
	struct json_object *o = json_get_object(call->body, "message_reference");
	struct cord_message *to;
	uint64_t channel;

	if (!o)
		return 0;
	if (json_get_int(o, "type", 0) == 1)
		return cord_forward(call, o, m);
	channel = cord_get_id(o, "channel_id");
	if (channel != 0 && channel != c->id)
		return cord_refuse_field(call, "message_reference", "REPLIES_CANNOT_REFERENCE_OTHER_CHANNEL",
		    "Cannot reply to a message in a different channel");
	if (!(cord_call_may(call, c) & CORD_MAY_READ_HISTORY))
		return cord_refuse_field(call, "message_reference", "REPLIES_REQUIRE_READ_MESSAGE_HISTORY",
		    "Cannot reply without permission to read message history");
	to = cord_channel_message(c, cord_get_id(o, "message_id"));
	if (!to && json_get_bool(o, "fail_if_not_exists", true))
		return cord_refuse_field(
		    call, "message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message");
	if (!to)
		return 0;
	if (!cord_message_is_ordinary(to))
		return cord_refuse_field(call, "message_reference", "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE",
		    "Cannot reply to a system message");
	m->type = CORD_MESSAGE_REPLY;
	m->reply_to = to->id;
	m->reply_channel = c->id;
	return 0;
}

int cord_create_message(struct cord_call *call)
{
	struct cord_channel *c = call->channel;
	struct json_object *nonce = json_get(call->body, "nonce");
	struct cord_message *m;

	if (check_place(call, c) != 0)
		return -1;
	m = nonce && json_get_bool(call->body, "enforce_nonce", false) ?
	    find_nonce(c, call->bot, json_object_get_string(nonce)) :
	    NULL;
	if (m) {
		call->result = cord_message_json(m);
		return 0;
	}
	m = cord_message_new(c);
	m->bot = call->bot;
	m->nonce = json_object_get(nonce);
	if (read_reference(call, c, m) != 0 ||
	    cord_compose(call, call->body, m,
		CORD_FLAG_SUPPRESS_EMBEDS | CORD_FLAG_SUPPRESS_NOTIFICATIONS | CORD_FLAG_VOICE |
		    CORD_FLAG_COMPONENTS_V2) != 0) {
		cord_message_free(m);
		return -1;
	}
	cord_channel_add(c, m);
	if (c->typing_until_ms != 0)
		cord_show_typing(c);
	c->typing_until_ms = 0;
	c->slow_until_ms = clock_wall() + c->slowmode_s * 1000;
	cord_event_message(m, "MESSAGE_CREATE");
	call->result = cord_message_json(m);
	return 0;
}

/* The limit for edits of old messages, within that of all edits. */
static int check_age(struct cord_call *call, const struct cord_message *m)
{
	struct cord_limit_state state;

	if (!call->world->settings.limits || cord_snowflake_ms(m->id) > clock_wall() - OLD_MS ||
	    cord_limits_take(
		&call->world->limits, CORD_BUCKET_OLD_EDIT, call->bot->number, m->channel->id, &state))
		return 0;
	return cord_fail_wait(call,
	    "Maximum number of edits to messages older than 1 hour reached. Try again later", state.reset_ms);
}

int cord_update_message(struct cord_call *call)
{
	struct cord_channel *c = call->channel;
	struct cord_message *m = call->message;

	if (c->archived)
		return cord_fail(call, "Thread is archived");
	if (!cord_message_is_ordinary(m))
		return cord_fail(call, "Cannot execute action on a system message");
	if (m->bot != call->bot || m->author)
		return cord_fail(call, "Cannot edit a message authored by another user");
	if (m->poll)
		return cord_fail(call, "Cannot edit a poll message");
	if (check_age(call, m) != 0 || cord_compose_edit(call, call->body, m) != 0)
		return -1;
	call->result = cord_message_json(m);
	return 0;
}

int cord_delete_message(struct cord_call *call)
{
	struct cord_channel *c = call->channel;
	struct cord_message *m = call->message;
	bool own;

	own = m->bot == call->bot && !m->author;
	if (!own && !c->guild)
		return cord_fail(call, "Cannot execute action on a DM channel");
	if (!own && !(cord_call_may(call, c) & CORD_MAY_MANAGE_MESSAGES))
		return cord_fail(call, "Missing Permissions");
	cord_message_delete(m);
	if (!own)
		cord_call_audit_entry(call, c->guild,
		    (struct cord_audit_entry){.action = CORD_ACTION_MESSAGE_DELETE,
			.target_id = cord_message_writer(m),
			.options = cord_audit_options(c, 1, 0)});
	return 0;
}
