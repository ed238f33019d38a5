#ifndef STORE_FORGET_H
#define STORE_FORGET_H
/* Forgets conversations that have ended, with their turns, when they are old or the database is too large. */
struct store;

/* Queues a round of it, unless one is on its way. */
void forget_start(struct store *s);

#endif
