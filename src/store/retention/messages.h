#ifndef STORE_RETENTION_MESSAGES_H
#define STORE_RETENTION_MESSAGES_H
/* Deletes messages some time after they were handled, sent or given up. */
struct store;

/* Queues a round, unless one is already queued. */
void retention_messages_start(struct store *s);

#endif
