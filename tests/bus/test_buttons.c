#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text/utf8.h"
#include "bus/buttons.h"
#include "bus/message.h"

static void buttons_survive_being_written(void **state)
{
	struct buttons a = {0}, b;
	struct outbound *row, *copy;

	(void)state;
	buttons_add(&a, "p:x:0", "Yes \"now\"", BUTTON_PRIMARY, false);
	buttons_add(&a, "p:x:1", "No", BUTTON_DANGER, false);
	buttons_add(&a, "p:x:2", "Später", BUTTON_PLAIN, true);
	row = outbound_new(&(struct address){"main", "77", ""}, OUTBOUND_REPLY, "?");
	row->buttons = buttons_write(&a);
	copy = outbound_copy(row);
	outbound_free(row);
	assert_int_equal(buttons_read(&b, copy->buttons, NULL), 0);
	outbound_free(copy);
	assert_int_equal(b.count, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(a.items[i].id, b.items[i].id);
		assert_string_equal(a.items[i].label, b.items[i].label);
		assert_int_equal(a.items[i].style, b.items[i].style);
		assert_int_equal(a.items[i].new_row, b.items[i].new_row);
	}
	buttons_clear(&a);
	buttons_clear(&b);
	assert_null(buttons_write(&a));
	assert_int_equal(buttons_read(&b, NULL, NULL), 0);
	assert_int_equal(b.count, 0);
}

static void rows_and_labels_keep_what_platforms_take(void **state)
{
	char label[301];
	struct buttons b = {0};

	(void)state;
	memset(label, 'x', 300);
	label[300] = '\0';
	for (size_t i = 0; i < BUTTONS_COUNT_MAX; i++)
		buttons_add(&b, "p:x:0", label, BUTTON_PLAIN, false);
	for (size_t i = 0; i < BUTTONS_COUNT_MAX; i++) {
		assert_int_equal(b.items[i].new_row, i % BUTTONS_IN_ROW == 0);
		assert_int_equal(strlen(b.items[i].label), BUTTON_LABEL_MAX);
	}
	buttons_clear(&b);
}

static void a_text_of_others_is_refused(void **state)
{
	static const char *const texts[] = {"", "{}", "[{}]", "[[{}]]",
	    "[[{\"id\":\"\",\"label\":\"x\",\"style\":\"plain\"}]]",
	    "[[{\"id\":\"a\",\"label\":\"x\",\"style\":\"pink\"}]]", "[[{\"id\":\"a\",\"style\":\"plain\"}]]",
	    "[[{\"id\":\"a\",\"label\":\"x\",\"style\":\"plain\"}],7]",
	    ("[[{\"id\":\"a23456789a23456789a23456789a23456789a23456789a23456789a23456789a23456789\","
	     "\"label\":\"x\",\"style\":\"plain\"}]]")};
	struct error err;
	struct buttons b;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		assert_int_equal(buttons_read(&b, texts[i], &err), -1);
		assert_int_equal(b.count, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(buttons_survive_being_written),
	    cmocka_unit_test(rows_and_labels_keep_what_platforms_take),
	    cmocka_unit_test(a_text_of_others_is_refused),
	};

	return cmocka_run_group_tests_name("buttons", tests, NULL, NULL);
}
