#include <json-c/json.h>
#include <stdio.h>

#include "base/buf.h"
#include "cli/cli.h"
#include "config/gateway_config.h"

static int run(const struct cli_call *call)
{
	struct buf out = BUF_INIT;

	if (call->given[0]) {
		struct json_object *settings = gateway_config_describe();

		cli_print_json(settings);
		json_object_put(settings);
		return CLI_OK;
	}
	gateway_config_document(&out);
	fputs(out.data, stdout);
	buf_clear(&out);
	return CLI_OK;
}

const struct cli_command cli_settings = {
    .name = "settings",
    .arguments = "[--json]",
    .options = cli_json_option,
    .help = "print the reference of all settings, in Markdown or JSON",
    .run = run,
};
