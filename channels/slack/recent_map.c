#include "channels/slack/recent_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

const char *slack_recent_map_get(const struct slack_recent_map *r, const char *key)
{
	for (size_t i = 0; i < SLACK_RECENT_MAX && r->rows[i].key; i++) {
		if (strcmp(r->rows[i].key, key) == 0)
			return r->rows[i].value;
	}
	return NULL;
}

void slack_recent_map_note(struct slack_recent_map *r, const char *key, const char *value)
{
	size_t at = r->next;

	for (size_t i = 0; i < SLACK_RECENT_MAX && r->rows[i].key; i++) {
		if (strcmp(r->rows[i].key, key) == 0) {
			free(r->rows[i].value);
			r->rows[i].value = xstrdup(value);
			return;
		}
	}
	free(r->rows[at].key);
	free(r->rows[at].value);
	r->rows[at].key = xstrdup(key);
	r->rows[at].value = xstrdup(value);
	r->next = (at + 1) % SLACK_RECENT_MAX;
}

void slack_recent_map_clear(struct slack_recent_map *r)
{
	for (size_t i = 0; i < SLACK_RECENT_MAX; i++) {
		free(r->rows[i].key);
		free(r->rows[i].value);
	}
	*r = (struct slack_recent_map){.next = 0};
}

void slack_recent_map_write(const struct slack_recent_map *r, struct buf *out)
{
	for (size_t i = 0; i < SLACK_RECENT_MAX; i++) {
		const char *key = r->rows[(r->next + i) % SLACK_RECENT_MAX].key;

		if (key)
			buf_addf(out, "%s\n", key);
	}
}

void slack_recent_map_read(struct slack_recent_map *r, const char *text)
{
	while (*text != '\0') {
		size_t len = strcspn(text, "\n");
		char *key = xstrndup(text, len);

		if (len > 0)
			slack_recent_map_note(r, key, "");
		free(key);
		text += len + (text[len] == '\n');
	}
}
