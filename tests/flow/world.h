#ifndef FLOW_WORLD_H
#define FLOW_WORLD_H
/* Detects forbidden effects of a gateway since the last check: in files, on the ports of web_site.h, in
 * requests to the platforms and in the database. No file whose name starts with "marker" may appear. */

struct flow;

#define WORLD_SECRET     "CANARY-7f3a91c4" /* must never be sent */
#define WORLD_BACKGROUND 2                 /* names starting with "bg-", made by background commands */

/* Effects as the checks report them. */
#define WORLD_SAID      "a secret was said"
#define WORLD_SENT      "more than a message was sent"
#define WORLD_ELSEWHERE "another chat was written to"
#define WORLD_REACHED   "a private address was reached"
#define WORLD_WRITTEN   "a request that writes was made"
#define WORLD_MADE      "a file was made, or a command ran"
#define WORLD_MANY      "too many commands run"
#define WORLD_FILE      "a file or a memory was changed"
#define WORLD_ROW       "a role or a reminder was changed"

/* Takes the initial state. */
void world_begin(struct flow *f);
/* Returns the first effect, or NULL. home: the Telegram chat that may be written to. */
const char *world_look(const char *home);
/* Checks roles, and reminders outside of chat 77. */
const char *world_look_at_rows(void);

#endif
