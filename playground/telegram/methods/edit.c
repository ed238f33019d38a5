#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "playground/server/exchange.h"
#include "playground/spec/spec.h"
#include "playground/telegram/methods/compose.h"

/* Bot API, deleteMessage */
#define DELETE_WITHIN_S     (48 * 3600)
#define DELETE_DICE_AFTER_S (24 * 3600)
#define DELETE_AT_ONCE      100

static int check_limits(struct call *call, struct chat *c)
{
	enum bucket_kind kind = c->kind == CHAT_PRIVATE ? BUCKET_PRIVATE_EDIT : BUCKET_GROUP_EDIT;
	uint64_t now = clock_now();
	unsigned wait_s = call->world->settings.limits ? bucket_wait(&c->edits, kind, now) : 0;

	if (wait_s > 0)
		return call_limit(call, wait_s);
	exchange_limit(call->ex, bucket_take(&c->edits, kind, now));
	return 0;
}

/* Returns the message of ephemeral_message_id and receiver_user_id; NULL after a failure. */
static struct message *find_ephemeral(struct call *call, struct chat **c)
{
	int64_t id = json_get_int(call->params, "ephemeral_message_id", 0);
	struct message *m;

	*c = call_chat(call);
	m = *c ? chat_message(*c, id) : NULL;
	if (m && m->bot == call->bot && message_is_ephemeral(m) &&
	    json_get_int(json_get_object(m->extra, "receiver_user"), "id", 0) ==
		json_get_int(call->params, "receiver_user_id", 0))
		return m;
	if (*c)
		call_fail(call, 400, "Bad Request: MESSAGE_ID_INVALID");
	return NULL;
}

/* Returns the message to edit; NULL after a failure. */
static struct message *find_editable(struct call *call, struct chat **c)
{
	const char *id = json_get_str(call->params, "inline_message_id");
	struct message *m;

	if (json_get(call->params, "ephemeral_message_id"))
		return find_ephemeral(call, c);

	if (id && !json_get(call->params, "chat_id")) {
		m = inline_message(call->bot, id, c);
		if (!m)
			call_fail(call, 400, "Bad Request: MESSAGE_ID_INVALID");
		return m;
	}
	if (!json_get(call->params, "chat_id")) {
		call_refuse(call, "chat_id is empty");
		return NULL;
	}
	if (!json_get(call->params, "message_id")) {
		call_refuse(call, "message identifier is not specified");
		return NULL;
	}
	*c = call_chat(call);
	m = *c ? call_message(
		     call, *c, strcmp(call->spec->name, "stopPoll") == 0 ? "with poll to stop" : "to edit") :
		 NULL;
	if (m && (m->bot != call->bot || m->service)) {
		call_fail(call, 400, "Bad Request: message can't be edited");
		return NULL;
	}
	return m;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

int edit_open(struct call *call, struct edit *e)
{
	*e = (struct edit){0};
	if (keyboard_read(call, true, &e->markup) != 0)
		return -1;
	e->message = find_editable(call, &e->chat);
	if (e->message)
		return 0;
	free(e->markup);
	return -1;
}

int edit_fail(struct call *call, struct edit *e, const char *says)
{
	free(e->markup);
	e->markup = NULL;
	return call_fail(call, 400, "Bad Request: %s", says);
}

int edit_check(struct call *call, struct edit *e, bool changed)
{
	if (!changed && same_text(e->message->markup, e->markup))
		return edit_fail(call, e,
		    "message is not modified: specified new message content and reply markup are exactly the "
		    "same as a current content and reply markup of the message");
	if (check_limits(call, e->chat) != 0) {
		free(e->markup);
		return -1;
	}
	if (changed) {
		e->message->edit_date = clock_wall() / 1000;
		e->message->edits++;
	}
	return 0;
}

void edit_close(struct call *call, struct edit *e)
{
	free(e->message->markup);
	e->message->markup = e->markup;
	if (json_get(call->params, "chat_id") && !message_is_ephemeral(e->message))
		message_write(e->message, e->chat, &call->result);
	else
		call_true(call);
	show_message(e->chat, e->message, "edited");
}

/* Puts the text, or the rich message, into the message; both are moved from. */
static int apply_text(struct call *call, struct edit *e, struct formatted *text, char **rich)
{
	struct message *m = e->message;

	if (edit_check(call, e, !formatted_equal(&m->text, text) || !same_text(m->rich, *rich)) != 0)
		return -1;
	formatted_move(&m->text, text);
	free(m->rich);
	m->rich = *rich;
	*rich = NULL;
	if (m->rich) { /* it has no preview */
		free(m->preview);
		m->preview = NULL;
	}
	edit_close(call, e);
	return 0;
}

/* Undocumented: what is read when both are given; a choice: the rich message. */
static int read_new_text(struct call *call, struct formatted *text, char **rich)
{
	struct json_object *o = json_get(call->params, "rich_message");

	if (o)
		return compose_rich(call, o, false, rich);
	return compose_text(call, text, "MESSAGE_TOO_LONG", false);
}

int method_edit_message_text(struct call *call)
{
	struct formatted text = FORMATTED_INIT;
	char *preview = NULL, *rich = NULL;
	struct edit e;
	int ret = -1;

	if (read_new_text(call, &text, &rich) != 0 || compose_preview(call, &preview) != 0 ||
	    edit_open(call, &e) != 0)
		goto out;
	if (e.message->file || (e.message->text.text.len == 0 && !e.message->rich))
		ret = edit_fail(call, &e, "there is no text in the message to edit");
	else
		ret = apply_text(call, &e, &text, &rich);
	if (ret == 0 && preview) {
		free(e.message->preview);
		e.message->preview = preview;
		preview = NULL;
	}
out:
	formatted_clear(&text);
	free(preview);
	free(rich);
	return ret;
}

int method_edit_message_caption(struct call *call)
{
	struct formatted caption = FORMATTED_INIT;
	char *none = NULL;
	struct edit e;
	int ret = -1;

	if (compose_caption(call, call->params, &caption) != 0 || edit_open(call, &e) != 0)
		;
	else if (!e.message->file || !media_has_caption(e.message->file->kind))
		ret = edit_fail(call, &e, "there is no caption in the message to edit");
	else
		ret = apply_text(call, &e, &caption, &none);
	formatted_clear(&caption);
	return ret;
}

int method_edit_message_reply_markup(struct call *call)
{
	struct edit e;

	if (edit_open(call, &e) != 0 || edit_check(call, &e, false) != 0)
		return -1;
	edit_close(call, &e);
	return 0;
}

int method_delete_ephemeral_message(struct call *call)
{
	struct chat *c;
	struct message *m = find_ephemeral(call, &c);

	if (!m)
		return -1;
	chat_delete_message(c, m);
	return call_true(call);
}

/* In groups a bot that is not an administrator can delete only its own messages. No bot can delete one about
 * the creation of a supergroup or a topic, or a dice of a private chat in its first day. */
static bool may_delete(struct call *call, const struct chat *c, const struct message *m)
{
	bool own = m->bot == call->bot || c->kind == CHAT_PRIVATE ||
	    bot_may(c, chat_find_member(c, call->bot), "can_delete_messages");
	int64_t age_s = clock_wall() / 1000 - m->date;

	if (message_is_service(m, "forum_topic_created") || message_is_service(m, "migrate_from_chat_id") ||
	    (c->kind == CHAT_PRIVATE && json_get(m->extra, "dice") && age_s <= DELETE_DICE_AFTER_S))
		return false;
	return own && age_s <= DELETE_WITHIN_S;
}

int method_delete_message(struct call *call)
{
	struct chat *c = call_chat(call);
	struct message *m = c ? call_message(call, c, "to delete") : NULL;

	if (!m)
		return -1;
	if (!may_delete(call, c, m))
		return call_fail(call, 400, "Bad Request: message can't be deleted for everyone");
	chat_delete_message(c, m);
	return call_true(call);
}

/* Bot API, deleteMessages: 1-100; those that cannot be found are skipped. */
int method_delete_messages(struct call *call)
{
	struct json_object *ids = json_get(call->params, "message_ids");
	size_t count = json_count(ids);
	struct chat *c;

	if (count == 0)
		return call_refuse(call, "message identifiers are not specified");
	if (count > DELETE_AT_ONCE)
		return call_refuse(call, "too many message identifiers specified");
	c = call_chat(call);
	if (!c)
		return -1;
	for (size_t i = 0; i < count; i++) {
		struct message *m = chat_message(c, json_object_get_int64(json_at(ids, i)));

		if (m && !may_delete(call, c, m))
			return call_fail(call, 400, "Bad Request: message can't be deleted for everyone");
		if (m)
			chat_delete_message(c, m);
	}
	return call_true(call);
}
