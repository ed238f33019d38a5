#ifndef PLAYGROUND_SLACK_METHODS_COMPOSE_H
#define PLAYGROUND_SLACK_METHODS_COMPOSE_H
/* What the methods share. */
#include <stdbool.h>
#include <stddef.h>

#include "base/json/json.h"
#include "playground/slack/control/control.h"
#include "playground/slack/http/method.h"
#include "playground/slack/socket/event.h"
#include "playground/slack/world/app.h"
#include "playground/slack/world/conversation.h"
#include "playground/slack/world/message.h"
#include "playground/slack/world/world.h"

/* Is the parameter the status of a session, or not given? Returns -1 after slk_refuse. */
int slk_session_check_status(struct slk_call *call, const char *param);

/* Reads message content from method parameters: text, markdown_text, blocks, attachments, metadata. */

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

/* Block Kit in messages and views: which blocks are allowed, and their limits
 * (docs.slack.dev/reference/block-kit). */

/* Return NULL, or the error (a literal) with a sentence appended to why. */
const char *slk_blocks_judge(struct json_object *blocks, struct buf *why);
const char *slk_view_judge(struct json_object *view, struct buf *why);
/* Of the answer to block_suggestion. */
const char *slk_suggestions_judge(struct json_object *answer, struct buf *why);
/* The same for an argument of a call. Return -1 after slk_refuse. */
int slk_blocks_check(struct slk_call *call, struct json_object *blocks);
int slk_view_check(struct slk_call *call, struct json_object *view);
/* Appends the text of blocks, one line per block, for messages without text. */
void slk_blocks_write_text(struct json_object *blocks, struct buf *out);

/* Pinned messages of a conversation. */

/* Send the event. user: an id. Return NULL or the error. */
const char *slk_pin_add(struct slk_conv *c, struct slk_message *m, const char *user);
const char *slk_pin_remove(struct slk_conv *c, struct slk_message *m, const char *user);

/* Reactions, stored in the message as the API shows them. */

/* Is it a valid emoji name? (with skin tone: "wave::skin-tone-2") */
bool slk_reaction_is_name(const char *name);
/* Sends the event. user: an id. Returns NULL or the error: already_reacted, no_reaction, too_many_emoji. */
const char *slk_reaction_add(struct slk_conv *c, struct slk_message *m, const char *user, const char *name);
const char *slk_reaction_remove(
    struct slk_conv *c, struct slk_message *m, const char *user, const char *name);

#endif
