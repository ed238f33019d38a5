#include "session/reminder_scheduler.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/epoch.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time/clock_jump.h"
#include "base/time/zone.h"
#include "bus/bus.h"
#include "bus/escape.h"
#include "net/backoff.h"
#include "session/access/admins.h"
#include "session/inbound.h"
#include "session/session_internal.h"
#include "store/schedules.h"
#include "tools/reminders/schedule.h"

/* Due reminders that failed are tried again after this time; all are checked that often where the kernel does
 * not report changes of the wall clock. */
#define CHECK_MS (20 * 1000)
/* A clock set back by more than this was wrong before: next times computed then do not count. */
#define SET_BACK_MS  (2LL * 24 * 3600 * 1000)
#define ACCOUNT      "schedule"
#define NOTIFIED_MAX 20
#define SHOWN_CHARS  200
#define WITHHELD     "its person may not use me any more"

static struct store *store_of(const struct sessions *all)
{
	return all->options.agent->store;
}

/* Without its channel nobody could read the answer, and access is unknown: the reminder stays due until the
 * channel is back. */
static bool is_served(const struct sessions *all, const struct store_schedule *e)
{
	return all->options.access(all->options.arg, e->where.channel) && sessions_serve(all, &e->where);
}

static struct message *message_of(const struct store_schedule *e, const char *note)
{
	struct message *m = message_new();

	m->kind = MESSAGE_SCHEDULE;
	m->account = xstrdup(ACCOUNT);
	m->event_id = xasprintf("%lld:%lld", (long long)e->id, (long long)e->fired + 1);
	m->from = e->where;
	m->chat_kind = e->chat_kind;
	m->chat_title = xstrdup(e->chat_title);
	m->sender_id = xstrdup(e->person);
	m->sender_name = xstrdup(e->person_name);
	m->addressed = true;
	free(m->text);
	m->text = xstrdup(e->content);
	m->reply_text = note && *note ? xstrdup(note) : NULL;
	m->sent_ms = e->next_ms;
	m->received_ms = clock_wall();
	return m;
}

static void set_note(struct store_schedule *e, const char *note)
{
	free(e->note);
	e->note = xstrdup(note);
}

static void notice_text(struct buf *out, const struct store_schedule *e)
{
	struct buf plain = BUF_INIT;
	char where[ADDRESS_TEXT_MAX];
	size_t len = strlen(e->content), cut = utf8_cut(e->content, len, SHOWN_CHARS, UTF8_CHARS);

	buf_addf(&plain,
	    "The reminder %lld in %s did not run, and will not, because %s: id %s. It says: %.*s%s",
	    (long long)e->id, address_format(&e->where, where), WITHHELD, e->person, (int)cut, e->content,
	    cut < len ? " …" : "");
	escape_markdown(out, plain.data);
	buf_clear(&plain);
}

/* One notice for each admin. */
static struct outbound **notices(const struct sessions *all, const struct store_schedule *e, size_t *count)
{
	struct address to[NOTIFIED_MAX];
	struct outbound **rows = xcalloc(NOTIFIED_MAX, sizeof(*rows));
	struct buf text = BUF_INIT;

	*count = admins_find(all, e->where.channel, to, NOTIFIED_MAX);
	notice_text(&text, e);
	for (size_t i = 0; i < *count; i++) {
		rows[i] = outbound_new(&to[i], OUTBOUND_NOTIFICATION, text.data);
		rows[i]->key =
		    xasprintf("report:schedule:%lld:%lld/%zu", (long long)e->id, (long long)e->fired, i);
	}
	buf_clear(&text);
	return rows;
}

/* Pauses the entry of a person without access. inbound: the message that ends with it, 0 without one. */
static int withhold(
    struct task *t, struct sessions *all, const struct store_schedule *e, int64_t inbound, struct error *err)
{
	struct store_schedule *after = store_schedule_copy(e);
	size_t count;
	struct outbound **rows = notices(all, e, &count);
	const struct store_schedule_step step = {.before = e,
	    .after = after,
	    .inbound = inbound,
	    .why = WITHHELD,
	    .rows = rows,
	    .row_count = count};

	after->paused = true;
	set_note(after, WITHHELD);
	int rc = store_schedule_commit(t, store_of(all), &step, NULL, err);
	for (size_t i = 0; i < count && rc == 0; i++)
		bus_wake(all->options.agent->bus, &rows[i]->to);
	if (rc == 0)
		log_warn(
		    "reminder", "paused, %s schedule=%lld id=\"%s\"", WITHHELD, (long long)e->id, e->person);
	bus_rows_free(rows, count);
	store_schedule_free(after);
	return rc;
}

/* A one-time reminder that was missed stays in the list, paused. */
static void skip_missed(struct store_schedule *after, bool once)
{
	after->paused = once;
	if (once)
		set_note(after, "it was missed");
	log_info("reminder", "missed, and skipped schedule=%lld", (long long)after->id);
}

/* Moves the entry to its next time and makes this occurrence a message. */
static int fire(struct task *t, struct sessions *all, const struct store_schedule *e, const struct zone *z,
    struct error *err)
{
	int catch_up = tools_reminders(all->options.agent->tools)->catch_up;
	struct schedule_decision decision = schedule_decide(e, z, catch_up, clock_wall());
	struct store_schedule *after = store_schedule_copy(e);
	bool over = decision.fires && decision.next_ms == 0;
	struct buf note = BUF_INIT;

	schedule_add_delay(&note, e, z, &decision);
	struct message *m = decision.fires ? message_of(e, note.data) : NULL;
	after->last_ms = clock_wall();
	after->next_ms = decision.next_ms;
	after->fired += decision.fires;
	after->missed += decision.missed;
	if (!decision.fires)
		skip_missed(after, decision.next_ms == 0);
	const struct store_schedule_step step = {.before = e, .after = over ? NULL : after, .message = m};
	/* What is committed must be delivered to the session, even while the process stops. */
	task_shield(t);
	int rc = store_schedule_commit(t, store_of(all), &step, NULL, err);
	task_unshield(t);
	if (rc == 0 && m && m->id != 0) {
		log_info("reminder", "due schedule=%lld late_ms=%lld inbound=%lld", (long long)e->id,
		    (long long)decision.late_ms, (long long)m->id);
		sessions_received(all, m);
	} else {
		message_free(m);
	}
	store_schedule_free(after);
	buf_clear(&note);
	return rc;
}

static int pause_broken(struct task *t, struct sessions *all, const struct store_schedule *e,
    const struct error *why, struct error *err)
{
	struct store_schedule *after = store_schedule_copy(e);
	const struct store_schedule_step step = {.before = e, .after = after};

	after->paused = true;
	set_note(after, why->text);
	log_error("reminder", "paused: %s schedule=%lld", why->text, (long long)e->id);
	int rc = store_schedule_commit(t, store_of(all), &step, NULL, err);
	store_schedule_free(after);
	return rc;
}

static int serve(struct task *t, struct sessions *all, const struct store_schedule *e, struct error *err)
{
	struct error why = {0};
	int rc;

	if (bus_locate(t, all->options.agent->bus, &e->where, err) < 0)
		return -1;
	if (!is_served(all, e))
		return 0;
	struct message *m = message_of(e, NULL);
	bool admitted = inbound_classify(all, m).kind == INBOUND_TURN;
	message_free(m);
	if (!admitted)
		return withhold(t, all, e, 0, err);
	struct zone *z = schedule_zone(t, e->zone, &why);
	if (z)
		rc = fire(t, all, e, z, err);
	else if (why.kind == ERROR_CANCELLED)
		return -1;
	else
		rc = pause_broken(t, all, e, &why, err);
	zone_free(z);
	return rc;
}

/* An entry that someone changed meanwhile is skipped. */
static int serve_all(
    struct task *t, struct sessions *all, struct store_schedule **list, int count, struct error *err)
{
	for (int i = 0; i < count; i++) {
		struct epoch *epoch = epoch_enter();
		int rc = serve(t, all, list[i], err);
		epoch_leave(epoch);
		if (rc < 0 && err->kind != ERROR_REFUSED)
			return -1;
	}
	return 0;
}

/* Runs the due reminders. Returns whether there were any, -1 when the store failed. *next_ms: the next due
 * time, 0 without one. */
static int serve_due(struct task *t, struct sessions *all, int64_t *next_ms, struct error *err)
{
	struct store_schedule **list, *after = NULL;
	int count, rc = 0;
	bool found = false;

	do {
		count = store_schedules_due(t, store_of(all), clock_wall(), after, &list, next_ms, err);
		store_schedule_free(after);
		after = NULL;
		if (count < 0)
			return -1;
		found |= count > 0;
		rc = serve_all(t, all, list, count, err);
		if (count == STORE_SCHEDULES_AT_ONCE && rc == 0) {
			after = list[count - 1];
			list[count - 1] = NULL;
		}
		store_schedules_free(list, count);
	} while (after);
	return rc < 0 ? -1 : found;
}

/* Computes again the next time of entries that were moved far ahead by a wrong clock. */
static int repair_next_times(struct task *t, struct sessions *all, struct error *err)
{
	int64_t now_ms = clock_wall();
	struct store_schedule **list;
	int count = store_schedules_ahead(t, store_of(all), now_ms + SET_BACK_MS, &list, err), rc = 0;

	for (int i = 0; i < count && rc == 0; i++) {
		struct zone *z = schedule_zone(t, list[i]->zone, NULL);
		struct store_schedule *after = store_schedule_copy(list[i]);
		const struct store_schedule_step step = {.before = list[i], .after = after};
		after->last_ms = now_ms;
		if (z)
			after->next_ms = schedule_after(after, z, now_ms);
		if (z && store_schedule_commit(t, store_of(all), &step, NULL, err) < 0 &&
		    err->kind != ERROR_REFUSED)
			rc = -1;
		log_warn("reminder",
		    "the clock was set back by days: computes the next time again schedule=%lld",
		    (long long)list[i]->id);
		store_schedule_free(after);
		zone_free(z);
	}
	store_schedules_free(list, count);
	return count < 0 ? -1 : rc;
}

struct watch {
	uint64_t now; /* both clocks at the last check */
	int64_t wall;
	bool seen;
	bool watches_clock; /* woken when the wall clock is set */
};

static bool was_set_back(struct watch *w)
{
	bool back = !w->seen || clock_wall() - w->wall < (int64_t)(clock_now() - w->now) - SET_BACK_MS;

	w->now = clock_now();
	w->wall = clock_wall();
	w->seen = true;
	return back;
}

/* Checks once, then waits for the next due time or for a change. */
static int run_round(struct task *t, struct sessions *all, struct watch *w, struct error *err)
{
	int64_t next_ms = 0, wait = INT64_MAX;
	int left;

	if (was_set_back(w) && repair_next_times(t, all, err) < 0) {
		w->seen = false;
		return -1;
	}
	all->schedules_changed = false;
	left = serve_due(t, all, &next_ms, err);
	if (left < 0)
		return -1;
	if (all->schedules_changed)
		return 0;
	if (left > 0 || !w->watches_clock)
		wait = CHECK_MS;
	if (next_ms > 0 && next_ms - clock_wall() < wait)
		wait = next_ms - clock_wall();
	if (wait <= 0)
		return 0;
	return task_wait_until(t, clock_now() + (uint64_t)wait, err) < 0 ? -1 : 0;
}

static void on_changed(void *arg)
{
	struct sessions *all = arg;

	all->schedules_changed = true;
	if (all->scheduler)
		task_wake(all->scheduler);
}

static void watch_task(struct task *t, void *arg)
{
	struct sessions *all = arg;
	struct backoff wait = {.base_ms = SESSION_RETRY_FIRST_MS, .max_ms = SESSION_RETRY_LAST_MS};
	struct watch w = {0};
	struct clock_jump_watch clock = {0};
	struct error err = {0};

	w.watches_clock = clock_jump_watch_start(&clock, on_changed, all);
	while (task_check(t, NULL) == 0) {
		if (run_round(t, all, &w, &err) == 0) {
			backoff_reset(&wait);
			continue;
		}
		if (task_check(t, NULL) < 0)
			break;
		log_error("reminder", "reminders wait because the store failed: %s", err.text);
		task_sleep(t, backoff_next(&wait), NULL);
	}
	clock_jump_watch_stop(&clock);
	store_schedules_watch(store_of(all), NULL, NULL);
	all->scheduler = NULL;
}

void reminder_scheduler_start(struct sessions *all)
{
	all->scheduler = task_start(&all->tasks, "schedules", watch_task, all);
	store_schedules_watch(store_of(all), on_changed, all);
}

void reminder_scheduler_wake(struct sessions *all)
{
	on_changed(all);
}

struct withheld {
	struct sessions *all;
	struct message *m;
};

/* Returns the message's entry. NULL without an error: it is gone. */
static struct store_schedule *entry_of(struct task *t, const struct withheld *h, struct error *err)
{
	struct store_schedule **list, *found = NULL;
	long long id = strtoll(h->m->event_id, NULL, 10);
	int count = store_schedules(t, store_of(h->all), &h->m->from, &list, err);

	for (int i = 0; i < count; i++) {
		if (list[i]->id == id) {
			found = list[i];
			list[i] = NULL;
		}
	}
	store_schedules_free(list, count);
	return found;
}

/* A one-time reminder has no entry any more: ends the message alone. */
static int end_message(struct task *t, const struct withheld *h, struct error *err)
{
	struct bus *bus = h->all->options.agent->bus;
	const struct journal *j = bus_journal(bus);
	const struct message *m = h->m;
	const struct store_schedule was = {.id = strtoll(m->event_id, NULL, 10),
	    .where = m->from,
	    .person = m->sender_id,
	    .content = m->text};
	size_t count;
	struct outbound **rows = notices(h->all, &was, &count);
	int rc = j->ops->finish_inbound(t, j->self, &m->id, 1, WITHHELD, rows, count, err);

	for (size_t i = 0; i < count && rc == 0; i++)
		bus_wake(bus, &rows[i]->to);
	bus_rows_free(rows, count);
	return rc;
}

static int withhold_message(struct task *t, const struct withheld *h, struct error *err)
{
	error_clear(err);
	struct store_schedule *e = entry_of(t, h, err);
	if (!e && err->kind != ERROR_NONE)
		return -1;
	int rc = e ? withhold(t, h->all, e, h->m->id, err) : end_message(t, h, err);
	store_schedule_free(e);
	return rc;
}

static void withhold_task(struct task *t, void *arg)
{
	struct backoff wait = {.base_ms = SESSION_RETRY_FIRST_MS, .max_ms = SESSION_RETRY_LAST_MS};
	struct withheld *h = arg;
	struct error err = {0};
	unsigned refused = 0;

	/* Refused: the entry changed before the commit, or the message is not pending any more. */
	while (withhold_message(t, h, &err) < 0 && task_check(t, NULL) == 0 &&
	    !(err.kind == ERROR_REFUSED && refused++ > 3)) {
		log_error("reminder", "cannot pause a reminder whose owner lost access: %s inbound=%lld",
		    err.text, (long long)h->m->id);
		task_sleep(t, backoff_next(&wait), NULL);
	}
	message_free(h->m);
	free(h);
}

void reminder_pause_unauthorized(struct sessions *all, struct message *m)
{
	struct withheld *h = xcalloc(1, sizeof(*h));

	h->all = all;
	h->m = m;
	task_start(&all->tasks, "withhold", withhold_task, h);
}
