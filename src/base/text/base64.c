#include "base/text/base64.h"

#include <stdint.h>
#include <string.h>

#include "base/buf.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_encode(struct buf *out, const void *data, size_t len)
{
	const unsigned char *p = data;

	buf_reserve(out, (len / 3 + 1) * 4);
	for (; len > 0; p += 3) {
		size_t n = len < 3 ? len : 3;
		uint32_t bits = (uint32_t)p[0] << 16;
		char four[4] = "====";

		if (n > 1)
			bits |= (uint32_t)p[1] << 8;
		if (n > 2)
			bits |= p[2];
		for (size_t i = 0; i <= n; i++)
			four[i] = alphabet[bits >> (18 - 6 * i) & 63];
		buf_add(out, four, sizeof(four));
		len -= n;
	}
}

/* 0 to 63, or -1. */
static int value_of(char c)
{
	const char *at = c != '\0' ? strchr(alphabet, c) : NULL;

	return at ? (int)(at - alphabet) : -1;
}

int base64_decode(struct buf *out, const char *text, size_t len)
{
	uint32_t bits = 0;
	size_t count = 0;

	if (len % 4 == 0)
		for (int i = 0; i < 2 && len > 0 && text[len - 1] == '='; i++)
			len--;
	/* One character alone encodes no byte. */
	if (len % 4 == 1)
		return -1;
	buf_reserve(out, len / 4 * 3 + 3);
	for (size_t i = 0; i < len; i++) {
		int value = value_of(text[i]);

		if (value < 0)
			return -1;
		bits = bits << 6 | (uint32_t)value;
		count += 6;
		if (count >= 8) {
			count -= 8;
			buf_addch(out, (char)(bits >> count));
		}
	}
	return 0;
}
