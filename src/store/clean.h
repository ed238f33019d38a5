#ifndef STORE_CLEAN_H
#define STORE_CLEAN_H
/* Forgets what nobody asks for any more: messages some time after they were handled, sent or given up. */
struct store;

/* Queues a round of it, unless one is on its way. */
void clean_start(struct store *s);

#endif
