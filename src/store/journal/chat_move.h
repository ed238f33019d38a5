#ifndef STORE_JOURNAL_CHAT_MOVE_H
#define STORE_JOURNAL_CHAT_MOVE_H
/* Chats that got a new id. Calls behave as in struct journal_ops. */
struct error;
struct journal_move;
struct task;

int move_chat(struct task *t, void *self, const struct journal_move *move, struct error *err);
int move_list(struct task *t, void *self, struct journal_move **out, struct error *err);

#endif
