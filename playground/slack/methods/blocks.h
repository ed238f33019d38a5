#ifndef PLAYGROUND_SLACK_METHODS_BLOCKS_H
#define PLAYGROUND_SLACK_METHODS_BLOCKS_H
/* Block Kit in messages: which blocks are allowed, and their limits (docs.slack.dev/reference/block-kit). */
struct buf;
struct json_object;
struct slk_call;

/* Returns -1 after slk_refuse with invalid_blocks or msg_blocks_too_long. */
int slk_blocks_check(struct slk_call *call, struct json_object *blocks);
/* Appends all buttons as {"id","label","style"?,"url"?} separated by commas; id is the action_id. */
void slk_blocks_write_buttons(struct json_object *blocks, struct buf *out);
/* Returns the button with that action_id, value or label, and its block; NULL: none. */
struct json_object *slk_blocks_find_button(
    struct json_object *blocks, const char *what, struct json_object **block);
/* Appends the text of blocks, one line per block, for messages without text. */
void slk_blocks_write_text(struct json_object *blocks, struct buf *out);

#endif
