#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/telegram/methods/compose.h"

#define TITLE_MAX 255
#define TEXT_MAX  100
#define TASKS_MAX 30

/* Returns the connection's id, or NULL after call_fail. */
static const char *open_connection(struct call *call)
{
	const char *id = json_get_str(call->params, "business_connection_id");

	if (business_find(call->bot, id))
		return id;
	call_refuse(call, "business connection not found");
	return NULL;
}

int method_get_business_connection(struct call *call)
{
	const char *id = open_connection(call);

	if (!id)
		return -1;
	business_write(call->bot, id, &call->result);
	return 0;
}

int method_read_business_message(struct call *call)
{
	const char *id = open_connection(call);
	struct message *m;
	struct chat *c;

	if (!id)
		return -1;
	if (!business_may(call->bot, id, "can_read_messages"))
		return call_fail(call, 400, "Bad Request: BUSINESS_CONNECTION_NOT_ALLOWED");
	c = business_chat(call->bot, id, NULL, json_get_int(call->params, "chat_id", 0));
	if (!c)
		return call_fail(call, 400, "Bad Request: BUSINESS_PEER_INVALID");
	m = call_message(call, c, "to read");
	if (!m)
		return -1;
	message_set_extra(m, ".read", json_object_new_boolean(1));
	show_message(c, m, "edited");
	return call_true(call);
}

/* Finds a message of any chat of the connection: they share the numbers. */
static struct message *find_message(struct call *call, const char *id, int64_t message, struct chat **c)
{
	list_each_entry(&call->world->chat_list, struct chat, each, link) {
		struct message *m;

		*c = each;
		m = (*c)->business && strcmp((*c)->business, id) == 0 ? chat_message(*c, message) : NULL;
		if (m)
			return m;
	}
	return NULL;
}

int method_delete_business_messages(struct call *call)
{
	struct json_object *ids = json_get_array(call->params, "message_ids");
	const char *id = open_connection(call);
	bool own = id && business_may(call->bot, id, "can_delete_sent_messages"),
	     all = id && business_may(call->bot, id, "can_delete_all_messages");

	if (!id)
		return -1;
	if (json_count(ids) == 0)
		return call_refuse(call, "message identifiers are not specified");
	json_each(ids, item) {
		struct chat *c;
		struct message *m = find_message(call, id, json_object_get_int64(item), &c);

		if (m && !all && !(own && m->bot))
			return call_fail(call, 400, "Bad Request: BUSINESS_CONNECTION_NOT_ALLOWED");
		if (m)
			business_delete(c, m, false);
	}
	return call_true(call);
}

/* Reads a text with its entities to o. */
static int read_text(struct call *call, struct json_object *in, const char *name, const char *entities,
    size_t max, const char *what, struct json_object *o)
{
	struct formatted f = FORMATTED_INIT;
	struct buf text = BUF_INIT;
	int ret = compose_read(call, &(struct compose_source){in, name, "parse_mode", entities}, &f);

	if (ret == 0 && f.text.len == 0)
		ret = call_refuse(call, "can't parse InputChecklist: %s must be non-empty", what);
	else if (ret == 0 && utf8_count(f.text.data, f.text.len, UTF8_CHARS) > max)
		ret = call_refuse(call, "%s length must not exceed %zu", what, max);
	formatted_write_entities(&f, &text, world_write_user, call->world);
	json_set_str(o, name, f.text.data);
	if (f.count > 0)
		json_set(o, entities, json_parse(text.data, text.len, NULL));
	buf_clear(&text);
	formatted_clear(&f);
	return ret;
}

static int read_tasks(struct call *call, struct json_object *in, struct json_object *tasks)
{
	size_t count = json_count(in);

	if (count == 0)
		return call_refuse(call, "checklist must have at least 1 task");
	if (count > TASKS_MAX)
		return call_refuse(call, "checklist must have at most %d tasks", TASKS_MAX);
	for (size_t i = 0; i < count; i++) {
		struct json_object *one = json_at(in, i), *o = json_object_new_object();

		json_object_array_add(tasks, o);
		if (json_get_int(one, "id", 0) < 1)
			return call_refuse(call, "checklist task identifier must be positive");
		json_set_int(o, "id", json_get_int(one, "id", 0));
		if (read_text(call, one, "text", "text_entities", TEXT_MAX, "checklist task text", o) != 0)
			return -1;
	}
	return 0;
}

/* Returns the Checklist, new; NULL after call_refuse. */
static struct json_object *read_checklist(struct call *call)
{
	struct json_object *in = json_get(call->params, "checklist"), *o = json_object_new_object(),
			   *tasks = json_object_new_array();

	json_set(o, "tasks", tasks);
	if (compose_object(call, in, "InputChecklist") == 0 &&
	    read_text(call, in, "title", "title_entities", TITLE_MAX, "checklist title", o) == 0 &&
	    read_tasks(call, json_get_array(in, "tasks"), tasks) == 0) {
		json_set_bool(o, "others_can_add_tasks", json_get_bool(in, "others_can_add_tasks", false));
		json_set_bool(o, "others_can_mark_tasks_as_done",
		    json_get_bool(in, "others_can_mark_tasks_as_done", false));
		return o;
	}
	json_object_put(o);
	return NULL;
}

int method_send_checklist(struct call *call)
{
	struct json_object *o = read_checklist(call);
	struct message *m;

	if (!o)
		return -1;
	m = telegram_message_new();
	message_set_extra(m, "checklist", o);
	return post_send(call, "checklists", m);
}

int method_edit_message_checklist(struct call *call)
{
	struct json_object *o = read_checklist(call), *was;
	struct edit e;
	int ret = -1;

	if (!o)
		return -1;
	if (edit_open(call, &e) == 0) {
		was = json_get_object(e.message->extra, "checklist");
		if (!was)
			edit_fail(call, &e, "there is no checklist in the message to edit");
		else
			ret = edit_check(call, &e, !json_object_equal(o, was));
	}
	if (ret != 0) {
		json_object_put(o);
		return -1;
	}
	message_set_extra(e.message, "checklist", o);
	edit_close(call, &e);
	return 0;
}
