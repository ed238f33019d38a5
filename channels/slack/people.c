#include "channels/slack/people.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/log.h"
#include "channels/slack/api.h"
#include "channels/slack/state.h"
#include "channels/slack/text.h"

const char *slack_people_name(const struct slack_people *p, const char *id)
{
	return slack_recent_get(&p->names, id);
}

void slack_people_note(struct slack_people *p, const char *id, const char *name)
{
	char *clean = slack_text_name(name ? name : "");

	if (*clean != '\0')
		slack_recent_note(&p->names, id, clean);
	free(clean);
}

/* The display name is what others see; it may be empty. */
static void read_user(struct slack_people *p, const char *id, struct json_object *reply)
{
	struct json_object *user = json_get_object(reply, "user"),
			   *profile = json_get_object(user, "profile");

	slack_people_note(p, id, json_get_str(user, "name"));
	slack_people_note(p, id, json_get_str(profile, "real_name"));
	slack_people_note(p, id, json_get_str(profile, "display_name"));
}

static int ask(struct task *t, struct slack *sk, const char *id, struct error *err)
{
	struct slack_call call = {.method = "users.info", .total_ms = sk->limits->call_ms};
	struct slack_answer a;
	int rc;

	if (budget_wait(t, &sk->methods, call.method, BUDGET_RANK_NOTIFICATION, err) < 0)
		return -1;
	call.params = json_object_new_object();
	json_set_str(call.params, "user", id);
	rc = slack_api_call(t, sk, &call, &a, err);
	if (rc == 0)
		read_user(&sk->people, id, a.reply);
	else
		log_debug(sk->self.channel, "a name is not known: %s user=\"%s\"", err->text, id);
	slack_api_clear(&a);
	return task_check(t, err);
}

static void ask_all(struct task *t, void *arg)
{
	struct slack *sk = arg;
	struct slack_people *p = &sk->people;
	struct error err = {0};
	char id[32];

	while (p->asked != p->queue.next && !sk->refused) {
		snprintf(id, sizeof(id), "%s", p->queue.rows[p->asked].key);
		p->asked = (p->asked + 1) % RECENT_MOST;
		if (ask(t, sk, id, &err) < 0)
			break;
	}
	p->task = NULL;
}

void slack_people_want(struct slack *sk, const char *id)
{
	struct slack_people *p = &sk->people;

	if (strlen(id) >= 32 || sk->stopping || slack_recent_get(&p->wanted, id) || slack_people_name(p, id))
		return;
	slack_recent_note(&p->wanted, id, "");
	slack_recent_note(&p->queue, id, "");
	if (!p->task)
		p->task = task_start(&sk->tasks, "slack.people", ask_all, sk);
}

void slack_people_clear(struct slack_people *p)
{
	slack_recent_clear(&p->names);
	slack_recent_clear(&p->wanted);
	slack_recent_clear(&p->queue);
}
