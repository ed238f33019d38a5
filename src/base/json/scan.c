#include "base/json/scan.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/text/simd.h"
#include "base/text/utf8.h"

struct scan {
	const char *text;
	size_t len, at;
	size_t depth;
	const char *problem;
};

static bool is_digit_at(const struct scan *s, size_t at)
{
	return at < s->len && s->text[at] >= '0' && s->text[at] <= '9';
}

/* Returns how many bytes from the first on are plain ones of a string; those of the last sixteen do not
 * count. */
static size_t count_plain(const char *text, size_t len)
{
	size_t at = 0, n = sizeof(simd_bytes);

	while (n == sizeof(simd_bytes) && len - at >= sizeof(simd_bytes)) {
		simd_bytes x = simd_load(text + at);

		n = simd_first_set((simd_bytes)(x < 0x20) | (simd_bytes)(x == '"') | (simd_bytes)(x == '\\'));
		at += n;
	}
	return at;
}

static void scan_string(struct scan *s)
{
	for (s->at++; s->at < s->len; s->at++) {
		s->at += count_plain(s->text + s->at, s->len - s->at);
		if (s->at == s->len || s->text[s->at] == '"')
			break;
		if ((unsigned char)s->text[s->at] < 0x20) {
			s->problem = "control character in a string";
			return;
		}
		if (s->text[s->at] == '\\' && s->at + 1 < s->len)
			s->at++;
	}
	s->at++;
}

static void skip_digits(struct scan *s)
{
	while (is_digit_at(s, s->at))
		s->at++;
}

static bool skip_one_of(struct scan *s, const char *set)
{
	bool found = s->at < s->len && s->text[s->at] != '\0' && strchr(set, s->text[s->at]);

	s->at += found;
	return found;
}

static void scan_number(struct scan *s)
{
	bool negative = s->at > 0 && s->text[s->at - 1] == '-';
	bool whole = true, overflow = false;
	uint64_t value = 0;

	if (s->text[s->at] == '0' && is_digit_at(s, s->at + 1))
		s->problem = "number with a leading zero";
	for (; is_digit_at(s, s->at); s->at++)
		overflow |= __builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(s->text[s->at] - '0'), &value);
	if (skip_one_of(s, ".")) {
		whole = false;
		if (!is_digit_at(s, s->at))
			s->problem = "number without a digit after its point";
		skip_digits(s);
	}
	if (skip_one_of(s, "eE")) {
		whole = false;
		skip_one_of(s, "+-");
		skip_digits(s);
	}
	if (whole && (overflow || (negative && value > (uint64_t)INT64_MAX + 1)))
		s->problem = "integer beyond 64 bits (write it as a string)";
}

static void scan_token(struct scan *s)
{
	switch (s->text[s->at]) {
	case '"':
		scan_string(s);
		return;
	case '0' ... '9':
		scan_number(s);
		return;
	case '-':
		if (!is_digit_at(s, s->at + 1))
			s->problem = "minus sign without a digit behind it";
		break;
	case '[':
	case '{':
		if (++s->depth > JSON_DEPTH)
			s->problem = "nested too deep";
		break;
	case ']':
	case '}':
		s->depth--;
		break;
	case '\'':
		s->problem = "single quote (strings stand in double quotes)";
		break;
	case 'I':
	case 'N':
		s->problem = "unexpected letter (NaN and Infinity are no JSON values)";
		break;
	case '\0':
		s->problem = "NUL byte";
		break;
	default:
		break;
	}
	s->at++;
}

int json_scan(const char *text, size_t len, struct error *err)
{
	struct scan s = {.text = text, .len = len};
	size_t start = 0;

	if (!utf8_valid(text, len))
		return error_set(err, ERROR_OURS, "not JSON: it is not valid UTF-8");
	while (s.at < len && !s.problem) {
		start = s.at;
		scan_token(&s);
	}
	if (s.problem)
		return error_set(err, ERROR_OURS, "not JSON: %s, at byte %zu", s.problem, start);
	return 0;
}
