#ifndef CLI_INIT_INTERNAL_H
#define CLI_INIT_INTERNAL_H
/* The parts of `myna init`. */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct channel_ops;
struct channel_question;
struct error;

/* init_config.c: `myna init`: the answers to a few questions, and the configuration that is made of them. */

struct init_question {
	char *option;                       /* --OPTION */
	const char *text;                   /* NULL: not asked, an option only */
	const struct channel_ops *platform; /* asked for this one only, with its row; NULL: always */
	const struct channel_question *row;
	const char *fallback; /* when the answer is empty; NULL: there has to be one */
	bool secret;          /* not shown, and kept in a file of its own */
	int (*check)(const char *answer, struct error *err);
	char *answer; /* NULL: none yet */
};

/* The questions in their order: the platforms, what each of them asks (channel_ops.setup), the model. */
struct init_form {
	struct init_question *questions;
	size_t count;
	struct init_question *platforms, *base_url, *model, *key, *state;
	char *platforms_text;
};

void init_form_init(struct init_form *f);
void init_form_clear(struct init_form *f);
/* Is the question asked, after what was said of the platforms? */
bool init_wants(const struct init_form *f, const struct init_question *q);
/* -1: what is wrong with the answer, as a sentence. */
int init_check(const struct init_question *q, const char *answer, struct error *err);
/* Writes the secrets, each to a file (mode 0600) beside the configuration, and the configuration to path
 * (mode 0600), once it is in order; report gets what is wrong with it otherwise. force: over what is
 * there. */
int init_write(
    const char *path, const struct init_form *f, bool force, struct buf *report, struct error *err);

/* init_ollama.c: Detects a model server on this machine, for `myna init`. */

/* Returns the first model of a local Ollama ($OLLAMA_HOST, or its default port); "" when it has none, NULL
 * when none runs. *provider: its name in an answer. Both malloc'd. Runs the loop; waits a few seconds at
 * most. */
char *init_find_ollama(char **provider);

#endif
