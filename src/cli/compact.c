#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/cli.h"
#include "config/gateway_config.h"
#include "store/offline.h"

static int run(const struct cli_call *call)
{
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	struct offline_sizes sizes;
	struct error err = {0};
	int status = CLI_FAILED;

	if (cli_load_top(&gc, call->config_file, &report) < 0) {
		fputs(report.data, stderr);
	} else if (offline_compact(gc.top.state, &sizes, &err) < 0) {
		fprintf(stderr, "myna: %s\n", err.text);
	} else {
		printf("%s/myna.db: %lld MiB before, %lld MiB now\n", gc.top.state,
		    (long long)(sizes.before >> 20), (long long)(sizes.after >> 20));
		status = CLI_OK;
	}
	buf_clear(&report);
	gateway_config_clear(&gc);
	return status;
}

const struct cli_command cli_compact = {
    .name = "compact",
    .options = cli_no_options,
    .help = "give free space of the database back to the disk, while the gateway is stopped",
    .run = run,
};
