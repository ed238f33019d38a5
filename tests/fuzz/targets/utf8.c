/* base/utf8 against the table of well-formed byte sequences in the Unicode Standard (3.9, table 3-7), and
 * what counting, cutting and breaking promise. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "fuzz/fuzz.h"
#include "tests/base/text/utf8_table.h"

static size_t units_of(size_t bytes, enum utf8_unit unit)
{
	if (unit == UTF8_BYTES)
		return bytes > 0 ? bytes : 1;
	return unit == UTF8_UTF16 && bytes == 4 ? 2 : 1;
}

static void check_decode(const char *s, size_t len, size_t bytes)
{
	struct buf encoded = BUF_INIT;
	uint32_t cp;

	HOLDS(utf8_decode(s, len, &cp) == bytes);
	if (bytes > 0) {
		utf8_encode(&encoded, cp);
		HOLDS(encoded.len == bytes && memcmp(encoded.data, s, bytes) == 0);
	}
	buf_clear(&encoded);
}

static void check_clean(const char *s, size_t len, size_t bad)
{
	struct buf once = BUF_INIT, twice = BUF_INIT;

	HOLDS(utf8_sanitize(&once, s, len) == bad);
	HOLDS(utf8_valid(once.data, once.len));
	HOLDS(strlen(once.data) == once.len);
	for (size_t i = 0; i < once.len; i++)
		HOLDS((unsigned char)once.data[i] >= 0x20 || strchr("\t\n\r", once.data[i]));
	HOLDS(utf8_sanitize(&twice, once.data, once.len) == 0);
	HOLDS(twice.len == once.len && memcmp(once.data, twice.data, once.len) == 0);
	buf_clear(&once);
	buf_clear(&twice);
}

/* Walks the text; *bad gets its bad bytes, *cut the most bytes that are max units. Returns the units of
 * all. */
static size_t measure(const char *s, size_t len, size_t max, enum utf8_unit unit, size_t *bad, size_t *cut)
{
	size_t units = 0, n;

	*bad = *cut = 0;
	for (size_t i = 0; i<len; i += n> 0 ? n : 1) {
		n = utf8_well_formed((const unsigned char *)s + i, len - i);
		check_decode(s + i, len - i, n);
		*bad += n == 0;
		units += units_of(n, unit);
		if (units <= max)
			*cut = i + (n > 0 ? n : 1);
	}
	return units;
}

static bool is_blank(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!strchr(" \t\r\n", s[i]) || s[i] == '\0')
			return false;
	return true;
}

/* Every piece fits, ends between two code points, and nothing but blanks is left out. */
static void check_breaks(const char *s, size_t len, size_t max, enum utf8_unit unit)
{
	size_t take, skip, bad, cut;

	for (size_t at = 0; at < len; at += take + skip) {
		take = utf8_break(s + at, len - at, max, unit, &skip);
		HOLDS(take > 0 && take <= len - at && skip <= len - at - take);
		HOLDS(is_blank(s + at + take, skip));
		HOLDS(utf8_cut(s + at, len - at, take, UTF8_BYTES) == take);
		if (measure(s + at, take, max, unit, &bad, &cut) > max)
			HOLDS(utf8_count(s + at, take, UTF8_CHARS) == 1);
	}
}

void fuzz_utf8(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	enum utf8_unit unit = (enum utf8_unit)fuzz_below(&in, 3);
	size_t max = fuzz_below(&in, 80), len, bad, cut;
	char *s = fuzz_rest(&in, &len);
	size_t units = measure(s, len, max, unit, &bad, &cut);

	HOLDS(utf8_valid(s, len) == (bad == 0));
	HOLDS(utf8_count(s, len, unit) == units);
	HOLDS(utf8_cut(s, len, max, unit) == cut);
	check_clean(s, len, bad);
	check_breaks(s, len, max, unit);
	free(s);
}

FUZZ_PROGRAM(fuzz_utf8)
