#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "playground/telegram/world/world_internal.h"

const char *topic_general_name(struct json_object *settings)
{
	const char *name = json_get_str(json_get_object(settings, "general"), "name");

	return name ? name : "General";
}

struct topic *topics_find(const struct topics *t, int64_t id)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->list[i].id == id)
			return &t->list[i];
	return NULL;
}

struct topic *topics_add(struct topics *t, int64_t id, const char *name)
{
	struct topic *topic = topics_find(t, id);

	if (topic)
		return topic;
	t->list = xrealloc(t->list, (t->count + 1) * sizeof(*t->list));
	topic = &t->list[t->count++];
	*topic = (struct topic){.id = id, .color = TOPIC_COLOR};
	topic->name = name ? xstrdup(name) : xasprintf("Topic %" PRId64, id);
	return topic;
}

void topic_rename(struct topic *topic, const char *name)
{
	free(topic->name);
	topic->name = xstrdup(name);
}

void topics_remove(struct topics *t, struct topic *topic)
{
	size_t i = (size_t)(topic - t->list);

	free(topic->name);
	memmove(topic, topic + 1, (--t->count - i) * sizeof(*topic));
}

void topics_clear(struct topics *t)
{
	while (t->count > 0)
		topics_remove(t, &t->list[t->count - 1]);
	free(t->list);
	*t = (struct topics){0};
}

struct json_object *topics_save(const struct topics *t)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < t->count; i++)
		json_object_array_add(array,
		    json_newf("{id: %jd, name: %s, color: %jd, closed: %i}", t->list[i].id, t->list[i].name,
			t->list[i].color, t->list[i].closed));
	return array;
}

void topics_load(struct topics *t, struct json_object *array)
{
	json_each(array, o) {
		struct topic *topic = topics_add(t, json_get_int(o, "id", 0), json_get_str(o, "name"));

		topic->color = json_get_int(o, "color", TOPIC_COLOR);
		topic->closed = json_get_bool(o, "closed", false);
	}
}
