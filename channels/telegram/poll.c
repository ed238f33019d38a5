#include "channels/telegram/telegram_internal.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/telegram/api.h"
#include "channels/telegram/commands.h"
#include "channels/telegram/receive.h"
#include "channels/telegram/update.h"

/* Sent with every poll: left out, an earlier setting would stay in force. */
static const char *const allowed_updates[] = {
    "message",
    "edited_message",
    "callback_query",
    "message_reaction",
    "my_chat_member",
    "stopped_message_generation",
};
/* Unreadable answers in a row after which the poller asks for updates one by one. */
#define UNREADABLE_BATCHES 2
/* Unreadable answers in a row after which it skips the one update. */
#define UNREADABLE_UPDATES 4
/* Number of polls for single updates after that. */
#define SINGLE_UPDATE_POLLS 100
/* Conflicts in a row after which the poller looks for a webhook. */
#define CONFLICTS_PER_WEBHOOK 3

static struct json_object *poll_params(const struct telegram *tg, size_t limit, int64_t timeout_s)
{
	struct json_object *params = json_object_new_object(), *kinds = json_object_new_array();

	for (size_t i = 0; i < ARRAY_LEN(allowed_updates); i++)
		json_object_array_add(kinds, json_object_new_string(allowed_updates[i]));
	if (tg->offset > 0)
		json_set_int(params, "offset", tg->offset);
	json_set_int(params, "limit", (int64_t)limit);
	json_set_int(params, "timeout", timeout_s);
	json_set(params, "allowed_updates", kinds);
	return params;
}

static void on_watchdog(struct clock_timer *timer, void *arg)
{
	struct telegram *tg = arg;

	(void)timer;
	if (!tg->poller)
		return;
	channel_set_status(tg->ch, CHANNEL_DEGRADED,
	    "no poll has ended for %" PRIu64 " s; starting over with a new connection",
	    tg->limits->watchdog_ms / 1000);
	tg->stale = true;
	task_cancel(tg->poller);
}

static int get_updates(struct task *t, struct telegram *tg, struct telegram_answer *a)
{
	/* After a failure a poll does not wait: whether the channel receives again is known at once. */
	int64_t timeout_s = tg->ch->status == CHANNEL_READY ? tg->settings->poll_timeout_ms / 1000 : 0;
	struct telegram_call call = {
	    .method = "getUpdates",
	    .params = poll_params(tg, tg->single_update_polls != 0 ? 1 : tg->limits->batch, timeout_s),
	    .total_ms = (uint64_t)timeout_s * 1000 + tg->limits->poll_grace_ms,
	    .answer_max = tg->limits->batch_max,
	    .fresh = tg->fresh,
	    .warm = timeout_s > 0 && !tg->fresh,
	};
	int rc;

	tg->confirmed_offset = tg->offset;
	tg->polled_ms = clock_now();
	tg->poll_s = timeout_s;
	clock_timer_start(&tg->watchdog, tg->limits->watchdog_ms, on_watchdog, tg);
	rc = telegram_api_call(t, tg, &call, a, NULL);
	clock_timer_stop(&tg->watchdog);
	if (rc < 0 && !task_is_cancelled(t))
		tg->confirmed_offset = 0;
	return rc;
}

/* Another program polls, our own former poll has not ended yet, or a webhook is set. The server ends the
 * older of two polls, so that hurrying only moves the conflict to and fro. */
static int wait_conflict(
    struct task *t, struct telegram *tg, const struct telegram_outcome *o, struct error *err)
{
	const struct telegram_limits *limits = tg->limits;
	unsigned doublings = tg->conflicts < 16 ? tg->conflicts : 16;
	uint64_t ms = limits->conflict_ms << doublings;
	bool webhook = strcasestr(o->why.text, "webhook is active");

	tg->conflicts++;
	tg->fresh = true;
	channel_set_status(tg->ch, CHANNEL_DEGRADED,
	    webhook ? "a webhook was set for this bot; removing it" :
		      "another program polls with this token: stop one of the two");
	if (webhook || tg->conflicts % CONFLICTS_PER_WEBHOOK == 0) {
		if (telegram_account_drop_webhook(t, tg, err) < 0)
			log_warn(tg->self.channel, "the webhook was not removed: %s", err->text);
	}
	return task_sleep(t, ms < limits->conflict_max_ms ? ms : limits->conflict_max_ms, err);
}

/* Handles a batch that is too large or not JSON. One bad update must not hold up those after it. */
static int unreadable(struct task *t, struct telegram *tg, const struct telegram_answer *a, struct error *err)
{
	int64_t id = telegram_update_scan_id(a->body.data, a->body.len);

	tg->unreadable++;
	if (id == 0 || tg->unreadable < UNREADABLE_UPDATES) {
		if (id != 0 && tg->unreadable >= UNREADABLE_BATCHES)
			tg->single_update_polls = SINGLE_UPDATE_POLLS;
		return telegram_retry_wait(t, tg, &a->outcome, err);
	}
	tg->unreadable = 0;
	if (telegram_receive_skip(t, tg, id, err) < 0)
		return telegram_retry_wait_error(t, tg, err, err);
	backoff_reset(&tg->retry);
	return 0;
}

static void set_ready(struct telegram *tg)
{
	channel_set_status(tg->ch, CHANNEL_READY, "polling as @%s", tg->self.username);
}

/* A server, or a proxy before it, that ignores the timeout would be asked in a busy loop. */
static int wait_if_hurried(struct task *t, struct telegram *tg, bool empty, struct error *err)
{
	uint64_t took_ms = clock_now() - tg->polled_ms;

	/* After a failure one poll does not wait, and is no sign. */
	if (tg->poll_s == 0)
		return 0;
	if (!empty || took_ms >= (uint64_t)tg->poll_s * 1000 / 2) {
		backoff_reset(&tg->early_poll_backoff);
		return 0;
	}
	if (!tg->early_polls_logged)
		log_warn(tg->self.channel,
		    "getUpdates at %s ends without an update long before its timeout, so it is asked less "
		    "often: does a proxy or a Bot API server of your own ignore the timeout? ms=%" PRIu64
		    " timeout=%" PRId64 " s",
		    tg->host, took_ms, tg->poll_s);
	tg->early_polls_logged = true;
	return task_sleep(t, backoff_next(&tg->early_poll_backoff), err);
}

static int poll_succeeded(struct task *t, struct telegram *tg, struct json_object *updates, struct error *err)
{
	struct error why = {0};

	if (!json_object_is_type(updates, json_type_array))
		error_set(&why, ERROR_NETWORK, "getUpdates at %s gave no list of updates", tg->host);
	else if (telegram_receive_batch(t, tg, updates, &why) == 0) {
		backoff_reset(&tg->retry);
		tg->fresh = false;
		tg->conflicts = tg->unreadable = 0;
		if (tg->single_update_polls > 0)
			tg->single_update_polls--;
		set_ready(tg);
		return wait_if_hurried(t, tg, json_object_array_length(updates) == 0, err);
	}
	return telegram_retry_wait_error(t, tg, &why, err);
}

static int poll_failed(
    struct task *t, struct telegram *tg, const struct telegram_answer *a, struct error *err)
{
	if (a->unreadable) {
		/* Nesting without end, for example: the other updates must not wait for it. */
		struct json_object *updates = telegram_update_recover(a->body.data, a->body.len);
		int rc = updates ? poll_succeeded(t, tg, updates, err) : unreadable(t, tg, a, err);

		json_object_put(updates);
		return rc;
	}
	if (a->outcome.class == TELEGRAM_CONFLICT)
		return wait_conflict(t, tg, &a->outcome, err);
	return telegram_retry_wait(t, tg, &a->outcome, err);
}

/* Returns -1 when the poller has to end. */
static int poll_once(struct task *t, struct telegram *tg, struct error *err)
{
	struct telegram_answer a;
	int rc;

	if (get_updates(t, tg, &a) == 0)
		rc = poll_succeeded(t, tg, a.result, err);
	else
		rc = poll_failed(t, tg, &a, err);
	telegram_api_clear(&a);
	return rc;
}

static void poller(struct task *t, void *arg)
{
	struct telegram *tg = arg;
	struct error err = {0};

	if (telegram_account_load(t, tg, &err) == 0) {
		/* Ready before the first poll ends: it waits for updates, and deliveries wait for this
		 * status. */
		if (tg->ch->status == CHANNEL_STARTING)
			set_ready(tg);
		telegram_commands_start(tg);
		while (poll_once(t, tg, &err) == 0)
			;
	}
	tg->poller = NULL;
	if (tg->stale && !tg->stopping && !tg->refused) {
		tg->fresh = true;
		telegram_poll_start(tg);
	}
}

void telegram_poll_start(struct telegram *tg)
{
	tg->stale = false;
	tg->poller = task_start(&tg->tasks, "telegram.poll", poller, tg);
}

void telegram_poll_confirm(struct task *t, struct telegram *tg)
{
	struct telegram_call call = {
	    .method = "getUpdates", .total_ms = tg->limits->confirm_ms, .fresh = tg->fresh};
	struct telegram_answer a;
	struct error err;

	/* A poll with the same offset again would be held back by the server for three seconds, and confirm
	 * nothing more. */
	if (tg->refused || !tg->identified || tg->offset == 0 || tg->confirmed_offset == tg->offset)
		return;
	call.params = poll_params(tg, 1, 0);
	if (telegram_api_call(t, tg, &call, &a, &err) < 0)
		log_debug(tg->self.channel,
		    "handled updates were not confirmed at the stop, and will come again: %s", err.text);
	telegram_api_clear(&a);
}
