#ifndef CLI_INIT_INTERNAL_H
#define CLI_INIT_INTERNAL_H
/* The parts of `myna init`. */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct channel_ops;
struct channel_question;
struct error;

/* init_config.c: the questions of `myna init`, and the configuration made of the answers. */

struct init_question {
	char *option;                       /* --OPTION */
	const char *text;                   /* NULL: never asked, an option only */
	const struct channel_ops *platform; /* asked only for this platform; NULL: for all */
	const struct channel_question *row;
	const char *fallback; /* used for an empty answer; NULL: an answer is required */
	bool secret;          /* typed without echo, stored in a file of its own */
	int (*check)(const char *answer, struct error *err);
	char *answer; /* NULL: not answered yet */
};

/* The questions in order: the platforms, their own questions (channel_ops.setup), the model. */
struct init_form {
	struct init_question *questions;
	size_t count;
	struct init_question *platforms, *base_url, *model, *key, *state;
	char *platforms_text;
};

void init_form_init(struct init_form *f);
void init_form_clear(struct init_form *f);
/* Returns whether the question applies to the chosen platforms. */
bool init_wants(const struct init_form *f, const struct init_question *q);
/* Returns -1 with a sentence when the answer is invalid. */
int init_check(const struct init_question *q, const char *answer, struct error *err);
/* Writes the secrets, each to a file (mode 0600) beside the configuration, and then the configuration to path
 * (mode 0600), if it is valid; otherwise report gets the errors. force: replaces existing files. */
int init_write(
    const char *path, const struct init_form *f, bool force, struct buf *report, struct error *err);

/* init_ollama.c: Detects a model server on this machine, for `myna init`. */

/* Returns the first model of a local Ollama ($OLLAMA_HOST, or its default port); "" when it has none, NULL
 * when none runs. *provider: its name in an answer. Both malloc'd. Runs the loop; waits a few seconds at
 * most. */
char *init_find_ollama(char **provider);

#endif
