#ifndef BUS_CHAT_MOVE_H
#define BUS_CHAT_MOVE_H
/* Chats that got another id. Private to the bus; what others may do is in bus.h. */
struct bus;
struct error;
struct task;

/* Those that the journal has. */
int move_resume(struct task *t, struct bus *b, struct error *err);
void move_clear(struct bus *b);

#endif
