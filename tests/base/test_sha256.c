#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/sha256.h"

static void assert_hash(const char *data, size_t len, const char *want)
{
	char out[SHA256_TEXT_SIZE];

	sha256_text(data, len, out);
	assert_string_equal(out, want);
}

/* The examples of FIPS 180-4 and of NIST's test vectors. */
static void known_texts_have_their_known_hashes(void **state)
{
	static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
	struct buf million = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < 1000000; i++)
		buf_addch(&million, 'a');
	assert_hash("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	assert_hash("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	assert_hash("\xbd", 1, "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
	assert_hash(two_blocks, strlen(two_blocks),
	    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	assert_hash(
	    million.data, million.len, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	buf_clear(&million);
}

/* Where the length comes to stand in the next block, and where a block is full: each other by one byte. */
static void lengths_around_a_block_differ(void **state)
{
	char text[130], before[SHA256_TEXT_SIZE] = "", out[SHA256_TEXT_SIZE];

	(void)state;
	memset(text, 'x', sizeof(text));
	for (size_t len = 54; len <= sizeof(text); len++) {
		sha256_text(text, len, out);
		assert_string_not_equal(out, before);
		memcpy(before, out, sizeof(out));
	}
	assert_hash(text, 55, "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072");
	assert_hash(text, 64, "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c");
}

static void pieces_give_the_hash_of_the_whole(void **state)
{
	char text[300], whole[SHA256_TEXT_SIZE], out[SHA256_TEXT_SIZE];

	(void)state;
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)('a' + i % 26);
	sha256_text(text, sizeof(text), whole);
	for (size_t piece = 1; piece <= sizeof(text); piece++) {
		struct sha256 h;
		sha256_begin(&h);
		for (size_t at = 0; at < sizeof(text); at += piece)
			sha256_add(&h, text + at, piece < sizeof(text) - at ? piece : sizeof(text) - at);
		sha256_end(&h, out);
		assert_string_equal(out, whole);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(known_texts_have_their_known_hashes),
	    cmocka_unit_test(lengths_around_a_block_differ),
	    cmocka_unit_test(pieces_give_the_hash_of_the_whole),
	};

	return cmocka_run_group_tests_name("sha256", tests, NULL, NULL);
}
