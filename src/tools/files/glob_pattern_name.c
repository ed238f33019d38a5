/* Matches one name against one part of a pattern. */
#include <string.h>

#include "base/text/utf8.h"
#include "tools/files/glob_pattern.h"

/* Added to an invalid UTF-8 byte, so that it equals only itself and no character. */
#define BAD_BYTE 0x110000u

/* Returns the length of the brackets at p, or 0. A ']' may be their first character; a '/' cannot occur in a
 * name. */
static size_t measure_brackets(const char *p)
{
	size_t i = 1;

	i += p[i] == '!' || p[i] == '^';
	i += p[i] == ']';
	while (p[i] != ']') {
		if (p[i] == '\0' || p[i] == '/' || (p[i] == '\\' && p[i + 1] == '\0'))
			return 0;
		i += p[i] == '\\' ? 2 : 1;
	}
	return i + 1;
}

size_t glob_pattern_sign(const char *p)
{
	if (*p == '[')
		return measure_brackets(p);
	return *p == '\\' && p[1] ? 2 : 1;
}

static uint32_t next_char(const char **s)
{
	uint32_t c;
	size_t n = utf8_decode(*s, strnlen(*s, 4), &c);

	if (n == 0)
		c = BAD_BYTE + (unsigned char)**s;
	*s += n ? n : 1;
	return c;
}

static uint32_t next_in_brackets(const char **p)
{
	*p += **p == '\\';
	return next_char(p);
}

/* Is c in the brackets, whose contents are from p to end? */
static bool match_brackets(const char *p, const char *end, uint32_t c)
{
	bool negated = *p == '!' || *p == '^', hit = false;

	p += negated;
	while (p < end) {
		uint32_t low = next_in_brackets(&p), high = low;
		if (*p == '-' && p + 1 < end) {
			p++;
			high = next_in_brackets(&p);
		}
		hit |= c >= low && c <= high;
	}
	return hit != negated;
}

/* Matches one token against one character; both advance on a match. */
static bool match_sign(const char **part, const char **name)
{
	const char *p = *part, *s = *name;
	size_t len = glob_pattern_sign(p);
	uint32_t c = next_char(&s);

	if (*p == '?') {
		p++;
	} else if (*p == '[' && len > 0) {
		if (!match_brackets(p + 1, p + len - 1, c))
			return false;
		p += len;
	} else {
		p += len == 2;
		if (next_char(&p) != c)
			return false;
	}
	*part = p;
	*name = s;
	return true;
}

/* On a mismatch only the last star is extended, so that the cost is at most the product of both lengths. */
bool glob_pattern_match_name(const char *part, const char *name)
{
	const char *star = NULL, *again = NULL;

	if (*name == '.' && part[*part == '\\'] != '.')
		return false;
	while (*name) {
		if (*part == '*') {
			star = ++part;
			again = name;
		} else if (*part == '\0' || !match_sign(&part, &name)) {
			if (!star)
				return false;
			next_char(&again);
			part = star;
			name = again;
		}
	}
	return part[strspn(part, "*")] == '\0';
}
