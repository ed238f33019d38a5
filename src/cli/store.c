#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "cli/cli.h"
#include "config/gateway_config.h"
#include "store/copy.h"

/* Maximum number of changed texts to name. */
#define CHANGES_SHOWN 20
/* Digits of a hash that are shown; --json has all. */
#define HASH_SHOWN 16

enum { DRY_RUN, FROM, JSON, PASSWORD_FILE, TO };

static const struct cli_option options[] = {{"--dry-run", NULL}, {"--from", "[URL]"}, {"--json", NULL},
    {"--password-file", "FILE"}, {"--to", "[URL]"}, {0}};
static const char *const actions[] = {"copy", NULL};

/* The server is that of the configuration unless another one is named. Returns enum cli_status. */
static int choose_server(
    const struct cli_call *call, const struct store_settings *configured, struct store_settings *out)
{
	const char *to = call->given[TO], *url = to ? to : call->given[FROM];
	const char *password_file = call->given[PASSWORD_FILE];
	struct error err;

	if (!configured->url && *url == '\0')
		return cli_usage(
		    "the configuration has no store.url: name the database, as in `myna store copy "
		    "%s postgresql://myna@db.example.org/myna`",
		    to ? "--to" : "--from");
	if (*url == '\0' || (configured->url && strcmp(url, configured->url) == 0)) {
		url = configured->url;
		password_file = password_file ? password_file : configured->password_file;
	}
	if (store_settings_of_url(out, url, password_file, &err) == 0)
		return CLI_OK;
	fprintf(stderr, "myna: %s\n", err.text);
	return CLI_FAILED;
}

static int fail(const struct store_copy *copy, const struct error *err)
{
	fprintf(stderr, "myna: %s\n", err->text);
	if (copy->copied)
		fputs("myna: The copy is complete, but what it was made of is not marked as moved: run the "
		      "same "
		      "command again, which does that.\n",
		    stderr);
	else if (err->uncertain)
		fputs(
		    "myna: The copy may be complete or not be there: run the same command again, which finds "
		    "out.\n",
		    stderr);
	else
		fputs("myna: Nothing was moved.\n", stderr);
	return !copy->copied && err->uncertain ? CLI_UNCERTAIN : CLI_FAILED;
}

static struct json_object *changes_json(const struct store_copy *copy)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < copy->change_count; i++) {
		struct json_object *o = json_object_new_object();
		json_set_str(o, "table", copy->changes[i].table);
		json_set_int(o, "id", copy->changes[i].id);
		json_set_str(o, "column", copy->changes[i].column);
		json_object_array_add(list, o);
	}
	return list;
}

static void print_json(const struct store_copy_options *o, const struct store_copy *copy)
{
	struct json_object *out = json_object_new_object(), *tables = json_object_new_array();

	json_set_str(out, "from", o->to_server ? copy->file : o->server->url);
	json_set_str(out, "to", o->to_server ? o->server->url : copy->file);
	json_set_bool(out, "dry_run", o->dry_run);
	json_set_bool(out, "was_complete", copy->was_complete);
	json_set_int(out, "rows", copy->rows);
	for (size_t i = 0; i < copy->table_count; i++) {
		struct json_object *table = json_object_new_object();
		json_set_str(table, "name", copy->tables[i].name);
		json_set_int(table, "rows", copy->tables[i].rows);
		json_set_str(table, "sha256", copy->tables[i].hash);
		json_object_array_add(tables, table);
	}
	json_set(out, "tables", tables);
	json_set(out, "changed", changes_json(copy));
	json_set_str(out, "kept", copy->aside);
	cli_print_json(out);
	json_object_put(out);
}

static void print_changes(const struct store_copy *copy, bool dry_run)
{
	if (copy->change_count == 0)
		return;
	printf("PostgreSQL holds no NUL and nothing but UTF-8: in %zu texts U+FFFD %s for each such byte:\n",
	    copy->change_count, dry_run ? "will stand" : "stands");
	for (size_t i = 0; i < copy->change_count && i < CHANGES_SHOWN; i++)
		printf("  %s of row %lld in the table %s\n", copy->changes[i].column,
		    (long long)copy->changes[i].id, copy->changes[i].table);
	if (copy->change_count > CHANGES_SHOWN)
		printf("  and so on; --json has all of them\n");
}

/* What the configuration must say from now on, unless it does. */
static void print_next(const struct store_copy_options *o, const struct store_settings *configured)
{
	bool fits =
	    o->to_server ? configured->url && strcmp(configured->url, o->server->url) == 0 : !configured->url;

	if (fits)
		puts("Now start the gateway.");
	else if (o->to_server)
		printf(
		    "Now set `store = { engine = \"postgres\"; url = \"%s\"; };` in the configuration, with "
		    "password_file if it needs one, and start the gateway.\n",
		    o->server->url);
	else
		puts("Now remove store from the configuration, and start the gateway.");
}

static void print_text(const struct store_copy_options *o, const struct store_copy *copy,
    const struct store_settings *configured)
{
	const char *from = o->to_server ? copy->file : o->server->url,
		   *to = o->to_server ? o->server->url : copy->file;

	for (size_t i = 0; i < copy->table_count; i++)
		printf("%-12s %10lld rows  %.*s\n", copy->tables[i].name, (long long)copy->tables[i].rows,
		    HASH_SHOWN, copy->tables[i].hash);
	print_changes(copy, o->dry_run);
	if (copy->was_complete)
		printf("An earlier copy has all %lld rows, and the same hashes.\n", (long long)copy->rows);
	if (o->dry_run) {
		printf("%lld rows of %s. Nothing was moved: run it again without --dry-run.\n",
		    (long long)copy->rows, from);
		return;
	}
	printf("Moved: %s has the %lld rows of %s, and the same hashes.\n", to, (long long)copy->rows, from);
	if (copy->aside)
		printf("The file from before is kept as %s.\n", copy->aside);
	print_next(o, configured);
}

static int copy_store(const struct cli_call *call, const struct gateway_config *gc)
{
	struct store_copy_progress progress = {.what = "checking the store"};
	struct store_settings server = {0};
	struct store_copy copy = {0};
	struct error err = {0};
	int status = choose_server(call, &gc->store, &server);

	/* Not before the password is read, which may be root's. */
	if (status == CLI_OK && cli_become_owner(gc->top.state) < 0)
		status = CLI_FAILED;

	if (status == CLI_OK) {
		const struct store_copy_options o = {.dir = gc->top.state,
		    .server = &server,
		    .to_server = call->given[TO],
		    .dry_run = call->given[DRY_RUN],
		    .progress = &progress};
		cli_progress_of_rows(&progress.what, &progress.rows);
		int rc = store_copy(&o, &copy, &err);
		cli_progress_end();
		if (rc < 0)
			status = fail(&copy, &err);
		else if (call->given[JSON])
			print_json(&o, &copy);
		else
			print_text(&o, &copy, &gc->store);
	}
	store_copy_clear(&copy);
	store_settings_clear(&server);
	return status;
}

static int run(const struct cli_call *call)
{
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	int status = CLI_FAILED;

	if (!call->given[TO] == !call->given[FROM])
		return cli_usage("store copy takes --to or --from, and the URL of a database");
	if (gateway_config_load_top(&gc, gateway_config_path(call->config_file), &report) < 0)
		fputs(report.data, stderr);
	else
		status = copy_store(call, &gc);
	buf_clear(&report);
	gateway_config_clear(&gc);
	return status;
}

const struct cli_command cli_store = {
    .name = "store",
    .arguments = "[--json] copy --to [URL] | --from [URL] [--dry-run] [--password-file FILE]",
    .options = options,
    .actions = actions,
    .words_min = 1,
    .words_max = 1,
    .help = "move the store from the file of the state folder to a PostgreSQL server, or back, while the "
	    "gateway is stopped; every row is compared; --dry-run only counts and checks; without URL it is "
	    "store.url",
    .run = run,
};
