#ifndef PLAYGROUND_SLACK_METHODS_BLOCKS_H
#define PLAYGROUND_SLACK_METHODS_BLOCKS_H
/* Block Kit in messages and views: which blocks are allowed, and their limits
 * (docs.slack.dev/reference/block-kit). */
struct buf;
struct json_object;
struct slk_call;

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

#endif
