#ifndef STORE_RETENTION_CONVERSATIONS_H
#define STORE_RETENTION_CONVERSATIONS_H
/* Forgets conversations that have ended, with their turns, when they are old or the database is too large. */
struct store;

/* Queues a round of it, unless one is on its way. */
void retention_conversations_start(struct store *s);

#endif
