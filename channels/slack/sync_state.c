#include "channels/slack/sync_state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "bus/channel.h"
#include "bus/journal.h"
#include "channels/slack/slack_internal.h"
#include "channels/slack/socket.h"
#include "channels/slack/outcome.h"
#include "net/websocket/websocket.h"

#define CURSOR "heard"
/* It is stored this often, also when nothing is said. */
#define SAVE_MS 30000

/* The gap starts at the last frame of the old socket, or where an earlier backfill stopped. */
static void note_gap(struct slack *sk)
{
	struct slack_sync_state *h = &sk->heard;

	if (sk->settings->backfill_ms == 0 || h->live_ms == 0)
		return;
	if (h->since_ms == 0)
		h->since_ms = h->live_ms;
	h->wanted = true;
	slack_backfill_start(sk);
}

/* What Slack pushed into the lost socket comes again, but hardly within seconds. */
static void note_recent(struct slack *sk)
{
	struct slack_sync_state *h = &sk->heard;

	if (sk->settings->backfill_ms == 0 || clock_now() < h->limited_until)
		return;
	if (h->recent_ms == 0)
		h->recent_ms = h->live_ms;
	slack_backfill_start(sk);
}

static void move_back(int64_t *at_ms, int64_t by_ms)
{
	if (*at_ms != 0)
		*at_ms -= by_ms;
}

/* A position of before the wall clock was set back would be in the future, and hide what comes until then. */
static void follow_clock(struct slack *sk)
{
	struct slack_sync_state *h = &sk->heard;
	int64_t set_ms = clock_wall() - (int64_t)clock_now();

	if (set_ms < h->set_ms && h->check_ms != 0) {
		move_back(&h->live_ms, h->set_ms - set_ms);
		move_back(&h->since_ms, h->set_ms - set_ms);
		move_back(&h->recent_ms, h->set_ms - set_ms);
		move_back(&h->check_ms, h->set_ms - set_ms);
	}
	h->set_ms = set_ms;
}

/* A frame that came since the last look says that the socket lived at the last look. The clock is no witness
 * of that: it goes on while the machine sleeps. */
static void look(struct slack *sk)
{
	struct slack_sync_state *h = &sk->heard;
	struct slack_socket *l = slack_socket_in_use(sk);
	uint64_t frame_ms = l ? websocket_last_received_ms(l->ws) : 0;
	int64_t now_ms = clock_wall();
	bool slept;

	follow_clock(sk);
	slept = h->check_ms != 0 && now_ms - h->check_ms > (int64_t)sk->limits->redelivered_ms;
	if (slept)
		note_gap(sk);
	if (l && (slept || frame_ms != h->frame_ms) && h->check_ms > h->live_ms)
		h->live_ms = h->check_ms;
	h->frame_ms = frame_ms;
	h->check_ms = now_ms;
}

static void save(struct task *t, struct slack *sk)
{
	struct slack_sync_state *h = &sk->heard;
	int64_t value_ms = h->since_ms != 0 ? h->since_ms : h->live_ms;
	struct error err = {0};
	char value[24];

	if (value_ms == h->saved_ms || clock_now() < h->save_due)
		return;
	snprintf(value, sizeof(value), "%" PRId64, value_ms);
	struct journal_cursor cursor = {.account = sk->self.account, .name = CURSOR, .value = value};
	if (channel_received(t, sk->ch, NULL, 0, &cursor, &err) == 0)
		h->saved_ms = value_ms;
	else
		log_warn(sk->self.channel, "cannot store the sync position, so a restart fetches more: %s",
		    err.text);
	h->save_due = clock_now() + SAVE_MS;
}

static void sync_task(struct task *t, void *arg)
{
	struct slack *sk = arg;

	while (!sk->refused && task_wait_until(t, clock_now() + sk->limits->check_ms, NULL) >= 0) {
		look(sk);
		save(t, sk);
	}
	sk->heard.keeper = NULL;
}

int slack_sync_state_read(struct task *t, struct slack *sk, struct slack_outcome *o)
{
	char *value = NULL;

	*o = (struct slack_outcome){.class = SLACK_SERVER_ERROR};
	if (channel_read_cursor(t, sk->ch, sk->self.account, CURSOR, &value, &o->why) < 0)
		return -1;
	if (value)
		sk->heard.live_ms = sk->heard.saved_ms = strtoll(value, NULL, 10);
	/* The clock was set back since. */
	if (sk->heard.live_ms > clock_wall())
		sk->heard.live_ms = clock_wall() - sk->settings->backfill_ms;
	free(value);
	return 0;
}

void slack_sync_state_start(struct slack *sk)
{
	sk->heard.keeper = task_start(&sk->tasks, "slack.sync", sync_task, sk);
}

void slack_sync_state_hello(struct slack *sk, bool lost)
{
	struct slack_sync_state *h = &sk->heard;
	int64_t now_ms = clock_wall();

	follow_clock(sk);
	if (!h->begun || now_ms - h->live_ms > (int64_t)sk->limits->redelivered_ms)
		note_gap(sk);
	else if (lost)
		note_recent(sk);
	if (h->live_ms == 0 || h->since_ms != 0)
		h->live_ms = now_ms;
	h->begun = true;
	if (h->keeper)
		task_wake(h->keeper);
}

void slack_sync_state_backfilled(struct slack *sk)
{
	sk->heard.since_ms = 0;
	sk->heard.save_due = 0;
	if (sk->heard.keeper)
		task_wake(sk->heard.keeper);
}
