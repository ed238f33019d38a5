#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/mem.h"
#include "store/sqlite/memory.h"

#define KEPT_BYTES 65536

static int empty(void **state)
{
	(void)state;
	sqlite_memory_shrink();
	return 0;
}

/* Each byte that was asked for may be written: AddressSanitizer looks. */
static void *take(int size)
{
	void *p = sqlite_memory.xMalloc(size);

	assert_non_null(p);
	assert_true(sqlite_memory.xSize(p) >= size);
	memset(p, 'x', (size_t)size);
	return p;
}

static void a_block_comes_back_for_its_size(void **state)
{
	(void)state;
	for (int size = 1; size <= 1024; size++) {
		void *p = take(size), *other;

		sqlite_memory.xFree(p);
		other = take(size + 16);
		assert_ptr_not_equal(other, p);
		assert_ptr_equal(take(size), p);
		sqlite_memory.xFree(other);
		sqlite_memory.xFree(p);
		sqlite_memory_shrink();
	}
}

static void of_one_size_many_are_kept(void **state)
{
	void *blocks[100], *again[100];
	size_t same = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(blocks); i++)
		blocks[i] = take(100);
	for (size_t i = 0; i < ARRAY_LEN(blocks); i++)
		sqlite_memory.xFree(blocks[i]);
	for (size_t i = 0; i < ARRAY_LEN(blocks); i++) {
		again[i] = take(100);
		for (size_t k = 0; k < ARRAY_LEN(blocks); k++)
			same += again[i] == blocks[k];
	}
	assert_int_equal(same, ARRAY_LEN(blocks));
	for (size_t i = 0; i < ARRAY_LEN(blocks); i++)
		sqlite_memory.xFree(again[i]);
}

/* Takes so many of 1,024 bytes and frees them. Returns how many of them come back when as many are taken
 * again. */
static size_t come_back(size_t count)
{
	void **blocks = xcalloc(count, sizeof(*blocks)), **again = xcalloc(count, sizeof(*again));
	size_t same = 0, next = 0;

	for (size_t i = 0; i < count; i++)
		blocks[i] = take(1024);
	for (size_t i = 0; i < count; i++)
		sqlite_memory.xFree(blocks[i]);
	/* The last that was given back comes first; a block that was freed comes from malloc again, or
	 * another. */
	for (; next < count; next++)
		again[next] = take(1024);
	for (size_t i = 0; i < count; i++)
		same += i < KEPT_BYTES / 1024 && again[i] == blocks[KEPT_BYTES / 1024 - 1 - i];
	for (size_t i = 0; i < count; i++)
		sqlite_memory.xFree(again[i]);
	free(blocks);
	free(again);
	return same;
}

/* Twice: what is taken makes room, too. */
static void no_more_is_kept_than_there_is_room(void **state)
{
	const size_t most = KEPT_BYTES / 1024;

	(void)state;
	for (int round = 0; round < 2; round++) {
		sqlite_memory_shrink();
		assert_int_equal(come_back(most + 20), most);
	}
	sqlite_memory_shrink();
	assert_int_equal(come_back(most), most);
	assert_int_equal(come_back(most), most);
}

static void a_block_grows_with_its_bytes(void **state)
{
	char *p = take(20);

	(void)state;
	assert_int_equal(sqlite_memory.xRoundup(20), 32);
	p = sqlite_memory.xRealloc(p, 5000);
	for (int i = 0; i < 20; i++)
		assert_int_equal(p[i], 'x');
	memset(p, 'y', 5000);
	sqlite_memory.xFree(p);
	assert_int_equal(sqlite_memory.xSize(NULL), 0);
}

struct churn {
	char name;
	unsigned wrong;
};

static void churn(void *arg)
{
	struct churn *c = arg;
	char *blocks[64] = {0};

	for (unsigned i = 0; i < 200000; i++) {
		char **b = &blocks[i * 7 % ARRAY_LEN(blocks)];

		if (*b) {
			c->wrong += **b != c->name;
			sqlite_memory.xFree(*b);
			*b = NULL;
			continue;
		}
		*b = sqlite_memory.xMalloc((int)(i % 300) + 1);
		**b = c->name;
	}
	for (size_t i = 0; i < ARRAY_LEN(blocks); i++)
		if (blocks[i])
			sqlite_memory.xFree(blocks[i]);
}

static void threads_do_not_share_a_block(void **state)
{
	struct churn churns[] = {{.name = 'a'}, {.name = 'b'}, {.name = 'c'}};
	uv_thread_t threads[ARRAY_LEN(churns)];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(threads); i++)
		assert_int_equal(uv_thread_create(&threads[i], churn, &churns[i]), 0);
	for (size_t i = 0; i < ARRAY_LEN(threads); i++)
		uv_thread_join(&threads[i]);
	for (size_t i = 0; i < ARRAY_LEN(churns); i++)
		assert_int_equal(churns[i].wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_block_comes_back_for_its_size),
	    cmocka_unit_test(of_one_size_many_are_kept),
	    cmocka_unit_test(no_more_is_kept_than_there_is_room),
	    cmocka_unit_test(a_block_grows_with_its_bytes),
	    cmocka_unit_test(threads_do_not_share_a_block),
	};

	return cmocka_run_group_tests_name("memory", tests, empty, empty);
}
