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
/* How often the position is stored, also in silence. */
#define SAVE_MS 30000

/* The gap starts at the last frame of the old socket, or where an earlier backfill stopped. */
static void note_gap(struct slack *sk)
{
	struct slack_sync_state *s = &sk->sync;

	if (sk->settings->backfill_ms == 0 || s->live_ms == 0)
		return;
	if (s->since_ms == 0)
		s->since_ms = s->live_ms;
	s->backfill_pending = true;
	slack_backfill_start(sk);
}

/* Slack repeats what it sent into the lost socket, but not within seconds. */
static void note_recent(struct slack *sk)
{
	struct slack_sync_state *s = &sk->sync;

	if (sk->settings->backfill_ms == 0 || clock_now() < s->limited_until)
		return;
	if (s->recent_ms == 0)
		s->recent_ms = s->live_ms;
	slack_backfill_start(sk);
}

static void move_back(int64_t *at_ms, int64_t by_ms)
{
	if (*at_ms != 0)
		*at_ms -= by_ms;
}

/* A position from before the wall clock was set back would lie in the future, and hide what comes until
 * then. */
static void follow_clock(struct slack *sk)
{
	struct slack_sync_state *s = &sk->sync;
	int64_t clock_offset_ms = clock_wall() - (int64_t)clock_now();

	if (clock_offset_ms < s->clock_offset_ms && s->check_ms != 0) {
		move_back(&s->live_ms, s->clock_offset_ms - clock_offset_ms);
		move_back(&s->since_ms, s->clock_offset_ms - clock_offset_ms);
		move_back(&s->recent_ms, s->clock_offset_ms - clock_offset_ms);
		move_back(&s->check_ms, s->clock_offset_ms - clock_offset_ms);
	}
	s->clock_offset_ms = clock_offset_ms;
}

/* A frame that came since the last look says that the socket lived at the last look. The clock is no witness
 * of that: it goes on while the machine sleeps. */
static void look(struct slack *sk)
{
	struct slack_sync_state *s = &sk->sync;
	struct slack_socket *l = slack_socket_in_use(sk);
	uint64_t frame_ms = l ? websocket_last_received_ms(l->ws) : 0;
	int64_t now_ms = clock_wall();
	bool slept;

	follow_clock(sk);
	slept = s->check_ms != 0 && now_ms - s->check_ms > (int64_t)sk->limits->redelivered_ms;
	if (slept)
		note_gap(sk);
	if (l && (slept || frame_ms != s->frame_ms) && s->check_ms > s->live_ms)
		s->live_ms = s->check_ms;
	s->frame_ms = frame_ms;
	s->check_ms = now_ms;
}

static void save(struct task *t, struct slack *sk)
{
	struct slack_sync_state *s = &sk->sync;
	int64_t value_ms = s->since_ms != 0 ? s->since_ms : s->live_ms;
	struct error err = {0};
	char value[24];

	if (value_ms == s->saved_ms || clock_now() < s->save_due)
		return;
	snprintf(value, sizeof(value), "%" PRId64, value_ms);
	struct journal_cursor cursor = {.account = sk->self.account, .name = CURSOR, .value = value};
	if (channel_received(t, sk->ch, NULL, 0, &cursor, &err) == 0)
		s->saved_ms = value_ms;
	else
		log_warn(sk->self.channel, "cannot store the sync position, so a restart fetches more: %s",
		    err.text);
	s->save_due = clock_now() + SAVE_MS;
}

static void sync_task(struct task *t, void *arg)
{
	struct slack *sk = arg;

	while (!sk->refused && task_wait_until(t, clock_now() + sk->limits->check_ms, NULL) >= 0) {
		look(sk);
		save(t, sk);
	}
	sk->sync.keeper = NULL;
}

int slack_sync_state_read(struct task *t, struct slack *sk, struct slack_outcome *o)
{
	char *value = NULL;

	*o = (struct slack_outcome){.class = SLACK_SERVER_ERROR};
	if (channel_read_cursor(t, sk->ch, sk->self.account, CURSOR, &value, &o->why) < 0)
		return -1;
	if (value)
		sk->sync.live_ms = sk->sync.saved_ms = strtoll(value, NULL, 10);
	/* The clock was set back since. */
	if (sk->sync.live_ms > clock_wall())
		sk->sync.live_ms = clock_wall() - sk->settings->backfill_ms;
	free(value);
	return 0;
}

void slack_sync_state_start(struct slack *sk)
{
	sk->sync.keeper = task_start(&sk->tasks, "slack.sync", sync_task, sk);
}

void slack_sync_state_hello(struct slack *sk, bool lost)
{
	struct slack_sync_state *s = &sk->sync;
	int64_t now_ms = clock_wall();

	follow_clock(sk);
	if (!s->hello_received || now_ms - s->live_ms > (int64_t)sk->limits->redelivered_ms)
		note_gap(sk);
	else if (lost)
		note_recent(sk);
	if (s->live_ms == 0 || s->since_ms != 0)
		s->live_ms = now_ms;
	s->hello_received = true;
	if (s->keeper)
		task_wake(s->keeper);
}

void slack_sync_state_backfilled(struct slack *sk)
{
	sk->sync.since_ms = 0;
	sk->sync.save_due = 0;
	if (sk->sync.keeper)
		task_wake(sk->sync.keeper);
}
