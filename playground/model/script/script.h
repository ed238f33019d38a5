#ifndef PLAYGROUND_MODEL_SCRIPT_SCRIPT_H
#define PLAYGROUND_MODEL_SCRIPT_SCRIPT_H
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
 * With obey it calls what the newest texts order (obey.h), be it on offer or not; where none does, it says
 * its text. fault: what happens to the answer, as POST /control/fault orders it (playground/server/fault.h);
 * with "model" only when that one is asked. chunk is the characters in a piece of a stream, chunk_ms the time
 * between pieces.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct conversation;
struct error;
struct json_object;
struct script;

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
/* Changes what is said, as those bits (server/quirk.h) ask. */
void script_answer_apply_quirks(struct script_answer *answer, unsigned quirks);
void script_answer_clear(struct script_answer *answer);

#endif
