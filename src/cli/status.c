#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "cli/cli.h"
#include "ops/status.h"

static int run(const struct cli_call *call)
{
	struct buf out = BUF_INIT;
	int status;

	struct json_object *o = cli_ask(call->config_file, "GET", "/v1/status", NULL, 10000, &status);
	if (!o)
		return status;
	status_describe(o, true, &out);
	if (call->given[0])
		cli_print_json(o);
	else
		cli_print(out.data);
	buf_clear(&out);
	json_object_put(o);
	return CLI_OK;
}

const struct cli_command cli_status = {
    .name = "status",
    .arguments = "[--json]",
    .options = cli_json_option,
    .help = "show the state of the running gateway",
    .run = run,
};
