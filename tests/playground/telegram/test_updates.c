#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "playground/telegram/http/rate_limit.h"
#include "playground/telegram/world/bot.h"
#include "playground/telegram/world/chat.h"
#include "playground/telegram/world/update.h"

#define DAY_MS 86400000

static void add(struct update_queue *q, size_t count)
{
	for (size_t i = 0; i < count; i++)
		update_queue_add(q, UPDATE_MESSAGE, "{}", 2);
}

/* The ids that an answer holds, relative to base, as "0 1 2". */
static char *ids(const struct update_queue *q, size_t limit, int32_t base)
{
	struct buf json = BUF_INIT, out = BUF_INIT;
	struct json_object *array;

	update_queue_write(q, limit, &json);
	array = json_parse(json.data, json.len, NULL);
	for (size_t i = 0; i < json_object_array_length(array); i++)
		buf_addf(&out, "%s%d", i > 0 ? " " : "",
		    (int)json_get_int(json_object_array_get_idx(array, i), "update_id", 0) - base);
	json_object_put(array);
	buf_clear(&json);
	return buf_take(&out);
}

static void check(const struct update_queue *q, size_t limit, int32_t base, const char *expected)
{
	char *found = ids(q, limit, base);

	assert_string_equal(found, expected);
	free(found);
}

static void updates_stay_until_they_are_confirmed(void **state)
{
	struct update_queue q;
	int32_t base;

	(void)state;
	update_queue_init(&q);
	base = q.head_id;
	assert_true(base > 0);
	check(&q, 100, base, "");
	add(&q, 3);
	check(&q, 100, base, "0 1 2");
	check(&q, 2, base, "0 1");
	update_queue_confirm(&q, base + 1);
	check(&q, 100, base, "1 2");
	update_queue_confirm(&q, base);
	check(&q, 100, base, "1 2");
	update_queue_confirm(&q, base + 99);
	check(&q, 100, base, "");
	add(&q, 1);
	check(&q, 100, base, "3");
	update_queue_clear(&q);
}

static void keeping_the_newest_forgets_the_rest(void **state)
{
	struct update_queue q;
	int32_t base;

	(void)state;
	update_queue_init(&q);
	base = q.head_id;
	add(&q, 200);
	update_queue_keep(&q, 2);
	check(&q, 100, base, "198 199");
	update_queue_keep(&q, 5);
	check(&q, 100, base, "198 199");
	update_queue_clear(&q);
}

static void ids_go_on_through_growth_and_wrapping(void **state)
{
	struct update_queue q;
	int32_t base;

	(void)state;
	update_queue_init(&q);
	base = q.head_id;
	for (int round = 0; round < 50; round++) {
		add(&q, 7);
		update_queue_confirm(&q, base + round * 7 + 5);
	}
	check(&q, 3, base, "348 349");
	add(&q, 300);
	assert_int_equal(q.count, 302);
	check(&q, 4, base, "348 349 350 351");
	update_queue_clear(&q);
}

static void an_answer_stays_below_its_size(void **state)
{
	struct update_queue q;
	struct buf big = BUF_INIT, out = BUF_INIT;

	(void)state;
	update_queue_init(&q);
	buf_addch(&big, '"');
	for (int i = 0; i < 1500000; i++)
		buf_addch(&big, 'x');
	buf_addch(&big, '"');
	for (int i = 0; i < 5; i++)
		update_queue_add(&q, UPDATE_MESSAGE, big.data, big.len);
	assert_int_equal(update_queue_write(&q, 100, &out), 2);
	update_queue_clear(&q);
	buf_clear(&big);
	buf_clear(&out);
}

static void updates_are_forgotten_after_a_day(void **state)
{
	struct update_queue q;
	int32_t base;

	(void)state;
	update_queue_init(&q);
	base = q.head_id;
	add(&q, 1);
	clock_advance(DAY_MS / 2);
	add(&q, 1);
	update_queue_expire(&q);
	check(&q, 100, base, "0 1");
	clock_advance(DAY_MS / 2 + 2000);
	update_queue_expire(&q);
	check(&q, 100, base, "1");
	update_queue_clear(&q);
}

static void a_saved_queue_is_loaded_as_it_was(void **state)
{
	struct update_queue q, copy;
	struct json_object *saved;
	int32_t base;

	(void)state;
	update_queue_init(&q);
	update_queue_init(&copy);
	base = q.head_id;
	add(&q, 5);
	update_queue_confirm(&q, base + 2);
	saved = update_queue_save(&q);
	assert_int_equal(update_queue_load(&copy, saved, NULL), 0);
	check(&copy, 100, base, "2 3 4");
	assert_int_equal(update_queue_next_id(&copy), base + 5);
	json_object_put(saved);
	update_queue_clear(&q);
	update_queue_clear(&copy);
}

/* Returns whether all names are known. */
static bool read_allowed(const char *json, uint64_t *set)
{
	struct json_object *array = json_parse(json, strlen(json), NULL);
	bool known = !update_read_allowed(array, set);

	json_object_put(array);
	return known;
}

static void an_empty_list_of_kinds_means_the_default(void **state)
{
	uint64_t set;

	(void)state;
	assert_true(read_allowed("[]", &set));
	assert_true(
	    update_is_in(set, UPDATE_MESSAGE) && update_is_in(set, UPDATE_STOPPED_MESSAGE_GENERATION));
	assert_false(update_is_in(set, UPDATE_MESSAGE_REACTION));
	assert_true(read_allowed("[\"message_reaction\"]", &set));
	assert_true(update_is_in(set, UPDATE_MESSAGE_REACTION));
	assert_false(update_is_in(set, UPDATE_MESSAGE));
	assert_false(read_allowed("[\"message\",\"massage\"]", &set));
	assert_true(update_is_in(set, UPDATE_MESSAGE));
	assert_false(update_is_in(set, UPDATE_EDITED_MESSAGE));
	assert_false(read_allowed("[\"massage\"]", &set));
	assert_true(update_is_in(set, UPDATE_EDITED_MESSAGE));
}

static void bursts_pass_and_floods_wait(void **state)
{
	struct bucket b = {0};
	int passed = 0;

	(void)state;
	while (bucket_wait(&b, BUCKET_GROUP, clock_now()) == 0 && passed < 1000) {
		bucket_take(&b, BUCKET_GROUP, clock_now());
		passed++;
	}
	assert_int_equal(passed, 20);
	assert_int_equal(bucket_wait(&b, BUCKET_GROUP, clock_now()), 3);
	clock_advance(3000);
	assert_int_equal(bucket_wait(&b, BUCKET_GROUP, clock_now()), 0);
	bucket_take(&b, BUCKET_GROUP, clock_now());
	assert_true(bucket_wait(&b, BUCKET_GROUP, clock_now()) > 0);
	clock_advance(60000); /* twenty a minute are given back */
	for (passed = 0; bucket_wait(&b, BUCKET_GROUP, clock_now()) == 0; passed++)
		bucket_take(&b, BUCKET_GROUP, clock_now());
	assert_int_equal(passed, 20);
}

static void a_press_is_answered_once_and_in_time(void **state)
{
	struct callbacks c = {0};

	(void)state;
	callbacks_add(&c, 11, clock_now());
	callbacks_add(&c, 12, clock_now());
	assert_int_equal(callbacks_answer(&c, 11, clock_now()), 0);
	assert_int_equal(callbacks_answer(&c, 11, clock_now()), -1);
	assert_int_equal(callbacks_answer(&c, 13, clock_now()), -1);
	assert_int_equal(callbacks_answer(&c, 0, clock_now()), -1);
	clock_advance(CALLBACK_MS + 1);
	assert_int_equal(callbacks_answer(&c, 12, clock_now()), -1);
	for (int i = 0; i < 100; i++)
		callbacks_add(&c, 100 + i, clock_now());
	assert_int_equal(callbacks_answer(&c, 100, clock_now()), 0);
	assert_int_equal(callbacks_answer(&c, 199, clock_now()), 0);
	callbacks_clear(&c);
}

static void a_draft_fades_unless_it_is_refreshed(void **state)
{
	struct drafts d = {0};

	(void)state;
	drafts_get(&d, 5, clock_now());
	drafts_get(&d, 6, clock_now());
	clock_advance(DRAFT_MS - 1);
	drafts_get(&d, 6, clock_now());
	assert_non_null(drafts_find(&d, 5, clock_now()));
	clock_advance(1);
	assert_null(drafts_find(&d, 5, clock_now()));
	assert_non_null(drafts_find(&d, 6, clock_now()));
	drafts_clear(&d);
	assert_null(drafts_find(&d, 6, clock_now()));
}

static int start_clock(void **state)
{
	(void)state;
	clock_fake(1790000000000, 1);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(updates_stay_until_they_are_confirmed),
	    cmocka_unit_test(keeping_the_newest_forgets_the_rest),
	    cmocka_unit_test(ids_go_on_through_growth_and_wrapping),
	    cmocka_unit_test(an_answer_stays_below_its_size),
	    cmocka_unit_test(updates_are_forgotten_after_a_day),
	    cmocka_unit_test(a_saved_queue_is_loaded_as_it_was),
	    cmocka_unit_test(an_empty_list_of_kinds_means_the_default),
	    cmocka_unit_test(bursts_pass_and_floods_wait),
	    cmocka_unit_test(a_press_is_answered_once_and_in_time),
	    cmocka_unit_test(a_draft_fades_unless_it_is_refreshed),
	};

	return cmocka_run_group_tests(tests, start_clock, NULL);
}
