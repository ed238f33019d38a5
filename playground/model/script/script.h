#ifndef PLAYGROUND_MODEL_SCRIPT_SCRIPT_H
#define PLAYGROUND_MODEL_SCRIPT_SCRIPT_H
/* The script: what the model answers, and the conversation that it answers in. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct conversation;
struct error;
struct json_object;
struct script;

/*
 * What the model says: an ordered list of rules in JSON.
 *   {"delay_ms"?, "chunk"?, "chunk_ms"?,			defaults for all steps
 *    "skip"?:PATTERN,			what a gateway puts before a person's words; not matched, not quoted
 *    "rules":[{"name"?, "when":PATTERN, "tools"?:[NAME,…], "recall"?:{NAME:PATTERN,…}, "repeat"?:bool,
 *              "steps":[STEP,…]},…],
 *    "else":{"steps":[STEP,…]}}
 * A rule fits when its pattern (POSIX extended, any case) is found in what the person said
 * last, all its tools are on offer, and every recall pattern is found in something that was
 * said before (what its last group holds is recalled, or all of it). Which step it takes is
 * how many answers already followed that message, so that a conversation can go on anywhere;
 * beyond its steps it begins anew with repeat, else stays at the last.
 *   STEP: {"text"?:TEMPLATE, "calls"?:[{"name","arguments"?:{…}|"arguments_text"?:"…"},…], "finish_reason"?,
 *          "obey"?:bool, "thinking"?:TEMPLATE, "fault"?:{"kind",…}, "delay_ms"?, "chunk"?, "chunk_ms"?}
 *      or {"error":{"status","message"?,"type"?,"code"?,"retry_after"?,"times"?}, "text"?, "delay_ms"?}
 * An error with times fails so many requests in a row, of whatever chats; the next one gets the text.
 * With obey it makes the calls that the newest texts order (injection_find_calls), whether the tools are on
 * offer or not; where they order none, it says its text. fault: what happens to the answer, as POST
 * /control/fault orders it (playground/server/fault.h); with "model" only when that one is asked. chunk is
 * the characters in a piece of a stream, chunk_ms the time between pieces.
 */

/* A tool call of the model. */
struct script_call {
	char *name;
	char *arguments; /* JSON text, or any text that the script gives */
};

/* One answer of the model. */
struct script_answer {
	char *text;     /* NULL: none */
	char *thinking; /* reasoning before the text, in formats that have it; NULL: none */
	struct script_call *calls;
	size_t call_count;
	char *finish_reason;               /* NULL: derived from the content */
	struct json_object *error, *fault; /* NULL: none; borrowed from the script */
	uint64_t delay_ms, chunk_ms;
	size_t chunk;
};

struct script *script_parse(const char *text, size_t len, struct error *err);
struct script *script_load(const char *file, struct error *err);
void script_free(struct script *s);
/* Chooses rule and step and expands their templates. The caller clears the answer. */
void script_play(const struct script *s, const struct conversation *d, struct script_answer *answer);
/* Changes what is said, as those bits (server/fault.h) ask. */
void script_answer_apply_quirks(struct script_answer *answer, unsigned quirks);
void script_answer_clear(struct script_answer *answer);

/* A conversation as the script sees it, independent of the wire format. */

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
