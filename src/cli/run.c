#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "cli/cli.h"
#include "gateway/gateway.h"
#include "config/gateway_config.h"
#include "config/last_good_config.h"
#include "gateway/restart.h"

struct options {
	bool strict;
	const char *state; /* where to look for the last good configuration; NULL: where the file says */
};

static int read_options(struct options *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--strict") == 0)
			o->strict = true;
		else if (strcmp(argv[i], "--state") == 0 && i + 1 < argc)
			o->state = argv[++i];
		else
			return cli_usage("run does not know '%s'", argv[i]);
	}
	return CLI_OK;
}

static int load(struct gateway_config *gc, const char *file, const struct options *o)
{
	struct buf report = BUF_INIT;
	int rc = gateway_config_load(gc, file, &report);

	fputs(report.data, stderr);
	if (rc < 0 && !o->strict && (rc = last_good_config_load(gc, o->state, &report)) == 0)
		log_error("config",
		    "SAFE MODE: %s is broken, and the last good configuration is in force. Correct it, then "
		    "reload.",
		    file);
	buf_clear(&report);
	return rc;
}

/* Everything is closed; exec releases the memory. */
static void again(void)
{
	fflush(NULL);
	restart_now();
	perror("myna: cannot start again");
}

static int run(const char *config_file, int argc, char **argv)
{
	struct gateway_config gc;
	struct options o = {0};
	struct error err = {0};
	int status = read_options(&o, argc, argv);

	if (status != CLI_OK)
		return status;
	gateway_prepare();
	restart_prepare(gateway_config_path(config_file), argc, argv);
	status = CLI_FAILED;
	int rc = load(&gc, gateway_config_path(config_file), &o);
	if (rc == 0) {
		log_settings_apply(
		    (enum log_level)gc.top.log_level, (enum log_format)gc.top.log_format, &gc.log);
		rc = gateway_run(&gc, &err);
		if (rc < 0)
			fprintf(stderr, "myna: %s\n", err.text);
		else if (rc == GATEWAY_RESTART)
			again();
		else
			status = CLI_OK;
	}
	gateway_config_clear(&gc);
	return status;
}

const struct cli_command cli_run = {
    .name = "run",
    .arguments = "[--strict] [--state DIR]",
    .help = "run the gateway until SIGTERM; with a broken configuration the last good one, unless --strict",
    .run = run,
};
