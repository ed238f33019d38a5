#ifndef PLAYGROUND_TELEGRAM_WORLD_TOPIC_H
#define PLAYGROUND_TELEGRAM_WORLD_TOPIC_H
/* The topics of a forum. The General topic is not listed: its id is 1, and its messages carry no thread. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;

#define TOPIC_GENERAL  1
#define TOPIC_NAME_MAX 128 /* characters */
#define TOPIC_COLOR    0x6FB9F0

struct topic {
	int64_t id;
	char *name;
	int64_t color;
	bool closed;
};

/* The name of the general topic by the settings of its chat. */
const char *topic_general_name(struct json_object *settings);

struct topics { /* zero-initialised */
	struct topic *list;
	size_t count;
};

struct topic *topics_find(const struct topics *t, int64_t id); /* NULL when there is none */
/* Returns the topic with that id, creating it; name NULL: derive it from the id. Valid until the next
 * addition. */
struct topic *topics_add(struct topics *t, int64_t id, const char *name);
void topic_rename(struct topic *topic, const char *name);
void topics_remove(struct topics *t, struct topic *topic);
void topics_clear(struct topics *t);

/* Save and load the topics. */
struct json_object *topics_save(const struct topics *t);
void topics_load(struct topics *t, struct json_object *array);

#endif
