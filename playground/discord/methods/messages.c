#include "playground/discord/methods/methods.h"

#define LIMIT_DEFAULT 50

static bool is_shown(const struct cord_message *m)
{
	return !m->deleted && m->visible_to == 0;
}

/* Appends at most limit messages before place, newest first. */
static void add_before(const struct cord_channel *c, size_t place, size_t limit, struct json_object *array)
{
	while (place > 0 && limit > 0) {
		const struct cord_message *m = c->messages[--place];

		if (!is_shown(m))
			continue;
		json_object_array_add(array, cord_message_json(m));
		limit--;
	}
}

/* Returns the position after the limit messages that start at place. */
static size_t place_after(const struct cord_channel *c, size_t place, size_t limit)
{
	for (; place < c->count && limit > 0; place++)
		limit -= is_shown(c->messages[place]);
	return place;
}

/* Discord: resources/message, Get Channel Messages: before, after and around are mutually exclusive. */
int cord_list_messages(struct cord_call *call)
{
	struct cord_channel *c = call->channel;
	size_t limit = (size_t)json_get_int(call->query, "limit", LIMIT_DEFAULT), place;
	uint64_t after = cord_get_id(call->query, "after"), before = cord_get_id(call->query, "before"),
		 around = cord_get_id(call->query, "around");
	bool has_after = cord_given(call->query, "after");

	if ((before != 0) + has_after + (around != 0) > 1)
		return cord_refuse_field(
		    call, NULL, "BASE_TYPE_CHOICES", "before, after and around are mutually exclusive.");
	call->result = json_object_new_array();
	if (!(cord_call_may(call, c) & CORD_MAY_READ_HISTORY))
		return 0;
	if (has_after)
		place = place_after(c, cord_channel_place(c, after + 1), limit);
	else if (around != 0)
		place = place_after(c, cord_channel_place(c, around), limit - limit / 2);
	else
		place = before != 0 ? cord_channel_place(c, before) : c->count;
	if (has_after) { /* not beyond that message */
		size_t first = cord_channel_place(c, after + 1);

		for (size_t i = place; i > first; i--)
			if (is_shown(c->messages[i - 1]))
				json_object_array_add(call->result, cord_message_json(c->messages[i - 1]));
		return 0;
	}
	add_before(c, place, limit, call->result);
	return 0;
}

int cord_get_message(struct cord_call *call)
{
	struct cord_message *m = call->message;

	call->result = cord_message_json(m);
	return 0;
}
