#include "channels/telegram/render_internal.h"

#include <ctype.h>
#include <string.h>

#include "base/text/utf8.h"

/* Invisible; after @ it prevents a mention. */
#define WORD_JOINER "\xe2\x81\xa0"

void render_clear(struct render *r)
{
	buf_clear(&r->html);
	buf_clear(&r->plain);
	buf_clear(&r->html_indent);
	buf_clear(&r->plain_indent);
}

/* Only these four have names (Bot API, "HTML style"). */
void render_escape(struct buf *html, const char *s, size_t len)
{
	for (size_t i = 0, n; i < len; i += n) {
		for (n = 0;
		     i + n < len && s[i + n] != '<' && s[i + n] != '>' && s[i + n] != '&' && s[i + n] != '"';)
			n++;
		buf_add(html, s + i, n);
		if (i + n == len)
			return;
		buf_addstr(html,
		    s[i + n] == '<'     ? "&lt;" :
			s[i + n] == '>' ? "&gt;" :
			s[i + n] == '&' ? "&amp;" :
					  "&quot;");
		n++;
	}
}

static void add_html(struct render *r, const char *s, size_t len)
{
	render_escape(&r->html, s, len);
	r->html_units += utf8_count(s, len, UTF8_UTF16);
}

static void begin_line(struct render *r)
{
	if (!r->line_empty)
		return;
	r->line_empty = false;
	add_html(r, r->html_indent.data, r->html_indent.len);
	buf_add(&r->plain, r->plain_indent.data, r->plain_indent.len);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Does what was written last, up to here, begin a URL whose path goes on? Telegram takes it whole, with any
 * @. */
static bool is_in_url(const struct buf *out)
{
	size_t from = out->len;
	const char *begin, *host, *path;

	while (from > 0 && (is_word(out->data[from - 1]) || strchr("-.~%/?=&#+:", out->data[from - 1])))
		from--;
	/* Behind a letter no URL begins. */
	if (from > 0 && ((unsigned char)out->data[from - 1] >= 0x80 || out->data[from - 1] == '@'))
		return false;
	begin = out->data + from;
	host = strncmp(begin, "https://", 8) == 0 ? begin + 8 :
	    strncmp(begin, "http://", 7) == 0     ? begin + 7 :
						    NULL;
	if (!host)
		return false;
	path = strchr(host, '/');
	return path && isalnum((unsigned char)host[0]) && memchr(host, '.', (size_t)(path - host));
}

/* Might Telegram find a mention here? Also when the name is formatted apart, in the text that comes next. */
static bool is_mention(const struct render *r, const char *s, size_t len)
{
	if (len > 1 && !is_word(s[1]))
		return false;
	return r->plain.len == 0 || (!is_word(r->plain.data[r->plain.len - 1]) && !is_in_url(&r->plain));
}

void render_text(struct render *r, const char *s, size_t len)
{
	const char *at;

	if (len == 0)
		return;
	begin_line(r);
	while ((at = memchr(s, '@', len))) {
		size_t n = (size_t)(at - s) + 1;
		bool mention;

		buf_add(&r->plain, s, n - 1);
		mention = is_mention(r, at, len - n + 1);
		add_html(r, s, n);
		buf_addch(&r->plain, '@');
		if (mention) {
			buf_addstr(&r->plain, WORD_JOINER);
			if (!r->verbatim)
				add_html(r, WORD_JOINER, sizeof(WORD_JOINER) - 1);
		}
		s += n;
		len -= n;
	}
	add_html(r, s, len);
	buf_add(&r->plain, s, len);
}

void render_str(struct render *r, const char *s)
{
	render_text(r, s, strlen(s));
}

void render_tag(struct render *r, const char *tag)
{
	buf_addstr(&r->html, tag);
}

void render_line(struct render *r)
{
	add_html(r, "\n", 1);
	buf_addch(&r->plain, '\n');
	r->line_empty = true;
}

void render_block(struct render *r, unsigned lines)
{
	bool fresh = r->fresh;

	r->fresh = false;
	if (!r->begun || fresh) {
		r->begun = true;
		return;
	}
	while (lines-- > 0)
		render_line(r);
}
