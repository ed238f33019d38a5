#ifndef PLAYGROUND_SLACK_METHODS_COMPOSE_H
#define PLAYGROUND_SLACK_METHODS_COMPOSE_H
/* Reads message content from method parameters: text, markdown_text, blocks, attachments, metadata. */
#include <stdbool.h>
#include <stddef.h>

struct json_object;
struct slk_call;
struct slk_message;

#define SLK_TEXT_MAX     40000 /* chat.postMessage: longer text is cut */
#define SLK_UPDATE_MAX   4000  /* chat.update: longer text is refused with msg_too_long */
#define SLK_MARKDOWN_MAX 12000

struct slk_content {
	char *text;                                          /* NULL: not given */
	bool markdown;                                       /* it is markdown_text */
	struct json_object *blocks, *attachments, *metadata; /* borrowed; NULL: not given */
};

/* text_max: longer text is refused; with SLK_TEXT_MAX it is cut with a warning. empty: allows an empty
 * message. Returns -1 after slk_refuse, with nothing to clear. */
int slk_compose(struct slk_call *call, struct slk_content *content, size_t text_max, bool empty);
void slk_content_clear(struct slk_content *content);
/* Sets the given parts on the message and keeps the others. */
void slk_content_set(const struct slk_content *content, struct slk_message *m);
/* Checks an object {"event_type","event_payload"}. */
int slk_metadata_check(struct slk_call *call, struct json_object *metadata);

#endif
