#include "channels/slack/users.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "channels/slack/api.h"
#include "channels/slack/slack_internal.h"
#include "channels/slack/text.h"

const char *slack_users_name(const struct slack_users *p, const char *id)
{
	return slack_recent_map_get(&p->names, id);
}

void slack_users_note(struct slack_users *p, const char *id, const char *name)
{
	char *clean = slack_text_name(name ? name : "");

	if (*clean != '\0')
		slack_recent_map_note(&p->names, id, clean);
	free(clean);
}

/* People see the display name; it may be empty. */
static void read_user(struct slack_users *p, const char *id, struct json_object *reply)
{
	struct json_object *user = json_get_object(reply, "user"),
			   *profile = json_get_object(user, "profile");

	slack_users_note(p, id, json_get_str(user, "name"));
	slack_users_note(p, id, json_get_str(profile, "real_name"));
	slack_users_note(p, id, json_get_str(profile, "display_name"));
}

static int ask(struct task *t, struct slack *sk, const char *id, struct error *err)
{
	struct slack_call call = {.method = "users.info", .total_ms = sk->limits->call_ms};
	struct slack_answer a;
	int rc;

	if (rate_limit_wait(t, &sk->methods, call.method, RATE_LIMIT_NOTIFICATION, err) < 0)
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
	struct slack_users *p = &sk->people;
	struct error err = {0};
	char id[32];

	while (p->next_fetch != p->queue.next && !sk->refused) {
		snprintf(id, sizeof(id), "%s", p->queue.rows[p->next_fetch].key);
		p->next_fetch = (p->next_fetch + 1) % SLACK_RECENT_MAX;
		if (ask(t, sk, id, &err) < 0)
			break;
	}
	p->task = NULL;
}

void slack_users_fetch(struct slack *sk, const char *id)
{
	struct slack_users *p = &sk->people;

	if (strlen(id) >= 32 || sk->stopping || slack_recent_map_get(&p->requested, id) ||
	    slack_users_name(p, id))
		return;
	slack_recent_map_note(&p->requested, id, "");
	slack_recent_map_note(&p->queue, id, "");
	if (!p->task)
		p->task = task_start(&sk->tasks, "slack.users", ask_all, sk);
}

void slack_users_clear(struct slack_users *p)
{
	slack_recent_map_clear(&p->names);
	slack_recent_map_clear(&p->requested);
	slack_recent_map_clear(&p->queue);
}
