#include "tests/fault/points.h"

#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "tests/lib/until.h"

/* Slow, silent and garbled connections, on each method that the adapter calls. */

#define HTML "<html>Please log in</html>"
/* What a call may take here; at work it is 15 s and more. */
#define CALL_MS 250

static const struct {
	const char *name;
	struct proxy_fault fault;
	bool heals; /* the call succeeds, unless the machine is slow too */
} kinds[] = {
    {"a pause in the request", {.side = PROXY_REQUEST, .kind = PROXY_DELAY, .at = 10, .ms = 30}, true},
    {"a pause in the answer", {.side = PROXY_ANSWER, .kind = PROXY_DELAY, .at = 60, .ms = 30}, true},
    {"a slow request", {.side = PROXY_REQUEST, .kind = PROXY_TRICKLE, .ms = 1, .piece = 40}, true},
    {"a slow answer", {.side = PROXY_ANSWER, .kind = PROXY_TRICKLE, .ms = 1, .piece = 40}, true},
    {"a request that is too slow", {.side = PROXY_REQUEST, .kind = PROXY_TRICKLE, .ms = 40, .piece = 8},
	false},
    {"an answer that is too slow", {.side = PROXY_ANSWER, .kind = PROXY_TRICKLE, .ms = 40, .piece = 8},
	false},
    {"silence in the request", {.side = PROXY_REQUEST, .kind = PROXY_STALL, .at = 50}, false},
    {"silence in the request's body", {.side = PROXY_REQUEST, .kind = PROXY_STALL, .at = 200}, false},
    {"silence instead of an answer", {.side = PROXY_ANSWER, .kind = PROXY_STALL}, false},
    {"silence in the answer's head", {.side = PROXY_ANSWER, .kind = PROXY_STALL, .at = 30}, false},
    {"silence in the answer's body", {.side = PROXY_ANSWER, .kind = PROXY_STALL, .at = 170}, false},
    {"another protocol", {.side = PROXY_ANSWER, .kind = PROXY_GARBAGE, .bytes = "\x16\x03\x01"}, false},
    {"a page before the answer", {.side = PROXY_ANSWER, .kind = PROXY_INSERT, .bytes = HTML}, false},
    {"a garbled head", {.side = PROXY_ANSWER, .kind = PROXY_GARBAGE, .at = 40, .bytes = "\x01\xff\n"}, false},
    {"a garbled body", {.side = PROXY_ANSWER, .kind = PROXY_GARBAGE, .at = 175, .bytes = "\x01\xff{"}, false},
};

static struct points points;

static void hurry(struct rig *r)
{
	r->limits.call_ms = r->limits.send_ms = r->limits.poll_grace_ms = CALL_MS;
	r->limits.confirm_ms = CALL_MS;
	r->settings.poll_timeout_ms = 1000;
}

static void add(struct rig *r, size_t kind, const char *method)
{
	struct proxy_fault fault = kinds[kind].fault;

	fault.method = method;
	proxy_add(r->proxy, &fault);
}

static void messages(struct task *t, struct rig *r)
{
	hurry(r);
	rig_meet(t, r);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		add(r, i, "sendMessage");
		points_send(t, r, &points, OUTBOUND_REPLY, 1, "", "%s", kinds[i].name);
		add(r, i, "sendMessage");
		points_send(t, r, &points, OUTBOUND_NOTIFICATION, 1, "", "%s", kinds[i].name);
		add(r, i, "sendMessage");
		points_send(t, r, &points, OUTBOUND_REPLY, 3, "", "%s", kinds[i].name);
	}
	assert_int_equal(proxy_struck(r->proxy), 3 * ARRAY_LEN(kinds));
	points_judge(r, &points, "slow and silent");
}

static void the_ledger_is_true_on_a_slow_and_silent_line(void **state)
{
	(void)state;
	rig_run(RIG_MEMORY, messages);
	points_expect_none_wrong();
}

static void garbled(struct task *t, struct rig *r)
{
	static const struct proxy_fault faults[] = {
	    {.method = "sendMessage", .side = PROXY_ANSWER, .kind = PROXY_GARBAGE, .bytes = "\x01\xff\x02"},
	    {.method = "sendMessage", .side = PROXY_ANSWER, .kind = PROXY_INSERT, .bytes = "\x01"},
	    {.method = "sendMessage", .side = PROXY_ANSWER, .kind = PROXY_INSERT, .bytes = "\r\n"},
	};

	hurry(r);
	rig_meet(t, r);
	for (size_t i = 0; i < 6; i++) {
		struct proxy_fault fault = faults[i / 2];
		size_t struck, missed = 0;

		/* The end of the answer is where it strikes no more; once, a machine that stood still may be
		 * the reason. */
		while (missed < 6) {
			struck = proxy_struck(r->proxy);
			proxy_add(r->proxy, &fault);
			points_send(t, r, &points, i & 1 ? OUTBOUND_REPLY : OUTBOUND_NOTIFICATION, 1, "",
			    "garbage %zu after %zu bytes", i / 2, fault.at);
			proxy_forget_faults(r->proxy);
			missed = proxy_struck(r->proxy) > struck ? 0 : missed + 1;
			fault.at += missed == 0 ? 3 : 0;
		}
		assert_true(fault.at > 200);
	}
	points_judge(r, &points, "garbage");
}

static void a_garbled_answer_is_never_taken_for_a_good_one(void **state)
{
	(void)state;
	rig_run(RIG_MEMORY, garbled);
	points_expect_none_wrong();
}

static void starts(struct task *t, struct rig *r)
{
	static const char *const methods[] = {"getMe", "deleteWebhook"};

	hurry(r);
	rig_meet(t, r);
	for (size_t i = 0; i < ARRAY_LEN(kinds) * ARRAY_LEN(methods); i++) {
		size_t struck = proxy_struck(r->proxy), heard = r->received_count;

		rig_stop(t, r);
		add(r, i / 2, methods[i % 2]);
		rig_start(r);
		rig_say(r, kinds[i / 2].name);
		rig_await(t, r, heard + 1);
		/* Too short an answer for the place. */
		proxy_forget_faults(r->proxy);
		assert_true(proxy_struck(r->proxy) > struck || kinds[i / 2].fault.at > 100);
	}
}

static void a_start_on_a_bad_line_comes_up_by_itself(void **state)
{
	(void)state;
	rig_run(RIG_MEMORY, starts);
}

static void polls(struct task *t, struct rig *r)
{
	struct buf said = BUF_INIT;

	hurry(r);
	rig_meet(t, r);
	buf_addstr(&said, "hello\n");
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		size_t struck = proxy_struck(r->proxy);

		add(r, i, "getUpdates");
		/* The second one comes by a poll that follows the broken one. */
		for (size_t k = 0; k < 2 || proxy_struck(r->proxy) == struck; k++) {
			rig_say(r, kinds[i].name);
			buf_addf(&said, "%s\n", kinds[i].name);
			rig_await(t, r, r->received_count + 1);
		}
	}
	assert_string_equal(r->received.data, said.data);
	buf_clear(&said);
}

static void polls_on_a_bad_line_lose_and_double_nothing(void **state)
{
	(void)state;
	rig_run(RIG_MEMORY, polls);
}

static void extras(struct task *t, struct rig *r)
{
	struct error err;
	size_t struck = 0;

	hurry(r);
	rig_meet(t, r);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		size_t heard = r->received_count;

		add(r, i, "sendChatAction");
		r->channel->ops->typing(t, r->channel, &r->chat, &err);
		add(r, i, "answerCallbackQuery");
		rig_press(r);
		rig_await(t, r, heard + 1);
		points_send(t, r, &points, OUTBOUND_REPLY, 1, "", "%s beside it", kinds[i].name);
		assert_false(points_last(&points)->part[0].repeat && kinds[i].heals);
		/* The answers to both are short. */
		if (kinds[i].fault.at < 100)
			task_until(t, proxy_struck(r->proxy) >= struck + 2);
		proxy_forget_faults(r->proxy);
		struck = proxy_struck(r->proxy);
	}
	points_judge(r, &points, "beside other calls");
}

static void what_is_nice_to_have_harms_nothing_when_it_fails(void **state)
{
	(void)state;
	rig_run(RIG_MEMORY, extras);
	points_expect_none_wrong();
}

/* So many failures in a row, each after a wait of at least half of what is doubled. */
static void waits(struct task *t, struct rig *r)
{
	static const char *const methods[] = {"getMe", "getUpdates"};
	const unsigned failures = 8;

	r->limits.retry_ms = 20;
	r->limits.retry_max_ms = 160;
	rig_meet(t, r);
	for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
		size_t heard = r->received_count, before;
		uint64_t began;

		rig_stop(t, r);
		before = proxy_count(r->proxy, methods[i]);
		proxy_add(r->proxy,
		    &(struct proxy_fault){.method = methods[i], .times = failures, .side = PROXY_ANSWER});
		rig_say(r, "anybody there?");
		began = clock_now();
		rig_start(r);
		rig_await(t, r, heard + 1);
		assert_true(clock_now() - began >= 10 + 20 + 40 + 5 * 80);
		assert_in_range(proxy_count(r->proxy, methods[i]) - before, failures + 1, failures + 3);
	}
}

static void failures_in_a_row_are_waited_out(void **state)
{
	(void)state;
	rig_run(RIG_MEMORY, waits);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_garbled_answer_is_never_taken_for_a_good_one),
	    cmocka_unit_test(a_start_on_a_bad_line_comes_up_by_itself),
	    cmocka_unit_test(failures_in_a_row_are_waited_out),
	    cmocka_unit_test(polls_on_a_bad_line_lose_and_double_nothing),
	    cmocka_unit_test(the_ledger_is_true_on_a_slow_and_silent_line),
	    cmocka_unit_test(what_is_nice_to_have_harms_nothing_when_it_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
