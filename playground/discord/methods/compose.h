#ifndef PLAYGROUND_DISCORD_METHODS_COMPOSE_H
#define PLAYGROUND_DISCORD_METHODS_COMPOSE_H
/* Builds a message from a request body: content, embeds, components, files, mentions. */
#include <stdbool.h>
#include <stdint.h>

struct cord_call;
struct cord_channel;
struct cord_message;
struct json_object;

/* Fills the new message m; its channel, author and reply are set. body is checked already; flags are the
 * allowed ones. Returns -1 after a failure; the caller frees m. */
int cord_compose(struct cord_call *call, struct json_object *body, struct cord_message *m, int64_t flags);
/* Changes m by the given members. On failure m is unchanged. */
int cord_compose_edit(struct cord_call *call, struct json_object *body, struct cord_message *m);

/* A post of a forum: a thread that begins with m, a new message with its author, which it takes. Returns NULL
 * after a failure; the caller frees m then. applied: ids of tags; NULL: none. */
struct cord_channel *cord_post_new(struct cord_call *call, struct cord_channel *forum, const char *name,
    struct json_object *body, struct json_object *applied, struct cord_message *m);

#endif
