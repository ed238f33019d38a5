#ifndef STORE_RETENTION_CONVERSATIONS_H
#define STORE_RETENTION_CONVERSATIONS_H
/* Deletes ended conversations with their turns, when they are old or the database is too large. */
struct store;

/* Queues a round, unless one is already queued. */
void retention_conversations_start(struct store *s);

#endif
