#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "bus/address.h"
#include "cli/cli.h"
#include "config/gateway_config.h"
#include "tools/files/workspace_move.h"
#include "tools/tools.h"

enum what { LIST, MOVE, SHARE };

struct request {
	enum what what;
	bool apply, has_to;
	struct address to;
};

static struct config_strings channels_of(const struct gateway_config *gc)
{
	struct config_strings names = {.items = xcalloc(gc->channel_count + 1, sizeof(*names.items))};

	for (; names.count < gc->channel_count; names.count++)
		names.items[names.count] = xstrdup(gc->channels[names.count].name);
	return names;
}

static int carry_out(const struct gateway_config *gc, const struct request *r)
{
	struct config_strings channels = channels_of(gc);
	struct buf out = BUF_INIT;
	size_t failed = 0;

	if (r->what == LIST)
		workspace_list(gc->tools, &out);
	else if (r->what == SHARE)
		failed = workspace_share(gc->tools, r->apply, &out);
	else
		failed = workspace_move(gc->tools, &channels, r->has_to ? &r->to : NULL, r->apply, &out);
	fputs(out.len > 0       ? out.data :
		r->what == LIST ? "No chat has files.\n" :
				  "There is nothing to move.\n",
	    stdout);
	if (out.len > 0 && r->what != LIST && !r->apply)
		puts("Nothing was moved yet: run it again with --yes.");
	config_strings_clear(&channels);
	buf_clear(&out);
	return failed > 0 ? CLI_FAILED : CLI_OK;
}

static int load(struct gateway_config *gc, const char *config_file)
{
	struct buf report = BUF_INIT;
	struct error err = {0};
	int rc = gateway_config_load(gc, config_file, &report);

	if (rc < 0) {
		fputs(report.data, stderr);
	} else if (tools_open(gc->tools, &err) < 0) {
		fprintf(stderr, "myna: %s\n", err.text);
		rc = -1;
	}
	buf_clear(&report);
	return rc;
}

enum { TO, YES };

static const struct cli_option options[] = {{"--to", "CHANNEL:CHAT"}, {"--yes", NULL}, {0}};
static const char *const actions[] = {[LIST] = "list", [MOVE] = "move", [SHARE] = "share", NULL};

static int run(const struct cli_call *call)
{
	struct request r = {.what = LIST, .apply = call->given[YES], .has_to = call->given[TO]};
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
    .arguments = "[list | move [--to CHANNEL:CHAT] [--yes] | share [--yes]]",
    .options = options,
    .actions = actions,
    .words_max = 1,
    .help = "the files of each chat; gives chats what they all shared before, or shares what each had",
    .run = run,
};
