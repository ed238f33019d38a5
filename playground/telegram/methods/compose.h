#ifndef PLAYGROUND_TELEGRAM_METHODS_COMPOSE_H
#define PLAYGROUND_TELEGRAM_METHODS_COMPOSE_H
/* What sendMessage, editMessageText and sendMessageDraft have in common: reading a text and its options. */
#include <stdbool.h>
#include <stddef.h>

struct call;
struct formatted;
struct json_object;

#define COMPOSE_TEXT_MAX    4096 /* UTF-16 units, after entities are parsed */
#define COMPOSE_CAPTION_MAX 1024

/* Where a formatted text stands: members of an object. */
struct compose_source {
	struct json_object *in;
	const char *text, *mode, *entities;
};

/* Reads such a text; absent or empty, out stays empty. -1 after call_refuse. */
int compose_read(struct call *call, const struct compose_source *source, struct formatted *out);
/* Reads caption, parse_mode and caption_entities of o: the params, or an InputMedia. */
int compose_caption(struct call *call, struct json_object *o, struct formatted *out);

/* Reads text, parse_mode and entities; too_long is what the method says of more than the
 * limit. With may_be_empty an absent or empty text is fine. -1 after call_refuse. */
int compose_text(struct call *call, struct formatted *out, const char *too_long, bool may_be_empty);
/* Reads link_preview_options; *out is its JSON text, to be freed, or NULL. */
int compose_preview(struct call *call, char **out);
/* Refuses members of o that names (NULL-terminated) does not list; what says whose they are. */
int compose_check_members(
    struct call *call, struct json_object *o, const char *const *names, const char *what);

#endif
