#ifndef BASE_EPOCH_H
#define BASE_EPOCH_H
/*
 * Epoch-based reclamation for settings, models and tools. A replaced object lives until every reader
 * that entered before its retirement has left. A task that uses such objects across a wait enters first;
 * it may then read the current ones at any time and keep them until it leaves. On the loop's thread
 * only.
 */
struct epoch;

struct epoch *epoch_enter(void);
/* NULL is allowed. */
void epoch_leave(struct epoch *e);
/* Calls end(arg) after every current reader has left, in the order of retirement; at once when there is
 * none. */
void epoch_retire(void (*end)(void *arg), void *arg);

#endif
