#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "ops/doctor.h"
#include "ops/diagnosis.h"
#include "config/gateway_config.h"

#define DOCTOR_TIMEOUT_MS 60000

/* Diagnoses without a daemon, from the files that it would use. silent: it was asked and did not answer. */
static struct json_object *look_here(const char *config_file, bool silent)
{
	struct json_object *list = json_object_new_array();
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	int rc = gateway_config_load(&gc, gateway_config_path(config_file), &report);
	char *fix = config_file ? xasprintf("Start it with `myna -c %s run`.", config_file) :
				  xstrdup("Start it with `myna run`.");

	if (silent)
		diagnosis_add(list, DIAGNOSIS_WARNING, "gateway",
		    "It does not run; what follows is of its files.", fix);
	else
		diagnosis_add(list, DIAGNOSIS_WARNING, "gateway",
		    "Whether it runs is unknown without its configuration.", NULL);
	diagnosis_add_lines(
	    list, rc < 0 ? DIAGNOSIS_BAD : DIAGNOSIS_WARNING, "configuration", report.data, NULL);
	if (rc == 0 && report.len == 0)
		diagnosis_add(list, DIAGNOSIS_OK, "configuration", "no mistakes", NULL);
	cli_progress("checking the database");
	if (rc == 0)
		doctor_check_offline(list, &gc);
	cli_progress_end();
	doctor_add_versions(list);
	free(fix);
	buf_clear(&report);
	gateway_config_clear(&gc);
	return list;
}

/* Returns whether the configuration, or the last good one, says where the control socket is. */
static bool knows_socket(const char *config_file)
{
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	bool knows = cli_load_top(&gc, config_file, &report) == 0;

	buf_clear(&report);
	gateway_config_clear(&gc);
	return knows;
}

static struct json_object *look_there(const char *config_file, int *status)
{
	struct json_object *answer =
	    cli_ask_first(config_file, "GET", "/v1/doctor", NULL, DOCTOR_TIMEOUT_MS, status);
	struct json_object *list = json_object_get(json_get_array(answer, "findings"));

	json_object_put(answer);
	return list;
}

static void print(struct json_object *list, bool json)
{
	struct buf out = BUF_INIT;

	diagnosis_describe(list, true, &out);
	if (json)
		cli_print_json(list);
	else
		cli_print(out.data);
	buf_clear(&out);
}

static int run(const struct cli_call *call)
{
	struct json_object *list = NULL;
	bool known = knows_socket(call->config_file);
	int status = CLI_NO_DAEMON;

	if (known)
		list = look_there(call->config_file, &status);
	if (!list && status == CLI_NO_DAEMON)
		list = look_here(call->config_file, known);
	if (!list)
		return status;
	print(list, call->given[0]);
	status = diagnosis_any_bad(list) ? CLI_FAILED : CLI_OK;
	json_object_put(list);
	return status;
}

const struct cli_command cli_doctor = {
    .name = "doctor",
    .arguments = "[--json]",
    .options = cli_json_option,
    .help = "check for common problems and say how to fix them, also while the gateway is down; exits with 1 "
	    "when something does not work",
    .run = run,
};
