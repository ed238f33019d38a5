#ifndef STORE_OUTGOING_H
#define STORE_OUTGOING_H
/* The files of outbound messages that have no end yet, as struct journal_ops says. */
struct error;
struct task;

int outgoing_list(struct task *t, void *self, char ***out, struct error *err);

#endif
