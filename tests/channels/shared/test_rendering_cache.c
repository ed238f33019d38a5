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

static void assert_kept(const char *text, const char *want)
{
	const char *rendering = rendering_cache_get(&cache, text);

	if (want)
		assert_string_equal(rendering, want);
	else
		assert_null(rendering);
}

static void the_rendering_of_a_text_is_its_own(void **state)
{
	(void)state;
	assert_kept("*a*", NULL);
	rendering_cache_put(&cache, "*a*", xstrdup("<i>a</i>"));
	assert_kept("*b*", NULL);
	assert_kept("*a*", "<i>a</i>");
	assert_kept("*a*", "<i>a</i>");
	rendering_cache_put(&cache, "*a*", xstrdup("<b>a</b>"));
	assert_kept("*a*", "<b>a</b>");
	assert_int_equal(freed, 1);
}

static void another_one_in_its_slot_takes_its_place(void **state)
{
	size_t found = 0;

	(void)state;
	for (int i = 0; i < 10 * RENDERING_CACHE_SLOTS; i++) {
		char *text = xasprintf("text %d", i);

		rendering_cache_put(&cache, text, xstrdup(text));
		assert_kept(text, text);
		free(text);
	}
	for (int i = 0; i < 10 * RENDERING_CACHE_SLOTS; i++) {
		char *text = xasprintf("text %d", i);

		found += rendering_cache_get(&cache, text) != NULL;
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
	assert_kept(text, NULL);
	assert_int_equal(freed, 1);
	text[RENDERING_CACHE_TEXT_MAX] = '\0';
	rendering_cache_put(&cache, text, xstrdup("long"));
	assert_kept(text, "long");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(the_rendering_of_a_text_is_its_own, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(another_one_in_its_slot_takes_its_place, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(a_long_text_is_not_kept, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("rendering cache", tests, NULL, NULL);
}
