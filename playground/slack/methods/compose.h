#ifndef PLAYGROUND_SLACK_METHODS_COMPOSE_H
#define PLAYGROUND_SLACK_METHODS_COMPOSE_H
/* What a message says, as the methods that write one take it: text, markdown_text, blocks, attachments,
 * metadata. */
#include <stdbool.h>
#include <stddef.h>

struct json_object;
struct slk_call;
struct slk_message;

#define SLK_TEXT_MAX     40000 /* chat.postMessage: what is longer is cut */
#define SLK_UPDATE_MAX   4000  /* chat.update: what is longer is refused with msg_too_long */
#define SLK_MARKDOWN_MAX 12000

struct slk_content {
	char *text;                                          /* NULL: none was given */
	bool markdown;                                       /* it is markdown_text */
	struct json_object *blocks, *attachments, *metadata; /* borrowed; NULL: not given */
};

/* text_max: more is refused, unless it is SLK_TEXT_MAX, where it is cut with a warning. empty: a message that
 * says nothing is fine. -1 after slk_refuse; nothing is left to clear then. */
int slk_compose(struct slk_call *call, struct slk_content *content, size_t text_max, bool empty);
void slk_content_clear(struct slk_content *content);
/* Puts it into the message. What was not given stays as it was. */
void slk_content_set(const struct slk_content *content, struct slk_message *m);
/* Checks an object {"event_type","event_payload"}. */
int slk_metadata_check(struct slk_call *call, struct json_object *metadata);
/* Gives block_id and action_id to blocks and buttons that have none, as the platform does. */
void slk_blocks_complete(struct json_object *blocks);

#endif
