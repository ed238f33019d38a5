#ifndef STORE_MODELS_H
#define STORE_MODELS_H
/* The models that were chosen for single chats, by the names that they have in the configuration. As in store.h. */
#include <stddef.h>
#include <stdint.h>

struct address;
struct db;
struct error;
struct outbound;
struct store;
struct task;

/* *name is malloc'd; NULL: none was chosen. A thread has that of its chat. */
int store_model_read(struct task *t, struct store *s, const struct address *where, char **name, struct error *err);
/* Chooses one (NULL: none), in one commit with the end of the inbound message that asked for it and the rows that answer it. */
int store_model_choose(struct task *t, struct store *s, const struct address *where, const char *name, int64_t inbound,
    struct outbound *const *answers, size_t count, struct error *err);

/* On the store's thread, as store_model_read. */
int model_find(struct db *db, const struct address *where, char **name, struct error *err);

#endif
