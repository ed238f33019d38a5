#include "tests/fault/rig.h"

#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "tests/lib/sample.h"

/* What the person said, in order, a message a line; the rig has what came in. */
static struct buf said;
static size_t said_count;

static void say_next(struct rig *r)
{
	char text[16];

	snprintf(text, sizeof(text), "U%05zu", said_count++);
	buf_addf(&said, "%s\n", text);
	rig_say(r, text);
}

static void begin(struct task *t, struct rig *r)
{
	buf_init(&said);
	said_count = 0;
	rig_meet(t, r);
	buf_addstr(&said, "hello\n");
}

/* Each once, in order, and nothing more after a new start. */
static void end(struct task *t, struct rig *r, const char *what)
{
	size_t points = said_count;

	rig_stop(t, r);
	rig_start(r);
	rig_await_poll(t, r);
	say_next(r);
	rig_await(t, r, said_count + 1);
	assert_string_equal(r->received.data, said.data);
	printf("# %s: points %zu, faults %zu, each message came in once\n", what, points,
	    proxy_struck(r->proxy));
	buf_clear(&said);
}

/* One message a point; false: the byte was not reached. */
static bool poll_point(struct task *t, struct rig *r, const struct proxy_fault *fault)
{
	size_t struck = proxy_struck(r->proxy);

	rig_await_poll(t, r);
	proxy_add(r->proxy, fault);
	say_next(r);
	rig_await(t, r, said_count + 1);
	/* A fault of a request is that of the poll after the one that gave the message. */
	rig_await_poll(t, r);
	proxy_forget_faults(r->proxy);
	return proxy_struck(r->proxy) > struck;
}

static void cut_polls(struct task *t, struct rig *r)
{
	begin(t, r);
	for (unsigned i = 0; i < 4; i++) {
		struct proxy_fault cut = {.method = "getUpdates",
		    .side = i < 2 ? PROXY_REQUEST : PROXY_ANSWER,
		    .reset = i % 2 != 0};

		while (poll_point(t, r, &cut))
			cut.at += sample_step(1, PROXY_SAMPLE);
		assert_true(cut.at > 200);
	}
	end(t, r, "polls");
}

static void a_poll_cut_at_any_byte_loses_and_doubles_nothing(void **state)
{
	(void)state;
	rig_run(RIG_MEMORY, cut_polls);
}

static void cut_polls_on_disk(struct task *t, struct rig *r)
{
	struct proxy_fault cut = {.method = "getUpdates", .side = PROXY_ANSWER};

	begin(t, r);
	while (poll_point(t, r, &cut))
		cut.at += 29;
	end(t, r, "polls with the database");
}

static void the_database_knows_a_message_that_comes_again(void **state)
{
	(void)state;
	rig_run(RIG_SQLITE, cut_polls_on_disk);
}

/* Telegram gives little, and late, to who asks for the same offset again at once: it shall have been
 * another. */
static void ask_otherwise(struct rig *r)
{
	json_object_put(rig_call(r, "getUpdates", "{\"limit\":1}"));
}

/* Three messages wait when the channel starts. */
static bool batch_point(struct task *t, struct rig *r, const struct proxy_fault *fault)
{
	size_t struck = proxy_struck(r->proxy);

	rig_stop(t, r);
	for (unsigned i = 0; i < 3; i++)
		say_next(r);
	ask_otherwise(r);
	proxy_add(r->proxy, fault);
	rig_start(r);
	rig_await(t, r, said_count + 1);
	rig_await_poll(t, r);
	proxy_forget_faults(r->proxy);
	return proxy_struck(r->proxy) > struck;
}

static void cut_batches(struct task *t, struct rig *r)
{
	begin(t, r);
	for (unsigned i = 0; i < 2; i++) {
		struct proxy_fault cut = {.method = "getUpdates", .side = PROXY_ANSWER, .reset = i != 0};

		while (batch_point(t, r, &cut))
			cut.at += 17;
		assert_true(cut.at > 600);
	}
	end(t, r, "batches");
}

static void a_batch_comes_in_whole_and_in_order(void **state)
{
	(void)state;
	rig_run(RIG_MEMORY, cut_batches);
}

static bool start_point(struct task *t, struct rig *r, const struct proxy_fault *fault)
{
	size_t struck = proxy_struck(r->proxy);

	rig_stop(t, r);
	ask_otherwise(r);
	proxy_add(r->proxy, fault);
	rig_start(r);
	rig_await_poll(t, r);
	proxy_forget_faults(r->proxy);
	return proxy_struck(r->proxy) > struck;
}

/* FIN and RST in turn, from one byte to the next. */
static void cut_starts(struct task *t, struct rig *r)
{
	static const char *const methods[] = {"getMe", "deleteWebhook"};

	begin(t, r);
	for (unsigned i = 0; i < 2 * ARRAY_LEN(methods); i++) {
		struct proxy_fault cut = {
		    .method = methods[i / 2], .side = i % 2 ? PROXY_ANSWER : PROXY_REQUEST};

		while (start_point(t, r, &cut)) {
			cut.at += sample_step(1, PROXY_SAMPLE);
			cut.reset = cut.at % 2 != 0;
		}
		assert_true(cut.at > 100);
	}
	end(t, r, "starts");
}

static void a_start_cut_at_any_byte_comes_up_by_itself(void **state)
{
	(void)state;
	rig_run(RIG_MEMORY, cut_starts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_batch_comes_in_whole_and_in_order),
	    cmocka_unit_test(a_poll_cut_at_any_byte_loses_and_doubles_nothing),
	    cmocka_unit_test(a_start_cut_at_any_byte_comes_up_by_itself),
	    cmocka_unit_test(the_database_knows_a_message_that_comes_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
