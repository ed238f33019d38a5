#ifndef CHANNELS_SLACK_RECENT_MAP_H
#define CHANNELS_SLACK_RECENT_MAP_H
/* A bounded map of strings that evicts the oldest entry. Zero it before first use. */
#include <stddef.h>

struct buf;

#define SLACK_RECENT_MAX 256

struct slack_recent_map {
	struct {
		char *key, *value;
	} rows[SLACK_RECENT_MAX];
	size_t next;
};

/* Returns NULL when unknown. Valid until the next note. */
const char *slack_recent_map_get(const struct slack_recent_map *r, const char *key);
/* Sets a value; an existing key keeps its position. */
void slack_recent_map_note(struct slack_recent_map *r, const char *key, const char *value);
void slack_recent_map_clear(struct slack_recent_map *r);

/* All keys, a line each, the oldest first; and back. */
void slack_recent_map_write(const struct slack_recent_map *r, struct buf *out);
void slack_recent_map_read(struct slack_recent_map *r, const char *text);

#endif
