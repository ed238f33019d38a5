#include "base/secret/secret_internal.h"

#include <string.h>

#include "base/mem.h"

#define TELEGRAM_DIGITS 6
#define TELEGRAM_TAIL   35
#define SLACK_TAIL      10
#define DISCORD_HEAD    23
#define DISCORD_MIDDLE  6
#define DISCORD_TAIL    27

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_token(char c)
{
	return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
}

static size_t span(const char *text, size_t len, bool (*is)(char c))
{
	size_t n = 0;

	while (n < len && is(text[n]))
		n++;
	return n;
}

/* Returns how many bytes before text[at] satisfy is. */
static size_t span_back(const char *text, size_t at, bool (*is)(char c))
{
	size_t n = 0;

	while (n < at && is(text[at - n - 1]))
		n++;
	return n;
}

static bool find_telegram(struct secret_scan *scan, size_t at, size_t *start, size_t *end)
{
	const char *text = scan->text;
	size_t len = scan->len, digits = span_back(text, at, is_digit);
	size_t tail = at + (text[at] == '%' ? 3 : 1);

	if (digits < TELEGRAM_DIGITS || tail > len)
		return false;
	if (text[at] == '%' && text[at + 2] != 'A' && text[at + 2] != 'a')
		return false;
	*start = at - digits;
	*end = tail + span(text + tail, len - tail, is_token);
	return *end - tail >= TELEGRAM_TAIL;
}

static bool find_slack(struct secret_scan *scan, size_t at, size_t *start, size_t *end)
{
	const char *text = scan->text;
	static const char *const heads[] = {"xoxa-", "xoxb-", "xoxe-", "xoxp-", "xoxr-", "xoxs-", "xapp-"};
	bool known = false;
	size_t len = scan->len, tail;

	/* What begins within a run has no more of a token than the run's first beginning had. */
	if (at < scan->slack_end)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(heads) && !known; i++)
		known = len - at > 5 && memcmp(text + at, heads[i], 5) == 0;
	if (!known)
		return false;
	*start = at;
	*end = at + 5 + span(text + at + 5, len - at - 5, is_token);
	scan->slack_end = *end;
	tail = *end - at - 5;
	/* Without a digit it is an example of the manual: xoxb-your-token-here. */
	for (size_t i = at + 5; i < *end; i++)
		if (is_digit(text[i]))
			return tail >= SLACK_TAIL;
	return false;
}

static bool find_discord(struct secret_scan *scan, size_t at, size_t *start, size_t *end)
{
	const char *text = scan->text;
	size_t len = scan->len, middle = at + 1, tail = middle + DISCORD_MIDDLE + 1, head;

	if (tail > len || text[tail - 1] != '.' ||
	    span(text + middle, len - middle, is_token) != DISCORD_MIDDLE)
		return false;
	head = span_back(text, at, is_token);
	*start = at - head;
	*end = tail + span(text + tail, len - tail, is_token);
	return head >= DISCORD_HEAD && *end - tail >= DISCORD_TAIL;
}

static const struct token_shape {
	char first;
	const char *second; /* any of these; NULL: any character of a token */
	bool (*find)(struct secret_scan *scan, size_t at, size_t *start, size_t *end);
} shapes[] = {
    {':', NULL, find_telegram},
    {'%', "3", find_telegram},
    {'x', "oa", find_slack},
    {'.', NULL, find_discord},
};

bool token_shape_find(struct secret_scan *scan, size_t at, size_t *start, size_t *end)
{
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++)
		if (shapes[i].first == scan->text[at] && shapes[i].find(scan, at, start, end))
			return true;
	return false;
}

void token_shape_add_starts(struct byte_pairs *starts)
{
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++)
		for (int c = 1; c < 128; c++)
			if (shapes[i].second != NULL ? strchr(shapes[i].second, c) != NULL :
						       is_token((char)c))
				byte_pairs_add(starts, (unsigned char)shapes[i].first, (unsigned char)c);
}
