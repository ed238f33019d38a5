#ifndef CHANNELS_DISCORD_DM_H
#define CHANNELS_DISCORD_DM_H
/*
 * Private chats. The gateway does not list them, so that those in which somebody wrote are kept in the
 * journal, for fetching what was missed there. And "@ID" as a chat is the private chat with that person,
 * opened when it is needed.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct discord;
struct error;
struct task;

#define DISCORD_DMS_MAX    200
#define DISCORD_OPENED_MAX 32

struct discord_dms {
	uint64_t ids[DISCORD_DMS_MAX]; /* channels, the latest that was added last */
	size_t count;
	bool dirty; /* one was added since they were written down */
	struct {
		uint64_t user, channel;
	} opened[DISCORD_OPENED_MAX]; /* a ring */
	unsigned next;
};

/* From and to the journal's text: ids with blanks between them, malloc'd. */
void discord_dms_read(struct discord_dms *dms, const char *text);
char *discord_dms_text(const struct discord_dms *dms);
/* Adds one; false when it was there. The oldest is forgotten. */
bool discord_dms_add(struct discord_dms *dms, uint64_t channel);

/* The channel of the private chat with this person. */
int discord_dm_open(struct task *t, struct discord *d, uint64_t user, uint64_t *channel, struct error *err);

#endif
