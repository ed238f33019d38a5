#include <stdio.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "cli/cli.h"

static int run(const struct cli_call *call)
{
	struct buf body = BUF_INIT;
	int status;

	buf_addstr(&body, "{}");
	struct json_object *o = cli_ask(call->config_file, "POST", "/v1/reload", &body, 30000, &status);
	buf_clear(&body);
	if (!o)
		return status;
	bool ok = json_get_bool(o, "ok", false);
	const char *text = json_get_str(o, "text");
	if (call->given[0])
		cli_print_json(o);
	else
		fputs(text ? text : "", ok ? stdout : stderr);
	json_object_put(o);
	return ok ? CLI_OK : CLI_FAILED;
}

const struct cli_command cli_reload = {
    .name = "reload",
    .arguments = "[--json]",
    .options = cli_json_option,
    .help = "make the running gateway read its configuration again",
    .run = run,
};
