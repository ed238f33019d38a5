#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/worker.h"
#include "gateway/gateway_internal.h"
#include "ops/gateway_view.h"
#include "config/gateway_config.h"
#include "config/last_good_config.h"
#include "tools/tools.h"

#define BROKEN_TEXT  "The configuration has mistakes. The one in force stays:\n"
#define RESTART_TEXT "For these changes a restart is needed:\n"

/* When reloads overlap, the last one counts. */
static uint64_t begun, applied;

/* Reads files, so it runs on worker threads. */
struct reading {
	struct worker_job job;
	char *path;
	struct gateway_config *config;
	struct buf report, notes;
	uint64_t number;
	int rc;
};

static void reading_run(struct worker_job *job)
{
	struct reading *r = (struct reading *)job;

	r->rc = gateway_config_load(r->config, r->path, &r->report);
}

/* Runs after the new configuration was found to be applicable. */
static void opening_run(struct worker_job *job)
{
	struct reading *r = (struct reading *)job;
	struct error err = {0};

	r->rc = tools_open(r->config->tools, &err);
	if (r->rc < 0)
		buf_addf(&r->report, "%s:1: tools: %s\n", r->path, err.text);
}

static void reading_free(struct worker_job *job)
{
	struct reading *r = (struct reading *)job;

	if (r->config) {
		gateway_config_clear(r->config);
		free(r->config);
	}
	buf_clear(&r->report);
	buf_clear(&r->notes);
	free(r->path);
	free(r);
}

static void log_lines(enum log_level level, const char *before, const char *lines)
{
	while (*lines) {
		size_t len = strcspn(lines, "\n");
		log_write(level, "config", "%s%.*s", before, (int)len, lines);
		lines += len + (lines[len] == '\n');
	}
}

static void put_in_force(struct gateway *g, struct reading *r, struct buf *out)
{
	gateway_put_config(g, r->config);
	r->config = NULL;
	gateway_prove_sandbox(g);
	node_configured(g);
	log_info("config", "the configuration was read again and is in force");
	log_lines(LOG_LEVEL_WARN, "", r->report.data);
	log_lines(LOG_LEVEL_WARN, "a restart is needed for ", r->notes.data);
	buf_addstr(out, "The configuration is in force.\n");
	if (r->notes.len > 0)
		buf_addf(out, RESTART_TEXT "%s", r->notes.data);
	if (r->report.len > 0)
		buf_addf(out, "Warnings:\n%s", r->report.data);
}

static struct reading *reading_new(const struct gateway *g)
{
	struct reading *r = xcalloc(1, sizeof(*r));

	r->job.free = reading_free;
	r->number = ++begun;
	r->path = xstrdup(gateway_config(g)->path);
	r->config = xcalloc(1, sizeof(*r->config));
	buf_init(&r->report);
	buf_init(&r->notes);
	return r;
}

/* 0: see r->rc. -1: cancelled, and r is freed. */
static int read_again(struct task *t, struct gateway *g, struct reading *r)
{
	r->job.run = reading_run;
	if (worker_await(t, &r->job, NULL) < 0)
		return -1;
	if (r->rc < 0)
		return 0;
	gateway_config_keep_restart_only(gateway_config(g), r->config, &r->notes);
	r->job.run = opening_run;
	return worker_await(t, &r->job, NULL);
}

int gateway_reload(struct task *t, struct gateway *g, struct buf *out)
{
	struct reading *r = reading_new(g);

	if (read_again(t, g, r) < 0) {
		buf_addstr(out, "The configuration was not read, because the gateway stops.\n");
		return -1;
	}
	int rc = r->rc;
	if (rc < 0) {
		log_lines(LOG_LEVEL_ERROR, "the configuration stays as it was: ", r->report.data);
		buf_addf(out, BROKEN_TEXT "%s", r->report.data);
	} else if (r->number < applied) {
		buf_addstr(out, "A later reading of the configuration is in force.\n");
	} else {
		applied = r->number;
		put_in_force(g, r, out);
		last_good_config_keep(t, gateway_config(g));
	}
	reading_free(&r->job);
	return rc;
}
