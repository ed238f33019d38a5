#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <uv.h>

#include "base/time/clock.h"
#include "base/mem.h"
#include "base/time/clock_jump.h"
#include "base/time/clock_skip.h"

/* What fired, in order. */
static char fired[64];
static size_t fired_count;

struct letter {
	struct clock_timer timer;
	char name;
	uint64_t at;
};

static void write_letter(struct clock_timer *timer, void *arg)
{
	struct letter *letter = arg;

	assert_ptr_equal(timer, &letter->timer);
	assert_false(clock_timer_running(timer));
	letter->at = clock_now();
	fired[fired_count++] = letter->name;
	fired[fired_count] = '\0';
}

static void start(struct letter *letter, char name, uint64_t ms)
{
	letter->name = name;
	clock_timer_start(&letter->timer, ms, write_letter, letter);
}

static void run_loop(void)
{
	uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}

static int forget_fired(void **state)
{
	(void)state;
	fired_count = 0;
	fired[0] = '\0';
	return 0;
}

static void timers_fire_by_due_time_and_never_early(void **state)
{
	struct letter l[3] = {0};
	uint64_t begin;

	(void)state;
	/* Again, if the machine was so busy meanwhile that they are due in another order. */
	do {
		begin = clock_now();
		start(&l[0], 'c', 30);
		start(&l[1], 'a', 5);
		start(&l[2], 'b', 15);
	} while (clock_now() - begin > 5);
	run_loop();
	assert_string_equal(fired, "abc");
	assert_true(l[1].at >= begin + 5 && l[2].at >= begin + 15 && l[0].at >= begin + 30);
	assert_true(l[0].at < begin + 1000);
}

static void a_loop_without_running_timers_ends(void **state)
{
	struct letter l[2] = {0};

	(void)state;
	start(&l[0], 'a', 3600000);
	start(&l[1], 'b', 7200000);
	clock_timer_stop(&l[0].timer);
	clock_timer_stop(&l[1].timer);
	clock_timer_stop(&l[1].timer);
	run_loop();
	assert_string_equal(fired, "");
}

static void a_timer_started_again_is_moved(void **state)
{
	struct letter l[2] = {0};

	(void)state;
	start(&l[0], 'a', 3600000);
	start(&l[1], 'b', 20);
	start(&l[0], 'a', 1);
	run_loop();
	assert_string_equal(fired, "ab");
}

static struct letter moved, stopped;

static void move_and_stop(struct clock_timer *timer, void *arg)
{
	write_letter(timer, arg);
	clock_timer_start(&moved.timer, 10, write_letter, &moved);
	clock_timer_stop(&stopped.timer);
}

static void a_callback_may_move_and_stop_timers_that_are_due_with_it(void **state)
{
	struct letter first = {.name = '1'};
	struct letter last = {0};

	(void)state;
	clock_timer_start(&first.timer, 0, move_and_stop, &first);
	start(&moved, 'm', 0);
	start(&stopped, 's', 0);
	start(&last, '2', 0);
	run_loop();
	assert_string_equal(fired, "12m");
}

static void write_and_free(struct clock_timer *timer, void *arg)
{
	write_letter(timer, arg);
	free(arg);
}

static void a_callback_may_free_its_timer(void **state)
{
	struct letter *letter = xcalloc(1, sizeof(*letter));

	(void)state;
	letter->name = 'f';
	clock_timer_start(&letter->timer, 1, write_and_free, letter);
	run_loop();
	assert_string_equal(fired, "f");
}

static void start_again(struct clock_timer *timer, void *arg)
{
	int *left = arg;

	if (--*left > 0)
		clock_timer_start(timer, 0, start_again, left);
}

static void count_turn(uv_check_t *check)
{
	int *turns = check->data;

	++*turns;
}

static void a_timer_restarted_with_0_leaves_io_its_turn(void **state)
{
	struct clock_timer timer = {0};
	int left = 20, turns = 0;
	uv_check_t check;

	(void)state;
	uv_check_init(uv_default_loop(), &check);
	check.data = &turns;
	uv_check_start(&check, count_turn);
	uv_unref((uv_handle_t *)&check);
	clock_timer_start(&timer, 0, start_again, &left);
	run_loop();
	uv_close((uv_handle_t *)&check, NULL);
	run_loop();
	assert_int_equal(left, 0);
	assert_true(turns >= 19);
}

static void real_random_bytes_differ(void **state)
{
	unsigned char a[32] = {0}, b[32] = {0};

	(void)state;
	clock_random(a, sizeof(a));
	clock_random(b, sizeof(b));
	assert_memory_not_equal(a, b, sizeof(a));
}

static void the_wall_clock_is_that_of_the_system(void **state)
{
	int64_t before = (int64_t)time(NULL) * 1000;

	(void)state;
	assert_true(clock_wall() >= before - 1000);
	assert_true(clock_wall() < before + 60000);
}

struct told {
	struct clock_jump_watch watch;
	int times;
};

static void count_told(void *arg)
{
	((struct told *)arg)->times++;
}

static void count_told_and_stop(void *arg)
{
	count_told(arg);
	clock_jump_watch_stop(&((struct told *)arg)->watch);
}

static void who_watches_is_told_when_the_wall_clock_is_set(void **state)
{
	struct told one = {0}, once = {0};

	(void)state;
	assert_true(clock_jump_watch_start(&one.watch, count_told, &one));
	assert_true(clock_jump_watch_start(&once.watch, count_told_and_stop, &once));
	clock_set_ahead(1000);
	clock_set_ahead(-1000);
	assert_int_equal(one.times, 2);
	assert_int_equal(once.times, 1);
	clock_jump_watch_stop(&one.watch);
	clock_jump_watch_stop(&once.watch);
	clock_set_ahead(0);
	assert_int_equal(one.times, 2);
}

/* What it waits for never comes here. */
static void a_watch_of_the_wall_clock_does_not_keep_the_loop_alive(void **state)
{
	struct told told = {0};

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_true(clock_jump_watch_start(&told.watch, count_told, &told));
		run_loop();
		clock_jump_watch_stop(&told.watch);
		run_loop();
	}
	assert_int_equal(told.times, 0);
}

/* From here on every test has a fake clock: there is no way back. */

static int fake_clock(void **state)
{
	clock_fake(1700000000000, 7);
	return forget_fired(state);
}

static void fake_time_stands_still_until_it_is_advanced(void **state)
{
	uint64_t now = clock_now();

	(void)state;
	uv_sleep(3);
	assert_int_equal(clock_now(), now);
	assert_int_equal(clock_wall(), 1700000000000);
	clock_advance(1234);
	assert_int_equal(clock_now(), now + 1234);
	assert_int_equal(clock_wall(), 1700000001234);
	assert_int_equal(clock_wall_us(), 1700000001234000);
}

static void equal_due_times_fire_in_the_order_of_their_start(void **state)
{
	struct letter l[26] = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(l); i++)
		start(&l[i], (char)('a' + i), 50 - i);
	clock_advance(20);
	for (size_t i = 0; i < ARRAY_LEN(l); i++)
		start(&l[i], (char)('a' + i), 10);
	start(&l[2], 'c', 10);
	clock_advance(9);
	assert_string_equal(fired, "");
	clock_advance(1);
	assert_string_equal(fired, "abdefghijklmnopqrstuvwxyzc");
}

static void tick(struct clock_timer *timer, void *arg)
{
	struct letter *letter = arg;

	write_letter(timer, arg);
	clock_timer_start(&letter->timer, 100, tick, letter);
}

static void advancing_fires_each_timer_at_its_own_time(void **state)
{
	struct letter ticker = {.name = 't'}, other = {0};
	uint64_t begin = clock_now();

	(void)state;
	clock_timer_start(&ticker.timer, 100, tick, &ticker);
	start(&other, 'o', 250);
	clock_advance(300);
	assert_string_equal(fired, "ttot");
	assert_int_equal(other.at, begin + 250);
	assert_int_equal(ticker.at, begin + 300);
	clock_timer_stop(&ticker.timer);
	clock_advance(1000);
	assert_string_equal(fired, "ttot");
}

static void the_loop_fires_only_what_is_due_while_time_stands_still(void **state)
{
	struct letter now = {0}, later = {0};

	(void)state;
	start(&later, 'l', 1);
	start(&now, 'n', 0);
	run_loop();
	assert_string_equal(fired, "n");
	clock_advance(1);
	assert_string_equal(fired, "nl");
}

static void many_timers_stay_in_order_while_some_are_stopped_and_moved(void **state)
{
	enum { MANY = 2000 };
	struct letter *l = xcalloc(MANY, sizeof(*l));

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		clock_timer_start(&l[i].timer, clock_random_below(5000), write_letter, &l[i]);
	for (size_t i = 0; i < MANY; i += 3)
		clock_timer_stop(&l[i].timer);
	for (size_t i = 1; i < MANY; i += 3)
		clock_timer_start(&l[i].timer, clock_random_below(5000), write_letter, &l[i]);
	for (uint64_t at = 1; at <= 5000; at++) {
		fired_count = 0;
		clock_advance(1);
	}
	for (size_t i = 0; i < MANY; i++) {
		assert_false(clock_timer_running(&l[i].timer));
		if (i % 3 == 0)
			assert_int_equal(l[i].at, 0);
		else
			assert_int_equal(l[i].at, l[i].timer.due + clock_skipped());
	}
	free(l);
}

static void a_timer_beyond_the_end_of_time_does_not_wrap(void **state)
{
	struct letter never = {0};

	(void)state;
	start(&never, 'n', UINT64_MAX);
	clock_advance(1000);
	assert_string_equal(fired, "");
	assert_true(clock_timer_running(&never.timer));
	clock_timer_stop(&never.timer);
}

static void fake_randomness_follows_its_seed(void **state)
{
	unsigned char a[19], b[19];

	(void)state;
	clock_random(a, sizeof(a));
	clock_fake(0, 7);
	clock_random(b, sizeof(b));
	assert_memory_equal(a, b, sizeof(a));
	clock_fake(0, 8);
	clock_random(b, sizeof(b));
	assert_memory_not_equal(a, b, sizeof(a));
}

static void random_below_stays_below_and_reaches_all(void **state)
{
	unsigned seen[10] = {0};

	(void)state;
	for (int i = 0; i < 10000; i++) {
		uint64_t x = clock_random_below(10);

		assert_true(x < 10);
		seen[x]++;
	}
	for (size_t i = 0; i < ARRAY_LEN(seen); i++)
		assert_in_range(seen[i], 850, 1150);
	assert_int_equal(clock_random_below(0), 0);
	assert_int_equal(clock_random_below(1), 0);
	assert_true(clock_random_below(UINT64_MAX) < UINT64_MAX);
}

static void a_skip_moves_the_clocks_and_no_timer(void **state)
{
	struct letter l = {0};
	uint64_t now = clock_now(), machine = clock_machine();
	int64_t wall = clock_wall();

	(void)state;
	start(&l, 'a', 20);
	clock_skip(3600000);
	assert_in_range(clock_now() - now, 3600000, 3700000);
	assert_in_range(clock_wall() - wall, 3600000, 3700000);
	assert_in_range(clock_machine() - machine, 0, 100000);
	assert_in_range(clock_first_due() - clock_now(), 0, 20);
	assert_int_equal(fired_count, 0);
	run_loop();
	assert_string_equal(fired, "a");
	assert_in_range(clock_machine() - machine, 20, 100000);
}

static void note_world(struct clock_timer *timer, void *arg)
{
	(void)timer;
	*(struct clock_world **)arg = clock_entered();
}

static void each_world_has_its_own_clock(void **state)
{
	struct clock_world ahead = {0}, *seen = NULL, *own = clock_enter(&ahead);
	uint64_t now = clock_now(), skipped = clock_skipped();
	struct clock_timer timer = {0};

	(void)state;
	clock_timer_start(&timer, 10, note_world, &seen);
	clock_skip(3600000);
	assert_in_range(clock_now() - now, 3600000, 3700000);
	assert_int_equal(clock_skipped() - skipped, 3600000);
	assert_ptr_equal(clock_enter(own), &ahead);
	skipped = clock_skipped();
	run_loop();
	assert_ptr_equal(seen, &ahead);
	assert_ptr_equal(clock_entered(), own);
	assert_int_equal(clock_skipped(), skipped);
}

#define REAL(test) cmocka_unit_test_setup(test, forget_fired)
#define FAKE(test) cmocka_unit_test_setup(test, fake_clock)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    REAL(timers_fire_by_due_time_and_never_early),
	    REAL(a_loop_without_running_timers_ends),
	    REAL(a_timer_started_again_is_moved),
	    REAL(a_callback_may_move_and_stop_timers_that_are_due_with_it),
	    REAL(a_callback_may_free_its_timer),
	    REAL(a_timer_restarted_with_0_leaves_io_its_turn),
	    REAL(real_random_bytes_differ),
	    REAL(the_wall_clock_is_that_of_the_system),
	    REAL(who_watches_is_told_when_the_wall_clock_is_set),
	    REAL(a_watch_of_the_wall_clock_does_not_keep_the_loop_alive),
	    REAL(a_skip_moves_the_clocks_and_no_timer),
	    REAL(each_world_has_its_own_clock),
	    FAKE(fake_time_stands_still_until_it_is_advanced),
	    FAKE(equal_due_times_fire_in_the_order_of_their_start),
	    FAKE(advancing_fires_each_timer_at_its_own_time),
	    FAKE(the_loop_fires_only_what_is_due_while_time_stands_still),
	    FAKE(many_timers_stay_in_order_while_some_are_stopped_and_moved),
	    FAKE(a_timer_beyond_the_end_of_time_does_not_wrap),
	    FAKE(fake_randomness_follows_its_seed),
	    FAKE(random_below_stays_below_and_reaches_all),
	};

	return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
