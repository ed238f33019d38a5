#ifndef PLAYGROUND_MODEL_SCRIPT_CONVERSATION_H
#define PLAYGROUND_MODEL_SCRIPT_CONVERSATION_H
/* A conversation as the script sees it, independent of the wire format. */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct json_object;

struct conversation { /* zero-initialised; owns its strings */
	char **users; /* user messages, oldest first; the last one is being answered */
	size_t user_count;
	size_t steps;   /* model answers after the last user message */
	char **results; /* of the tools called in the newest answer */
	size_t result_count;
	char **images; /* since the newest answer: "640x480 PNG" */
	size_t image_count;
	struct json_object *tools; /* those offered; NULL: none */
	char **notes;              /* in Chat Completions format: system messages */
	size_t note_count;
};

/* These copy their text. */
void conversation_add_user(struct conversation *d, const char *text);
void conversation_add_answer(struct conversation *d);
void conversation_add_result(struct conversation *d, const char *text);
void conversation_add_image(struct conversation *d, const char *text);
void conversation_add_note(struct conversation *d, const char *text);
/* Appends the text of a content: a string, or a list of parts as lines. */
void conversation_content(struct json_object *content, struct buf *out);
/* The list is that of the request; each is as its wire format has it. */
void conversation_offer(struct conversation *d, struct json_object *tools);
bool conversation_offers(const struct conversation *d, const char *tool);
/* Returns a text of an offered tool, its "name" or "description"; NULL when it has none. */
const char *conversation_tool(const struct conversation *d, size_t i, const char *member);
size_t conversation_tool_count(const struct conversation *d);
const char *conversation_user(const struct conversation *d); /* "" without user messages */
void conversation_clear(struct conversation *d);

#endif
