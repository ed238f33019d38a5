#ifndef PLAYGROUND_DISCORD_METHODS_COMPOSE_H
#define PLAYGROUND_DISCORD_METHODS_COMPOSE_H
/* What a body makes of a message: content, embeds, components, files, mentions. */
#include <stdbool.h>
#include <stdint.h>

struct cord_call;
struct cord_message;
struct json_object;

/* Fills the new message m, whose channel, author and reply are set. body is checked by its rows; flags are
 * those that may be given. -1 after a failure: m is to be freed. */
int cord_compose(struct cord_call *call, struct json_object *body, struct cord_message *m, int64_t flags);
/* Changes m as the members that are given say; nothing is changed where it fails. */
int cord_compose_edit(struct cord_call *call, struct json_object *body, struct cord_message *m);

#endif
