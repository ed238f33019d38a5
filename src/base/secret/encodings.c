#include "base/secret/secret_internal.h"

#include <string.h>

#include "base/text/hex.h"
#include "base/json/flat.h"
#include "base/mem.h"
#include "base/text/utf8.h"

static const char digits[] = "0123456789abcdef";

static const char json_short[256] = {
    ['"'] = '"',
    ['\\'] = '\\',
    ['/'] = '/',
    ['\b'] = 'b',
    ['\f'] = 'f',
    ['\n'] = 'n',
    ['\r'] = 'r',
    ['\t'] = 't',
};

/* RFC 3986, section 2.3. */
static bool is_unreserved(unsigned char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	    (c != '\0' && strchr("-._~", c));
}

/* Reads \uXXXX (or a surrogate pair) at text. Returns how many bytes of want it encodes. */
static size_t spell_json_unicode(
    const char *want, size_t want_len, const char *text, size_t len, size_t *used)
{
	uint32_t cp, wanted;
	size_t n = json_flat_unicode(text, len, &cp);

	if (n == 0)
		return 0;
	*used = n;
	n = utf8_decode(want, want_len, &wanted);
	return n != 0 && wanted == cp ? n : 0;
}

/* Each returns how many bytes of want the start of text encodes (0: none), and how many bytes that uses. */
static size_t spell_json(const char *want, size_t want_len, const char *text, size_t len, size_t *used)
{
	unsigned char c = (unsigned char)want[0];

	if (text[0] != '\\') {
		*used = 1;
		return text[0] == want[0];
	}
	if (len < 2)
		return 0;
	if (text[1] == 'u')
		return spell_json_unicode(want, want_len, text, len, used);
	*used = 2;
	return json_short[c] != '\0' && text[1] == json_short[c];
}

static size_t spell_url(const char *want, size_t want_len, const char *text, size_t len, size_t *used)
{
	(void)want_len;
	if (text[0] == '%') {
		*used = 3;
		return hex_number(text + 1, len - 1, 2) == (unsigned char)want[0];
	}
	*used = 1;
	return text[0] == want[0] || (want[0] == ' ' && text[0] == '+');
}

static size_t spell_plain(const char *want, size_t want_len, const char *text, size_t len, size_t *used)
{
	*used = want_len;
	return len >= want_len && memcmp(want, text, want_len) == 0 ? want_len : 0;
}

static size_t (*const encodings[])(
    const char *want, size_t want_len, const char *text, size_t len, size_t *used) = {
    spell_plain,
    spell_url,
    spell_json,
};

size_t encodings_match(const char *want, size_t want_len, const char *text, size_t len)
{
	size_t longest = 0;

	for (size_t kind = 0; kind < ARRAY_LEN(encodings); kind++) {
		size_t done = 0, at = 0, used = 0, n = 1;

		while (done < want_len && at < len && n != 0) {
			n = encodings[kind](want + done, want_len - done, text + at, len - at, &used);
			done += n;
			at += used;
		}
		if (done == want_len && at > longest)
			longest = at;
	}
	return longest;
}

size_t encodings_first_bytes(unsigned char c, unsigned char firsts[ENCODINGS_FIRST_BYTES])
{
	size_t count = 0;

	firsts[count++] = c;
	if (c == ' ')
		firsts[count++] = '+';
	if (!is_unreserved(c)) {
		firsts[count++] = '%';
		firsts[count++] = '\\';
	}
	return count;
}

static void add_before(unsigned char first, unsigned char second, struct byte_pairs *starts)
{
	unsigned char seconds[ENCODINGS_FIRST_BYTES];
	size_t count = encodings_first_bytes(second, seconds);

	for (size_t i = 0; i < count; i++)
		byte_pairs_add(starts, first, seconds[i]);
}

void encodings_add_starts(const char *want, struct byte_pairs *starts)
{
	unsigned char first = (unsigned char)want[0], second = (unsigned char)want[1];
	char high = digits[first >> 4];

	add_before(first, second, starts);
	if (first == ' ')
		add_before('+', second, starts);
	if (is_unreserved(first))
		return;
	byte_pairs_add(starts, '%', (unsigned char)high);
	byte_pairs_add(starts, '%', (unsigned char)(high >= 'a' ? high - ('a' - 'A') : high));
	byte_pairs_add(starts, '\\', 'u');
	byte_pairs_add(starts, '\\', (unsigned char)json_short[first]);
}
