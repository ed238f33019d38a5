#include "channels/slack/socket.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/slack/account.h"
#include "channels/slack/api.h"
#include "channels/slack/sync_state.h"
#include "channels/slack/slack_internal.h"
#include "channels/slack/slack.h"
#include "net/websocket/websocket.h"

/* Slack closes a socket at an age counted in seconds: replace it before. */
#define EARLY_MS 60000

struct slack_socket *slack_socket_in_use(struct slack *sk)
{
	list_each(&sk->sockets, it, tmp) {
		struct slack_socket *l = list_entry(it, struct slack_socket, link);

		if (!l->retired)
			return l;
	}
	return NULL;
}

static void wake_keeper(struct slack *sk)
{
	if (sk->keeper)
		task_wake(sk->keeper);
}

static void on_end(struct clock_timer *timer, void *arg)
{
	struct slack_socket *l = arg;

	(void)timer;
	task_cancel(l->task);
}

static void retire(struct slack_socket *l, uint64_t after_ms)
{
	l->retired = true;
	clock_timer_start(&l->timer, after_ms, on_end, l);
}

static void on_old(struct clock_timer *timer, void *arg)
{
	struct slack_socket *l = arg;

	(void)timer;
	if (l->retired)
		return;
	l->sk->refresh = true;
	wake_keeper(l->sk);
}

void slack_socket_disconnect(struct slack_socket *l, const char *reason)
{
	struct slack *sk = l->sk;

	log_info(sk->self.channel, "Slack ends a connection: reason=\"%.40s\"", reason);
	if (strcmp(reason, "link_disabled") == 0) {
		slack_stopped(sk,
		    "Socket Mode was switched off for the app: switch it on under \"Socket Mode\" and "
		    "restart");
	} else if (strcmp(reason, "too_many_websockets") == 0) {
		sk->retry_delay_ms = sk->limits->crowded_ms;
		log_warn(sk->self.channel, "too many programs are connected as this app: stop the others");
	} else if (!l->retired) {
		sk->refresh = true;
		wake_keeper(sk);
	}
}

/* Sets when to open the next socket after one ended by itself: the first at once, others with growing
 * waits. */
static void socket_lost(struct slack_socket *l, const struct error *why)
{
	struct slack *sk = l->sk;
	uint64_t wait_ms;

	if (clock_now() - l->since_ms >= sk->limits->stable_ms)
		backoff_reset(&sk->retry);
	bool first = sk->retry.tries == 0;
	/* Slack was reachable a moment ago: try again within seconds. */
	wait_ms = backoff_after(&sk->retry, &(struct error){.unanswered = true});
	if (!first && wait_ms > sk->retry_delay_ms)
		sk->retry_delay_ms = wait_ms;
	channel_set_status(
	    sk->ch, CHANNEL_DEGRADED, "the connection was lost, connecting again: %.100s", why->text);
}

static void read_socket(struct task *t, void *arg)
{
	struct slack_socket *l = arg;
	struct slack *sk = l->sk;
	struct websocket *ws = l->ws;
	struct buf message = BUF_INIT;
	struct error err = {0};
	int rc;

	while ((rc = websocket_receive(t, ws, &message, UINT64_MAX, &err)) >= 0)
		if (rc > 0 && slack_receive(t, l, &message, &err) < 0)
			break;
	buf_clear(&message);
	if (!l->retired && !sk->stopping && !sk->refused)
		socket_lost(l, &err);
	clock_timer_stop(&l->timer);
	list_remove(&l->link);
	free(l);
	wake_keeper(sk);
	websocket_close(t, ws, 1000, NULL);
}

/* How long the connection may be used; hello says how long Slack will keep it. */
static uint64_t age_of(const struct slack *sk, struct json_object *hello)
{
	int64_t s = json_get_int(json_get_object(hello, "debug_info"), "approximate_connection_time", 0);
	uint64_t ms = s > 0 && s < 7 * 24 * 3600 ? (uint64_t)s * 1000 : 0;

	if (ms == 0 || ms > sk->limits->age_ms)
		return sk->limits->age_ms;
	return ms > 2 * EARLY_MS ? ms - EARLY_MS : ms / 2;
}

void slack_socket_ready(struct slack *sk)
{
	if (sk->sync.missing_scope[0] == '\0')
		channel_set_status(sk->ch, CHANNEL_READY, "connected as @%s to %s", sk->self.name, sk->host);
	else
		channel_set_status(sk->ch, CHANNEL_READY,
		    "connected as @%s to %s; without the scope %s what it misses stays missed", sk->self.name,
		    sk->host, sk->sync.missing_scope);
}

/* Replaces the previous socket. */
static void socket_begin(struct slack *sk, struct websocket *ws, struct json_object *hello)
{
	const char *app = json_get_str(json_get_object(hello, "connection_info"), "app_id");
	struct slack_socket *old = slack_socket_in_use(sk), *l = xcalloc(1, sizeof(*l));

	if (app)
		str_copy(sk->self.app, sizeof(sk->self.app), app);
	if (old)
		retire(old, sk->limits->retire_ms);
	*l = (struct slack_socket){.sk = sk, .ws = ws, .since_ms = clock_now()};
	list_append(&sk->sockets, &l->link);
	sk->refresh = false;
	sk->retry_delay_ms = 0;
	clock_timer_start(&l->timer, age_of(sk, hello), on_old, l);
	l->task = task_start(&sk->tasks, "slack.socket", read_socket, l);
	slack_socket_ready(sk);
	slack_sync_state_hello(sk, !old);
}

/* Returns the URL of the next connection, malloc'd. It contains a ticket for one connection. */
static char *ask_url(struct task *t, struct slack *sk, struct slack_outcome *o)
{
	struct slack_call call = {
	    .method = "apps.connections.open", .total_ms = sk->limits->call_ms, .app_token = true};
	struct slack_answer a;
	char *url = NULL;

	slack_api_call(t, sk, &call, &a, NULL);
	*o = a.outcome;
	if (o->class <= SLACK_ALREADY_DONE && !(url = xstrdup(json_get_str(a.reply, "url")))) {
		o->class = SLACK_SERVER_ERROR;
		error_set(&o->why, ERROR_NETWORK, "apps.connections.open at %s gave no URL", sk->host);
	}
	slack_api_clear(&a);
	return url;
}

/* Handles a message other than hello. */
static int no_hello(struct slack *sk, struct json_object *first, struct error *err)
{
	struct slack_socket nobody = {.sk = sk, .retired = true};
	const char *type = json_get_str(first, "type"), *reason = json_get_str(first, "reason");

	if (type && reason && strcmp(type, "disconnect") == 0)
		slack_socket_disconnect(&nobody, reason);
	return error_set(err, ERROR_NETWORK, "Slack ended a connection before it began (%.40s)",
	    reason ? reason : "no hello");
}

static int wait_hello(
    struct task *t, struct slack *sk, struct websocket *ws, struct json_object **hello, struct error *err)
{
	struct buf message = BUF_INIT;
	int rc = websocket_receive(t, ws, &message, sk->limits->hello_ms, err);
	const char *type;

	if (rc == 0)
		rc = error_set(
		    err, ERROR_NETWORK, "Slack sent no hello for %" PRIu64 " s", sk->limits->hello_ms / 1000);
	if (rc > 0) {
		*hello = json_parse_foreign(message.data, message.len, NULL);
		type = json_get_str(*hello, "type");
		rc = type && strcmp(type, "hello") == 0 ? 0 : no_hello(sk, *hello, err);
	}
	buf_clear(&message);
	return rc;
}

static int connect_to(struct task *t, struct slack *sk, const char *url, struct error *err)
{
	struct websocket_options options = {
	    .url = url,
	    .label = "Socket Mode",
	    .message_max = sk->limits->message_max,
	    .connect_ms = sk->limits->connect_ms,
	    .ping_ms = sk->limits->ping_ms,
	};
	struct json_object *hello = NULL;
	struct websocket *ws = websocket_open(t, &options, err);
	int rc;

	if (!ws)
		return -1;
	rc = wait_hello(t, sk, ws, &hello, err);
	if (rc == 0)
		socket_begin(sk, ws, hello);
	else
		websocket_abort(ws);
	json_object_put(hello);
	return rc;
}

/* Decides what to do after a failed connect. Returns -1 to stop. */
static int open_failed(struct task *t, struct slack *sk, const struct slack_outcome *o, struct error *err)
{
	uint64_t wait_ms = backoff_after(&sk->retry, &o->why);

	*err = o->why;
	if (o->why.kind == ERROR_CANCELLED || sk->refused)
		return -1;
	if (o->class == SLACK_NO_SCOPE) {
		slack_refused(sk, "app_token", &o->why);
		return -1;
	}
	if (o->class == SLACK_RATE_LIMITED)
		wait_ms = o->retry_ms;
	if (sk->retry_delay_ms > wait_ms)
		wait_ms = sk->retry_delay_ms;
	sk->retry_delay_ms = 0;
	if (!slack_socket_in_use(sk))
		channel_set_status(sk->ch, CHANNEL_DEGRADED, "%.120s; trying again", o->why.text);
	else
		log_warn(sk->self.channel, "a connection cannot be replaced yet: %s", o->why.text);
	return task_sleep(t, wait_ms, err);
}

static int open_socket(struct task *t, struct slack *sk, struct error *err)
{
	struct slack_outcome o;
	char *url = ask_url(t, sk, &o);
	int rc = -1;

	if (url) {
		rc = connect_to(t, sk, url, &o.why);
		o.class = SLACK_SERVER_ERROR;
		if (rc < 0 && o.why.kind == ERROR_LIMITED) {
			o.class = SLACK_RATE_LIMITED;
			o.retry_ms = o.why.retry_ms;
		}
		free(url);
	}
	return rc == 0 ? 0 : open_failed(t, sk, &o, err);
}

static int keep(struct task *t, struct slack *sk, struct error *err)
{
	struct slack_socket *used = slack_socket_in_use(sk);

	/* A third one waits until the one before, which is first in the list, has ended. */
	if (used && (!sk->refresh || list_first(&sk->sockets) != &used->link))
		return task_wait(t, err);
	if (sk->retry_delay_ms > 0 && !used) {
		uint64_t ms = sk->retry_delay_ms;

		sk->retry_delay_ms = 0;
		if (task_sleep(t, ms, err) < 0)
			return -1;
	}
	return open_socket(t, sk, err);
}

static void keeper(struct task *t, void *arg)
{
	struct slack *sk = arg;
	struct error err = {0};

	if (slack_account_load(t, sk, &err) == 0) {
		slack_sync_state_start(sk);
		while (!sk->refused && keep(t, sk, &err) == 0)
			;
	}
	sk->keeper = NULL;
}

void slack_socket_start(struct slack *sk)
{
	list_init(&sk->sockets);
	sk->retry = (struct backoff){.base_ms = sk->limits->retry_ms, .max_ms = sk->limits->retry_max_ms};
	sk->keeper = task_start(&sk->tasks, "slack.connect", keeper, sk);
}

void slack_socket_stop_all(struct slack *sk)
{
	list_each(&sk->sockets, it, tmp) {
		struct slack_socket *l = list_entry(it, struct slack_socket, link);

		clock_timer_stop(&l->timer);
		if (l->task != task_current())
			task_cancel(l->task);
	}
	if (sk->keeper && sk->keeper != task_current())
		task_cancel(sk->keeper);
}
