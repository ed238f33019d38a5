#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "cli/cli.h"
#include "ops/status.h"

static int run(const char *config_file, int argc, char **argv)
{
	struct buf out = BUF_INIT;
	int status;

	if (argc > 2 || (argc == 2 && strcmp(argv[1], "--json") != 0))
		return cli_usage("status takes --json only, not '%s'", argv[argc - 1]);
	struct json_object *o = cli_ask(config_file, "GET", "/v1/status", NULL, 10000, &status);
	if (!o)
		return status;
	if (argc == 2) {
		json_write(&out, o);
		buf_addch(&out, '\n');
	} else {
		status_describe(o, true, &out);
	}
	fputs(out.data, stdout);
	buf_clear(&out);
	json_object_put(o);
	return CLI_OK;
}

const struct cli_command cli_status = {
    .name = "status",
    .arguments = "[--json]",
    .help = "how the running gateway is",
    .run = run,
};
