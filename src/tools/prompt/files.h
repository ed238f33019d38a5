#ifndef TOOLS_PROMPT_FILES_H
#define TOOLS_PROMPT_FILES_H
/*
 * The files of the system prompt: instructions, notes, and the list of skills. They are opened like
 * tools open files, below their folder. A file that someone other than the operator may have written is
 * left out, with the reason.
 */
#include <stdbool.h>
#include <stddef.h>

#include "tools/prompt/skills.h"

struct error;
struct prompt_files_cache;
struct prompt_read;
struct prompt_watch;
struct roots;
struct task;
struct tools;

struct prompt_text {
	char *name;         /* "AGENTS.md" */
	char *text;         /* sanitized, at most prompt.file_limit; NULL when left out */
	char *problem;      /* why it was left out, a sentence; NULL without text: the file does not exist */
	size_t size, shown; /* bytes of the file, and of them in text */
	bool from_parent;   /* read above the chat's folder, which lacks it */
};

struct prompt_files {
	struct prompt_text *files, *notes; /* in the order of the settings */
	size_t file_count, note_count;
	struct skill_list skills;
	struct prompt_read *read; /* internal: concurrent readers share it */
};

/* Returns true when commands could change these files without any rule noticing: they lie in the workspace,
 * and commands run as the gateway's user. */
bool prompt_files_open_to_commands(const struct tools *ts);

/* Reads the current files, which are read-only. Returns -1 when cancelled. Call prompt_files_clear in any
 * case. Suspends. */
int prompt_files_read(struct task *t, const struct tools *ts, struct prompt_files *out, struct error *err);
void prompt_files_clear(struct prompt_files *f);

/* Called when a file of prompt.files that had text the last time has none, with its path below the workspace;
 * must not suspend. */
typedef void prompt_file_lost_fn(void *arg, const char *name);
/* Sets the only listener; NULL for none. */
void prompt_files_listen(prompt_file_lost_fn *fn, void *arg);

/* Shared by the views of the same tools: files are read again when they have changed. */
struct prompt_files_cache *prompt_files_cache_new(void);
/* No read may be running. NULL is allowed. */
void prompt_files_cache_free(struct prompt_files_cache *c);

/* What files there were, of all views of the same tools. */
struct prompt_watch *prompt_watch_new(void);
void prompt_watch_free(struct prompt_watch *w); /* NULL is allowed */

struct prompt_settings;
/* prompt: { … } in the configuration; borrowed. */
const struct prompt_settings *tools_prompt(const struct tools *ts);

#endif
