#ifndef CLI_INIT_INTERNAL_H
#define CLI_INIT_INTERNAL_H
/* The parts of `myna init`. */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct buf;
struct channel_ops;
struct channel_question;
struct error;
struct gateway_config;

/* init_config.c: the questions of `myna init`, and the configuration made of the answers. */

struct init_question {
	char *option;                       /* --OPTION */
	const char *text;                   /* NULL: never asked, an option only */
	const struct channel_ops *platform; /* asked only for this platform; NULL: for all */
	const struct channel_question *row;
	const char *fallback; /* used for an empty answer; NULL: an answer is required */
	bool secret;          /* typed without echo, stored in a file of its own */
	bool probed;          /* tested together with the others of its platform, or of the model */
	int (*check)(const char *answer, struct error *err);
	char *answer; /* NULL: not answered yet */
	char *bot;    /* what the test of this token found, "@myna_bot"; NULL: nothing */
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
bool init_question_applies(const struct init_form *f, const struct init_question *q);
/* Returns -1 with a sentence when the answer is invalid. */
int init_check(const struct init_question *q, const char *answer, struct error *err);
/* Reads the answers about a platform, or about the model (NULL), as the configuration will have them. Returns
 * -1 with the mistakes in report or, without any, a sentence in err. Clear gc in any case. */
int init_draft(const char *path, const struct init_form *f, const struct channel_ops *platform,
    struct gateway_config *gc, struct buf *report, struct error *err);
/* Writes the secrets, each to a file (mode 0600) beside the configuration, and then the configuration to path
 * (mode 0600), if it is valid; otherwise report gets the errors. force: replaces existing files. */
int init_write(
    const char *path, const struct init_form *f, bool force, struct buf *report, struct error *err);
/* Returns the path of "myna.NAME" in the folder of path, malloc'd. */
char *init_beside(const char *path, const char *name);

/* init_terminal.c: What is read from the person at the terminal. */

/* Asks until the answer is valid; q->answer is set. fallback: for an empty answer; may be NULL. Returns -1 at
 * the end of the input. */
int init_ask(struct init_question *q, const char *fallback);
/* Asks "[Y/n]". Ignores what was typed before the question. Treats the end of the input like Ctrl-C. */
bool init_ask_yes(const char *question);
/* From now on Ctrl-C, and the end of the terminal, end the child (0: none), print the text, and exit with
 * that status. */
__attribute__((format(printf, 3, 4))) void init_on_stop(int status, pid_t child, const char *fmt, ...);

/* init_ollama.c: Detects a model server on this machine, for `myna init`. */

/* Appends the models of a local Ollama ($OLLAMA_HOST, or its default port), newest first, each with a
 * newline. Returns its name in an answer, malloc'd; NULL: none runs. Runs the loop; waits a few seconds at
 * most. */
char *init_find_ollama(struct buf *models);

/* init_gateway.c: Starts the gateway, and lets the first people in. */

/* Does systemd start the gateway with this configuration? */
bool init_belongs_to_service(const char *path);
/* Starts the gateway with the configuration at path; asks before, unless the first people must still be let
 * in, which takes a running gateway. Stays until it ends. Returns enum cli_status. */
int init_gateway(const char *path, const struct init_form *f, bool people_missing);

#endif
