#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "cli.h"
#include "gateway.h"
#include "gateway_config.h"

static int run(const char *config_file, int argc, char **argv)
{
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	struct error err = {0};
	int status = CLI_FAILED;

	if (argc > 1)
		return cli_usage("run takes no argument '%s'", argv[1]);
	gateway_prepare();
	int rc = gateway_config_load(&gc, gateway_config_path(config_file), &report);
	fputs(report.data, stderr);
	buf_clear(&report);
	if (rc == 0) {
		log_setup((enum log_level)gc.top.log_level, (enum log_format)gc.top.log_format);
		if (gateway_run(&gc, &err) == 0)
			status = CLI_OK;
		else
			fprintf(stderr, "myna: %s\n", err.text);
	}
	gateway_config_clear(&gc);
	return status;
}

const struct cli_command cli_run = {
    .name = "run",
    .help = "run the gateway until SIGTERM",
    .run = run,
};
