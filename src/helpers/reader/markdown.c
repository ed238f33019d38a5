#include "helpers/reader/html_internal.h"

#include <string.h>

#include "base/text/utf8.h"

/* Deeper lists and quotes are not indented further. */
#define PREFIX_MAX 48

void writer_init(struct writer *w, size_t max)
{
	*w = (struct writer){
	    .out = BUF_INIT, .prefix = BUF_INIT, .marker = BUF_INIT, .lead = BUF_INIT, .max = max};
}

void writer_clear(struct writer *w)
{
	buf_clear(&w->out);
	buf_clear(&w->prefix);
	buf_clear(&w->marker);
	buf_clear(&w->lead);
}

static void put(struct writer *w, const char *s, size_t len)
{
	size_t room = w->max - w->out.len;

	if (w->full)
		return;
	if (len > room) {
		len = utf8_cut(s, len, room, UTF8_BYTES);
		w->full = true;
	}
	buf_add(&w->out, s, len);
}

static void put_prefix(struct writer *w)
{
	put(w, w->prefix.data, w->prefix.len - w->marker.len);
	put(w, w->marker.data, w->marker.len);
	buf_reset(&w->marker);
}

/* Ends a blank line without trailing blanks. */
static void put_blank(struct writer *w, size_t len)
{
	while (len > 0 && w->prefix.data[len - 1] == ' ')
		len--;
	put(w, w->prefix.data, len);
	put(w, "\n", 1);
}

/* Writes what is due before a run of text. */
static void begin(struct writer *w)
{
	if (w->breaks > 0 || !w->begun) {
		if (w->out.len > 0)
			put(w, "\n", 1);
		if (w->out.len > 0 && w->breaks > 1)
			put_blank(w, w->blank);
		put_prefix(w);
	} else if (w->space) {
		put(w, " ", 1);
	}
	w->breaks = 0;
	w->space = false;
	w->begun = true;
	put(w, w->lead.data, w->lead.len);
	buf_reset(&w->lead);
}

/* Returns the length of the white space at the start of s, 0 for none. A no-break space counts, too. */
static size_t space_len(const char *s)
{
	if (s[0] == '\xc2' && s[1] == '\xa0')
		return 2;
	return s[0] && strchr(" \n\t\r\f", s[0]) ? 1 : 0;
}

static void put_word(struct writer *w, const char *s, size_t len)
{
	for (const char *bar; w->in_cell && (bar = memchr(s, '|', len));) {
		put(w, s, (size_t)(bar - s));
		put(w, "\\|", 2);
		len -= (size_t)(bar - s) + 1;
		s = bar + 1;
	}
	put(w, s, len);
}

void writer_text(struct writer *w, const char *s)
{
	while (*s && !w->full) {
		size_t len = 0, blank;
		while (s[len] && space_len(s + len) == 0)
			len++;
		if (len > 0) {
			begin(w);
			put_word(w, s, len);
		}
		for (s += len; (blank = space_len(s)) > 0; s += blank)
			w->space = true;
	}
}

void writer_verbatim(struct writer *w, const char *s)
{
	begin(w);
	while (*s && !w->full) {
		size_t len = strcspn(s, "\n");
		put(w, s, len);
		s += len;
		if (*s == '\n') {
			put(w, "\n", 1);
			for (s++; *s == '\n'; s++)
				put_blank(w, w->prefix.len);
			put_prefix(w);
		}
	}
}

void writer_sign(struct writer *w, const char *s)
{
	begin(w);
	put(w, s, strlen(s));
}

void writer_tail(struct writer *w, const char *s)
{
	put(w, s, strlen(s));
}

void writer_break(struct writer *w, unsigned breaks)
{
	if (w->flat > 0) {
		w->space = true;
		return;
	}
	w->space = false;
	/* Nothing may come between a marker and its text. */
	if (w->marker.len > 0)
		return;
	if (w->breaks == 0 || w->prefix.len < w->blank)
		w->blank = w->prefix.len;
	w->breaks = breaks > w->breaks ? breaks : w->breaks;
}

void writer_lead(struct writer *w, const char *s)
{
	buf_addstr(&w->lead, s);
}

bool writer_unlead(struct writer *w, const char *s)
{
	size_t len = strlen(s);

	if (w->lead.len < len)
		return false;
	buf_truncate(&w->lead, w->lead.len - len);
	return true;
}

void writer_indent(struct writer *w, const char *s, const char *marker)
{
	size_t len = strlen(s);

	if (w->indent_count == WRITER_INDENTS || w->prefix.len + len > PREFIX_MAX) {
		w->indents_skipped++;
		return;
	}
	buf_addstr(&w->prefix, s);
	w->indents[w->indent_count++] = (unsigned char)len;
	/* Either all earlier markers wait, or none: they cover the end of the prefix without a gap. */
	if (marker)
		buf_addstr(&w->marker, marker);
	else if (w->marker.len > 0)
		buf_addstr(&w->marker, s);
}

void writer_outdent(struct writer *w)
{
	if (w->indents_skipped > 0) {
		w->indents_skipped--;
		return;
	}
	size_t len = w->indents[--w->indent_count];
	buf_truncate(&w->prefix, w->prefix.len - len);
	w->blank = w->blank < w->prefix.len ? w->blank : w->prefix.len;
	buf_truncate(&w->marker, w->marker.len > len ? w->marker.len - len : 0);
}
