#ifndef STORE_JOURNAL_OUTBOX_FILES_H
#define STORE_JOURNAL_OUTBOX_FILES_H
/* The files of outbound messages that have no end yet, as struct journal_ops says. */
struct error;
struct task;

int outbox_files_list(struct task *t, void *self, char ***out, struct error *err);

#endif
