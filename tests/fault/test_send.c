#include "tests/fault/points.h"

#include <string.h>

#include "base/mem.h"
#include "tests/lib/sample.h"

#define METHOD "sendMessage"

static struct points points;

/* What is cut, and how. */
struct sweep {
	enum outbound_kind kind;
	size_t parts, part; /* of the text; which one is cut, from 0 */
	enum proxy_side side;
	bool reset, reused;
	size_t step;        /* between two points, in bytes */
	size_t most;        /* bytes; 0: to the end */
	unsigned times;     /* 2: its repeat is cut too */
	const char *prefix; /* of the text; NULL: "" */
};

static const char *words(const struct sweep *s)
{
	static char text[80];

	snprintf(text, sizeof(text), "part %zu of %zu, %s in the %s on %s connection", s->part + 1, s->parts,
	    s->reset ? "RST" : "FIN", s->side == PROXY_REQUEST ? "request" : "answer",
	    s->reused ? "a used" : "a new");
	return text;
}

/* The first request of the next point takes a connection that was used before, or a new one. */
static void prepare(struct task *t, struct rig *r, const struct sweep *s)
{
	proxy_drop_idle(r->proxy, false);
	if (s->reused)
		points_send(t, r, &points, OUTBOUND_REPLY, 1, "", "nothing, before %s", words(s));
}

/* One point at each byte or at every few, until the exchange ends before the byte is reached. */
static void sweep(struct task *t, struct rig *r, const struct sweep *s)
{
	static size_t sweeps;
	const char *prefix = s->prefix ? s->prefix : "";
	size_t step = s->most > 0 ? s->step : sample_step(s->step, PROXY_SAMPLE),
	       at = s->step * sweeps++ % step, reached = 0, struck;

	do {
		struct proxy_fault cut = {.method = METHOD,
		    .side = s->side,
		    .at = at,
		    .reset = s->reset,
		    .skip = (unsigned)s->part,
		    .times = s->times};

		prepare(t, r, s);
		proxy_add(r->proxy, &cut);
		struck = proxy_struck(r->proxy);
		points_send(t, r, &points, s->kind, s->parts, prefix, "%s after %zu bytes", words(s), at);
		proxy_forget_faults(r->proxy);
		reached = proxy_struck(r->proxy) > struck ? at : reached;
		at += step;
	} while (proxy_struck(r->proxy) > struck && (s->most == 0 || at < s->most));
	/* Even the shortest request or answer has more. */
	assert_true(s->most != 0 || reached > 200);
}

/* RST and FIN, in the request and in the answer. */
static void sweep_all(struct task *t, struct rig *r, struct sweep s)
{
	for (unsigned i = 0; i < 4; i++) {
		s.side = i < 2 ? PROXY_REQUEST : PROXY_ANSWER;
		s.reset = i % 2 != 0;
		sweep(t, r, &s);
	}
}

/* On a used connection curl would send again by itself as long as nothing of an answer has come. */
static void sweep_used(struct task *t, struct rig *r, enum outbound_kind kind, size_t step)
{
	for (unsigned i = 0; i < 4; i++) {
		sweep(t, r,
		    &(struct sweep){.kind = kind,
			.parts = 1,
			.side = i < 2 ? PROXY_REQUEST : PROXY_ANSWER,
			.reset = i % 2 != 0,
			.reused = true,
			.step = i < 2 ? step : 1,
			.most = i < 2 ? 0 : 8});
	}
}

static void replies(struct task *t, struct rig *r)
{
	rig_meet(t, r);
	sweep_all(t, r, (struct sweep){.kind = OUTBOUND_REPLY, .parts = 1, .step = 1});
	sweep_used(t, r, OUTBOUND_REPLY, 5);
	points_judge(r, &points, "replies");
}

static void a_reply_cut_at_any_byte_is_sent_once_more_and_marked(void **state)
{
	(void)state;
	rig_run(RIG_MEMORY, replies);
	points_expect_none_wrong();
}

static void replies_twice(struct task *t, struct rig *r)
{
	rig_meet(t, r);
	sweep_all(t, r, (struct sweep){.kind = OUTBOUND_REPLY, .parts = 1, .step = 7, .times = 2});
	points_judge(r, &points, "replies cut twice");
}

static void a_reply_whose_repeat_is_cut_too_is_held(void **state)
{
	(void)state;
	rig_run(RIG_MEMORY, replies_twice);
	points_expect_none_wrong();
}

static void notifications(struct task *t, struct rig *r)
{
	rig_meet(t, r);
	sweep_all(t, r, (struct sweep){.kind = OUTBOUND_NOTIFICATION, .parts = 1, .step = 1});
	sweep_used(t, r, OUTBOUND_NOTIFICATION, 1);
	points_judge(r, &points, "notifications");
}

static void a_notification_cut_at_any_byte_is_held(void **state)
{
	(void)state;
	rig_run(RIG_MEMORY, notifications);
	points_expect_none_wrong();
}

static void parts(struct task *t, struct rig *r)
{
	rig_meet(t, r);
	sweep_all(t, r, (struct sweep){.kind = OUTBOUND_REPLY, .parts = 2, .part = 1, .step = 1});
	for (size_t part = 0; part < 3; part++)
		sweep_all(t, r, (struct sweep){.kind = OUTBOUND_REPLY, .parts = 3, .part = part, .step = 5});
	points_judge(r, &points, "replies of several parts");
}

static void each_part_of_a_reply_waits_until_the_one_before_is_known(void **state)
{
	(void)state;
	rig_run(RIG_MEMORY, parts);
	points_expect_none_wrong();
}

static void notified_parts(struct task *t, struct rig *r)
{
	rig_meet(t, r);
	for (size_t part = 0; part < 3; part++)
		sweep_all(
		    t, r, (struct sweep){.kind = OUTBOUND_NOTIFICATION, .parts = 3, .part = part, .step = 3});
	points_judge(r, &points, "notifications of three parts");
}

static void no_part_of_a_notification_follows_one_in_doubt(void **state)
{
	(void)state;
	rig_run(RIG_MEMORY, notified_parts);
	points_expect_none_wrong();
}

static void long_texts(struct task *t, struct rig *r)
{
	static char words[4001];

	memset(words, 'w', sizeof(words) - 1);
	rig_meet(t, r);
	sweep_all(
	    t, r, (struct sweep){.kind = OUTBOUND_REPLY, .parts = 2, .part = 1, .step = 61, .prefix = words});
	sweep_all(
	    t, r, (struct sweep){.kind = OUTBOUND_NOTIFICATION, .parts = 1, .step = 61, .prefix = words});
	points_judge(r, &points, "long texts");
}

static void a_long_text_is_no_exception(void **state)
{
	(void)state;
	rig_run(RIG_MEMORY, long_texts);
	points_expect_none_wrong();
}

static void on_disk(struct task *t, struct rig *r)
{
	rig_meet(t, r);
	sweep_all(t, r, (struct sweep){.kind = OUTBOUND_REPLY, .parts = 2, .part = 1, .step = 19});
	sweep_all(
	    t, r, (struct sweep){.kind = OUTBOUND_NOTIFICATION, .parts = 1, .step = 19, .reused = true});
	points_judge(r, &points, "with the database");
}

static void the_database_keeps_the_same_account(void **state)
{
	(void)state;
	rig_run(RIG_SQLITE, on_disk);
	points_expect_none_wrong();
}

/* The next connection is closed before the proxy has read anything. */
static void close_at_once(struct task *t, struct rig *r, enum outbound_kind kind, bool reset)
{
	proxy_drop_idle(r->proxy, false);
	proxy_close_next(r->proxy, 1, reset);
	points_send(t, r, &points, kind, 1, "", "%s as soon as it is accepted", reset ? "RST" : "FIN");
	/* What the closed connection was given, nobody has read. */
	points_last(&points)->unseen = true;
}

static void accept_again(struct clock_timer *timer, void *arg)
{
	(void)timer;
	proxy_listen(arg, true);
}

static void refuse(struct task *t, struct rig *r, enum outbound_kind kind)
{
	struct clock_timer timer = {0};

	proxy_drop_idle(r->proxy, false);
	proxy_listen(r->proxy, false);
	clock_timer_start(&timer, 200, accept_again, r->proxy);
	points_send(t, r, &points, kind, 1, "", "connections were refused");
	assert_int_equal(points_last(&points)->part[0].state, OUTBOUND_SENT);
	assert_false(points_last(&points)->part[0].repeat);
}

static void no_connection(struct task *t, struct rig *r)
{
	rig_meet(t, r);
	for (unsigned i = 0; i < 40; i++)
		close_at_once(t, r, i & 1 ? OUTBOUND_REPLY : OUTBOUND_NOTIFICATION, i & 2);
	refuse(t, r, OUTBOUND_REPLY);
	refuse(t, r, OUTBOUND_NOTIFICATION);
	points_judge(r, &points, "no connection");
}

static void what_cannot_have_left_is_sent_later_without_a_mark(void **state)
{
	(void)state;
	rig_run(RIG_MEMORY, no_connection);
	points_expect_none_wrong();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_long_text_is_no_exception),
	    cmocka_unit_test(a_notification_cut_at_any_byte_is_held),
	    cmocka_unit_test(a_reply_cut_at_any_byte_is_sent_once_more_and_marked),
	    cmocka_unit_test(a_reply_whose_repeat_is_cut_too_is_held),
	    cmocka_unit_test(each_part_of_a_reply_waits_until_the_one_before_is_known),
	    cmocka_unit_test(no_part_of_a_notification_follows_one_in_doubt),
	    cmocka_unit_test(the_database_keeps_the_same_account),
	    cmocka_unit_test(what_cannot_have_left_is_sent_later_without_a_mark),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
