/* base/base64: what was encoded is decoded, and what can be decoded is nothing but base64. */
#include <stdlib.h>
#include <string.h>

#include "base/text/base64.h"
#include "base/buf.h"
#include "fuzz/fuzz.h"

/* Without padding, which may be left out, and the bits behind the last byte, which say nothing. */
static void check_same(const char *text, size_t len, const struct buf *again)
{
	size_t chars = again->len;

	while (len > 0 && text[len - 1] == '=')
		len--;
	while (chars > 0 && again->data[chars - 1] == '=')
		chars--;
	HOLDS(chars == len);
	HOLDS(len == 0 || memcmp(text, again->data, len - 1) == 0);
}

void fuzz_base64(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct buf coded = BUF_INIT, plain = BUF_INIT;
	size_t len;
	char *text = fuzz_rest(&in, &len);

	base64_encode(&coded, text, len);
	HOLDS(base64_decode(&plain, coded.data, coded.len) == 0);
	HOLDS(plain.len == len && memcmp(plain.data, text, len) == 0);
	buf_reset(&coded);
	buf_reset(&plain);
	if (base64_decode(&plain, text, len) == 0) {
		base64_encode(&coded, plain.data, plain.len);
		check_same(text, len, &coded);
	}
	buf_clear(&coded);
	buf_clear(&plain);
	free(text);
}

FUZZ_PROGRAM(fuzz_base64)
