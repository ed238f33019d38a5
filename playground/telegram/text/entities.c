#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "playground/telegram/text/formatted.h"

/* The text at the position that a finder checks. */
struct place {
	const char *s, *end; /* the rest of the text */
	int before;          /* the byte before, -1 at the start */
};

/* Returns the length of the match at the position; 0 for none. */
typedef size_t find_fn(const struct place *p);

static bool is_word(int c)
{
	return c >= 0x80 || c == '_' || isalnum(c); /* every letter beyond ASCII counts */
}

static bool is_ascii_word(int c)
{
	return c < 0x80 && is_word(c);
}

static int byte_at(const struct place *p, size_t i)
{
	return p->s + i < p->end ? (unsigned char)p->s[i] : -1;
}

static bool ends_word(int c)
{
	return c < 0 || !is_word(c);
}

static size_t count_ascii_word(const struct place *p, size_t from)
{
	size_t n = 0;

	while (byte_at(p, from + n) >= 0 && is_ascii_word(byte_at(p, from + n)))
		n++;
	return n;
}

static size_t find_mention(const struct place *p)
{
	size_t n;

	if (*p->s != '@' || !ends_word(p->before))
		return 0;
	n = count_ascii_word(p, 1);
	return n >= 3 && n <= 32 && ends_word(byte_at(p, n + 1)) ? n + 1 : 0;
}

static bool is_angle_or_slash(int c)
{
	return c == '/' || c == '<' || c == '>';
}

static size_t find_command(const struct place *p)
{
	size_t n, name;

	if (*p->s != '/' || !ends_word(p->before) || is_angle_or_slash(p->before))
		return 0;
	n = count_ascii_word(p, 1);
	if (n < 1 || n > 64)
		return 0;
	n++;
	if (byte_at(p, n) == '@') {
		name = count_ascii_word(p, n + 1);
		if (name >= 3 && name <= 32)
			n += name + 1;
	}
	return ends_word(byte_at(p, n)) && !is_angle_or_slash(byte_at(p, n)) ? n : 0;
}

static size_t find_hashtag(const struct place *p)
{
	bool letter = false;
	size_t n = 1;

	if (*p->s != '#' || !ends_word(p->before))
		return 0;
	for (; byte_at(p, n) >= 0 && is_word(byte_at(p, n)); n++)
		letter |= !isdigit(byte_at(p, n)) && byte_at(p, n) != '_';
	return letter && n <= 257 && byte_at(p, n) != '#' ? n : 0;
}

static size_t find_cashtag(const struct place *p)
{
	size_t n = 1;

	if (*p->s != '$' || !ends_word(p->before) || p->before == '$')
		return 0;
	while (byte_at(p, n) >= 'A' && byte_at(p, n) <= 'Z')
		n++;
	return n > 1 && n <= 9 && ends_word(byte_at(p, n)) && byte_at(p, n) != '$' ? n : 0;
}

/* Part of the clients' list; it makes "README.md" a link, as on the platform. */
static bool is_top_level(const char *s, size_t len)
{
	static const char *const names[] = {"ai", "app", "biz", "cc", "co", "com", "de", "dev", "edu", "eu",
	    "fr", "gov", "info", "io", "it", "md", "me", "net", "nl", "org", "pl", "py", "rs", "ru", "sh",
	    "so", "tv", "uk", "us", "xyz"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strlen(names[i]) == len && strncasecmp(names[i], s, len) == 0)
			return true;
	return false;
}

static bool is_host_byte(int c)
{
	return c >= 0 && c < 0x80 && (isalnum(c) || c == '-' || c == '.');
}

/* Returns the length of the host name at from; 0 unless it has a dot and a known last label. */
static size_t count_domain(const struct place *p, size_t from)
{
	size_t n = 0, dot = 0;

	while (is_host_byte(byte_at(p, from + n)))
		n++;
	while (n > 0 && (p->s[from + n - 1] == '.' || p->s[from + n - 1] == '-'))
		n--;
	for (size_t i = 1; i + 1 < n; i++)
		if (p->s[from + i] == '.')
			dot = i;
	return dot > 0 && is_top_level(p->s + from + dot + 1, n - dot - 1) ? n : 0;
}

/* Returns the length of path, query and fragment, without punctuation at the end. */
static size_t count_path(const struct place *p, size_t from)
{
	size_t n = from;

	while (byte_at(p, n) > ' ' && !strchr("<>\"`", byte_at(p, n)))
		n++;
	while (n > from && strchr(".,;:!?')]}*_~|", p->s[n - 1]))
		n--;
	return n;
}

static size_t find_url(const struct place *p)
{
	static const char *const schemes[] = {"http://", "https://", "ftp://", "tg://", "ton://"};
	size_t n;

	if (p->before >= 0 && (is_word(p->before) || strchr("@.-/", p->before)))
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
		size_t len = strlen(schemes[i]);

		if ((size_t)(p->end - p->s) > len && strncasecmp(p->s, schemes[i], len) == 0 &&
		    byte_at(p, len) > ' ') {
			n = count_path(p, len);
			return n > len ? n : 0;
		}
	}
	n = count_domain(p, 0);
	if (n == 0 || byte_at(p, n) == '@' || (is_word(byte_at(p, n)) && byte_at(p, n) >= 0))
		return 0;
	return byte_at(p, n) >= 0 && strchr("/?#:", byte_at(p, n)) ? count_path(p, n) : n;
}

static size_t find_email(const struct place *p)
{
	size_t n = 0, domain;

	if (!isalnum((unsigned char)*p->s) ||
	    (p->before >= 0 && (is_word(p->before) || strchr(".-+", p->before))))
		return 0;
	while (byte_at(p, n) > 0 && byte_at(p, n) < 0x80 &&
	    (isalnum(byte_at(p, n)) || strchr("._+-", byte_at(p, n))))
		n++;
	if (n > 64 || byte_at(p, n) != '@')
		return 0;
	domain = count_domain(p, n + 1);
	return domain > 0 ? n + 1 + domain : 0;
}

/* May a found entity be there? Not in code or a link, and not across their borders. */
static bool is_free(const struct formatted *f, size_t explicit_count, int32_t offset, int32_t length)
{
	for (size_t i = 0; i < explicit_count; i++) {
		const struct entity *e = &f->entities[i];
		int32_t end = e->offset + e->length;

		if (end <= offset || offset + length <= e->offset)
			continue;
		if (e->type == ENTITY_CODE || e->type == ENTITY_PRE || e->type == ENTITY_TEXT_LINK ||
		    e->type == ENTITY_TEXT_MENTION || e->type == ENTITY_CUSTOM_EMOJI ||
		    e->type == ENTITY_DATE_TIME)
			return false;
		if (offset < e->offset || offset + length > end)
			return false;
	}
	return true;
}

static size_t find_here(const struct place *p, enum entity_type *type)
{
	static const struct {
		enum entity_type type;
		find_fn *find;
	} finders[] = {
	    {ENTITY_MENTION, find_mention},
	    {ENTITY_BOT_COMMAND, find_command},
	    {ENTITY_HASHTAG, find_hashtag},
	    {ENTITY_CASHTAG, find_cashtag},
	    {ENTITY_EMAIL, find_email},
	    {ENTITY_URL, find_url},
	};

	for (size_t i = 0; i < ARRAY_LEN(finders); i++) {
		size_t n = finders[i].find(p);

		*type = finders[i].type;
		if (n > 0)
			return n;
	}
	return 0;
}

void entities_find(struct formatted *f)
{
	const char *start = f->text.data, *end = start + f->text.len;
	size_t explicit_count = f->count, units = 0;

	for (const char *s = start; s < end;) {
		struct place p = {s, end, s > start ? (unsigned char)s[-1] : -1};
		enum entity_type type;
		size_t n = find_here(&p, &type), width = n;

		if (n > 0)
			width = utf8_count(s, n, UTF8_UTF16);
		if (n > 0 && is_free(f, explicit_count, (int32_t)units, (int32_t)width))
			formatted_add(f, type, units, width, NULL);
		if (n == 0) {
			uint32_t cp;

			n = utf8_decode(s, (size_t)(end - s), &cp);
			n = n != 0 ? n : 1;
			width = n == 4 ? 2 : 1;
		}
		s += n;
		units += width;
	}
}
