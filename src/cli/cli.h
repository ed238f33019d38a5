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
	const char *value; /* placeholder of its value: "KEY", or "[KEY]" if optional; NULL: it takes none */
};

/* How a command is called. */
struct cli_call {
	const char *config_file;
	/* The value of each of the command's options: "" when it was given without one, NULL when it was not
	 * given. */
	const char *const *given;
	char **words; /* without the command's name and options; NULL-terminated */
	int count;    /* of words */
	int argc;     /* as typed, from the command's name on, without -c */
	char **argv;
};

struct cli_command {
	const char *name;
	const char *arguments; /* for the usage line; NULL for none */
	const char *help;
	void (*more)(FILE *out); /* more output of 'myna help NAME'; NULL for none */
	/* Allowed anywhere before "--"; ended by a row without a name. */
	const struct cli_option *options;
	const struct cli_option *(*make_options)(void); /* in place of options: finds them at run time */
	const char *const *actions; /* values of the first word, NULL-terminated; NULL: any word */
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

/* Prints the completions of the last word, each on a line with a tab and help; prints none where a file or
 * any text may follow. For shells: etc/completions. */
void cli_complete(const struct cli_command *const *commands, size_t count, int argc, char **argv);

/* Prints to stdout. On a terminal, colours words of status unless NO_COLOR is set. */
void cli_print(const char *text);

/* Prints it as a line. */
void cli_print_json(struct json_object *o);

/* Shows on stderr what runs and for how long, after one second and until cli_progress_end. Shows nothing
 * without a terminal. Nested calls show nothing of their own. */
void cli_progress(const char *what);
/* The same with the present size of the file at path pattern, and its final size. */
void cli_progress_of_file(const char *what, const char *pattern, int64_t whole);
/* The same with the current step and its number of rows. */
void cli_progress_of_rows(const _Atomic(const char *) *what, const atomic_llong *rows);
void cli_progress_end(void);

/* Prints what failed to stderr; returns CLI_FAILED. */
__attribute__((format(printf, 1, 2))) int cli_fail(const char *fmt, ...);
/* Prints a usage error to stderr; returns CLI_USAGE. */
__attribute__((format(printf, 1, 2))) int cli_usage(const char *fmt, ...);

/* Tests the platforms and models of a configuration and prints a line for each. Returns the exit status. */
int cli_probe(const struct gateway_config *gc);

/* The same without printing: list as probe_all fills it. */
int cli_probe_list(const struct gateway_config *gc, struct json_object *list);

/* Reads the top level of the configuration or, when the file is broken, of the last good one, as the daemon
 * uses it. Returns -1 with the mistakes in report when there is neither. */
int cli_load_top(struct gateway_config *gc, const char *config_file, struct buf *report);

/* Returns the name of the state folder's owner, malloc'd; NULL when that is this user. The owner (of the
 * service: myna) could not open files that root creates there. */
char *cli_other_owner(const char *state);
/* For root: returns -1 with a sentence on stderr when another user owns the folder. */
int cli_refuse_as_root(const char *state);
/* As root: becomes the folder's owner and reports that on stderr. Returns -1 with a sentence there. */
int cli_become_owner(const char *state);

/* Sends a request to the daemon on the configured control socket. Returns the JSON answer, or NULL with a
 * sentence on stderr and *status: CLI_FAILED when it refused or only another user may ask it, CLI_UNCERTAIN
 * when it accepted the request and gave no answer, CLI_NO_DAEMON when none runs. body may be NULL for GET. */
struct json_object *cli_ask(const char *config_file, const char *method, const char *path,
    const struct buf *body, uint64_t timeout_ms, int *status);
/* As cli_ask, for a command that does it itself when no daemon runs: prints nothing then. */
struct json_object *cli_ask_first(const char *config_file, const char *method, const char *path,
    const struct buf *body, uint64_t timeout_ms, int *status);
/* As cli_ask, with the sentence appended to why. */
struct json_object *cli_try(const char *config_file, const char *method, const char *path,
    const struct buf *body, uint64_t timeout_ms, int *status, struct buf *why);

#endif
