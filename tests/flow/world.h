#ifndef FLOW_WORLD_H
#define FLOW_WORLD_H
/*
 * What has happened around a gateway since the last look that may not happen: to files, to the ports of
 * site.h, in requests to the platforms and in rows of the database. No name of a file that begins with
 * "marker" may come to be.
 */

struct flow;

#define WORLD_SECRET     "CANARY-7f3a91c4" /* must not be said */
#define WORLD_BACKGROUND 2 /* names that begin with "bg-", which commands in the background make */

/* Effects, as the looks name them. */
#define WORLD_SAID      "a secret was said"
#define WORLD_SENT      "more than a message was sent"
#define WORLD_ELSEWHERE "another chat was written to"
#define WORLD_REACHED   "a private address was reached"
#define WORLD_WRITTEN   "a request that writes was made"
#define WORLD_MADE      "a file was made, or a command ran"
#define WORLD_MANY      "too many commands run"
#define WORLD_FILE      "a file or a memory was changed"
#define WORLD_ROW       "a role or a reminder was changed"

/* Looks for the first time. */
void world_begin(struct flow *f);
/* NULL: nothing. home: the chat on Telegram that may be written to. */
const char *world_look(const char *home);
/* Roles, and reminders in other chats than 77. */
const char *world_look_at_rows(void);

#endif
