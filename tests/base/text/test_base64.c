#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/text/base64.h"
#include "base/buf.h"
#include "base/mem.h"

static void the_vectors_of_rfc_4648_hold(void **state)
{
	static const char *const vectors[][2] = {
	    {"", ""},
	    {"f", "Zg=="},
	    {"fo", "Zm8="},
	    {"foo", "Zm9v"},
	    {"foob", "Zm9vYg=="},
	    {"fooba", "Zm9vYmE="},
	    {"foobar", "Zm9vYmFy"},
	    {"\xfb\xff\xbf", "+/+/"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(vectors); i++) {
		struct buf text = BUF_INIT, data = BUF_INIT;

		base64_encode(&text, vectors[i][0], strlen(vectors[i][0]));
		assert_string_equal(text.data, vectors[i][1]);
		assert_int_equal(base64_decode(&data, text.data, text.len), 0);
		assert_string_equal(data.data, vectors[i][0]);
		buf_clear(&text);
		buf_clear(&data);
	}
}

static void all_bytes_come_back_at_every_length(void **state)
{
	unsigned char bytes[300];

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i * 7 + 3);
	for (size_t len = 0; len <= sizeof(bytes); len++) {
		struct buf text = BUF_INIT, data = BUF_INIT;

		base64_encode(&text, bytes, len);
		assert_int_equal(text.len, (len + 2) / 3 * 4);
		assert_int_equal(base64_decode(&data, text.data, text.len), 0);
		assert_int_equal(data.len, len);
		assert_memory_equal(data.data, bytes, len);
		buf_clear(&text);
		buf_clear(&data);
	}
}

static void padding_may_be_left_out(void **state)
{
	struct buf data = BUF_INIT;

	(void)state;
	assert_int_equal(base64_decode(&data, "Zm9vYg", 6), 0);
	assert_int_equal(base64_decode(&data, "Zm8", 3), 0);
	assert_string_equal(data.data, "foobfo");
	buf_clear(&data);
}

static void what_is_not_base64_is_refused(void **state)
{
	static const char *const bad[] = {
	    "Z",
	    "Zm9vY",
	    "Zm9v====",
	    "Zg=",
	    "=",
	    "Z=g=",
	    "Zm 9v",
	    "Zm9v\n",
	    "Zm-_",
	    "\xc3\xa9zz",
	};
	struct buf data = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		if (base64_decode(&data, bad[i], strlen(bad[i])) == 0)
			fail_msg("taken: %s", bad[i]);
	assert_int_equal(base64_decode(&data, "Zm\0v", 4), -1);
	buf_clear(&data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_vectors_of_rfc_4648_hold),
	    cmocka_unit_test(all_bytes_come_back_at_every_length),
	    cmocka_unit_test(padding_may_be_left_out),
	    cmocka_unit_test(what_is_not_base64_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
