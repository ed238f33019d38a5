#include "channels/slack/recent.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

const char *slack_recent_get(const struct slack_recent *r, const char *key)
{
	for (size_t i = 0; i < RECENT_MOST && r->rows[i].key; i++) {
		if (strcmp(r->rows[i].key, key) == 0)
			return r->rows[i].value;
	}
	return NULL;
}

void slack_recent_note(struct slack_recent *r, const char *key, const char *value)
{
	size_t at = r->next;

	for (size_t i = 0; i < RECENT_MOST && r->rows[i].key; i++) {
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
	r->next = (at + 1) % RECENT_MOST;
}

void slack_recent_clear(struct slack_recent *r)
{
	for (size_t i = 0; i < RECENT_MOST; i++) {
		free(r->rows[i].key);
		free(r->rows[i].value);
	}
	*r = (struct slack_recent){.next = 0};
}

void slack_recent_write(const struct slack_recent *r, struct buf *out)
{
	for (size_t i = 0; i < RECENT_MOST; i++) {
		const char *key = r->rows[(r->next + i) % RECENT_MOST].key;

		if (key)
			buf_addf(out, "%s\n", key);
	}
}

void slack_recent_read(struct slack_recent *r, const char *text)
{
	while (*text != '\0') {
		size_t len = strcspn(text, "\n");
		char *key = xstrndup(text, len);

		if (len > 0)
			slack_recent_note(r, key, "");
		free(key);
		text += len + (text[len] == '\n');
	}
}
