#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "playground/discord/methods/methods.h"

/* Is the id absent from the query, or one of those that it lists? */
static bool lists(struct json_object *query, const char *key, uint64_t id)
{
	struct json_object *v = json_get(query, key);

	if (!v)
		return true;
	return json_object_is_type(v, json_type_array) ? cord_array_has(v, id) :
							 cord_get_id(query, key) == id;
}

static bool mentions(struct json_object *query, const struct cord_message *m)
{
	if (!json_get(query, "mentions"))
		return true;
	for (size_t i = 0; i < m->mentions.count; i++)
		if (lists(query, "mentions", m->mentions.list[i]))
			return true;
	return false;
}

static bool is_wanted(struct json_object *query, const struct cord_message *m)
{
	const char *content = json_get_str(query, "content");
	uint64_t min = cord_get_id(query, "min_id"), max = cord_get_id(query, "max_id");

	return !m->deleted && m->visible_to == 0 && cord_message_is_ordinary(m) && m->id > min &&
	    (max == 0 || m->id < max) && (!content || strcasestr(m->content, content)) &&
	    lists(query, "channel_id", m->channel->id) && lists(query, "author_id", cord_message_writer(m)) &&
	    mentions(query, m) &&
	    (!json_get(query, "pinned") || json_get_bool(query, "pinned", false) == (m->pinned_ms != 0));
}

static int newest_first(const void *a, const void *b)
{
	const struct cord_message *x = *(struct cord_message *const *)a,
				  *y = *(struct cord_message *const *)b;

	return x->id < y->id ? 1 : -(x->id > y->id);
}

/* Discord: resources/message, Search Guild Messages: each hit is a list of its own. */
int cord_guild_search(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	size_t count = 0, offset = (size_t)json_get_int(call->query, "offset", 0),
	       limit = cord_call_limit(call, 25);
	const char *order = json_get_str(call->query, "sort_order");
	bool oldest = order && strcmp(order, "asc") == 0;
	struct cord_message **found = NULL;
	struct json_object *hits;

	list_each_entry(&call->world->channel_list, const struct cord_channel, c, link) {
		if (c->guild != g || !(cord_call_may(call, c) & CORD_MAY_READ_HISTORY))
			continue;
		found = xrealloc(found, (count + c->count + 1) * sizeof(struct cord_message *));
		for (size_t i = 0; i < c->count; i++)
			if (is_wanted(call->query, c->messages[i]))
				found[count++] = c->messages[i];
	}
	if (count > 1)
		qsort(found, count, sizeof(struct cord_message *), newest_first);
	hits = json_object_new_array();
	for (size_t i = offset; i < count && i < offset + limit; i++) {
		struct json_object *o = cord_message_json(found[oldest ? count - 1 - i : i]),
				   *one = json_object_new_array();

		json_set_bool(o, "hit", true);
		json_object_array_add(one, o);
		json_object_array_add(hits, one);
	}
	free(found);
	call->result = json_newf(
	    "{messages: %p, total_results: %jd, doing_deep_historical_index: false}", hits, (int64_t)count);
	return 0;
}
