#ifndef TESTS_LIB_FAKE_CHANNEL_H
#define TESTS_LIB_FAKE_CHANNEL_H
/* What the channels of tests have in common: they are ready once they start, and "|" ends a part of a text.
 */
#include "bus/channel.h"

/* Members of its struct channel_ops. */
#define FAKE_CHANNEL(name) \
	.type = name, .start = fake_channel_start, .stop = fake_channel_stop, .split = fake_channel_split

int fake_channel_start(struct channel *ch, const void *settings, struct error *err);
void fake_channel_stop(struct task *t, struct channel *ch);
char **fake_channel_split(const char *text);

#endif
