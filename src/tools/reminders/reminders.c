#include "tools/reminders/reminders.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time/zone.h"
#include "store/schedules.h"
#include "tools/reminders/schedule.h"

#define NOT_YOURS 403

/* A reminder that sets the next one, or two, would otherwise run without end and without pause. */
static int check_chain(const struct reminders_user *u, const struct store_schedule *e, struct error *err)
{
	struct buf least = BUF_INIT;

	if (!u->by_reminder || e->next_ms - e->created_ms >= u->settings->interval_ms)
		return 0;
	schedule_add_duration(&least, u->settings->interval_ms);
	error_set(err, ERROR_REFUSED,
	    "that is too soon: what a reminder sets is due after %s at the earliest", least.data);
	buf_clear(&least);
	return -1;
}

struct store_schedule *reminder_new(struct task *t, const struct reminders_user *u,
    const struct schedule_request *request, const char *content, struct error *err)
{
	const char *words = content ? content + strspn(content, " \t\r\n") : "";
	struct store_schedule *e;

	if (!u->person) {
		error_set(err, ERROR_REFUSED,
		    "several people ask here, and a reminder belongs to one: let one of them ask alone");
		err->code = NOT_YOURS;
		return NULL;
	}
	if (*words == '\0' || utf8_count(words, strlen(words), UTF8_CHARS) > SCHEDULE_CONTENT_MAX) {
		error_set(err, ERROR_REFUSED,
		    "a reminder needs 1 to %d characters of text that say what it is about",
		    SCHEDULE_CONTENT_MAX);
		return NULL;
	}
	e = xcalloc(1, sizeof(*e));
	e->where = *u->where;
	e->chat_kind = u->chat_kind;
	e->chat_title = xstrdup(u->chat_title);
	e->person = xstrdup(u->person);
	e->person_name = xstrdup(u->name);
	e->content = xstrdup(words);
	if (schedule_plan(t, u->settings, request, clock_wall(), e, err) == 0 && check_chain(u, e, err) == 0)
		return e;
	store_schedule_free(e);
	return NULL;
}

struct store_schedule *reminder_find(
    struct task *t, const struct reminders_user *u, int64_t id, struct error *err)
{
	struct store_schedule **list, *found = NULL;
	int count = store_schedules(t, u->store, u->where, &list, err);

	if (count < 0)
		return NULL;
	for (int i = 0; i < count; i++) {
		if (list[i]->id == id) {
			found = list[i];
			list[i] = NULL;
		}
	}
	store_schedules_free(list, count);
	if (!found) {
		error_set(err, ERROR_REFUSED,
		    "there is no reminder %lld in this chat: list them to see their numbers", (long long)id);
	} else if (!u->admin && (!u->person || strcmp(found->person, u->person) != 0)) {
		error_set(err, ERROR_REFUSED,
		    "the reminder %lld belongs to someone else: ask them, or an admin", (long long)id);
		err->code = NOT_YOURS;
		store_schedule_free(found);
		found = NULL;
	}
	return found;
}

static int resume(struct task *t, struct store_schedule *e, struct error *err)
{
	struct zone *z = schedule_zone(t, e->zone, err);

	if (!z)
		return -1;
	e->next_ms = schedule_after(e, z, clock_wall());
	zone_free(z);
	if (e->next_ms == 0)
		return error_set(err, ERROR_REFUSED,
		    "the time of the reminder %lld is over: remove it, and set another one",
		    (long long)e->id);
	return 0;
}

struct store_schedule *reminder_changed(
    struct task *t, const struct store_schedule *e, enum reminder_change change, struct error *err)
{
	struct store_schedule *after = store_schedule_copy(e);

	after->paused = change == REMINDER_PAUSE;
	free(after->note);
	after->note = NULL;
	if (change == REMINDER_PAUSE || resume(t, after, err) == 0)
		return after;
	store_schedule_free(after);
	return NULL;
}
