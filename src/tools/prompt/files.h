#ifndef TOOLS_PROMPT_FILES_H
#define TOOLS_PROMPT_FILES_H
/*
 * The files that a model is told before a conversation: instructions, notes, and the list of skills. They are
 * opened as tools open files, beneath their folder. One that somebody else than the operator may have written
 * is left out, with why.
 */
#include <stdbool.h>
#include <stddef.h>

#include "tools/prompt/skills.h"

struct error;
struct prompt_files_cache;
struct prompt_read;
struct roots;
struct task;
struct tools;

struct prompt_text {
	char *name;         /* "AGENTS.md" */
	char *text;         /* clean, at most prompt.file_limit; NULL: it is not told */
	char *problem;      /* why not, a sentence; NULL and no text: it is not there */
	size_t size, shown; /* bytes that it has, and of them those of text */
};

struct prompt_files {
	struct prompt_text *files, *notes; /* in the order of the settings */
	size_t file_count, note_count;
	struct skill_list skills;
	struct prompt_read *read; /* private: who asked at the same time has the same */
};

/* Can a command write these files, in a way that no rule sees? True where they lie in the workspace and
 * commands run as the gateway's own user. */
bool prompt_files_open_to_commands(const struct tools *ts);

/* As they are now; to be looked at only. -1: cancelled. prompt_files_clear in any case. */
int prompt_files_read(struct task *t, const struct tools *ts, struct prompt_files *out, struct error *err);
void prompt_files_clear(struct prompt_files *f);

/* Through which those who read with the same tools share what they read. */
struct prompt_files_cache *prompt_files_cache_new(void);
/* Nobody reads. NULL is fine. */
void prompt_files_cache_free(struct prompt_files_cache *g);

struct prompt_settings;
/* prompt: { … } in the config; borrowed. */
const struct prompt_settings *tools_prompt(const struct tools *ts);

#endif
