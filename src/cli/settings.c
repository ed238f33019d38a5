#include <stdio.h>

#include "base/buf.h"
#include "cli/cli.h"
#include "config/gateway_config.h"

static int run(const char *config_file, int argc, char **argv)
{
	struct buf out = BUF_INIT;

	(void)config_file;
	if (argc > 1)
		return cli_usage("settings takes no argument '%s'", argv[1]);
	gateway_config_document(&out);
	fputs(out.data, stdout);
	buf_clear(&out);
	return CLI_OK;
}

const struct cli_command cli_settings = {
    .name = "settings",
    .help = "print the reference of all settings, in Markdown",
    .run = run,
};
