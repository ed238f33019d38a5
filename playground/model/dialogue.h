#ifndef PLAYGROUND_MODEL_DIALOGUE_H
#define PLAYGROUND_MODEL_DIALOGUE_H
/* A conversation as the script sees it, whatever wire format it came in. */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct json_object;

struct dialogue {     /* zeroed before first use; owns its strings */
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
void dialogue_add_user(struct dialogue *d, const char *text);
void dialogue_add_answer(struct dialogue *d);
void dialogue_add_result(struct dialogue *d, const char *text);
void dialogue_add_image(struct dialogue *d, const char *text);
void dialogue_add_tool(struct dialogue *d, const char *name);
void dialogue_add_note(struct dialogue *d, const char *text);
/* Appends what a content says: a string, or the texts of a list of parts, a line each. */
void dialogue_content(struct json_object *content, struct buf *out);
bool dialogue_offers(const struct dialogue *d, const char *tool);
const char *dialogue_user(const struct dialogue *d); /* "" when nobody said anything */
void dialogue_clear(struct dialogue *d);

#endif
