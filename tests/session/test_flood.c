/* Ten thousand messages and a slow model: nothing is lost, each chat keeps its order, and memory has a
 * bound. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "lib/stage.h"

/* Chats and messages of each; a long run sets MYNA_FLOOD_CHATS=1000 MYNA_FLOOD_MESSAGES=10000. */
static int number(const char *name, int usual)
{
	const char *text = getenv(name);

	return text ? (int)strtol(text, NULL, 10) : usual;
}

static long resident_kib(void)
{
	FILE *in = fopen("/proc/self/statm", "r");
	long pages = 0;

	assert_non_null(in);
	assert_int_equal(fscanf(in, "%*d %ld", &pages), 1);
	fclose(in);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Waits as stage_settle does, but for longer; the most that was resident meanwhile. */
static long settle(struct task *t, struct stage *st)
{
	long most = 0, now;
	struct store_counts c;

	do {
		task_sleep(t, 50, NULL);
		now = resident_kib();
		most = now > most ? now : most;
		c = stage_counts(t, st);
	} while (c.inbox_pending + c.outbox_queued + c.turns_open > 0 || sessions_running(st->sessions) > 0);
	return most;
}

/* The answers of a chat came in the order of its messages, each once. */
static void expect_order(const struct stage *st, int chats, int each)
{
	int *next = xcalloc((size_t)chats + 1, sizeof(*next));
	const char *line = st->shown.data;
	int chat, n, total = 0;

	for (; *line; line = strchr(line, '\n') + 1, total++) {
		assert_int_equal(sscanf(line, "%d >m%*d: re: n%d\n", &chat, &n), 2);
		assert_int_equal(n, next[chat]);
		next[chat]++;
	}
	assert_int_equal(total, chats * each);
	free(next);
}

static void flood(struct task *t, struct stage *st, int chats, int each)
{
	for (int n = 0; n < each; n++)
		for (int c = 1; c <= chats; c += 50) {
			struct message *batch[50];
			size_t count = 0;
			for (int k = c; k <= chats && k < c + 50; k++) {
				char chat[16], text[24];
				snprintf(chat, sizeof(chat), "%d", k);
				snprintf(text, sizeof(text), "n%d", n);
				batch[count++] = stage_message(st, chat, text);
			}
			stage_receive(t, st, batch, count);
		}
}

STAGE_TEST(many_chats_at_once_are_all_answered_in_order)
{
	int chats = number("MYNA_FLOOD_CHATS", 200), each = 10;
	long before = resident_kib();

	stage_close(t, st);
	st->turns_at_once = 100;
	stage_open(t, st);
	log_setup(LOG_LEVEL_WARN, LOG_FORMAT_TEXT);
	st->model_ms = 20;
	flood(t, st, chats, each);
	long most = settle(t, st);
	expect_order(st, chats, each);
	assert_true(st->max_asking <= 100);
	print_message("%d chats of %d messages: %ld KiB above %ld KiB\n", chats, each, most - before, before);
}

STAGE_TEST(one_chat_keeps_its_order_and_little_of_it_in_memory)
{
	int each = number("MYNA_FLOOD_MESSAGES", 1000);
	long before = resident_kib();

	log_setup(LOG_LEVEL_WARN, LOG_FORMAT_TEXT);
	flood(t, st, 1, each);
	long most = settle(t, st);
	expect_order(st, 1, each);
	print_message("one chat of %d messages: %ld KiB above %ld KiB\n", each, most - before, before);
}

STAGE_TEST(a_chat_that_goes_too_far_is_told_once_and_what_was_kept_is_answered)
{
	stage_close(t, st);
	st->queue_most = 50;
	stage_open(t, st);
	st->held = true;
	for (int n = 0; n < 500; n++) {
		char text[24];
		snprintf(text, sizeof(text), "n%d", n);
		stage_say(t, st, "7", text);
	}
	stage_say(t, st, "8", "elsewhere");
	stage_say(t, st, "7", "/whoami");
	stage_until(t, strstr(st->shown.data, "You are Ann"));
	assert_has(st->shown.data, "Too many messages wait here already.");
	assert_null(strstr(strstr(st->shown.data, "Too many") + 1, "Too many"));
	st->held = false;
	settle(t, st);
	for (int n = 0; n < 50; n++) {
		char text[24];
		snprintf(text, sizeof(text), "re: n%d\n", n);
		assert_has(st->shown.data, text);
	}
	assert_has(st->shown.data, "re: elsewhere\n");
	assert_lacks(st->shown.data, "re: n499\n");
	/* Now there is room. */
	stage_say(t, st, "7", "again");
	settle(t, st);
	assert_has(st->shown.data, "re: again\n");
}

static void hold_again(struct stage *st, const char *what)
{
	if (strcmp(what, "ask") == 0)
		st->held = true;
}

/* The turn that runs ends, and the next one has begun. */
static void answer_one(struct task *t, struct stage *st)
{
	size_t before = st->asked;

	st->held = false;
	stage_until(t, st->asked > before);
}

STAGE_TEST(a_chat_that_was_full_opens_again_half_empty)
{
	stage_close(t, st);
	st->queue_most = 6;
	stage_open(t, st);
	st->hook = hold_again;
	for (int n = 0; n < 7; n++) {
		char text[24];
		snprintf(text, sizeof(text), "n%d", n);
		stage_say(t, st, "7", text);
	}
	stage_until(t, st->asking == 1);
	stage_await(t, st, 1);
	assert_has(st->shown.data, "7 >m7: Too many messages wait here already.");
	answer_one(t, st);
	answer_one(t, st);
	/* Four wait or run: that is more than half. */
	stage_say(t, st, "7", "too soon");
	answer_one(t, st);
	stage_say(t, st, "7", "in time");
	st->hook = NULL;
	st->held = false;
	settle(t, st);
	assert_has(st->shown.data, "re: n5\n");
	assert_has(st->shown.data, "re: in time\n");
	assert_lacks(st->shown.data, "re: n6\n");
	assert_lacks(st->shown.data, "re: too soon\n");
	assert_null(strstr(strstr(st->shown.data, "Too many") + 1, "Too many"));
	/* And it is told again when it is full again. */
	st->held = true;
	for (int n = 0; n < 7; n++)
		stage_say(t, st, "7", "more");
	stage_until(t, strstr(strstr(st->shown.data, "Too many") + 1, "Too many"));
	st->held = false;
	settle(t, st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(many_chats_at_once_are_all_answered_in_order),
	    cmocka_unit_test(one_chat_keeps_its_order_and_little_of_it_in_memory),
	    cmocka_unit_test(a_chat_that_goes_too_far_is_told_once_and_what_was_kept_is_answered),
	    cmocka_unit_test(a_chat_that_was_full_opens_again_half_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
