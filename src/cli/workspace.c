#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/address.h"
#include "cli/cli.h"
#include "config/gateway_config.h"
#include "tools/files/workspace_move.h"
#include "tools/tools.h"

enum what { LIST, MOVE, SHARE };

struct request {
	enum what what;
	bool apply, has_to, json;
	struct address to;
};

static struct config_strings channels_of(const struct gateway_config *gc)
{
	struct config_strings names = {.items = xcalloc(gc->channel_count + 1, sizeof(*names.items))};

	for (; names.count < gc->channel_count; names.count++)
		names.items[names.count] = xstrdup(gc->channels[names.count].name);
	return names;
}

static void print_folder(struct json_object *o)
{
	printf("%-6s  %s  %lld files  %lld bytes  %s\n", json_get_str(o, "kind"), json_get_str(o, "whose"),
	    (long long)json_get_int(o, "files", 0), (long long)json_get_int(o, "bytes", 0),
	    json_get_str(o, "path"));
}

static void print_step(struct json_object *o)
{
	const char *from = json_get_str(o, "from"), *to = json_get_str(o, "to"),
		   *problem = json_get_str(o, "problem");

	if (!to)
		printf("%s stays: %s\n", from, problem);
	else
		printf("%s -> %s%s%s\n", from, to, problem ? ": not moved: " : "", problem ? problem : "");
}

static void print(const struct request *r, struct json_object *list)
{
	size_t count = json_object_array_length(list);

	for (size_t i = 0; i < count; i++)
		(r->what == LIST ? print_folder : print_step)(json_object_array_get_idx(list, i));
	if (count == 0)
		puts(r->what == LIST ? "No chat has files." : "There is nothing to move.");
	else if (r->what != LIST && !r->apply)
		puts("Nothing was moved yet: run it again with --yes.");
}

/* {"folders"}, or {"moved", "steps"}. */
static void print_json(const struct request *r, struct json_object *list)
{
	struct json_object *o = json_object_new_object();

	if (r->what != LIST)
		json_set_bool(o, "moved", r->apply);
	json_set(o, r->what == LIST ? "folders" : "steps", json_object_get(list));
	cli_print_json(o);
	json_object_put(o);
}

static int carry_out(const struct gateway_config *gc, const struct request *r)
{
	struct config_strings channels = channels_of(gc);
	struct json_object *list = json_object_new_array();
	size_t failed = 0;

	cli_progress(r->apply ? "moving files" : "looking at the files");
	if (r->what == LIST)
		workspace_list(gc->tools, list);
	else if (r->what == SHARE)
		failed = workspace_share(gc->tools, r->apply, list);
	else
		failed = workspace_move(gc->tools, &channels, r->has_to ? &r->to : NULL, r->apply, list);
	cli_progress_end();
	(r->json ? print_json : print)(r, list);
	config_strings_clear(&channels);
	json_object_put(list);
	return failed > 0 ? CLI_FAILED : CLI_OK;
}

static int load(struct gateway_config *gc, const char *config_file)
{
	struct buf report = BUF_INIT;
	struct error err = {0};
	int rc = gateway_config_load(gc, gateway_config_path(config_file), &report);

	if (rc < 0) {
		fputs(report.data, stderr);
	} else if (cli_become_owner(gc->top.state) < 0) {
		rc = -1;
	} else if (tools_open(gc->tools, &err) < 0) {
		fprintf(stderr, "myna: %s\n", err.text);
		rc = -1;
	}
	buf_clear(&report);
	return rc;
}

enum { JSON, TO, YES };

static const struct cli_option options[] = {{"--json", NULL}, {"--to", "CHANNEL:CHAT"}, {"--yes", NULL}, {0}};
static const char *const actions[] = {[LIST] = "list", [MOVE] = "move", [SHARE] = "share", NULL};

static int run(const struct cli_call *call)
{
	struct request r = {
	    .what = LIST, .apply = call->given[YES], .has_to = call->given[TO], .json = call->given[JSON]};
	struct gateway_config gc = {0};
	struct error err = {0};

	while (call->count > 0 && strcmp(call->words[0], actions[r.what]) != 0)
		r.what++;
	if ((r.has_to && r.what != MOVE) || (r.apply && r.what == LIST))
		return cli_usage(
		    "workspace takes 'list', 'move [--to CHANNEL:CHAT] [--yes]' or 'share [--yes]'");
	if (r.has_to && address_parse(call->given[TO], &r.to, &err) < 0)
		return cli_usage("--to: %s", err.text);
	int status = load(&gc, call->config_file) < 0 ? CLI_FAILED : carry_out(&gc, &r);
	gateway_config_clear(&gc);
	return status;
}

const struct cli_command cli_workspace = {
    .name = "workspace",
    .arguments = "[--json] [list | move [--to CHANNEL:CHAT] [--yes] | share [--yes]]",
    .options = options,
    .actions = actions,
    .words_max = 1,
    .help = "list the files of each chat; move gives each chat its own from what all shared, share does the "
	    "opposite",
    .run = run,
};
