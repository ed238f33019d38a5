#ifndef STORE_CHATS_H
#define STORE_CHATS_H
/* Settings of single chats, set by commands. */
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
	int queue;            /* queue mode as the session stores it; 0 for none */
};

/* Lists the chats with a queue mode in a malloc'd *out. Returns the count or -1. */
int store_chats(struct task *t, struct store *s, struct store_chat **out, struct error *err);
/* Sets the chat's queue mode, in one commit with the end of the inbound message that asked for it and with
 * the answers. ERROR_REFUSED when that message is not pending. */
int store_chat_set_queue(struct task *t, struct store *s, const struct store_chat *chat, int64_t inbound,
    struct outbound *const *answers, size_t answer_count, struct error *err);

/* Gets the model chosen for the chat, by its name in the configuration; a thread uses its chat's model.
 * *name is malloc'd; NULL for none. */
int store_chat_model(
    struct task *t, struct store *s, const struct address *where, char **name, struct error *err);
/* Sets the model (NULL for none), in one commit as above. */
int store_chat_set_model(struct task *t, struct store *s, const struct address *where, const char *name,
    int64_t inbound, struct outbound *const *answers, size_t answer_count, struct error *err);

/* Get and set the extra instructions that an admin gave the chat, like the model. */
int store_chat_instructions(
    struct task *t, struct store *s, const struct address *where, char **text, struct error *err);
int store_chat_set_instructions(struct task *t, struct store *s, const struct address *where,
    const char *text, int64_t inbound, struct outbound *const *answers, size_t answer_count,
    struct error *err);

/* On the store's thread: reads both, malloc'd, NULL when not set. */
int chats_read(
    struct db *db, const struct address *where, char **model, char **instructions, struct error *err);

#endif
