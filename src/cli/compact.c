#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "config/gateway_config.h"
#include "store/offline.h"

static int compact(const struct offline_place *place, struct offline_sizes *sizes, struct error *err)
{
	char *file = xasprintf("%s/myna.db", place->dir), *fresh = xasprintf("%s.salvage", file);
	struct stat st = {0};

	stat(file, &st);
	cli_progress_of_file("checking and copying the database", fresh, st.st_size);
	int rc = offline_compact(place, sizes, err);
	cli_progress_end();
	free(file);
	free(fresh);
	return rc;
}

static void print(const char *state, const struct offline_sizes *sizes, bool json)
{
	struct json_object *o = json_object_new_object();
	char *file = xasprintf("%s/myna.db", state);

	json_set_str(o, "file", file);
	json_set_int(o, "bytes_before", sizes->before);
	json_set_int(o, "bytes", sizes->after);
	if (json)
		cli_print_json(o);
	else
		printf("%s: %lld MiB before, %lld MiB now\n", file, (long long)(sizes->before >> 20),
		    (long long)(sizes->after >> 20));
	json_object_put(o);
	free(file);
}

static int run(const struct cli_call *call)
{
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	struct offline_sizes sizes;
	struct error err = {0};
	int status = CLI_FAILED;

	if (cli_load_top(&gc, call->config_file, &report) < 0) {
		fputs(report.data, stderr);
	} else if (compact(&(struct offline_place){gc.top.state, &gc.store}, &sizes, &err) < 0) {
		fprintf(stderr, "myna: %s\n", err.text);
	} else {
		print(gc.top.state, &sizes, call->given[0]);
		status = CLI_OK;
	}
	buf_clear(&report);
	gateway_config_clear(&gc);
	return status;
}

const struct cli_command cli_compact = {
    .name = "compact",
    .arguments = "[--json]",
    .options = cli_json_option,
    .help = "return the free space of the database to the disk, while the gateway is stopped",
    .run = run,
};
