#ifndef SESSION_COMMANDS_BROADCAST_H
#define SESSION_COMMANDS_BROADCAST_H
/* What /broadcast and /send share. Private to sessions. */
struct buf;
struct post;
struct task;

/* Sends, waits some seconds for outcomes, and appends a line for each recipient to reply. */
void broadcast_send(struct task *t, struct post *p, struct buf *reply);

#endif
