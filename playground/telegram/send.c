#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "playground/playground.h"
#include "playground/telegram/bot.h"
#include "playground/telegram/chat.h"
#include "playground/telegram/compose.h"
#include "playground/telegram/keyboard.h"
#include "playground/telegram/message.h"
#include "playground/telegram/methods.h"
#include "playground/telegram/world.h"

/* reply_parameters, or the older reply_to_message_id. */
struct reply {
	int64_t message_id; /* 0: none */
	bool optional;	    /* allow_sending_without_reply */
	const char *quote;
};

static int read_reply(struct call *call, struct reply *r)
{
	static const char *const members[] = {"allow_sending_without_reply",
					      "chat_id",
					      "checklist_task_id",
					      "message_id",
					      "poll_option_id",
					      "quote",
					      "quote_entities",
					      "quote_parse_mode",
					      "quote_position",
					      NULL};
	struct json_object *o = json_get(call->params, "reply_parameters"), *here = json_get(call->params, "chat_id"),
			   *there;

	*r = (struct reply){.message_id = json_get_int(call->params, "reply_to_message_id", 0)};
	if (o == NULL)
		return 0;
	if (compose_check_members(call, o, members, "reply parameters") != 0)
		return -1;
	if (json_object_object_length(o) == 0)
		return 0;
	if (!json_object_is_type(json_get(o, "message_id"), json_type_int))
		return call_refuse(call, "can't find field \"message_id\"");
	there = json_get(o, "chat_id");
	if (there != NULL && strcmp(json_object_get_string(there), json_object_get_string(here)) != 0)
		return call_refuse(call, "replies to another chat are not simulated");
	r->message_id = json_get_int(o, "message_id", 0);
	r->optional = json_get_bool(o, "allow_sending_without_reply", false);
	r->quote = json_get_str(o, "quote");
	return 0;
}

static int check_reply(struct call *call, const struct chat *c, struct reply *r, const struct message **to)
{
	*to = NULL;
	if (r->message_id == 0)
		return 0;
	*to = chat_message(c, r->message_id);
	if (*to == NULL)
		return r->optional ? 0 : call_fail(call, 400, "Bad Request: message to be replied not found");
	if (r->quote != NULL && strstr((*to)->text.text.data, r->quote) == NULL)
		return call_fail(call, 400, "Bad Request: QUOTE_TEXT_INVALID");
	return 0;
}

static int check_limits(struct call *call, const struct chat *c)
{
	enum bucket_kind kind = c->kind == CHAT_PRIVATE ? BUCKET_PRIVATE : BUCKET_GROUP;
	uint64_t now = clock_now();
	unsigned chat_s, all_s;

	if (!call->world->limits)
		return 0;
	chat_s = bucket_wait(&c->sends, kind, now);
	all_s = bucket_wait(&call->bot->sends, BUCKET_OVERALL, now);
	return chat_s + all_s > 0 ? call_limit(call, chat_s > all_s ? chat_s : all_s) : 0;
}

static void count_message(struct call *call, struct chat *c)
{
	bucket_take(&c->sends, c->kind == CHAT_PRIVATE ? BUCKET_PRIVATE : BUCKET_GROUP, clock_now());
	bucket_take(&call->bot->sends, BUCKET_OVERALL, clock_now());
}

static void place(struct message *m, const struct chat *c, int64_t thread, const struct message *to)
{
	m->thread = (int32_t)thread;
	m->topic = thread != 0;
	m->reply_to = to != NULL ? to->id : 0;
	if (thread == 0 && to != NULL)
		message_follow(m, c, to);
}

static int send_message(struct task *t, struct call *call)
{
	struct formatted text = FORMATTED_INIT;
	char *preview = NULL, *markup = NULL;
	const struct message *to;
	struct reply reply;
	struct message *m;
	struct chat *c;
	int64_t thread;
	int ret = -1;

	(void)t;
	if (compose_text(call, &text, "message is too long", false) != 0 || compose_preview(call, &preview) != 0 ||
	    read_reply(call, &reply) != 0 || keyboard_read(call, false, &markup) != 0)
		goto out;
	c = call_chat(call);
	if (c == NULL || call_thread(call, c, &thread) != 0 || check_reply(call, c, &reply, &to) != 0 ||
	    check_limits(call, c) != 0)
		goto out;
	count_message(call, c);
	m = message_new();
	m->bot = call->bot;
	m->protected = json_get_bool(call->params, "protect_content", false);
	formatted_move(&m->text, &text);
	m->preview = preview;
	m->markup = markup;
	preview = markup = NULL;
	place(m, c, thread, to);
	chat_add_message(c, m);
	drafts_clear(&c->drafts);
	c->action_until_ms = 0;
	message_write(m, c, &call->result);
	playground_changed(call->world->pg);
	ret = 0;
out:
	formatted_clear(&text);
	free(preview);
	free(markup);
	return ret;
}

static const struct param send_message_params[] = {
    {"allow_paid_broadcast", PARAM_BOOL, PARAM_NOT_SIMULATED, NULL},
    {"business_connection_id", PARAM_STRING, PARAM_NOT_SIMULATED, NULL},
    {"chat_id", PARAM_CHAT, PARAM_REQUIRED, "chat_id is empty"},
    {"direct_messages_topic_id", PARAM_INT, PARAM_NOT_SIMULATED, NULL},
    {"disable_notification", PARAM_BOOL, 0, NULL},
    {"entities", PARAM_JSON, 0, NULL},
    {"ephemeral_message_parameters", PARAM_JSON, PARAM_NOT_SIMULATED, NULL},
    {"link_preview_options", PARAM_JSON, 0, NULL},
    {"message_effect_id", PARAM_STRING, PARAM_NOT_SIMULATED, NULL},
    {"message_thread_id", PARAM_INT, 0, NULL},
    {"parse_mode", PARAM_STRING, 0, NULL},
    {"protect_content", PARAM_BOOL, 0, NULL},
    {"reply_markup", PARAM_JSON, 0, NULL},
    {"reply_parameters", PARAM_JSON, 0, NULL},
    {"reply_to_message_id", PARAM_INT, 0, NULL},
    {"suggested_post_parameters", PARAM_JSON, PARAM_NOT_SIMULATED, NULL},
    {"text", PARAM_STRING, PARAM_REQUIRED, "message text is empty"},
};

const struct method method_send_message = {"sendMessage", send_message_params, 17, send_message};
