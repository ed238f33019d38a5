#include "lib/fake_channel.h"

#include <string.h>

#include "base/mem.h"

int fake_channel_start(struct channel *ch, const void *settings, struct error *err)
{
	(void)settings, (void)err;
	ch->state = ch;
	channel_set_status(ch, CHANNEL_READY, "ready");
	return 0;
}

void fake_channel_stop(struct task *t, struct channel *ch)
{
	(void)t;
	ch->state = NULL;
}

char **fake_channel_split(const char *text)
{
	char **parts = xcalloc(strlen(text) + 2, sizeof(*parts));
	size_t n = 0;

	do {
		size_t len = strcspn(text, "|");
		parts[n++] = xstrndup(text, len);
		text += len + (text[len] == '|');
	} while (*text);
	return parts;
}
