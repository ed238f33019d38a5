#include "channels/discord/render_text.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"

/* Invisible; prevents a mention. */
#define WORD_JOINER "\xe2\x81\xa0"

/* The names that notify everyone if allowed_mentions is missing. */
static const char *const everybody[] = {"@everyone", "@here"};

static void begin_line(struct discord_render *r)
{
	if (!r->line_empty)
		return;
	r->line_empty = false;
	buf_add(&r->out, r->indent.data, r->indent.len);
}

void discord_render_put(struct discord_render *r, const char *s, size_t len)
{
	if (len == 0)
		return;
	begin_line(r);
	buf_add(&r->out, s, len);
}

void discord_render_mark(struct discord_render *r, const char *mark)
{
	discord_render_put(r, mark, strlen(mark));
}

void discord_render_line(struct discord_render *r)
{
	/* An empty line of a quote must not end it. */
	if (r->quoted)
		begin_line(r);
	buf_addch(&r->out, '\n');
	r->line_empty = r->start = true;
}

void discord_render_block(struct discord_render *r, unsigned lines)
{
	bool fresh = r->fresh;

	r->fresh = false;
	if (!r->begun || fresh) {
		r->begun = true;
		return;
	}
	while (lines-- > 0)
		discord_render_line(r);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* An underscore inside a word is not markup, and its escape would show in a bare URL. */
static bool is_inside_word(const struct discord_render *r, const char *s, const char *end)
{
	char before = r->out.len > 0 ? r->out.data[r->out.len - 1] : ' ';

	return (is_word(before) || before == '_') && s + 1 < end && (is_word(s[1]) || s[1] == '_') &&
	    before != '*';
}

static size_t url_len(const char *s, const char *end)
{
	static const char *const schemes[] = {"https://", "http://"};

	for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
		size_t n = strlen(schemes[i]), at = n;
		if ((size_t)(end - s) <= n || strncasecmp(s, schemes[i], n) != 0)
			continue;
		while (
		    s + at < end && (isalnum((unsigned char)s[at]) || strchr("-._~:/?#@!$&'*+,;=%", s[at])))
			at++;
		return at > n ? at : 0;
	}
	return 0;
}

static bool begins(const char *s, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - s) >= n && strncmp(s, word, n) == 0;
}

/* Marks that count only at the beginning of a line: headings, lists, quotes, small print. */
static bool begins_block(const char *s, const char *end)
{
	size_t digits = strspn(s, "0123456789");

	if (*s == '#' || *s == '>')
		return true;
	if (*s == '-' || *s == '+')
		return s + 1 == end || s[1] == ' ' || s[1] == '#';
	return digits > 0 && digits < 10 && s + digits < end && s[digits] == '.';
}

/* Looked for once for all brackets before it. */
static bool target_follows(struct discord_render *r, const char *s, const char *end)
{
	if (!r->target || r->target < s)
		r->target = memmem(s, (size_t)(end - s), "](", 2);
	if (!r->target)
		r->target = end;
	return r->target < end;
}

/* Does the character need a backslash? */
static bool is_mark(struct discord_render *r, const char *s, const char *end)
{
	bool last = s + 1 == end;

	switch (*s) {
	case '*':
	case '`':
		return true;
	case '_':
		return !is_inside_word(r, s, end);
	case '~':
	case '|':
		return last || s[1] == *s || (r->out.len > 0 && r->out.data[r->out.len - 1] == *s);
	case '\\':
		return last || ispunct((unsigned char)s[1]);
	case '<':
		return last || strchr("@#:at/i", s[1]);
	case '[':
		return target_follows(r, s, end);
	default:
		return false;
	}
}

/* "1." at the start of a line would be a list: escape the dot. */
static size_t add_number(struct discord_render *r, const char *s)
{
	size_t digits = strspn(s, "0123456789");

	buf_add(&r->out, s, digits);
	buf_addstr(&r->out, digits > 0 ? "\\." : "\\");
	if (digits == 0)
		buf_addch(&r->out, *s);
	return digits + 1;
}

static size_t add_one(struct discord_render *r, const char *s, const char *end)
{
	size_t n = url_len(s, end);

	if (n > 0) {
		buf_add(&r->out, s, n);
		return n;
	}
	for (size_t i = 0; *s == '@' && i < ARRAY_LEN(everybody); i++) {
		if (!begins(s, end, everybody[i]))
			continue;
		buf_addstr(&r->out, "@" WORD_JOINER);
		return 1;
	}
	if (r->start && begins_block(s, end))
		return add_number(r, s);
	if (is_mark(r, s, end))
		buf_addch(&r->out, '\\');
	buf_addch(&r->out, *s);
	return 1;
}

/* Returns how many bytes at s need no look of add_one, where the line has begun. */
static size_t plain_length(const char *s, const char *end)
{
	const char *at = s;

	while (at < end && !strchr("*`_~|\\<[@hH", *at))
		at++;
	return (size_t)(at - s);
}

void discord_render_words(struct discord_render *r, const char *s, size_t len)
{
	const char *end = s + len;

	if (len == 0)
		return;
	begin_line(r);
	r->target = NULL;
	while (s < end) {
		const char *at = s;
		size_t plain = r->start ? 0 : plain_length(s, end);

		buf_add(&r->out, s, plain);
		s += plain;
		if (plain > 0)
			continue;
		s += add_one(r, s, end);
		r->start = r->start && (*at == ' ' || *at == '\t');
	}
}
