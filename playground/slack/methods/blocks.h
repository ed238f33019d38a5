#ifndef PLAYGROUND_SLACK_METHODS_BLOCKS_H
#define PLAYGROUND_SLACK_METHODS_BLOCKS_H
/* Block Kit in messages: what may stand where, and how much of it (docs.slack.dev/reference/block-kit). */
struct buf;
struct json_object;
struct slk_call;

/* -1 after slk_refuse with invalid_blocks or msg_blocks_too_long. */
int slk_blocks_check(struct slk_call *call, struct json_object *blocks);
/* Appends all buttons as {"id","label","style"?,"url"?} separated by commas; id is the action_id. */
void slk_blocks_write_buttons(struct json_object *blocks, struct buf *out);
/* The button with that action_id, value or label, and the block that it is in; NULL when there is none. */
struct json_object *slk_blocks_find_button(
    struct json_object *blocks, const char *what, struct json_object **block);
/* Appends the text that blocks show, a block a line, for messages that have no other. */
void slk_blocks_write_text(struct json_object *blocks, struct buf *out);

#endif
