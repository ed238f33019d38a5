#include <stdio.h>

#include "base/buf.h"
#include "cli.h"
#include "gateway_config.h"

/* Those that the file names. */
static size_t count_channels(const struct gateway_config *gc)
{
	size_t n = 0;

	for (size_t i = 0; i < gc->channel_count; i++)
		n += !gc->channels[i].implied;
	return n;
}

static int run(const char *config_file, int argc, char **argv)
{
	struct gateway_config gc;
	struct buf report = BUF_INIT;

	if (argc > 1)
		return cli_usage("check takes no argument '%s'", argv[1]);
	const char *file = gateway_config_path(config_file);
	int rc = gateway_config_load(&gc, file, &report);
	fputs(report.data, stderr);
	size_t channels = rc == 0 ? count_channels(&gc) : 0;
	if (rc == 0)
		printf("%s: in order, %zu channel%s\n", file, channels, channels == 1 ? "" : "s");
	buf_clear(&report);
	gateway_config_clear(&gc);
	return rc < 0 ? CLI_FAILED : CLI_OK;
}

const struct cli_command cli_check = {
    .name = "check",
    .help = "check the configuration; every error as FILE:LINE: message",
    .run = run,
};
