/* What needs a restart keeps its value when a configuration is read again; and what a broken file still
 * tells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"

struct settings {
	char *text;
	int64_t count, wait_ms;
	bool yes;
	int choice;
	struct config_strings ids;
	int64_t free;
};

static const char *const choices[] = {"a", "b", NULL};
#define ROW(n, t, f)                                                                      \
	{                                                                                 \
		.name = #n, .type = t, .flags = f, .offset = offsetof(struct settings, n) \
	}
static const struct config_key keys[] = {
    ROW(text, CONFIG_STRING, CONFIG_RESTART),
    ROW(count, CONFIG_INT, CONFIG_RESTART),
    ROW(wait_ms, CONFIG_DURATION, CONFIG_RESTART),
    ROW(yes, CONFIG_BOOL, CONFIG_RESTART),
    {.name = "choice",
	.type = CONFIG_ENUM,
	.flags = CONFIG_RESTART,
	.offset = offsetof(struct settings, choice),
	.choices = choices},
    ROW(ids, CONFIG_STRINGS, CONFIG_RESTART),
    ROW(free, CONFIG_INT, 0),
};
static const struct config_section section = {.path = "", .keys = keys, .key_count = ARRAY_LEN(keys)};

static void read_text(const char *text, struct settings *out)
{
	struct error err = {0};
	struct config *cfg = config_parse("test", text, &err);

	assert_non_null(cfg);
	config_read(cfg, "", &section, out);
	assert_int_equal(config_error_count(cfg), 0);
	config_free(cfg);
}

static void note(void *arg, const struct config_key *key)
{
	buf_addf(arg, "%s ", key->name);
}

static void what_needs_a_restart_stays_and_is_told(void **state)
{
	(void)state;
	static const char first[] = "text = \"x\"; count = 1; wait_ms = 2; yes = true; choice = \"b\"; ids = "
				    "[\"1\", \"2\"]; free = 3;";
	struct settings old = {0}, same = {0}, now = {0};
	struct buf told = BUF_INIT;

	read_text(first, &old);
	read_text(first, &same);
	read_text("count = 2; wait_ms = 3; yes = false; choice = \"a\"; ids = [\"1\"]; free = 4;", &now);
	config_settings_keep_restart_only(&section, &old, &same, note, &told);
	assert_string_equal(told.data, "");
	config_settings_keep_restart_only(&section, &old, &now, note, &told);
	assert_string_equal(told.data, "text count wait_ms yes choice ids ");
	assert_string_equal(now.text, "x");
	assert_ptr_not_equal(now.text, old.text);
	assert_int_equal(now.count, 1);
	assert_int_equal(now.wait_ms, 2000);
	assert_true(now.yes);
	assert_int_equal(now.choice, 1);
	assert_int_equal(now.ids.count, 2);
	assert_string_equal(now.ids.items[1], "2");
	assert_int_equal(now.free, 4);
	config_settings_clear(keys, ARRAY_LEN(keys), &old);
	config_settings_clear(keys, ARRAY_LEN(keys), &same);
	config_settings_clear(keys, ARRAY_LEN(keys), &now);
	buf_clear(&told);
}

static const struct {
	const char *text, *state;
} files[] = {
    {"state = \"/a\";\nallow = [", "/a"},
    {"# state = \"/no\";\nstate: \"/a\"\n}", "/a"},
    {"x: { state = \"/no\"; };\nstate = \"/a\"; y = \"", "/a"},
    {"x = \"state = \\\"/no\\\"\"; state = \"/a\"", "/a"},
    {"x = \"open;\nstate = \"/a\";", NULL},
    {"state = 5;", NULL},
    {"state \"/a\";", NULL},
    {"state = \"/a\\n\";", NULL},
    {"", NULL},
};

static void a_broken_file_tells_its_state_when_it_stands_before_the_mistake(void **state)
{
	(void)state;
	char path[] = "/tmp/myna-peek-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(pwrite(fd, files[i].text, strlen(files[i].text), 0), strlen(files[i].text));
		char *found = config_peek(path, "state");
		if ((!found) != (!files[i].state) || (found && strcmp(found, files[i].state) != 0))
			fail_msg("%s gave %s", files[i].text, found ? found : "nothing");
		free(found);
	}
	close(fd);
	unlink(path);
	assert_null(config_peek(path, "state"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_needs_a_restart_stays_and_is_told),
	    cmocka_unit_test(a_broken_file_tells_its_state_when_it_stands_before_the_mistake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
