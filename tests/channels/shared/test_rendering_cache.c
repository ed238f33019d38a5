/* A rendering is kept until its text is sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"
#include "channels/shared/rendering_cache.h"

static int freed;

static void count_free(void *rendering)
{
	freed++;
	free(rendering);
}

static struct rendering_cache cache;

static int set_up(void **state)
{
	(void)state;
	cache = (struct rendering_cache){.free = count_free};
	freed = 0;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	for (size_t i = 0; i < RENDERING_CACHE_SLOTS; i++) {
		free(cache.slots[i].text);
		free(cache.slots[i].rendering);
	}
	return 0;
}

static void assert_taken(const char *text, const char *want)
{
	char *rendering = rendering_cache_take(&cache, text);

	if (want)
		assert_string_equal(rendering, want);
	else
		assert_null(rendering);
	free(rendering);
}

static void it_is_taken_once(void **state)
{
	(void)state;
	assert_taken("*a*", NULL);
	rendering_cache_put(&cache, "*a*", xstrdup("<i>a</i>"));
	assert_taken("*b*", NULL);
	assert_taken("*a*", "<i>a</i>");
	assert_taken("*a*", NULL);
	assert_int_equal(freed, 0);
}

static void another_one_in_its_slot_takes_its_place(void **state)
{
	size_t found = 0;

	(void)state;
	for (int i = 0; i < 10 * RENDERING_CACHE_SLOTS; i++) {
		char *text = xasprintf("text %d", i);

		rendering_cache_put(&cache, text, xstrdup(text));
		free(text);
	}
	for (int i = 0; i < 10 * RENDERING_CACHE_SLOTS; i++) {
		char *text = xasprintf("text %d", i), *rendering = rendering_cache_take(&cache, text);

		if (rendering)
			assert_string_equal(rendering, text);
		found += rendering != NULL;
		free(rendering);
		free(text);
	}
	assert_in_range(found, RENDERING_CACHE_SLOTS / 2, RENDERING_CACHE_SLOTS);
	assert_int_equal((size_t)freed + found, 10 * RENDERING_CACHE_SLOTS);
}

static void a_long_text_is_not_kept(void **state)
{
	char *text = xcalloc(1, RENDERING_CACHE_TEXT_MAX + 2);

	(void)state;
	memset(text, 'a', RENDERING_CACHE_TEXT_MAX + 1);
	rendering_cache_put(&cache, text, xstrdup("long"));
	assert_taken(text, NULL);
	assert_int_equal(freed, 1);
	text[RENDERING_CACHE_TEXT_MAX] = '\0';
	rendering_cache_put(&cache, text, xstrdup("long"));
	assert_taken(text, "long");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(it_is_taken_once, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(another_one_in_its_slot_takes_its_place, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(a_long_text_is_not_kept, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("rendering cache", tests, NULL, NULL);
}
