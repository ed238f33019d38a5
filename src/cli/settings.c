#include <stdio.h>

#include "base/buf.h"
#include "cli/cli.h"
#include "config/gateway_config.h"

static int run(const struct cli_call *call)
{
	struct buf out = BUF_INIT;

	(void)call;
	gateway_config_document(&out);
	fputs(out.data, stdout);
	buf_clear(&out);
	return CLI_OK;
}

const struct cli_command cli_settings = {
    .name = "settings",
    .options = cli_no_options,
    .help = "print the reference of all settings, in Markdown",
    .run = run,
};
