#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/read_error.h"
#include "cli/cli.h"
#include "gateway/gateway.h"
#include "config/gateway_config.h"
#include "config/last_good_config.h"
#include "gateway/restart.h"

/* Interval between two tries to read a file. */
#define RETRY_S 2

enum { STRICT, STATE };

static const struct cli_option options[] = {{"--strict", NULL}, {"--state", "DIR"}, {0}};

static size_t line_count(const char *text)
{
	size_t count = 0;

	for (; (text = strchr(text, '\n')); text++)
		count++;
	return count;
}

/* errors: how many the file has. given: --state is where to look for the last good configuration, else where
 * the file says. */
static int load(struct gateway_config *gc, const char *file, const char *const *given, size_t *errors)
{
	struct buf report = BUF_INIT;
	int rc = gateway_config_load(gc, file, &report);

	*errors = line_count(report.data);
	fputs(report.data, stderr);
	if (rc < 0 && !given[STRICT] && (rc = last_good_config_load(gc, given[STATE], &report)) == 0)
		log_error("config",
		    "SAFE MODE: %s is broken, and the last good configuration is in force. Correct it, then "
		    "reload.",
		    file);
	buf_clear(&report);
	return rc;
}

/* The signals to stop are held until the gateway runs. Returns false when one has come. */
static bool nap(void)
{
	sigset_t stops;

	sigemptyset(&stops);
	sigaddset(&stops, SIGINT);
	sigaddset(&stops, SIGTERM);
	return sigtimedwait(&stops, NULL, &(struct timespec){.tv_sec = RETRY_S}) < 0;
}

/* Waits while files that cannot be read are all that is wrong. Returns 1 when it is stopped meanwhile. */
static int load_patiently(struct gateway_config *gc, const char *file, const char *const *given)
{
	for (int waited_s = 0;; waited_s += RETRY_S) {
		size_t errors;
		read_error_take();
		int rc = load(gc, file, given, &errors);
		if (rc == 0 || errors > read_error_take() || waited_s >= GATEWAY_WAIT_MS / 1000)
			return rc;
		log_warn("config", "waiting to start, for %d minutes at most, until these files can be read",
		    GATEWAY_WAIT_MS / 60000);
		gateway_config_clear(gc);
		*gc = (struct gateway_config){0};
		if (!nap())
			return 1;
	}
}

/* Everything is closed; exec releases the memory. */
static void again(void)
{
	fflush(NULL);
	restart_now();
	perror("myna: cannot start again");
}

static int run(const struct cli_call *call)
{
	const char *file = gateway_config_path(call->config_file);
	struct gateway_config gc;
	struct error err = {0};

	gateway_prepare();
	restart_prepare(file, call->argc, call->argv);
	int rc = load_patiently(&gc, file, call->given);
	int status = rc > 0 ? CLI_OK : CLI_FAILED;
	if (rc == 0 && cli_refuse_as_root(gc.top.state) == 0) {
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
    .options = options,
    .help = "run the gateway until SIGTERM; if the configuration is broken, it uses the last good one, "
	    "unless --strict",
    .run = run,
};
