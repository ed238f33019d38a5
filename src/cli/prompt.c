#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "cli/cli.h"

/* Time limit, with files on a slow disk. */
#define PROMPT_TIMEOUT_MS 30000

static int run(const struct cli_call *call)
{
	struct buf body = BUF_INIT;
	int status = CLI_OK;

	buf_addstr(&body, "{\"chat\":");
	json_quote(&body, call->words[0], strlen(call->words[0]));
	buf_addch(&body, '}');
	struct json_object *answer =
	    cli_ask(call->config_file, "POST", "/v1/prompt", &body, PROMPT_TIMEOUT_MS, &status);
	if (answer) {
		const char *text = json_get_str(answer, "text");
		if (call->given[0])
			cli_print_json(answer);
		else
			fputs(text ? text : "", stdout);
		status = CLI_OK;
	}
	json_object_put(answer);
	buf_clear(&body);
	return status;
}

const struct cli_command cli_prompt = {
    .name = "prompt",
    .arguments = "[--json] CHANNEL:CHAT",
    .options = cli_json_option,
    .words_min = 1,
    .words_max = 1,
    .help = "print the system prompt that the model would get now in a chat",
    .run = run,
};
