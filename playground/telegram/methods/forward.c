#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "playground/telegram/methods/compose.h"

#define FORWARDED_AT_ONCE 100

void forward_set_origin(struct message *copy, const struct message *m, const struct chat *c)
{
	struct json_object *known = json_get_object(m->extra, "forward_origin");
	const struct chat *sender = map_get(&c->world->groups, m->sender_chat, 0);
	struct buf out = BUF_INIT;

	if (known) {
		message_set_extra(copy, "forward_origin", json_object_get(known));
		return;
	}
	if (c->kind == CHAT_CHANNEL) {
		buf_addf(&out, "{\"type\":\"channel\",\"message_id\":%" PRId32 ",\"chat\":", m->id);
		chat_write(c, &out);
	} else if (m->sender_chat != 0 && sender) {
		buf_addstr(&out, "{\"type\":\"chat\",\"sender_chat\":");
		chat_write(sender, &out);
	} else {
		buf_addstr(&out, "{\"type\":\"user\",\"sender_user\":");
		world_write_user(&out, m->bot ? m->bot->id : m->user->id, c->world);
	}
	buf_addf(&out, ",\"date\":%" PRId64 "}", m->date);
	message_add_extra(copy, "forward_origin", out.data);
	buf_clear(&out);
}

struct passing {
	struct chat *from;
	bool copy; /* without the origin */
	bool bare; /* without captions */
};

bool forward_can(const struct message *m)
{
	return !m->service && !m->protected;
}

/* Bot API, copyMessage: no invoice, and a quiz only if its answer is known. */
static bool can_pass(const struct passing *p, const struct message *m)
{
	return forward_can(m) &&
	    (!p->copy || (!json_get(m->extra, "invoice") && vote_answer_is_known(m, p->from)));
}

/* The message as it is sent again. */
static struct message *pass(struct call *call, const struct passing *p, const struct message *m)
{
	struct message *copy = message_duplicate(m, call->world);

	if (!p->copy)
		forward_set_origin(copy, m, p->from);
	if (p->bare && copy->file)
		formatted_clear(&copy->text);
	return copy;
}

int method_pass_message(struct call *call)
{
	bool copy = call_is(call, "copyMessage");
	struct passing p = {.from = call_chat_of(call, "from_chat_id"), .copy = copy};
	struct formatted caption = FORMATTED_INIT;
	const struct message *m;
	struct message *sent;
	struct post post;

	m = p.from ? call_message(call, p.from, copy ? "to copy" : "to forward") : NULL;
	if (!m)
		return -1;
	if (!can_pass(&p, m))
		return call_fail(
		    call, 400, "Bad Request: the message can't be %s", copy ? "copied" : "forwarded");
	if ((copy && compose_caption(call, call->params, &caption) != 0) ||
	    post_open(call, &post, 1, "messages") != 0) {
		formatted_clear(&caption);
		return -1;
	}
	sent = pass(call, &p, m);
	if (copy && sent->file && json_get(call->params, "caption"))
		formatted_move(&sent->text, &caption);
	formatted_clear(&caption);
	posting_add(call, &post, sent);
	if (copy)
		buf_addf(&call->result, "{\"message_id\":%" PRId32 "}", sent->id);
	else
		message_write(sent, post.chat, &call->result);
	post_close(&post);
	return 0;
}

/* Messages that cannot be found or passed on are skipped; albums stay albums. */
static void pass_all(
    struct call *call, const struct passing *p, struct post *post, const struct message **list, size_t count)
{
	int64_t was = 0, album = 0;

	for (size_t i = 0; i < count; i++) {
		struct message *sent = pass(call, p, list[i]);

		if (list[i]->album != 0) {
			album = list[i]->album == was ? album : ++call->world->last_album;
			sent->album = album;
		}
		was = list[i]->album;
		posting_add(call, post, sent);
		buf_addf(&call->result, "%s{\"message_id\":%" PRId32 "}", i == 0 ? "[" : ",", sent->id);
	}
	buf_addch(&call->result, ']');
}

int method_pass_messages(struct call *call)
{
	bool copy = call_is(call, "copyMessages");
	struct json_object *ids = json_get_array(call->params, "message_ids");
	struct passing p = {.copy = copy, .bare = json_get_bool(call->params, "remove_caption", false)};
	const struct message *list[FORWARDED_AT_ONCE];
	size_t n = json_count(ids), count = 0;
	struct post post;

	if (n == 0)
		return call_refuse(call, "message identifiers are not specified");
	if (n > FORWARDED_AT_ONCE)
		return call_refuse(call, "too many message identifiers specified");
	p.from = call_chat_of(call, "from_chat_id");
	for (size_t i = 0; p.from && i < n; i++) {
		list[count] = chat_message(p.from, json_object_get_int64(json_at(ids, i)));
		count += list[count] && can_pass(&p, list[count]);
	}
	if (!p.from)
		return -1;
	if (count == 0)
		return call_fail(call, 400, "Bad Request: there are no messages to forward");
	if (post_open(call, &post, (unsigned)count, "messages") != 0)
		return -1;
	pass_all(call, &p, &post, list, count);
	post_close(&post);
	return 0;
}
