#include <ctype.h>
#include <string.h>

#include "playground/telegram/text/formatted.h"

struct parser {
	const char *s;
	size_t len, at;
	struct formatted *out;
	size_t units;
};

static bool stands(const struct parser *p, const char *what)
{
	return p->len - p->at >= strlen(what) && memcmp(p->s + p->at, what, strlen(what)) == 0;
}

static int copy_one(struct parser *p, struct error *err)
{
	uint32_t cp;
	size_t n = utf8_decode(p->s + p->at, p->len - p->at, &cp);

	if (n == 0)
		return error_set(err, ERROR_OURS, "Text is not valid UTF-8");
	buf_add(&p->out->text, p->s + p->at, n);
	p->units += n == 4 ? 2 : 1;
	p->at += n;
	return 0;
}

/* Copies up to the end mark and skips it. */
static int copy_until(struct parser *p, const char *end, size_t begin, struct error *err)
{
	while (p->at < p->len && !stands(p, end))
		if (copy_one(p, err) != 0)
			return -1;
	if (p->at >= p->len)
		return error_set(
		    err, ERROR_OURS, "Can't find end of the entity starting at byte offset %zu", begin);
	p->at += strlen(end);
	return 0;
}

static char *read_language(struct parser *p)
{
	size_t end = p->at;
	char *language = NULL;

	while (end < p->len && !isspace((unsigned char)p->s[end]) && p->s[end] != '`')
		end++;
	if (end > p->at && end < p->len && p->s[end] != '`') {
		language = xstrndup(p->s + p->at, end - p->at);
		p->at = end;
	}
	if (stands(p, "\n"))
		p->at++;
	return language;
}

static int read_code(struct parser *p, size_t begin, struct error *err)
{
	bool pre = stands(p, "```");
	size_t units = p->units;
	char *language;

	p->at += pre ? 3 : 1;
	language = pre ? read_language(p) : NULL;
	if (copy_until(p, pre ? "```" : "`", begin, err) != 0) {
		free(language);
		return -1;
	}
	formatted_add(p->out, pre ? ENTITY_PRE : ENTITY_CODE, units, p->units - units, language);
	return 0;
}

static int read_link(struct parser *p, size_t begin, struct error *err)
{
	size_t units = p->units, bytes = p->out->text.len;
	struct buf url = BUF_INIT;

	p->at++;
	if (copy_until(p, "]", begin, err) != 0)
		return -1;
	if (stands(p, "(")) {
		const char *from = p->s + p->at + 1, *close = memchr(from, ')', p->len - p->at - 1);
		size_t n = close ? (size_t)(close - from) : p->len - p->at - 1;

		buf_add(&url, from, n);
		p->at += n + (close ? 2 : 1);
	} else {
		buf_add(&url, p->out->text.data + bytes, p->out->text.len - bytes);
	}
	if (p->units > units)
		link_add(p->out, units, p->units - units, url.data);
	buf_clear(&url);
	return 0;
}

static int read_simple(struct parser *p, size_t begin, struct error *err)
{
	char mark[2] = {p->s[p->at], '\0'};
	size_t units = p->units;

	p->at++;
	if (copy_until(p, mark, begin, err) != 0)
		return -1;
	formatted_add(p->out, mark[0] == '_' ? ENTITY_ITALIC : ENTITY_BOLD, units, p->units - units, NULL);
	return 0;
}

static int read_next(struct parser *p, struct error *err)
{
	char c = p->s[p->at], next = p->at + 1 < p->len ? p->s[p->at + 1] : '\0';

	if (c == '\\' && next != '\0' && strchr("_*`[", next)) {
		p->at++;
		return copy_one(p, err);
	}
	switch (c) {
	case '_':
	case '*':
		return read_simple(p, p->at, err);
	case '`':
		return read_code(p, p->at, err);
	case '[':
		return read_link(p, p->at, err);
	default:
		return copy_one(p, err);
	}
}

int markdown_parse_legacy(const char *s, size_t len, struct formatted *out, struct error *err)
{
	struct parser p = {.s = s, .len = len, .out = out};

	while (p.at < p.len)
		if (read_next(&p, err) != 0)
			return -1;
	return 0;
}
