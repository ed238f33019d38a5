#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "playground/server/exchange.h"
#include "playground/telegram/methods/compose.h"

/* reply_parameters, or the older reply_to_message_id. */
struct reply {
	int64_t message_id; /* 0 for none */
	bool optional;      /* allow_sending_without_reply */
	struct formatted quote;
	size_t quote_position;
};

static int read_reply(struct call *call, struct reply *r)
{
	struct json_object *o = json_get(call->params, "reply_parameters"),
			   *here = json_get(call->params, "chat_id"), *there;

	*r = (struct reply){json_get_int(call->params, "reply_to_message_id", 0),
	    json_get_bool(call->params, "allow_sending_without_reply", false), FORMATTED_INIT, 0};
	if (!o)
		return 0;
	if (compose_object(call, o, "reply parameters") != 0)
		return -1;
	if (json_object_object_length(o) == 0)
		return 0;
	if (!json_object_is_type(json_get(o, "message_id"), json_type_int))
		return call_refuse(call, "can't find field \"message_id\"");
	there = json_get(o, "chat_id");
	if (there && strcmp(json_object_get_string(there), json_object_get_string(here)) != 0)
		return call_refuse(call, "replies to another chat are not simulated");
	r->message_id = json_get_int(o, "message_id", 0);
	if (json_get_int(o, "quote_position", 0) > 0)
		r->quote_position = (size_t)json_get_int(o, "quote_position", 0);
	r->optional = json_get_bool(o, "allow_sending_without_reply", false);
	return compose_read(
	    call, &(struct compose_source){o, "quote", "quote_parse_mode", "quote_entities"}, &r->quote);
}

static int check_quote(struct call *call, const struct message *to, const struct reply *r, char **quote)
{
	size_t position = r->quote_position;
	struct buf out = BUF_INIT;

	if (r->quote.text.len == 0)
		return 0;
	if (formatted_units(&r->quote) > QUOTE_MAX || !quote_find(&to->text, &r->quote, &position))
		return call_fail(call, 400, "Bad Request: QUOTE_TEXT_INVALID");
	quote_write(r->quote.text.data, position, &out);
	*quote = buf_take(&out);
	return 0;
}

static int check_reply(struct call *call, struct post *p, const struct reply *r)
{
	if (r->message_id == 0)
		return 0;
	p->to = chat_message(p->chat, r->message_id);
	if (!p->to)
		return r->optional ? 0 : call_fail(call, 400, "Bad Request: message to be replied not found");
	return check_quote(call, p->to, r, &p->quote);
}

static int check_rights(struct call *call, const struct post *p, const char *what)
{
	const struct member *own = chat_find_member(p->chat, call->bot);
	const struct topic *topic = topics_find(&p->chat->topics, p->thread);

	if (own->muted && !own->admin)
		return call_fail(call, 400, "Bad Request: not enough rights to send %s to the chat", what);
	if (!own->admin &&
	    (topic ? topic->closed :
		     p->chat->forum &&
			json_get_bool(json_get_object(p->chat->settings, "general"), "closed", false)))
		return call_fail(call, 400, "Bad Request: TOPIC_CLOSED");
	return 0;
}

static int check_limits(struct call *call, struct chat *c, unsigned count)
{
	enum bucket_kind kind = c->kind == CHAT_PRIVATE ? BUCKET_PRIVATE : BUCKET_GROUP;
	uint64_t now = clock_now();
	unsigned chat_s, all_s;

	chat_s = bucket_wait(&c->sends, kind, now);
	all_s = bucket_wait(&call->bot->sends, BUCKET_OVERALL, now);
	if (call->world->settings.limits && chat_s + all_s > 0)
		return call_limit(call, chat_s > all_s ? chat_s : all_s);
	while (count-- > 0) {
		exchange_limit(call->ex, bucket_take(&c->sends, kind, now));
		exchange_limit(call->ex, bucket_take(&call->bot->sends, BUCKET_OVERALL, now));
	}
	return 0;
}

/* Bot API 10.2: a message that is shown to one person of a group alone. */
static int check_receiver(struct call *call, struct post *p)
{
	struct json_object *o = json_get(call->params, "ephemeral_message_parameters");

	if (!o || json_object_object_length(o) == 0)
		return 0;
	if (json_get_bool(o, "replace_callback_query_message", false))
		return call_refuse(call, "replace_callback_query_message is not simulated by the playground");
	p->receiver = world_find_user(call->world, json_get_int(o, "receiver_user_id", 0));
	if (!p->receiver)
		return call_refuse(call, "user not found");
	if (p->chat->kind != CHAT_GROUP && p->chat->kind != CHAT_SUPERGROUP)
		return call_fail(call, 400, "Bad Request: PEER_ID_INVALID");
	return people_is_in(p->chat, p->receiver->id) ?
	    0 :
	    call_fail(call, 400, "Bad Request: USER_NOT_PARTICIPANT");
}

static void clear(struct post *p)
{
	free(p->quote);
	free(p->markup);
	p->quote = p->markup = NULL;
}

int post_open(struct call *call, struct post *p, unsigned count, const char *what)
{
	struct reply reply;
	int ret = -1;

	*p = (struct post){0};
	if (read_reply(call, &reply) != 0 || keyboard_read(call, false, &p->markup) != 0)
		goto out;
	p->chat = call_chat(call);
	if (!p->chat || check_receiver(call, p) != 0 || call_thread(call, p->chat, &p->thread) != 0 ||
	    check_reply(call, p, &reply) != 0 || check_rights(call, p, what) != 0 ||
	    check_limits(call, p->chat, count) != 0)
		goto out;
	ret = 0;
out:
	formatted_clear(&reply.quote);
	if (ret != 0)
		clear(p);
	return ret;
}

/* What changes the keyboard of the chat is in no message, but people see it. */
static void note_keyboard(struct message *m, struct json_object *markup)
{
	if (json_get_array(markup, "keyboard") || json_get_bool(markup, "remove_keyboard", false))
		message_set_extra(m, ".keyboard", json_object_get(markup));
}

void posting_add(struct call *call, struct post *p, struct message *m)
{
	m->bot = call->bot;
	m->protected = json_get_bool(call->params, "protect_content", false);
	m->thread = (int32_t)p->thread;
	m->topic = p->thread != 0;
	m->reply_to = p->to ? p->to->id : 0;
	if (p->thread == 0 && p->to)
		message_follow(m, p->chat, p->to);
	if (p->quote)
		message_add_extra(m, "quote", p->quote);
	m->markup = p->markup;
	p->markup = NULL;
	note_keyboard(m, json_get(call->params, "reply_markup"));
	if (p->receiver) {
		struct buf who = BUF_INIT;

		user_write(p->receiver, &who);
		message_add_extra(m, "receiver_user", who.data);
		buf_clear(&who);
	}
	chat_add_message(p->chat, m);
	if (p->receiver)
		message_set_extra(m, "ephemeral_message_id", json_object_new_int(m->id));
}

void post_close(struct post *p)
{
	if (p->chat->drafts.count > 0)
		show_drafts(p->chat);
	drafts_clear(&p->chat->drafts);
	if (p->chat->action_until_ms != 0)
		show_action(p->chat);
	p->chat->action_until_ms = 0;
	clear(p);
}

int post_send(struct call *call, const char *what, struct message *m)
{
	struct post post;

	if (post_open(call, &post, 1, what) != 0) {
		telegram_message_free(m);
		return -1;
	}
	posting_add(call, &post, m);
	message_write(m, post.chat, &call->result);
	post_close(&post);
	return 0;
}
