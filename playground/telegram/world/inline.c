#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "playground/telegram/world/world_internal.h"

#define QUERY_BASE 3000000000000000 /* as for callbacks */

struct inline_query *inline_ask(struct bot *b, struct user *u, const char *text)
{
	struct inline_query *q = xcalloc(1, sizeof(*q));

	q->id = QUERY_BASE + ++b->world->last_callback;
	q->user = u;
	q->text = xstrdup(text);
	list_append(&b->inlines, &q->link);
	return q;
}

struct inline_query *inline_find(const struct bot *b, int64_t id)
{
	list_each_entry(&b->inlines, struct inline_query, entry, link)
		if (entry->id == id)
			return entry;
	return NULL;
}

void inline_offer(struct inline_query *q, struct json_object *as_sent, struct message *m)
{
	q->results = xrealloc(q->results, (q->count + 1) * sizeof(*q->results));
	q->results[q->count++] = (struct inline_result){as_sent, m};
}

void inline_clear(struct bot *b)
{
	list_each_entry(&b->inlines, struct inline_query, q, link) {
		for (size_t i = 0; i < q->count; i++) {
			json_object_put(q->results[i].as_sent);
			if (q->results[i].message)
				telegram_message_free(q->results[i].message);
		}
		list_remove(&q->link);
		json_object_put(q->button);
		free(q->results);
		free(q->next_offset);
		free(q->text);
		free(q);
	}
}

static void tell(struct bot *b, const struct inline_query *q, const struct inline_result *r,
    const struct message *m, const struct chat *c)
{
	const char *id = json_get_str(r->as_sent, "id");
	struct buf out = BUF_INIT;

	buf_addstr(&out, "{\"result_id\":");
	json_quote(&out, id, strlen(id));
	buf_addstr(&out, ",\"from\":");
	user_write(q->user, &out);
	buf_addstr(&out, ",\"query\":");
	json_quote(&out, q->text, strlen(q->text));
	if (m->markup) { /* Bot API: only then it can be edited */
		buf_addstr(&out, ",\"inline_message_id\":\"");
		inline_write_id(m, c, &out);
		buf_addch(&out, '"');
	}
	buf_addch(&out, '}');
	bot_update(b, UPDATE_CHOSEN_INLINE_RESULT, &out);
	buf_clear(&out);
}

struct message *inline_choose(
    struct bot *b, struct inline_query *q, const struct inline_result *r, struct chat *c)
{
	struct message *m = message_duplicate(r->message, b->world);
	struct buf via = BUF_INIT;

	bot_write(b, &via);
	m->user = q->user;
	m->markup = xstrdup(r->message->markup);
	message_add_extra(m, "via_bot", via.data);
	buf_clear(&via);
	chat_add_message(c, m);
	deliver_message(c, m, false);
	tell(b, q, r, m, c);
	return m;
}

void inline_summon(struct bot *b, struct user *u, struct chat *c, struct message *m)
{
	struct inline_query *q = inline_ask(b, u, m->text.text.data);
	struct buf out = BUF_INIT;
	char *id = xasprintf("\"%" PRId64 "\"", q->id);

	q->chat = c;
	q->message = m->id;
	message_add_extra(m, "guest_query_id", id);
	free(id);
	message_write(m, c, &out);
	bot_update(b, UPDATE_GUEST_MESSAGE, &out);
	buf_clear(&out);
}

struct message *inline_reply(struct bot *b, struct inline_query *q, const struct inline_result *r)
{
	struct message *m = message_duplicate(r->message, b->world);
	struct buf who = BUF_INIT;

	user_write(q->user, &who);
	m->bot = b;
	m->reply_to = q->message;
	m->markup = xstrdup(r->message->markup);
	message_add_extra(m, "guest_bot_caller_user", who.data);
	buf_clear(&who);
	chat_add_message(q->chat, m);
	return m;
}

struct bot *inline_bot(const struct message *m, const struct world *w)
{
	struct json_object *via = json_get_object(m->extra, "via_bot");

	return via ? map_get(&w->bots, json_get_int(via, "id", 0), 0) : NULL;
}

void inline_write_id(const struct message *m, const struct chat *c, struct buf *out)
{
	buf_addf(out, "inline_%" PRId64 "_%" PRId64 "_%" PRId32, c->id,
	    c->kind == CHAT_PRIVATE ? chat_key(c) : 0, m->id);
}

struct message *inline_message(struct bot *b, const char *id, struct chat **c)
{
	int64_t chat, number;
	int32_t message;
	struct message *m;

	if (sscanf(id, "inline_%" SCNd64 "_%" SCNd64 "_%" SCNd32, &chat, &number, &message) != 3)
		return NULL;
	*c = number != 0 ? map_get(&b->world->privates, number, chat) : map_get(&b->world->groups, chat, 0);
	m = *c ? chat_message(*c, message) : NULL;
	if (m && m->bot == b && json_get(m->extra, "guest_bot_caller_user"))
		return m;
	return m && m->markup && inline_bot(m, b->world) == b ? m : NULL;
}
