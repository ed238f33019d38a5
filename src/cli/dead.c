#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "cli/cli.h"
#include "cli/time.h"

#define DEAD_TIMEOUT_MS 120000

static void print_list(struct json_object *dead)
{
	size_t count = dead ? json_object_array_length(dead) : 0;

	for (size_t i = 0; i < count; i++) {
		struct json_object *o = json_object_array_get_idx(dead, i);
		const char *text = json_get_str(o, "text");
		struct buf quoted = BUF_INIT;
		char time[CLI_TIME_MAX];
		json_quote(&quoted, text ? text : "", text ? strlen(text) : 0);
		printf("%lld  %s  %s  %s\n", (long long)json_get_int(o, "turn", 0),
		    cli_time(json_get_int(o, "ended_ms", 0), time), json_get_str(o, "chat"), quoted.data);
		buf_clear(&quoted);
	}
	if (count == 0)
		puts("There are no dead letters.");
}

static int list(const char *config_file, bool json)
{
	int status = CLI_FAILED;
	struct json_object *answer = cli_ask(config_file, "GET", "/v1/dead", NULL, DEAD_TIMEOUT_MS, &status);

	if (!answer)
		return status;
	if (json)
		cli_print_json(answer);
	else
		print_list(json_get_array(answer, "dead"));
	json_object_put(answer);
	return CLI_OK;
}

static int end(const char *config_file, const char *action, const char *id, bool json)
{
	struct json_object *request = json_object_new_object();
	struct buf body = BUF_INIT;
	int status = CLI_FAILED;

	json_set_int(request, "turn", strtoll(id, NULL, 10));
	json_set_str(request, "action", action);
	json_write(&body, request);
	json_object_put(request);
	struct json_object *answer =
	    cli_ask(config_file, "POST", "/v1/dead", &body, DEAD_TIMEOUT_MS, &status);
	buf_clear(&body);
	if (!answer)
		return status;
	if (json)
		cli_print_json(answer);
	else if (strcmp(action, "retry") == 0 && json_get_int(answer, "messages", 0) == 1)
		puts("1 message waits for an answer again.");
	else if (strcmp(action, "retry") == 0)
		printf("%lld messages wait for an answer again.\n",
		    (long long)json_get_int(answer, "messages", 0));
	else
		puts("Dropped.");
	json_object_put(answer);
	return CLI_OK;
}

static bool is_number(const char *text)
{
	return *text && strlen(text) < 19 && text[strspn(text, "0123456789")] == '\0';
}

static int run(const struct cli_call *call)
{
	bool lists = call->count == 0 || strcmp(call->words[0], "list") == 0;

	if (lists && call->count < 2)
		return list(call->config_file, call->given[0]);
	if (!lists && call->count == 2 && is_number(call->words[1]))
		return end(call->config_file, call->words[0], call->words[1], call->given[0]);
	return cli_usage("dead takes 'list', 'retry ID' or 'drop ID'");
}

static const char *const actions[] = {"list", "retry", "drop", NULL};

const struct cli_command cli_dead = {
    .name = "dead",
    .arguments = "[--json] [list | retry ID | drop ID]",
    .options = cli_json_option,
    .actions = actions,
    .words_max = 2,
    .help = "list, retry or drop messages that the gateway gave up because it did not survive them",
    .run = run,
};
