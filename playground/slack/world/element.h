#ifndef PLAYGROUND_SLACK_WORLD_ELEMENT_H
#define PLAYGROUND_SLACK_WORLD_ELEMENT_H
/* The interactive elements of blocks, in messages and views: what a person can choose in each, and how the
 * choices are told in state.values and in actions. */
#include <stdbool.h>

struct buf;
struct error;
struct json_object;
struct slk_world;

/* Borrowed from the blocks. */
struct slk_element {
	struct json_object *o, *block;
	bool input;       /* of an input block */
	bool silent;      /* of an input block that does not dispatch actions */
	bool remote;      /* its options come from the app */
	const char *said; /* the words by which it was found; of feedback buttons, one of them */
};

/* Adds missing block_id and action_id, as Slack does. */
void slk_blocks_complete(struct json_object *blocks);
/* Returns a new block with the text as clients send what people type. */
struct json_object *slk_rich_text(const char *text);
/* Appends all buttons as {"id","label","style"?,"value"?,"url"?} separated by commas; id is the action_id. */
void slk_blocks_write_buttons(struct json_object *blocks, struct buf *out);
/* Finds the element with that action_id, value, label or placeholder. Returns false when there is none. */
bool slk_element_find(struct json_object *blocks, const char *what, struct slk_element *e);
/* Returns what choosing it gives: {"type", and a member such as "selected_option"}, as in state.values; of a
 * button its text and value. choice: a text, a number, null for nothing, an array where several can be
 * chosen; options go by value or label. options: those that the app sent, of a remote one; else NULL. NULL
 * with err. The caller owns it. */
struct json_object *slk_element_choose(struct slk_world *w, const struct slk_element *e,
    struct json_object *choice, struct json_object *options, struct error *err);
/* Stores a choice in kept: {block_id: {action_id: value}}. Takes value. */
void slk_element_keep(struct json_object *kept, const struct slk_element *e, struct json_object *value);
/* Stores choices as in state.values, however they came about. */
void slk_element_merge(struct json_object *kept, struct json_object *values);
/* Returns state.values: of each element what is kept, else its initial value. The caller owns it. */
struct json_object *slk_element_state(struct json_object *blocks, struct json_object *kept);
/* Is every input filled that must be? state: from slk_element_state. */
bool slk_element_filled(struct json_object *blocks, struct json_object *state, struct error *err);

#endif
