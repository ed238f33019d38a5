#include <string.h>

#include "base/buf.h"
#include "net/server.h"

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *p = c ? strchr(digits, c) : NULL;

	return p ? (int)((p - digits) % 16) : -1;
}

/* The byte that %XX at s stands for; -1 when it is malformed. */
static int decode_escape(const char *s, size_t len)
{
	int high = len >= 3 ? hex_digit(s[1]) : -1, low = high >= 0 ? hex_digit(s[2]) : -1;

	return low < 0 ? -1 : high * 16 + low;
}

static bool decode(const char *s, size_t len, bool plus_is_space, struct buf *out)
{
	for (size_t i = 0; i < len; i++) {
		int c = (unsigned char)s[i];

		if (c == '%') {
			c = decode_escape(s + i, len - i);
			i += 2;
		} else if (c == '+' && plus_is_space) {
			c = ' ';
		}
		/* What follows a NUL would be hidden from whoever reads the result as a string. */
		if (c <= 0)
			return false;
		buf_addch(out, (char)c);
	}
	return true;
}

bool server_decode(const char *text, size_t len, struct buf *out)
{
	buf_reset(out);
	return decode(text, len, false, out);
}

/* Is name how the len bytes at key decode? */
static bool key_is(const char *key, size_t len, const char *name)
{
	struct buf decoded = BUF_INIT;
	bool same = decode(key, len, true, &decoded) && strcmp(decoded.data, name) == 0;

	buf_clear(&decoded);
	return same;
}

bool server_param(const char *form, const char *name, struct buf *out)
{
	buf_reset(out);
	for (const char *p = form; *p;) {
		size_t len = strcspn(p, "&"), key = strcspn(p, "=&");

		if (key_is(p, key, name))
			return key == len || decode(p + key + 1, len - key - 1, true, out);
		p += len + (p[len] == '&');
	}
	return false;
}
