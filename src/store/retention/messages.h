#ifndef STORE_RETENTION_MESSAGES_H
#define STORE_RETENTION_MESSAGES_H
/* Forgets what nobody asks for any more: messages some time after they were handled, sent or given up. */
struct store;

/* Queues a round of it, unless one is on its way. */
void retention_messages_start(struct store *s);

#endif
