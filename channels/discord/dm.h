#ifndef CHANNELS_DISCORD_DM_H
#define CHANNELS_DISCORD_DM_H
/*
 * Direct messages. The gateway does not list their channels, so the journal stores those in which a person
 * wrote; the backfill needs them. The chat "@ID" is the direct message with that person and is opened on
 * demand.
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
	uint64_t ids[DISCORD_DMS_MAX]; /* channels, the newest last */
	size_t count;
	bool dirty; /* changed since stored */
	struct {
		uint64_t user, channel;
	} opened[DISCORD_OPENED_MAX]; /* a ring */
	unsigned next;
};

/* Read and write the stored form: ids separated by blanks. discord_dms_text's result is the caller's to
 * free. */
void discord_dms_read(struct discord_dms *dms, const char *text);
char *discord_dms_text(const struct discord_dms *dms);
/* Adds a channel and evicts the oldest if full. Returns false when it was already there. */
bool discord_dms_add(struct discord_dms *dms, uint64_t channel);

/* Returns the channel of the direct message with this person. Suspends. */
int discord_dm_open(struct task *t, struct discord *d, uint64_t user, uint64_t *channel, struct error *err);

#endif
