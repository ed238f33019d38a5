#include "llm/surrogate.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

#define ESCAPE_LEN 6 /* \uXXXX */

/* Is this the escape of a high (d8…db) or low (dc…df) surrogate? */
static bool is_half(const char *s, const char *end, const char *third)
{
	return end - s >= ESCAPE_LEN && s[0] == '\\' && s[1] == 'u' && (s[2] == 'd' || s[2] == 'D') && s[3] != '\0' &&
	       strchr(third, s[3]);
}

static bool is_high(const char *s, const char *end)
{
	return is_half(s, end, "89abAB");
}

static bool is_low(const char *s, const char *end)
{
	return is_half(s, end, "cdefCDEF");
}

/* Bytes of the escape at s, a whole pair counted as one. */
static size_t escape_len(const char *s, const char *end)
{
	if (is_high(s, end) && is_low(s + ESCAPE_LEN, end))
		return 2 * ESCAPE_LEN;
	return end - s >= 2 ? 2 : 1;
}

void surrogate_join(struct surrogate *s, const char *json, size_t len, struct buf *out)
{
	const char *at = json, *end = json + len, *next;

	for (; (next = memchr(at, '\\', (size_t)(end - at))) != NULL; at = next) {
		buf_add(out, at, (size_t)(next - at));
		at = next;
		next += escape_len(at, end);
		if (next - at == 2 && *s->half && at > json && at[-1] == '"' && is_low(at, end)) {
			buf_addstr(out, s->half);
			s->half[0] = '\0';
		} else if (next - at == 2 && !*s->half && is_high(at, end) && at + ESCAPE_LEN < end &&
			   at[ESCAPE_LEN] == '"') {
			memcpy(s->half, at, ESCAPE_LEN);
			s->half[ESCAPE_LEN] = '\0';
			next = at + ESCAPE_LEN;
			continue;
		}
		buf_add(out, at, (size_t)(next - at));
	}
	buf_add(out, at, (size_t)(end - at));
}
