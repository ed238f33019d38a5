#ifndef STORE_JOURNAL_ADDRESSES_H
#define STORE_JOURNAL_ADDRESSES_H
/* Addresses as columns, and the addresses with unfinished work. */
struct address;
struct db;
struct error;
struct db_row;
struct task;

/* Reads the columns channel, chat, thread, which come first. */
int addresses_read(struct db *db, struct db_row *row, struct address *out, struct error *err);

/* pending_addresses of struct journal_ops. */
int addresses_pending(struct task *t, void *self, struct address **out, struct error *err);

#endif
