#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "playground/playground.h"
#include "playground/telegram/control/control.h"

static void ask(const struct actor *s, const char *text, const char *offset, struct json_object *out)
{
	struct inline_query *q = inline_ask(s->bot, s->user, text);
	struct buf query = BUF_INIT;
	char id[24];

	snprintf(id, sizeof(id), "%" PRId64, q->id);
	json_set_str(out, "query_id", id);
	buf_addf(&query, "{\"id\":\"%s\",\"from\":", id);
	user_write(s->user, &query);
	buf_addstr(&query, ",\"query\":");
	json_quote(&query, text, strlen(text));
	buf_addstr(&query, ",\"offset\":");
	json_quote(&query, offset, strlen(offset));
	buf_addf(&query, ",\"chat_type\":\"%s\"}",
	    s->chat->kind == CHAT_PRIVATE ? "sender" : telegram_chat_type(s->chat->kind));
	bot_update(s->bot, UPDATE_INLINE_QUERY, &query);
	buf_clear(&query);
}

static void show(const struct inline_query *q, struct json_object *out)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < q->count; i++)
		json_object_array_add(array, json_object_get(q->results[i].as_sent));
	json_setf(out, "answered: %i, results: %p, next_offset: %s", q->answered, array, q->next_offset);
	if (q->button)
		json_set(out, "button", json_object_get(q->button));
}

static int choose(
    const struct actor *s, struct inline_query *q, const char *id, struct json_object *out, struct error *err)
{
	const struct inline_result *r = NULL;
	struct buf text = BUF_INIT;
	struct message *m;
	char number[24];

	for (size_t i = 0; i < q->count && !r; i++)
		if (strcmp(json_get_str(q->results[i].as_sent, "id"), id) == 0)
			r = &q->results[i];
	if (!r)
		return error_set(err, ERROR_OURS, "there is no result \"%.64s\"", id);
	if (!r->message)
		return error_set(err, ERROR_OURS, "results of that type are not sent here");
	m = inline_choose(s->bot, q, r, s->chat);
	snprintf(number, sizeof(number), "%" PRId32, m->id);
	json_set_str(out, "message_id", number);
	if (m->markup) {
		inline_write_id(m, s->chat, &text);
		json_set_str(out, "inline_message_id", text.data);
	}
	buf_clear(&text);
	playground_changed(s->chat->world->pg);
	return 0;
}

/* {"chat","user","query","offset"?}: a person asks the bot, in that chat. {"query_id"}: what was answered;
 * with "result", its id: the person sends that. */
int telegram_control_inline(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *text = json_get_str(in, "query"), *number = members_string(in, "query_id"),
		   *result = members_string(in, "result"), *offset = json_get_str(in, "offset");
	struct inline_query *q;
	struct actor s;
	int64_t id;

	if (actor_read(self, in, true, &s, err) != 0)
		return -1;
	if (!s.user || !text == !number)
		return error_set(err, ERROR_OURS,
		    "say which \"user\" asks which \"query\", or which \"query_id\" is meant");
	if (text) {
		ask(&s, text, offset ? offset : "", out);
		return 0;
	}
	q = world_read_id(number, &id) ? inline_find(s.bot, id) : NULL;
	if (!q || q->user != s.user)
		return error_set(err, ERROR_OURS, "%.64s has asked no such query", s.user->label);
	if (result)
		return choose(&s, q, result, out, err);
	show(q, out);
	return 0;
}
