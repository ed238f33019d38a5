#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "config/gateway_config.h"
#include "store/offline.h"

/* Time limit for a large database on a slow disk. */
#define BACKUP_TIMEOUT_MS (6 * 3600 * 1000)

static char *absolute(const char *file)
{
	char here[PATH_MAX];

	if (*file == '/' || !getcwd(here, sizeof(here)))
		return xstrdup(file);
	return xasprintf("%s/%s", here, file);
}

static int back_up_here(const struct gateway_config *gc, const char *file)
{
	struct error err = {0};

	int rc = offline_backup(&(struct offline_place){gc->top.state, &gc->store}, file, &err);
	if (rc < 0)
		fprintf(stderr, "myna: %s\n", err.text);
	return rc < 0 ? CLI_FAILED : CLI_OK;
}

static int back_up_there(const char *config_file, const char *file)
{
	struct json_object *request = json_object_new_object();
	struct buf body = BUF_INIT;
	int status = CLI_FAILED;

	json_set_str(request, "file", file);
	json_write(&body, request);
	json_object_put(request);
	struct json_object *answer =
	    cli_ask_first(config_file, "POST", "/v1/backup", &body, BACKUP_TIMEOUT_MS, &status);
	buf_clear(&body);
	status = answer ? CLI_OK : status;
	json_object_put(answer);
	return status;
}

static int64_t size_of(const char *file)
{
	struct stat st;

	return stat(file, &st) == 0 ? st.st_size : 0;
}

static int back_up(const struct gateway_config *gc, const char *config_file, const char *file)
{
	char *database = xasprintf("%s/myna.db", gc->top.state), *part = xasprintf("%s.part-*", file);

	cli_progress_of_file("copying and checking the database", part, size_of(database));
	int status = back_up_there(config_file, file);
	if (status == CLI_NO_DAEMON)
		status = back_up_here(gc, file);
	cli_progress_end();
	free(database);
	free(part);
	return status;
}

static void print(const char *file, bool json)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "file", file);
	json_set_int(o, "bytes", size_of(file));
	if (json)
		cli_print_json(o);
	else
		printf("%s: complete, and checked\n", file);
	json_object_put(o);
}

static int run(const struct cli_call *call)
{
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	int status = CLI_FAILED;

	if (*call->words[0] == '\0')
		return cli_usage("backup needs the name of the file to make");
	char *file = absolute(call->words[0]);
	if (gateway_config_load_top(&gc, gateway_config_path(call->config_file), &report) < 0)
		fputs(report.data, stderr);
	else
		status = back_up(&gc, call->config_file, file);
	if (status == CLI_OK)
		print(file, call->given[0]);
	buf_clear(&report);
	gateway_config_clear(&gc);
	free(file);
	return status;
}

const struct cli_command cli_backup = {
    .name = "backup",
    .arguments = "[--json] FILE",
    .options = cli_json_option,
    .words_min = 1,
    .words_max = 1,
    .help = "copy the database into a new file, also while the gateway runs",
    .run = run,
};
