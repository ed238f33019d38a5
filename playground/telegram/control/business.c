#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/telegram/control/control.h"

/* {"user","enabled"?,"rights"?}: a person lets the bot work for the account, or changes that; answers with
 * the connection, for "business" of other calls. */
int telegram_control_business(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct bot *b;
	struct user *u;

	b = world_choose_bot(self, members_string(in, "bot"), err);
	if (!b || world_get_user(self, members_string(in, "user"), &u, err) != 0)
		return -1;
	json_set_str(out, "business",
	    business_connect(b, u, json_get_bool(in, "enabled", true), json_get_array(in, "rights")));
	return 0;
}

static struct json_object *find_task(struct json_object *tasks, int64_t id)
{
	json_each(tasks, item)
		if (json_get_int(item, "id", 0) == id)
			return item;
	return NULL;
}

static void tick(const struct actor *s, struct json_object *task, bool done)
{
	struct buf who = BUF_INIT;

	if (done) {
		user_write(s->user, &who);
		json_set(task, "completed_by_user", json_parse(who.data, who.len, NULL));
		json_set_int(task, "completion_date", clock_wall() / 1000);
	} else {
		json_object_object_del(task, "completed_by_user");
		json_object_object_del(task, "completion_date");
	}
	buf_clear(&who);
}

/* {"message_id","task","done"?}: a person ticks a task of a checklist. */
int telegram_control_tick(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	bool done = json_get_bool(in, "done", true);
	struct json_object *list, *task;
	struct message *m;
	struct actor s;
	int64_t id = json_get_int(in, "task", 0);

	(void)out;
	if (actor_on(self, in, &s, &m, err) != 0)
		return -1;
	list = json_get_object(m->extra, "checklist");
	task = find_task(json_get_array(list, "tasks"), id);
	if (!s.user || !task)
		return error_set(err, ERROR_OURS, "say which \"user\" ticks which \"task\" of a checklist");
	if (!m->bot && m->user != s.user && !json_get_bool(list, "others_can_mark_tasks_as_done", false))
		return error_set(err, ERROR_OURS, "only %.64s ticks tasks there", message_author(m));
	tick(&s, task, done);
	show_message(s.chat, m, "edited");
	service_add(s.chat, (struct author){.user = s.user}, NULL,
	    xasprintf("\"checklist_tasks_done\":{\"marked_as_%sdone_task_ids\":[%" PRId64 "]}",
		done ? "" : "not_", id));
	return 0;
}
