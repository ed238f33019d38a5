#ifndef BASE_EPOCH_H
#define BASE_EPOCH_H
/*
 * How long something lives that others may still look at, though it is replaced already: settings, models,
 * tools. Who uses them across a wait enters first, and what is retired from then on outlives them: they may
 * read what is in force at any time, and keep what they read until they leave. All on the loop's thread.
 */
struct epoch;

struct epoch *epoch_enter(void);
/* NULL is fine. */
void epoch_leave(struct epoch *e);
/* Calls end(arg) once all who are inside now have left, in the order of retiring; at once when nobody is. */
void epoch_retire(void (*end)(void *arg), void *arg);

#endif
