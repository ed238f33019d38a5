#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/mem.h"
#include "bus/address.h"
#include "bus/message.h"

static void assert_refused(const char *text, const char *because)
{
	struct address a = {.chat = "kept"};
	struct error err = {0};

	assert_int_equal(address_parse(text, &a, &err), -1);
	assert_int_equal(err.kind, ERROR_OURS);
	if (!strstr(err.text, because))
		fail_msg("\"%s\" was refused with \"%s\", not because of \"%s\"", text, err.text, because);
	assert_string_equal(a.chat, "kept");
}

static void text_and_value_turn_into_each_other(void **state)
{
	static const struct {
		const char *text, *channel, *chat, *thread;
	} cases[] = {
	    {"telegram:-100123/42", "telegram", "-100123", "42"},
	    {"telegram:77", "telegram", "77", ""},
	    {"slack:C024BE91L/1355517523.000005", "slack", "C024BE91L", "1355517523.000005"},
	    {"work_2-b:@some.channel", "work_2-b", "@some.channel", ""},
	    {"console:a:b/c/d", "console", "a:b", "c/d"},
	    {"console:b\xc3\xbcro", "console", "b\xc3\xbcro", ""},
	};
	char text[ADDRESS_TEXT_MAX];
	struct address a;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_int_equal(address_parse(cases[i].text, &a, NULL), 0);
		assert_string_equal(a.channel, cases[i].channel);
		assert_string_equal(a.chat, cases[i].chat);
		assert_string_equal(a.thread, cases[i].thread);
		assert_string_equal(address_format(&a, text), cases[i].text);
	}
}

static void wrong_texts_are_refused_with_a_reason(void **state)
{
	(void)state;
	assert_refused("", "CHANNEL:CHAT");
	assert_refused("telegram", "CHANNEL:CHAT");
	assert_refused(":77", "begins with the name");
	assert_refused("telegram:", "needs a chat");
	assert_refused("telegram:/42", "needs a chat");
	assert_refused("telegram:77/", "needs a thread");
	assert_refused("tele gram:77", "letters, digits");
	assert_refused("tele.gram:77", "letters, digits");
	assert_refused("telegram:7 7", "blank");
	assert_refused("telegram:77/4\t2", "thread of an address holds a blank");
	assert_refused("telegram:77\n", "blank");
	assert_refused("telegram:7\x1b", "control");
	assert_refused("telegram:\xff", "bad byte");
	assert_refused("telegram:a\xe2\x80\xae"
		       "b",
	    "control");
	assert_refused("telegram:a\xc2\xa0"
		       "b",
	    "blank");
}

static void ids_are_never_cut(void **state)
{
	char longest[64], text[400];
	struct address a, again;

	(void)state;
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	assert_int_equal(address_set(&a, "abcdefghijklmnopqrstuvwxyz01234", longest, longest, NULL), 0);
	assert_int_equal(address_parse(address_format(&a, text), &again, NULL), 0);
	assert_true(address_equal(&a, &again));

	assert_refused("abcdefghijklmnopqrstuvwxyz012345:1", "longer than 31");
	snprintf(text, sizeof(text), "telegram:%sy", longest);
	assert_refused(text, "longer than 63");
	snprintf(text, sizeof(text), "telegram:1/%sy", longest);
	assert_refused(text, "longer than 63");
	snprintf(text, sizeof(text), "telegram:1/%s%s%s", longest, longest, longest);
	assert_refused(text, "bytes long");
}

static void a_chat_with_a_slash_is_refused(void **state)
{
	struct address a;

	(void)state;
	assert_int_equal(address_set(&a, "slack", "a/b", NULL, NULL), -1);
	assert_int_equal(address_set(&a, "slack", "a", "b/c", NULL), 0);
}

static void addresses_are_equal_when_all_parts_are(void **state)
{
	struct address a, b;

	(void)state;
	address_set(&a, "slack", "C1", "9", NULL);
	address_set(&b, "slack", "C1", "9", NULL);
	assert_true(address_equal(&a, &b));
	assert_memory_equal(&a, &b, sizeof(a));
	address_set(&b, "slack", "C1", NULL, NULL);
	assert_false(address_equal(&a, &b));
	address_set(&b, "slack", "C2", "9", NULL);
	assert_false(address_equal(&a, &b));
	address_set(&b, "discord", "C1", "9", NULL);
	assert_false(address_equal(&a, &b));
}

static void a_copied_row_owns_its_strings(void **state)
{
	struct address to;
	struct outbound *row, *copy;

	(void)state;
	address_set(&to, "slack", "C1", NULL, NULL);
	row = outbound_new(&to, OUTBOUND_NOTIFICATION, "hello");
	row->key = xstrdup("k");
	row->reason = xstrdup("why");
	copy = outbound_copy(row);
	outbound_free(row);
	assert_string_equal(copy->text, "hello");
	assert_string_equal(copy->key, "k");
	assert_string_equal(copy->reason, "why");
	assert_null(copy->reply_to);
	assert_int_equal(copy->part, 1);
	assert_int_equal(copy->parts, 1);
	outbound_free(copy);
	outbound_free(NULL);
	message_free(NULL);
	message_free(message_new());
}

static void states_and_kinds_have_names(void **state)
{
	(void)state;
	assert_string_equal(outbound_state_name(OUTBOUND_FAILED), "failed");
	assert_string_equal(outbound_state_name((enum outbound_state)99), "unknown");
	assert_string_equal(message_kind_name(MESSAGE_PRESS), "press");
	assert_string_equal(chat_kind_name(CHAT_CHANNEL), "channel");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(text_and_value_turn_into_each_other),
	    cmocka_unit_test(wrong_texts_are_refused_with_a_reason),
	    cmocka_unit_test(ids_are_never_cut),
	    cmocka_unit_test(a_chat_with_a_slash_is_refused),
	    cmocka_unit_test(addresses_are_equal_when_all_parts_are),
	    cmocka_unit_test(a_copied_row_owns_its_strings),
	    cmocka_unit_test(states_and_kinds_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
