#ifndef STORE_JOURNAL_OUTBOX_FILES_H
#define STORE_JOURNAL_OUTBOX_FILES_H
/* The files of deliveries that are not final. Behaves as in struct journal_ops. */
struct error;
struct task;

int outbox_files_list(struct task *t, void *self, char ***out, struct error *err);

#endif
