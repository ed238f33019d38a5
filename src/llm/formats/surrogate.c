#include "llm/formats/surrogate.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

#define ESCAPE_LEN 6 /* \uXXXX */

/* Is this the escape of a high (d8…db) or low (dc…df) surrogate? */
static bool is_half(const char *s, const char *end, const char *third)
{
	return end - s >= ESCAPE_LEN && s[0] == '\\' && s[1] == 'u' && (s[2] == 'd' || s[2] == 'D') &&
	    s[3] != '\0' && strchr(third, s[3]);
}

static bool is_high(const char *s, const char *end)
{
	return is_half(s, end, "89abAB");
}

static bool is_low(const char *s, const char *end)
{
	return is_half(s, end, "cdefCDEF");
}

/* A high surrogate at the end of its piece is held back, if none is already. */
static bool is_to_wait(const struct surrogate *s, const char *at, const char *end)
{
	return !*s->half && is_high(at, end) && at + ESCAPE_LEN < end && at[ESCAPE_LEN] == '"';
}

void surrogate_join(struct surrogate *s, const char *json, size_t len, struct buf *out)
{
	const char *from = json, *at = json, *end = json + len;

	while ((at = memchr(at, '\\', (size_t)(end - at)))) {
		if (*s->half && at > json && at[-1] == '"' && is_low(at, end)) {
			buf_add(out, from, (size_t)(at - from));
			buf_addstr(out, s->half);
			s->half[0] = '\0';
			from = at;
		} else if (is_to_wait(s, at, end)) {
			buf_add(out, from, (size_t)(at - from));
			memcpy(s->half, at, ESCAPE_LEN);
			s->half[ESCAPE_LEN] = '\0';
			from = at + ESCAPE_LEN;
		}
		/* The character after a backslash does not begin another escape. */
		at += end - at >= 2 ? 2 : 1;
	}
	buf_add(out, from, (size_t)(end - from));
}
