#include <string.h>

#include "base/buf.h"
#include "base/text/hex.h"
#include "net/server/server.h"

static bool decode(const char *s, size_t len, bool plus_is_space, struct buf *out)
{
	for (size_t i = 0; i < len; i++) {
		int c = (unsigned char)s[i];

		if (c == '%') {
			c = hex_number(s + i + 1, len - i - 1, 2);
			i += 2;
		} else if (c == '+' && plus_is_space) {
			c = ' ';
		}
		/* A NUL would hide what follows from code that reads the result as a string. */
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

/* Do the len bytes at key decode to name? */
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
