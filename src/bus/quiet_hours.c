#include "bus/quiet_hours.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/log.h"
#include "base/time/clock.h"
#include "bus/bus_internal.h"
#include "bus/outbox_sender.h"

#define DAY_MIN 1440
/* Interval between checks of held deliveries: the longest delay after quiet hours. */
#define CHECK_MS (30 * 1000)
/* The same where other nodes put deliveries, too. */
#define SHARED_CHECK_MS 1000

int quiet_hours_parse_time(const char **text)
{
	const char *t = *text;

	for (int i = 0; i < 5; i++)
		if (i == 2 ? t[i] != ':' : !isdigit((unsigned char)t[i]))
			return -1;
	int hours = (t[0] - '0') * 10 + t[1] - '0', minutes = (t[3] - '0') * 10 + t[4] - '0';
	*text += 5;
	return hours < 24 && minutes < 60 ? hours * 60 + minutes : -1;
}

int quiet_hours_parse(const char *text, struct quiet_hours *out, struct error *err)
{
	const char *at = text;

	*out = (struct quiet_hours){0};
	if (!text)
		return 0;
	int from = quiet_hours_parse_time(&at),
	    to = from >= 0 && *at++ == '-' ? quiet_hours_parse_time(&at) : -1;
	if (to < 0 || *at != '\0' || from == to)
		return error_set(err, ERROR_OURS,
		    "\"%.40s\" are no quiet hours: write them as \"22:00-07:00\", in local time", text);
	*out = (struct quiet_hours){from, to};
	return 0;
}

int64_t quiet_hours_until(const struct quiet_hours *q, int64_t now_ms)
{
	time_t seconds = (time_t)(now_ms / 1000);
	struct tm tm;

	if (q->from == q->to || !localtime_r(&seconds, &tm))
		return 0;
	int now = tm.tm_hour * 60 + tm.tm_min;
	int since = (now - q->from + DAY_MIN) % DAY_MIN, length = (q->to - q->from + DAY_MIN) % DAY_MIN;
	if (since >= length)
		return 0;
	/* By the calendar, so that a change of daylight saving time does not matter. */
	tm.tm_mday += q->to <= now;
	tm.tm_hour = q->to / 60;
	tm.tm_min = q->to % 60;
	tm.tm_sec = 0;
	tm.tm_isdst = -1;
	return (int64_t)mktime(&tm) * 1000;
}

void bus_set_quiet(struct bus *b, int64_t (*until)(void *arg, const struct address *to), void *arg)
{
	b->quiet_hours_until = until;
	b->quiet_arg = arg;
}

int64_t quiet_hours_ask(const struct bus *b, const struct address *to)
{
	return b->quiet_hours_until ? b->quiet_hours_until(b->quiet_arg, to) : 0;
}

int quiet_hours_wake_senders(struct task *t, struct bus *b, struct error *err)
{
	struct journal_queue *senders = NULL;
	int n = b->journal.ops->pending_queues(t, b->journal.self, &senders, err);

	for (int i = 0; i < n; i++) {
		const struct address to = outbox_sender_address(&senders[i]);
		if (bus_locate(t, b, &to, err) < 0) {
			n = -1;
			break;
		}
		/* The only row may be the one that a sender is reserved for; the next check finds any other.
		 */
		if (bus_serves(b, &to) && !(b->shared && outbox_sender_has_reservation(b, &senders[i])))
			outbox_sender_wake(b, &senders[i]);
	}
	free(senders);
	return n;
}

/* Waits until the next check is due, or bus_check_outbox. Returns -1 when cancelled. */
static int watch_wait(struct task *t, struct bus *b)
{
	uint64_t due = clock_now() + (b->shared ? SHARED_CHECK_MS : CHECK_MS);
	int rc = 0;

	while (!b->poll_now && rc == 0)
		rc = task_wait_until(t, due, NULL);
	b->poll_now = false;
	return rc < 0 ? -1 : 0;
}

static void watch_task(struct task *t, void *arg)
{
	struct bus *b = arg;
	struct error err = {0};
	int n = 1;

	while ((n != 0 || b->shared) && !b->stopping && watch_wait(t, b) == 0) {
		n = quiet_hours_wake_senders(t, b, &err);
		if (n < 0 && !task_is_cancelled(t))
			log_error("bus",
			    "cannot look after messages that wait for their time, trying again: %s",
			    err.text);
	}
	b->watch = NULL;
}

void quiet_hours_watch(struct bus *b)
{
	if (!b->watch && !b->stopping)
		b->watch = task_start(&b->tasks, "quiet", watch_task, b);
}
