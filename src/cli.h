#ifndef CLI_H
#define CLI_H
/* The subcommands of myna: each is one file with one row. */
#include <stddef.h>
#include <stdint.h>

struct buf;
struct json_object;

struct cli_command {
	const char *name;
	const char *arguments;	/* for the usage line */
	const char *help;
	/* argv[0] is the subcommand's name. Returns the exit status. */
	int (*run)(const char *config_file, int argc, char **argv);
};

extern const struct cli_command cli_check, cli_config, cli_run, cli_send, cli_status, cli_tool;

/* A usage error: the sentence on stderr, exit status 64 (EX_USAGE). */
__attribute__((format(printf, 1, 2))) int cli_usage(const char *fmt, ...);

/* Asks the daemon on the control socket that the config names. The answer as JSON, or NULL: then *exit_status is 1 for
 * a refusal (told on stderr) and 3 when no daemon answers. body may be NULL for GET. */
struct json_object *cli_ask(const char *config_file, const char *method, const char *path, const struct buf *body,
    uint64_t timeout_ms, int *exit_status);

#endif
