#include "channels/slack/account.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/format.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "bus/journal.h"
#include "channels/slack/api.h"
#include "channels/slack/sync_state.h"
#include "channels/slack/slack_internal.h"

/* The cursor with the threads in which the bot wrote. */
#define CURSOR "threads"

static int read_self(struct slack *sk, struct json_object *reply, struct error *err)
{
	struct slack_self *self = &sk->self;
	const char *team = json_get_str(reply, "team_id"), *user = json_get_str(reply, "user_id");
	const char *bot = json_get_str(reply, "bot_id"), *name = json_get_str(reply, "user");

	if (!team || !user || str_copy(self->team, sizeof(self->team), team) < 0 ||
	    str_copy(self->user, sizeof(self->user), user) < 0)
		return error_set(err, ERROR_NETWORK, "auth.test at %s did not say who the bot is", sk->host);
	str_copy(self->bot, sizeof(self->bot), bot ? bot : "");
	str_copy(self->name, sizeof(self->name), name ? name : user);
	snprintf(self->account, sizeof(self->account), "slack:%s:%s", self->team, self->user);
	slack_users_note(&sk->people, self->user, self->name);
	log_info(self->channel, "bot=%s name=@%s team=%s", self->user, self->name, self->team);
	return 0;
}

static int ask_self(struct task *t, struct slack *sk, struct slack_outcome *o)
{
	struct slack_call call = {.method = "auth.test", .total_ms = sk->limits->call_ms};
	struct slack_answer a;
	int rc = slack_api_call(t, sk, &call, &a, NULL);

	*o = a.outcome;
	if (rc == 0 && (rc = read_self(sk, a.reply, &o->why)) < 0)
		o->class = SLACK_SERVER_ERROR;
	slack_api_clear(&a);
	return rc;
}

static int read_threads(struct task *t, struct slack *sk, struct slack_outcome *o)
{
	char *value = NULL;

	*o = (struct slack_outcome){.class = SLACK_SERVER_ERROR};
	if (channel_read_cursor(t, sk->ch, sk->self.account, CURSOR, &value, &o->why) < 0)
		return -1;
	if (value)
		slack_recent_map_read(&sk->threads, value);
	free(value);
	return 0;
}

int slack_account_load(struct task *t, struct slack *sk, struct error *err)
{
	static int (*const steps[])(struct task *, struct slack *, struct slack_outcome *) = {
	    ask_self,
	    read_threads,
	    slack_sync_state_read,
	};
	struct slack_outcome o;

	for (size_t i = 0; i < ARRAY_LEN(steps);) {
		if (steps[i](t, sk, &o) == 0) {
			backoff_reset(&sk->retry);
			i++;
			continue;
		}
		*err = o.why;
		if (o.why.kind == ERROR_CANCELLED || sk->refused)
			return -1;
		channel_set_status(sk->ch, CHANNEL_DEGRADED, "%.120s; trying again", o.why.text);
		if (task_sleep(t,
			o.class == SLACK_RATE_LIMITED ? o.retry_ms : backoff_after(&sk->retry, &o.why),
			err) < 0)
			return -1;
	}
	return 0;
}

static void keep_threads(struct task *t, void *arg)
{
	struct slack *sk = arg;
	struct journal_cursor cursor = {.account = sk->self.account, .name = CURSOR};
	struct error err = {0};

	while (sk->threads_changed && task_check(t, NULL) == 0) {
		struct buf keys = BUF_INIT;

		sk->threads_changed = false;
		slack_recent_map_write(&sk->threads, &keys);
		cursor.value = keys.data;
		if (channel_received(t, sk->ch, NULL, 0, &cursor, &err) < 0)
			log_warn(
			    sk->self.channel, "a thread may be forgotten at the next start: %s", err.text);
		buf_clear(&keys);
	}
	sk->threads_keeper = NULL;
}

void slack_account_note_thread(struct slack *sk, const char *chat, const char *thread)
{
	char key[ADDRESS_TEXT_MAX];

	str_format(key, sizeof(key), "%s:%s", chat, thread);
	if (*thread == '\0' || slack_recent_map_get(&sk->threads, key))
		return;
	slack_recent_map_note(&sk->threads, key, "");
	sk->threads_changed = true;
	if (!sk->threads_keeper && !sk->stopping)
		sk->threads_keeper = task_start(&sk->tasks, "slack.threads", keep_threads, sk);
}
