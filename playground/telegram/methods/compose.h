#ifndef PLAYGROUND_TELEGRAM_METHODS_COMPOSE_H
#define PLAYGROUND_TELEGRAM_METHODS_COMPOSE_H
/* Reads text and its options for sendMessage, editMessageText and sendMessageDraft. */
#include <stdbool.h>
#include <stddef.h>

struct call;
struct formatted;
struct json_object;

#define COMPOSE_TEXT_MAX    4096 /* UTF-16 units, after entities are parsed */
#define COMPOSE_CAPTION_MAX 1024

/* Member names of a formatted text. */
struct compose_source {
	struct json_object *in;
	const char *text, *mode, *entities;
};

/* Reads the text; absent or empty text leaves out empty. Returns -1 after call_refuse. */
int compose_read(struct call *call, const struct compose_source *source, struct formatted *out);
/* Reads caption, parse_mode and caption_entities of o: the params, or an InputMedia. */
int compose_caption(struct call *call, struct json_object *o, struct formatted *out);

/* Reads text, parse_mode and entities. too_long is the method's error above the limit. may_be_empty allows
 * an absent or empty text. Returns -1 after call_refuse. */
int compose_text(struct call *call, struct formatted *out, const char *too_long, bool may_be_empty);
/* Reads link_preview_options; *out is its JSON text, freed by the caller, or NULL. */
int compose_preview(struct call *call, char **out);
/* Refuses what is no object; what names it in the error. */
int compose_object(struct call *call, struct json_object *o, const char *what);

#endif
