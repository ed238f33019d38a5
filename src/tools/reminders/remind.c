#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/time/zone.h"
#include "bus/message.h"
#include "store/schedules.h"
#include "tools/tools_internal.h"
#include "tools/reminders/reminders.h"
#include "tools/reminders/schedule.h"

#define NAME "remind"

struct remind {
	const struct tool_call *call;
	struct reminders_user user;
	struct json_object *args;
};

static struct json_object *failed(const struct error *err, const char *cause)
{
	if (err->kind == ERROR_LIMITED)
		return tool_failure(NAME, "LIMIT_REACHED", "BUDGET", "Not set: %s.", err->text);
	if (err->kind == ERROR_REFUSED && err->code == 403)
		return tool_failure(NAME, "ACCESS_DENIED", "ROLE", "Nothing was changed: %s.", err->text);
	if (err->kind == ERROR_REFUSED)
		return tool_failure(NAME, cause ? "INVALID_ARGUMENT" : "NOT_FOUND", cause,
		    "Nothing was changed: %s.", err->text);
	if (err->kind == ERROR_CANCELLED)
		return tool_failure(NAME, "INTERRUPTED", "STOPPED", "The turn was stopped.");
	return tool_failure(
	    NAME, "UNAVAILABLE", NULL, "The reminders cannot be reached: %s. Try again later.", err->text);
}

static void set_time(struct json_object *o, const char *name, int64_t ms, const struct zone *z)
{
	struct buf text = BUF_INIT;

	schedule_add_time(&text, ms, z);
	json_set_str(o, name, text.data);
	buf_clear(&text);
}

/* Returns {id, next}; next is null when it will not be due again. */
static struct json_object *result_of(struct task *t, const struct store_schedule *e, int64_t id)
{
	struct json_object *o = json_object_new_object();
	struct zone *z = schedule_zone(t, e->zone, NULL);

	json_set_int(o, "id", id);
	if (z && !e->paused && e->next_ms > 0)
		set_time(o, "next", e->next_ms, z);
	else
		json_set(o, "next", NULL);
	zone_free(z);
	return o;
}

static struct json_object *run_add(struct task *t, struct remind *r)
{
	const struct schedule_request request = {.at = json_get_str(r->args, "at"),
	    .every = json_get_str(r->args, "every"),
	    .cron = json_get_str(r->args, "cron"),
	    .zone = json_get_str(r->args, "time_zone")};
	struct error err = {0};
	struct store_schedule *e =
	    reminder_new(t, &r->user, &request, json_get_str(r->args, "content"), &err);
	const struct store_schedule_step step = {.after = e, .max_per_chat = r->user.settings->most};
	struct json_object *o;
	int64_t id;

	if (!e || store_schedule_commit(t, r->user.store, &step, &id, &err) < 0)
		o = failed(&err, "RANGE");
	else
		o = result_of(t, e, id);
	store_schedule_free(e);
	return o;
}

static struct json_object *entry_of(struct task *t, const struct store_schedule *e)
{
	struct json_object *o = json_object_new_object();
	struct zone *z = schedule_zone(t, e->zone, NULL);
	struct buf rule = BUF_INIT;

	json_set_int(o, "id", e->id);
	json_set_str(o, "content", e->content);
	if (z && !e->paused && e->next_ms > 0)
		set_time(o, "next", e->next_ms, z);
	else
		json_set(o, "next", NULL);
	if (z)
		schedule_add_rule(&rule, e, z);
	json_set_str(o, "when", rule.data);
	json_set_str(o, "time_zone", e->zone);
	json_set_str(o, "owner", e->person);
	json_set_bool(o, "paused", e->paused);
	if (z && e->last_ms > 0)
		set_time(o, "last", e->last_ms, z);
	if (e->missed > 0)
		json_set_int(o, "missed", e->missed);
	if (e->note)
		json_set_str(o, "note", e->note);
	zone_free(z);
	buf_clear(&rule);
	return o;
}

static struct json_object *run_list(struct task *t, struct remind *r)
{
	struct json_object *o, *entries;
	struct store_schedule **list;
	struct error err = {0};
	int count = store_schedules(t, r->user.store, r->user.where, &list, &err);

	if (count < 0)
		return failed(&err, NULL);
	o = json_object_new_object();
	entries = json_object_new_array();
	for (int i = 0; i < count; i++)
		json_object_array_add(entries, entry_of(t, list[i]));
	json_set(o, "entries", entries);
	store_schedules_free(list, count);
	return o;
}

/* change -1 removes it. */
static struct json_object *run_change(struct task *t, struct remind *r, int change)
{
	struct store_schedule *before = NULL, *after = NULL;
	struct json_object *o = NULL;
	struct error err = {0};
	int64_t id = json_get_int(r->args, "id", 0);

	if (id == 0)
		return tool_failure(NAME, "INVALID_ARGUMENT", "MISSING",
		    "missing 'id': the number of the reminder. List them to see it.");
	before = reminder_find(t, &r->user, id, &err);
	if (before && change >= 0)
		after = reminder_changed(t, before, (enum reminder_change)change, &err);
	if (!before || (change >= 0 && !after)) {
		o = failed(&err, before ? "RANGE" : NULL);
	} else {
		const struct store_schedule_step step = {.before = before, .after = after};
		o = store_schedule_commit(t, r->user.store, &step, NULL, &err) < 0 ? failed(&err, NULL) :
										     NULL;
	}
	if (!o && after)
		o = result_of(t, after, id);
	if (!o) {
		o = json_object_new_object();
		json_set_int(o, "id", id);
		json_set(o, "next", NULL);
	}
	store_schedule_free(before);
	store_schedule_free(after);
	return o;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	const struct message *asked = call->asked;
	const char *action = json_get_str(args, "action");
	struct remind r = {.call = call,
	    .args = args,
	    .user = {.store = call->store,
		.where = call->chat,
		.person = call->person,
		.admin = call->admin,
		.settings = tools_reminders(call->tools)}};

	if (!call->store || !call->chat)
		return tool_failure(NAME, "UNAVAILABLE", "NO_CHAT",
		    "There is no chat here to be reminded in. Use it in a conversation, or write /remind "
		    "there.");
	if (asked) {
		r.user.chat_kind = asked->chat_kind;
		r.user.chat_title = asked->chat_title;
		r.user.name = asked->sender_name;
		r.user.by_reminder = asked->kind == MESSAGE_SCHEDULE;
	}
	if (strcmp(action, "add") == 0)
		return run_add(t, &r);
	if (strcmp(action, "list") == 0)
		return run_list(t, &r);
	return run_change(t, &r,
	    strcmp(action, "pause") == 0      ? REMINDER_PAUSE :
		strcmp(action, "resume") == 0 ? REMINDER_RESUME :
						-1);
}

const struct tool tool_remind = {
    .name = NAME,
    .flags = TOOL_WRITES | TOOL_DAEMON,
    .summary = "Set reminders and scheduled tasks for this chat: when one is due, you get its content here "
	       "as a task from the person who asked for it. add takes content and one of at, every and cron; "
	       "pause, resume and remove take id; list returns entries. Returns: {id?, next?, entries?}",
    .schema =
	"{\"type\":\"object\",\"properties\":{"
	"\"action\":{\"type\":\"string\",\"enum\":[\"add\",\"list\",\"pause\",\"resume\",\"remove\"],"
	"\"description\":\"What to do\"},"
	"\"content\":{\"type\":\"string\",\"maxLength\":4000,\"description\":\"What to remind of, or what "
	"you must do then; it must make sense without this conversation\"},"
	"\"at\":{\"type\":\"string\",\"description\":\"Once: 2026-12-24T18:00 (with an offset, else in "
	"time_zone), 18:00, or in 20 min\"},"
	"\"every\":{\"type\":\"string\",\"description\":\"Repeat at this interval: 30 min, 2 h, 1 "
	"d\"},\"cron\":{\"type\":\"string\",\"description\":\"Repeat by a cron expression in time_zone: "
	"minute, hour, day, month, weekday, as in 30 8 * * mon-fri\"},"
	"\"time_zone\":{\"type\":\"string\",\"description\":\"Such as Europe/Berlin (default: the setting "
	"reminders.time_zone)\"},\"id\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"The "
	"number of the reminder\"}},\"required\":[\"action\"]}",
    .errors = "ACCESS_DENIED, LIMIT_REACHED, NOT_FOUND, UNAVAILABLE",
    .run = run,
};
