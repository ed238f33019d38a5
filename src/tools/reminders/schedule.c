#include "tools/reminders/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/time/cron.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/worker.h"
#include "base/time/zone.h"
#include "store/schedules.h"
#include "tools/tools_internal.h"

/* A reminder that is at most this late counts as on time. */
#define GRACE_MS (60 * 1000)
/* With catch_up skip, a reminder that is later than this is skipped. */
#define SKIP_MS (5 * 60 * 1000)
/* Times checked for the shortest interval between two, and missed times counted. */
#define TIMES_CHECKED 100
#define TIMES_COUNTED 1000

static const char *const catch_up_choices[] = {"once", "skip", NULL};

static const struct config_key keys[] = {
    {.name = "catch_up",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct schedule_settings, catch_up),
	.fallback = "once",
	.choices = catch_up_choices,
	.help = "What happens to reminders that were due while Myna did not run, or when the clock was set "
		"forward: each comes once and says how late it is (once), or not at all if it is more than 5 "
		"min late (skip)."},
    {.name = "interval",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct schedule_settings, interval_ms),
	.fallback = "1 min",
	.min = 1000,
	.max = 366LL * 24 * 3600 * 1000,
	.help = "Shortest interval of a reminder that repeats, and between a reminder and one that its turn "
		"sets."},
    {.name = "most",
	.type = CONFIG_INT,
	.offset = offsetof(struct schedule_settings, most),
	.fallback = "50",
	.min = 0,
	.max = 10000,
	.help = "Maximum number of reminders in one chat. 0: none can be set."},
    {.name = "time_zone",
	.type = CONFIG_STRING,
	.offset = offsetof(struct schedule_settings, time_zone),
	.help = "The time zone of times that are given without one, such as \"Europe/Berlin\". Absent: the "
		"time zone of this machine."},
};

const struct config_section reminders_section = {
    .path = "reminders",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "Reminders: /remind, and the tool of that name.",
};

void schedule_settings_read(struct schedule_settings *s, struct config *cfg)
{
	struct error err = {0};

	config_read(cfg, reminders_section.path, &reminders_section, s);
	zone_local_name(s->local);
	struct zone *z = zone_load(s->time_zone ? s->time_zone : s->local, &err);
	if (!z && s->time_zone)
		config_error(cfg, "reminders.time_zone", "time_zone: %s.", err.text);
	else if (!z)
		str_copy(s->local, sizeof(s->local), "UTC");
	zone_free(z);
}

void schedule_settings_clear(struct schedule_settings *s)
{
	config_settings_clear(keys, ARRAY_LEN(keys), s);
}

const struct schedule_settings *tools_reminders(const struct tools *ts)
{
	return &ts->reminders;
}

struct load_job {
	struct worker_job job;
	char *name;
	struct zone *zone;
	struct error err;
};

static void load_run(struct worker_job *job)
{
	struct load_job *j = (struct load_job *)job;

	j->zone = zone_load(j->name, &j->err);
}

static void load_free(struct worker_job *job)
{
	struct load_job *j = (struct load_job *)job;

	zone_free(j->zone);
	free(j->name);
	free(j);
}

struct zone *schedule_zone(struct task *t, const char *name, struct error *err)
{
	struct load_job *j = xcalloc(1, sizeof(*j));
	struct zone *z;

	j->job.run = load_run;
	j->job.free = load_free;
	j->name = xstrdup(name);
	if (worker_await(t, &j->job, err) < 0)
		return NULL;
	z = j->zone;
	j->zone = NULL;
	if (!z)
		error_set(err, j->err.kind, "%s", j->err.text);
	load_free(&j->job);
	return z;
}

int64_t schedule_after(const struct store_schedule *e, const struct zone *z, int64_t after_ms)
{
	struct cron c;
	int64_t next;

	if (e->at_ms > 0)
		return e->at_ms > after_ms ? e->at_ms : 0;
	if (e->every_ms > 0) {
		int64_t passed = after_ms - e->created_ms;
		int64_t rounds = passed / e->every_ms - (passed % e->every_ms < 0);
		return e->created_ms + (rounds + 1) * e->every_ms;
	}
	if (!e->cron || cron_parse(e->cron, &c, NULL) < 0 || !cron_next(&c, z, after_ms / 1000, &next))
		return 0;
	return next * 1000;
}

/* A repeated reminder must keep the minimum interval. */
static int check_interval(const struct schedule_settings *s, const struct store_schedule *e,
    const struct zone *z, struct error *err)
{
	int64_t at = e->next_ms, next;
	struct buf least = BUF_INIT;
	bool ok = true;

	for (int i = 0; i < TIMES_CHECKED && ok && e->at_ms == 0 && (next = schedule_after(e, z, at)) > 0;
	     i++) {
		ok = next - at >= s->interval_ms;
		at = next;
	}
	if (ok)
		return 0;
	schedule_add_duration(&least, s->interval_ms);
	error_set(err, ERROR_REFUSED, "that is too often: there must be %s between two times", least.data);
	buf_clear(&least);
	return -1;
}

static int plan_in_zone(const struct schedule_settings *s, const struct schedule_request *request,
    const struct zone *z, int64_t now_ms, struct store_schedule *e, struct error *err)
{
	struct cron c;

	if (request->at && schedule_moment(request->at, z, now_ms, &e->at_ms, err) < 0)
		return -1;
	if (request->every && !schedule_duration(request->every, &e->every_ms))
		return error_set(err, ERROR_REFUSED,
		    "\"%.40s\" is no time between two reminders: write it as \"30 min\", \"2 h\" or \"1 d\"",
		    request->every);
	if (request->cron && cron_parse(request->cron, &c, err) < 0)
		return -1;
	e->cron = xstrdup(request->cron);
	e->next_ms = schedule_after(e, z, now_ms);
	if (e->next_ms == 0)
		return error_set(err, ERROR_REFUSED,
		    "that time is over, or does not come within 40 years: give a later one");
	return check_interval(s, e, z, err);
}

int schedule_plan(struct task *t, const struct schedule_settings *s, const struct schedule_request *request,
    int64_t now_ms, struct store_schedule *e, struct error *err)
{
	const char *name = request->zone ? request->zone : s->time_zone ? s->time_zone : s->local;

	if (!!request->at + !!request->every + !!request->cron != 1)
		return error_set(
		    err, ERROR_REFUSED, "a reminder has one of 'at', 'every' and 'cron': give one of them");
	e->created_ms = now_ms;
	e->zone = xstrdup(name);
	struct zone *z = schedule_zone(t, name, err);
	if (!z)
		return -1;
	int rc = plan_in_zone(s, request, z, now_ms, e, err);
	zone_free(z);
	return rc;
}

struct schedule_decision schedule_decide(
    const struct store_schedule *e, const struct zone *z, int catch_up, int64_t now_ms)
{
	struct schedule_decision decision = {0};
	int64_t others = 0, at = e->next_ms;

	/* The clock may have been set back since it was found to be due. */
	if (now_ms < e->next_ms)
		now_ms = e->next_ms;
	decision.next_ms = schedule_after(e, z, now_ms);
	decision.late_ms = now_ms - e->next_ms;

	if (e->every_ms > 0)
		others = decision.late_ms / e->every_ms;
	else
		while (others < TIMES_COUNTED && (at = schedule_after(e, z, at)) > 0 && at <= now_ms)
			others++;
	decision.fires = catch_up == SCHEDULE_ONCE || decision.late_ms <= SKIP_MS;
	decision.missed = others + !decision.fires;
	return decision;
}

void schedule_add_delay(struct buf *out, const struct store_schedule *e, const struct zone *z,
    const struct schedule_decision *decision)
{
	if (decision->late_ms <= GRACE_MS)
		return;
	buf_addstr(out, "It was due at ");
	schedule_add_time(out, e->next_ms, z);
	buf_addstr(out, ", and comes ");
	schedule_add_duration(out, decision->late_ms);
	buf_addstr(out, " late");
	if (decision->missed > 0)
		buf_addf(out, "; %lld further time%s between then and now %s missed",
		    (long long)decision->missed, decision->missed == 1 ? "" : "s",
		    decision->missed == 1 ? "was" : "were");
	buf_addch(out, '.');
}
