#include "base/text/utf8.h"

#include <string.h>

#include "base/buf.h"
#include "base/text/simd.h"
#include "base/mem.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* How a lead byte begins: its bits, the length it announces, and the lowest code point of that length (lower
 * ones are over-long). */
static const struct utf8_lead {
	unsigned char mask, bits, len;
	uint32_t least;
} leads[] = {
    {0x80, 0x00, 1, 0x0},
    {0xe0, 0xc0, 2, 0x80},
    {0xf0, 0xe0, 3, 0x800},
    {0xf8, 0xf0, 4, 0x10000},
};

size_t utf8_decode(const char *s, size_t len, uint32_t *cp)
{
	const unsigned char *p = (const unsigned char *)s;
	const struct utf8_lead *lead = leads;
	uint32_t value;

	if (len == 0)
		return 0;
	if (p[0] < 0x80) {
		*cp = p[0];
		return 1;
	}
	while ((p[0] & lead->mask) != lead->bits)
		if (++lead == leads + ARRAY_LEN(leads))
			return 0;
	if (lead->len > len)
		return 0;
	value = p[0] & (unsigned char)~lead->mask;
	for (size_t i = 1; i < lead->len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (p[i] & 0x3f);
	}
	if (value < lead->least || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 0;
	*cp = value;
	return lead->len;
}

void utf8_encode(struct buf *out, uint32_t cp)
{
	char bytes[4];
	size_t len = ARRAY_LEN(leads);

	if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff)) {
		buf_addstr(out, REPLACEMENT);
		return;
	}
	while (cp < leads[len - 1].least)
		len--;
	for (size_t i = len - 1; i > 0; i--, cp >>= 6)
		bytes[i] = (char)(0x80 | (cp & 0x3f));
	bytes[0] = (char)(leads[len - 1].bits | cp);
	buf_add(out, bytes, len);
}

/* Returns how many bytes at the start are ASCII. Four lanes at a time, because most text is. */
static size_t ascii_span(const char *s, size_t len)
{
	size_t i = 0;

	for (; i + 4 * sizeof(simd_bytes) <= len; i += 4 * sizeof(simd_bytes))
		if (simd_first_set((simd_load(s + i) | simd_load(s + i + sizeof(simd_bytes)) |
				       simd_load(s + i + 2 * sizeof(simd_bytes)) |
				       simd_load(s + i + 3 * sizeof(simd_bytes))) > 0x7f) <
		    sizeof(simd_bytes))
			break;
	for (; i + sizeof(simd_bytes) <= len; i += sizeof(simd_bytes)) {
		size_t n = simd_first_set((simd_bytes)(simd_load(s + i) > 0x7f));
		if (n < sizeof(simd_bytes))
			return i + n;
	}
	while (i < len && (s[i] & 0x80) == 0)
		i++;
	return i;
}

bool utf8_valid(const char *s, size_t len)
{
	uint32_t cp;
	size_t i = ascii_span(s, len), n;

	while (i < len) {
		n = utf8_decode(s + i, len - i, &cp);
		if (n == 0)
			return false;
		i += n;
		i += ascii_span(s + i, len - i);
	}
	return true;
}

static bool is_dropped(uint32_t cp)
{
	return (cp < 0x20 && cp != '\t' && cp != '\n' && cp != '\r') || cp == 0x7f;
}

/* Returns how many bytes at the start are unchanged ASCII, line ends excluded. */
static size_t clean_span(const char *s, size_t len)
{
	size_t i = 0;

	for (; i + sizeof(simd_bytes) <= len; i += sizeof(simd_bytes)) {
		simd_bytes x = simd_load(s + i);
		size_t n = simd_first_set((simd_bytes)(x < 0x20) | (simd_bytes)(x > 0x7e));
		if (n < sizeof(simd_bytes))
			return i + n;
	}
	while (i < len && s[i] >= 0x20 && s[i] < 0x7f)
		i++;
	return i;
}

size_t utf8_sanitize(struct buf *out, const char *s, size_t len)
{
	size_t bad = 0, start = 0, i = 0, n;
	uint32_t cp;

	for (; (i += clean_span(s + i, len - i)) < len;) {
		n = utf8_decode(s + i, len - i, &cp);
		if (n != 0 && !is_dropped(cp)) {
			i += n;
			continue;
		}
		buf_add(out, s + start, i - start);
		if (n == 0) {
			buf_addstr(out, REPLACEMENT);
			bad++;
		}
		start = ++i;
	}
	buf_add(out, s + start, len - start);
	return bad;
}

/* Reads the code point at s, or a stand-in for one invalid byte. Returns its length. */
static size_t step(const char *s, size_t len, uint32_t *cp)
{
	size_t n = utf8_decode(s, len, cp);

	if (n != 0)
		return n;
	*cp = 0xfffd;
	return 1;
}

static size_t units_of(uint32_t cp, size_t bytes, enum utf8_unit unit)
{
	if (unit == UTF8_BYTES)
		return bytes;
	return unit == UTF8_UTF16 && cp >= 0x10000 ? 2 : 1;
}

size_t utf8_count(const char *s, size_t len, enum utf8_unit unit)
{
	size_t count = 0, n;
	uint32_t cp;

	if (unit == UTF8_BYTES)
		return len;
	for (size_t i = 0; i < len; i += n) {
		if ((s[i] & 0x80) == 0) {
			n = ascii_span(s + i, len - i);
			count += n;
			continue;
		}
		n = step(s + i, len - i, &cp);
		count += units_of(cp, n, unit);
	}
	return count;
}

size_t utf8_cut(const char *s, size_t len, size_t max, enum utf8_unit unit)
{
	size_t count = 0, i = 0, n;
	uint32_t cp;

	/* No unit is smaller than a byte. */
	if (len <= max)
		return len;
	while (i < len) {
		n = step(s + i, len - i, &cp);
		count += units_of(cp, n, unit);
		if (count > max)
			break;
		i += n;
	}
	return i;
}

/* Code points that belong to the preceding one (ZWJ also to the following one). */
static const struct {
	uint32_t first, last;
} joined[] = {
    {0x300, 0x36f},     /* combining marks */
    {0x200d, 0x200d},   /* zero width joiner */
    {0x20d0, 0x20ff},   /* enclosing marks: keycaps */
    {0xfe00, 0xfe0f},   /* variation selectors */
    {0x1f3fb, 0x1f3ff}, /* skin tones */
    {0xe0020, 0xe007f}, /* tags: flags of regions */
};

static bool is_joined(uint32_t before, uint32_t after)
{
	if (before == 0x200d)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(joined); i++)
		if (after >= joined[i].first && after <= joined[i].last)
			return true;
	return false;
}

/* Returns where the code point that ends at s + end begins. */
static size_t step_back(const char *s, size_t end)
{
	uint32_t cp;

	for (size_t n = 1; n <= 4 && n <= end; n++)
		if (utf8_decode(s + end - n, n, &cp) == n)
			return end - n;
	return end - 1;
}

/* Returns the nearest position at or before cut that splits no sequence; cut itself when none is near. */
static size_t cluster_cut(const char *s, size_t len, size_t cut)
{
	size_t at = cut;

	for (int steps = 0; steps < 16 && at > 0; steps++) {
		size_t start = step_back(s, at);
		uint32_t before, after;

		step(s + start, at - start, &before);
		step(s + at, len - at, &after);
		if (!is_joined(before, after))
			return at;
		at = start;
	}
	return cut;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Cut positions, best first: may text end at s, with more bytes after it? */
static bool at_paragraph(const char *s, size_t len)
{
	return s[0] == '\n' && len > 1 && (s[1] == '\n' || (s[1] == '\r' && len > 2 && s[2] == '\n'));
}

static bool at_line(const char *s, size_t len)
{
	(void)len;
	return s[0] == '\n';
}

static bool at_blank(const char *s, size_t len)
{
	(void)len;
	return is_blank(s[0]);
}

static bool (*const cuts[])(const char *s, size_t len) = {at_paragraph, at_line, at_blank};

/* Returns the last cut of the best kind in the last half of s[0..end]; end when there is none. */
static size_t find_cut(const char *s, size_t len, size_t end)
{
	for (size_t kind = 0; kind < ARRAY_LEN(cuts); kind++)
		for (size_t i = end; i > 0 && i >= end / 2; i--)
			if (cuts[kind](s + i, len - i))
				return i;
	return cluster_cut(s, len, end);
}

/* Returns the length of the white space at s + at to drop: through its last line end, or all when it has
 * none or ends the text. The rest is the next line's indentation. */
static size_t swallowed(const char *s, size_t len, size_t at)
{
	size_t end = at, line = at;

	for (; end < len && is_blank(s[end]); end++)
		if (s[end] == '\n')
			line = end + 1;
	return (end == len || line == at ? end : line) - at;
}

size_t utf8_break(const char *s, size_t len, size_t max, enum utf8_unit unit, size_t *skip)
{
	size_t take = utf8_cut(s, len, max, unit), tail;
	uint32_t cp;

	*skip = 0;
	if (take == len)
		return len;
	if (take == 0)
		return step(s, len, &cp);
	take = find_cut(s, len, take);
	tail = take;
	*skip = swallowed(s, len, take);
	/* Trailing white space of the piece is dropped too, unless the piece is nothing else. */
	while (*skip != 0 && tail > 1 && is_blank(s[tail - 1]))
		tail--;
	*skip += take - tail;
	return tail;
}
