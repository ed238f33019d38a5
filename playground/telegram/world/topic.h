#ifndef PLAYGROUND_TELEGRAM_WORLD_TOPIC_H
#define PLAYGROUND_TELEGRAM_WORLD_TOPIC_H
/* The topics of a forum. The general one is none of them: its id is 1, and its messages carry no thread. */
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

struct topics { /* zeroed before first use */
	struct topic *list;
	size_t count;
};

struct topic *topics_find(const struct topics *t, int64_t id); /* NULL when there is none */
/* The topic with that id, new if there is none; name NULL: one made of the id. Good until the next one is
 * added. */
struct topic *topics_add(struct topics *t, int64_t id, const char *name);
void topic_rename(struct topic *topic, const char *name);
void topics_remove(struct topics *t, struct topic *topic);
void topics_clear(struct topics *t);

/* Over restarts. */
struct json_object *topics_save(const struct topics *t);
void topics_load(struct topics *t, struct json_object *array);

#endif
