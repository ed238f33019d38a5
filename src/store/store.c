#include "store/store.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "store/cluster.h"
#include "store/db_engine.h"
#include "store/journal/addresses.h"
#include "store/retention/messages.h"
#include "store/journal/cursor.h"
#include "store/retention/conversations.h"
#include "store/journal/inbox.h"
#include "store/journal/chat_move.h"
#include "store/journal/outbox.h"
#include "store/journal/outbox_files.h"
#include "store/schema.h"
#include "store/search_index.h"
#include "store/store_internal.h"

#define CHECK_NOW_BYTES (INT64_C(32) << 20)
#define HOUR_MS         (3600 * 1000)
/* A trouble counts as over when it has not come back for this long. */
#define DEBOUNCE_MS 10000

static const struct journal_ops journal_ops = {
    .put_inbound = inbox_put,
    .list_inbound = inbox_list,
    .pending_addresses = addresses_pending,
    .finish_inbound = inbox_finish,
    .move_chat = move_chat,
    .list_moves = move_list,
    .read_cursor = cursor_read,
    .claim = cursor_claim,
    .put_outbound = outbox_put,
    .list_outbound = outbox_list,
    .pending_queues = outbox_queues,
    .list_files = outbox_files_list,
    .mark_outbound = outbox_mark,
    .get_outbound = outbox_get,
    .get_part_before = outbox_get_part_before,
};

bool store_redact(char **text)
{
	return secret_redact_in_place(text);
}

static void notify_operator(struct store *s, const char *text)
{
	if (s->options.notice)
		s->options.notice(s->options.arg, text);
}

static void on_debounced(struct clock_timer *timer, void *arg)
{
	struct store_trouble *p = arg;

	(void)timer;
	p->reported = false;
	notify_operator(p->store, p->over);
}

static void on_notice(void *arg, const struct job_queue_notice *notice)
{
	struct store *s = arg;
	struct store_trouble *p = NULL;

	for (size_t i = 0; i < ARRAY_LEN(s->troubles) && notice->trouble; i++)
		if (s->troubles[i].trouble == notice->trouble)
			p = &s->troubles[i];
	if (!p) {
		notify_operator(s, notice->text);
	} else if (notice->over) {
		free(p->over);
		p->over = xstrdup(notice->text);
		clock_timer_start(&p->debounce, DEBOUNCE_MS, on_debounced, p);
	} else {
		clock_timer_stop(&p->debounce);
		if (!p->reported)
			notify_operator(s, notice->text);
		p->reported = true;
	}
}

static const struct job_queue_ops job_queue_ops = {.ran = open_report_trouble, .notified = on_notice};

static void on_hour(struct clock_timer *timer, void *arg)
{
	struct store *s = arg;

	/* The pages that the last hour freed. */
	if (s->engine->free_pages)
		s->engine->free_pages(s);
	if (!s->cluster || s->engine->cluster->does_maintenance(s->cluster)) {
		retention_messages_start(s);
		retention_conversations_start(s);
	}
	search_index_start(s);
	clock_timer_start(timer, HOUR_MS, on_hour, s);
}

static void store_free(struct store *s)
{
	for (size_t i = 0; i < ARRAY_LEN(s->troubles); i++) {
		clock_timer_stop(&s->troubles[i].debounce);
		free(s->troubles[i].over);
	}
	warm_histories_clear(&s->warm);
	free(s->settings.url);
	free(s->dir);
	free(s);
}

static void use_settings(struct store *s, const struct store_settings *settings)
{
	s->settings.engine = settings->engine;
	s->settings.url = xstrdup(settings->url);
	s->settings.password = settings->password;
	if (settings->engine == STORE_POSTGRES)
		s->engine = store_engine_postgres;
}

static void leave_cluster(struct task *t, struct store *s)
{
	if (s->cluster)
		s->engine->cluster->free(t, s->cluster);
}

void cluster_serve(struct store *s, const char *const *units, size_t count)
{
	s->engine->cluster->serve(s->cluster, units, count);
}

void cluster_configured(struct store *s, const char *revision)
{
	if (s->cluster)
		s->engine->cluster->configured(s->cluster, revision);
}

void cluster_announce(struct store *s, const char *unit)
{
	if (s->cluster)
		s->engine->cluster->announce(s->cluster, unit);
}

struct give_job {
	struct job job;
	const struct store *store;
	char *unit;
	bool given;
};

static void give_free(struct job *job)
{
	struct give_job *j = (struct give_job *)job;

	free(j->unit);
	free(j);
}

static int give_run(struct job *job, struct db *db, struct error *err)
{
	struct give_job *j = (struct give_job *)job;
	int rc = j->store->engine->cluster->give(j->store->cluster, db, j->unit, err);

	j->given = rc > 0;
	return rc < 0 ? -1 : 0;
}

int cluster_give(struct task *t, struct store *s, const char *unit, struct error *err)
{
	struct give_job *j = job_new(sizeof(*j), JOB_WRITE, give_run, give_free);
	int rc;

	j->store = s;
	j->unit = xstrdup(unit);
	/* Changes by another node would go unnoticed here. */
	warm_histories_clear(&s->warm);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	rc = j->given;
	job_free(&j->job);
	return rc;
}

bool cluster_may_send(const struct store *s)
{
	return !s->cluster || s->engine->cluster->may_send(s->cluster);
}

struct lookup_job {
	struct job job;
	const struct store *store;
	struct json_object *nodes;
	char *risk;
};

static void lookup_free(struct job *job)
{
	struct lookup_job *j = (struct lookup_job *)job;

	json_object_put(j->nodes);
	free(j->risk);
	free(j);
}

static int nodes_run(struct job *job, struct db *db, struct error *err)
{
	struct lookup_job *j = (struct lookup_job *)job;

	j->nodes = j->store->engine->cluster->nodes(j->store->cluster, db, err);
	return j->nodes ? 0 : -1;
}

static int risk_run(struct job *job, struct db *db, struct error *err)
{
	return db->ops->check(db, &((struct lookup_job *)job)->risk, err);
}

static struct lookup_job *lookup(struct task *t, struct store *s,
    int (*run)(struct job *job, struct db *db, struct error *err), struct error *err)
{
	struct lookup_job *j = job_new(sizeof(*j), JOB_READ, run, lookup_free);

	j->store = s;
	return job_queue_run(t, &s->queue, &j->job, err) == 0 ? j : NULL;
}

int cluster_nodes(struct task *t, struct store *s, struct json_object **out, struct error *err)
{
	struct lookup_job *j;

	*out = NULL;
	if (!s->cluster)
		return 0;
	j = lookup(t, s, nodes_run, err);
	if (!j)
		return -1;
	*out = json_object_get(j->nodes);
	job_free(&j->job);
	return 0;
}

int store_risk(struct task *t, struct store *s, char **risk, struct error *err)
{
	struct lookup_job *j;

	*risk = NULL;
	if (s->settings.engine != STORE_POSTGRES)
		return 0;
	j = lookup(t, s, risk_run, err);
	if (!j)
		return -1;
	*risk = xstrdup(j->risk);
	job_free(&j->job);
	return 0;
}

struct store *store_open(struct task *t, const struct store_options *options, struct error *err)
{
	struct store *s = xcalloc(1, sizeof(*s));
	struct job *opening;

	s->engine = &store_engine_sqlite;
	s->options = *options;
	if (options->settings)
		use_settings(s, options->settings);
	s->dir = xstrdup(options->dir);
	s->options.dir = s->dir;
	if (s->options.check_now_bytes == 0)
		s->options.check_now_bytes = CHECK_NOW_BYTES;
	s->lock = -1;
	warm_histories_init(&s->warm);
	s->troubles[0] = (struct store_trouble){.store = s, .trouble = DB_FULL};
	s->troubles[1] = (struct store_trouble){.store = s, .trouble = DB_FAILING};
	s->troubles[2] = (struct store_trouble){.store = s, .trouble = DB_UNREACHABLE};
	if (options->cluster)
		s->cluster = s->engine->cluster->new (s);
	opening = open_job_new(s);
	if (job_queue_start(&s->queue, &job_queue_ops, s, &s->db, err) != 0) {
		job_free(opening);
		goto stop;
	}
	if (job_queue_run(t, &s->queue, opening, err) != 0)
		goto close;
	job_free(opening);
	if (s->cluster && s->engine->cluster->start(s->cluster, err) != 0)
		goto close;
	if (s->check_later)
		job_queue_put(&s->queue, s->engine->check_later());
	on_hour(&s->hourly, s);
	return s;
close:
	atomic_store(&s->stop, true);
	job_queue_stop(t, &s->queue, close_job_new(s));
	leave_cluster(t, s);
	store_free(s);
	return NULL;
stop:
	job_queue_stop(t, &s->queue, NULL);
	leave_cluster(t, s);
	store_free(s);
	return NULL;
}

void store_close(struct task *t, struct store *s)
{
	if (!s)
		return;
	clock_timer_stop(&s->hourly);
	if (s->cluster)
		s->engine->cluster->stop(s->cluster);
	job_queue_stop(t, &s->queue, close_job_new(s));
	leave_cluster(t, s);
	store_free(s);
}

struct journal store_journal(struct store *s)
{
	return (struct journal){&journal_ops, s};
}

int store_backup(struct task *t, struct store *s, const char *file, struct error *err)
{
	if (!s->engine->backup)
		return error_set(err, ERROR_REFUSED,
		    "the store is in %s: copy it with pg_dump, which may run meanwhile", s->settings.url);
	return s->engine->backup(t, s, file, err);
}

struct count_job {
	struct job job;
	const struct store *store;
	struct store_counts counts;
};

/* All at one moment, so that what moves from one number to the next is in one of them. Each reads few rows,
 * in an index or by it: what has ended is most of a database. */
static int count_run(struct job *job, struct db *db, struct error *err)
{
	const struct store *s = ((struct count_job *)job)->store;
	struct store_counts *counts = &((struct count_job *)job)->counts;
	struct db_size size;
	const struct {
		const char *sql;
		int64_t *out;
	} numbers[] = {
	    {"SELECT count(*) FROM inbox WHERE state = 0", &counts->inbox_pending},
	    {"SELECT count(*) FROM outbox WHERE state < 2", &counts->outbox_queued},
	    {"SELECT count(*) FROM turns WHERE state = 0", &counts->turns_open},
	    {"SELECT count(*) FROM turns WHERE state = 4", &counts->turns_dead},
	    /* By prompts_open: without the plus sign SQLite takes prompts_call, and reads all that were
	     * answered. */
	    {"SELECT count(*) FROM prompts WHERE state = 0 AND +turn > 0 AND hash IS NOT NULL",
		&counts->approvals_open},
	    {"SELECT value FROM meta WHERE name = 'unclean_stops'", &counts->unclean_stops},
	    {"SELECT received_ms FROM inbox ORDER BY id DESC LIMIT 1", &counts->newest_ms},
	};

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		if (db_number(db, numbers[i].sql, DB_NO_ARGS, numbers[i].out, err) < 0)
			return -1;
	if (schema_sum(db, "outbox_uncertain", &counts->outbox_uncertain, err) != 0 ||
	    schema_sum(db, "outbox_failed", &counts->outbox_failed, err) != 0 ||
	    schema_sum(db, "sessions", &counts->sessions, err) != 0 || db_size(db, &size, err) != 0)
		return -1;
	counts->commits = (int64_t)db->commits;
	counts->round_trips = (int64_t)db->round_trips;
	counts->db_bytes = size.all;
	counts->wal_bytes = size.log;
	counts->is_damaged = s->damage_reported;
	counts->is_full = (s->reported_troubles & DB_FULL) != 0;
	counts->is_failing = (s->reported_troubles & DB_FAILING) != 0;
	return 0;
}

static void count_free(struct job *job)
{
	free(job);
}

int store_count(struct task *t, struct store *s, struct store_counts *out, struct error *err)
{
	struct count_job *j = job_new(sizeof(*j), JOB_READ, count_run, count_free);

	j->store = s;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*out = j->counts;
	job_free(&j->job);
	return 0;
}
