#ifndef PLAYGROUND_MODEL_SCRIPT_CONVERSATION_H
#define PLAYGROUND_MODEL_SCRIPT_CONVERSATION_H
/* A conversation as the script sees it, whatever wire format it came in. */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct json_object;

struct conversation { /* zeroed before first use; owns its strings */
	char **users; /* what people said, oldest first; the last is being answered */
	size_t user_count;
	size_t steps;   /* answers that followed the last of them */
	char **results; /* of the tools called in the newest answer */
	size_t result_count;
	char **images; /* seen since the newest answer: "640x480 PNG" */
	size_t image_count;
	char **tools; /* names on offer */
	size_t tool_count;
	char *
	    *notes; /* in the format of Chat Completions: system messages and what tools say of themselves */
	size_t note_count;
};

/* All copy their text. */
void conversation_add_user(struct conversation *d, const char *text);
void conversation_add_answer(struct conversation *d);
void conversation_add_result(struct conversation *d, const char *text);
void conversation_add_image(struct conversation *d, const char *text);
void conversation_add_tool(struct conversation *d, const char *name);
void conversation_add_note(struct conversation *d, const char *text);
/* Appends what a content says: a string, or the texts of a list of parts, a line each. */
void conversation_content(struct json_object *content, struct buf *out);
bool conversation_offers(const struct conversation *d, const char *tool);
const char *conversation_user(const struct conversation *d); /* "" when nobody said anything */
void conversation_clear(struct conversation *d);

#endif
