#ifndef CHANNELS_SLACK_USERS_H
#define CHANNELS_SLACK_USERS_H
/* Names of users by id: events carry ids only. Unknown names are fetched in the background (users.info),
 * ready for the next message. */
#include <stddef.h>
#include <stdint.h>

#include "base/task.h"
#include "channels/slack/recent_map.h"

struct slack;

struct slack_users {
	struct slack_recent_map names;
	struct slack_recent_map requested; /* requested already, whatever the result */
	struct slack_recent_map queue;     /* still to be fetched */
	size_t next_fetch;
	struct task *task; /* NULL: idle */
};

/* Returns NULL when unknown. Valid until the next call in this folder. */
const char *slack_users_name(const struct slack_users *p, const char *id);
/* Records a name that came with an event. */
void slack_users_note(struct slack_users *p, const char *id, const char *name);
/* Fetches the name in the background, once. */
void slack_users_fetch(struct slack *sk, const char *id);
void slack_users_clear(struct slack_users *p);

#endif
