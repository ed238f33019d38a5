#ifndef CHANNELS_SLACK_RECENT_H
#define CHANNELS_SLACK_RECENT_H
/* The last of what was noted, by key: the oldest is forgotten. Zeroed before first use. */
#include <stddef.h>

struct buf;

#define RECENT_MOST 256

struct slack_recent {
	struct {
		char *key, *value;
	} rows[RECENT_MOST];
	size_t next;
};

/* NULL when it is not known. Good until the next note. */
const char *slack_recent_get(const struct slack_recent *r, const char *key);
/* Notes the value in place of an earlier one, which keeps its place. */
void slack_recent_note(struct slack_recent *r, const char *key, const char *value);
void slack_recent_clear(struct slack_recent *r);

/* All keys, a line each, the oldest first; and back. */
void slack_recent_write(const struct slack_recent *r, struct buf *out);
void slack_recent_read(struct slack_recent *r, const char *text);

#endif
