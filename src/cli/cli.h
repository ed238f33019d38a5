#ifndef CLI_CLI_H
#define CLI_CLI_H
/* The subcommands of myna: each is one file with one row. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/cli_status.h"

struct buf;
struct gateway_config;
struct json_object;

struct cli_option {
	const char *name;  /* "--key" */
	const char *value; /* what it takes, such as "KEY"; "[KEY]": it may be absent; NULL: nothing */
};

/* How a command is called. */
struct cli_call {
	const char *config_file;
	/* For each row of the command's options what was given; "" where it takes nothing, or nothing came;
	 * NULL: not given. */
	const char *const *given;
	char **words; /* without the command's name and its options; NULL after the last */
	int count;    /* of words */
	int argc;     /* as typed, from the command's name on, without -c */
	char **argv;
};

struct cli_command {
	const char *name;
	const char *arguments; /* for the usage line; NULL for none */
	const char *help;
	void (*more)(FILE *out); /* more output of 'myna help NAME'; NULL for none */
	/* They may stand anywhere before "--"; the last has no name. */
	const struct cli_option *options;
	const struct cli_option *(*make_options)(
	    void);                  /* instead of options, where they are found at run time */
	const char *const *actions; /* of which the first word is one, with a NULL at the end; NULL: none */
	int words_min, words_max;
	int (*run)(const struct cli_call *call); /* Returns enum cli_status. */
};

extern const struct cli_option cli_no_options[], cli_json_option[];

const struct cli_option *cli_options_of(const struct cli_command *c);

extern const struct cli_command cli_backup, cli_chat, cli_check, cli_compact, cli_dead, cli_doctor, cli_init,
    cli_prompt, cli_reload, cli_run, cli_send, cli_settings, cli_status, cli_store, cli_tool, cli_trace,
    cli_workspace;

/* Prints the chat commands like the usage of myna. */
int cli_help_chat(void);

/* Splits what was typed into words and options, and calls the command. Returns its status, or CLI_USAGE. */
int cli_run_command(const struct cli_command *c, const char *config_file, int argc, char **argv);

/* Prints what the last of the words may become, with a tab and help, a line each; nothing: a file, or
 * anything. For the completion of shells: etc/completions. */
void cli_complete(const struct cli_command *const *commands, size_t count, int argc, char **argv);

/* Prints to stdout. On a terminal, unless NO_COLOR is set, words that tell how something is have a colour. */
void cli_print(const char *text);

/* Prints it as a line. */
void cli_print_json(struct json_object *o);

/* From now on a line of stderr tells what is done and for how long, if it takes longer than a second. At the
 * end it disappears. Without a terminal there is none. What begins within is part of it. */
void cli_progress(const char *what);
/* The same with how large the file is of which pattern is the path, and how large it will be. */
void cli_progress_of_file(const char *what, const char *pattern, int64_t whole);
/* The same with what is done now, and with how many rows. */
void cli_progress_of_rows(const _Atomic(const char *) *what, const atomic_llong *rows);
void cli_progress_end(void);

/* Prints a usage error to stderr; returns CLI_USAGE. */
__attribute__((format(printf, 1, 2))) int cli_usage(const char *fmt, ...);

/* Tests the platforms and models of a configuration and prints a line for each. Returns the exit status. */
int cli_probe(const struct gateway_config *gc);

/* The same without printing: list as probe_all fills it. */
int cli_probe_list(const struct gateway_config *gc, struct json_object *list);

/* Reads the top level of the configuration or, when the file is broken, of the last good one, as the daemon
 * uses it. Returns -1 with the mistakes in report when there is neither. */
int cli_load_top(struct gateway_config *gc, const char *config_file, struct buf *report);

/* Files that root makes in a state folder are closed to the user to whom it belongs, as the service's belongs
 * to myna. Returns the name of the owner, malloc'd, if that is somebody else than this user; NULL: not so. */
char *cli_other_owner(const char *state);
/* Returns -1 with a sentence on stderr for root, if it has another owner. */
int cli_refuse_as_root(const char *state);
/* As root, becomes its owner, and says so on stderr. Returns -1 with a sentence there. */
int cli_become_owner(const char *state);

/* Sends a request to the daemon on the configured control socket. Returns the JSON answer, or NULL with a
 * sentence on stderr and *status: CLI_FAILED when it refused, CLI_UNCERTAIN when it accepted the request
 * and gave no answer, CLI_NO_DAEMON when none runs. body may be NULL for GET. */
struct json_object *cli_ask(const char *config_file, const char *method, const char *path,
    const struct buf *body, uint64_t timeout_ms, int *status);
/* The same, with the sentence appended to why. */
struct json_object *cli_try(const char *config_file, const char *method, const char *path,
    const struct buf *body, uint64_t timeout_ms, int *status, struct buf *why);

#endif
