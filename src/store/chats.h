#ifndef STORE_CHATS_H
#define STORE_CHATS_H
/* What was set for single chats, by commands in them. */
#include <stddef.h>
#include <stdint.h>

#include "bus/address.h"

struct db;
struct error;
struct outbound;
struct store;
struct task;

struct store_chat {
	struct address where; /* without thread */
	int queue;            /* the session's own, 0: nothing */
};

/* Those with a queue mode: how many, *out malloc'd; or -1. */
int store_chats(struct task *t, struct store *s, struct store_chat **out, struct error *err);
/* Sets the chat's queue mode, in one commit with the end of the inbound message that asked for it and the
 * rows that answer it. ERROR_REFUSED when that message is not pending. */
int store_chat_set_queue(struct task *t, struct store *s, const struct store_chat *chat, int64_t inbound,
    struct outbound *const *answers, size_t answer_count, struct error *err);

/* The model that was chosen for the chat, by its name in the configuration; a thread has that of its chat.
 * *name is malloc'd; NULL: none was. */
int store_chat_model(
    struct task *t, struct store *s, const struct address *where, char **name, struct error *err);
/* Chooses one (NULL: none), in one commit as above. */
int store_chat_set_model(struct task *t, struct store *s, const struct address *where, const char *name,
    int64_t inbound, struct outbound *const *answers, size_t answer_count, struct error *err);

/* What an admin has the model told there: as with the model. */
int store_chat_instructions(
    struct task *t, struct store *s, const struct address *where, char **text, struct error *err);
int store_chat_set_instructions(struct task *t, struct store *s, const struct address *where,
    const char *text, int64_t inbound, struct outbound *const *answers, size_t answer_count,
    struct error *err);

/* On the store's thread: both, malloc'd, NULL where nothing was set. */
int chats_read(
    struct db *db, const struct address *where, char **model, char **instructions, struct error *err);

#endif
