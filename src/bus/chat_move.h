#ifndef BUS_CHAT_MOVE_H
#define BUS_CHAT_MOVE_H
/* Chats that got a new id. The public functions are in bus.h. */
struct bus;
struct error;
struct task;

/* Loads the moves from the journal. Suspends. */
int move_resume(struct task *t, struct bus *b, struct error *err);
void move_clear(struct bus *b);

#endif
