#ifndef CHANNELS_SLACK_USERS_H
#define CHANNELS_SLACK_USERS_H
/*
 * Names of people, by id: events carry ids only. A name that is not known is asked for in the background
 * (users.info), so that nothing waits for it, and is there for the next message.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/task.h"
#include "channels/slack/recent_map.h"

struct slack;

struct slack_users {
	struct slack_recent_map names;
	struct slack_recent_map wanted; /* asked for already, whatever came of it */
	struct slack_recent_map queue;  /* what the task still has to ask for */
	size_t asked;
	struct task *task; /* NULL when it has nothing to do */
};

/* NULL when it is not known. Good until the next call of this folder. */
const char *slack_users_name(const struct slack_users *p, const char *id);
/* A name that came with an event. */
void slack_users_note(struct slack_users *p, const char *id, const char *name);
/* Asks for the name in the background, once. */
void slack_users_want(struct slack *sk, const char *id);
void slack_users_clear(struct slack_users *p);

#endif
