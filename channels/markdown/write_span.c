#include "channels/markdown/markdown_internal.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"

/* Marks around a span. */
static const char *const marks[] = {
    [MARKDOWN_EMPHASIS] = "*",
    [MARKDOWN_STRONG] = "**",
    [MARKDOWN_STRIKE] = "~~",
    [MARKDOWN_SPOILER] = "||",
    [MARKDOWN_LINK] = NULL,
    [MARKDOWN_IMAGE] = NULL,
};

size_t writer_longest_run(const struct markdown_node *top, char c)
{
	size_t longest = 0, run;

	for (const struct markdown_node *n = top; (n = markdown_next(top, n));) {
		run = 0;
		for (size_t i = 0; i < n->len && n->type == MARKDOWN_TEXT; i++) {
			run = n->text[i] == c ? run + 1 : 0;
			longest = run > longest ? run : longest;
		}
	}
	return longest;
}

static void begin_line(struct writer *w)
{
	if (w->line_empty)
		buf_add(w->out, w->indent.data, w->indent.len);
	w->line_empty = false;
}

void writer_raw(struct writer *w, const char *s, size_t len)
{
	begin_line(w);
	buf_add(w->out, s, len);
}

static void add_code_mark(struct writer *w, const struct markdown_node *code, bool open)
{
	size_t run = writer_longest_run(code, '`');

	if (run > 0 && !open)
		buf_addch(w->out, ' ');
	for (size_t i = 0; i <= run; i++)
		buf_addch(w->out, '`');
	if (run > 0 && open)
		buf_addch(w->out, ' ');
}

/* A target within <>. */
static void add_target(struct writer *w, const char *s)
{
	buf_addstr(w->out, "](<");
	for (; *s != '\0'; s++) {
		if (*s == '&') {
			buf_addstr(w->out, "&amp;");
			continue;
		}
		if (strchr("<>\\", *s) || (*s == '|' && w->cell))
			buf_addch(w->out, '\\');
		buf_addch(w->out, *s);
	}
	buf_addstr(w->out, ">)");
}

static void open_span(struct writer *w, struct open_span *span)
{
	const struct markdown_node *n = span->node;

	span->opened = true;
	if (n->type == MARKDOWN_CODE)
		add_code_mark(w, n, true);
	else if (marks[n->type])
		buf_addstr(w->out, marks[n->type]);
	else
		buf_addstr(w->out, n->type == MARKDOWN_IMAGE ? "![" : "[");
}

static void close_span(struct writer *w)
{
	struct open_span *span = &w->spans[--w->span_count];
	const struct markdown_node *n = span->node;

	if (!span->opened)
		return;
	if (n->type == MARKDOWN_CODE)
		add_code_mark(w, n, false);
	else if (marks[n->type])
		buf_addstr(w->out, marks[n->type]);
	else
		add_target(w, n->text);
}

/* Writes the pending blanks, then the marks of the spans that begin here. */
static void before_character(struct writer *w)
{
	bool inside = false;

	for (size_t i = 0; i < w->span_count; i++)
		inside |= w->spans[i].opened && w->spans[i].node->type == MARKDOWN_CODE;
	if (w->line_end && (w->flat || inside)) {
		w->line_end = false;
		w->blanks++;
	}
	if (w->line_end) {
		buf_addch(w->out, '\n');
		w->line_empty = w->start = true;
		w->number = false;
	}
	begin_line(w);
	for (; w->blanks > 0 && !w->start; w->blanks--)
		buf_addch(w->out, ' ');
	w->blanks = 0;
	w->line_end = false;
	for (size_t i = 0; i < w->span_count; i++) {
		if (w->spans[i].opened)
			continue;
		open_span(w, &w->spans[i]);
		w->start = w->number = false;
	}
}

/* Escapes possible markup. Brackets become references: "\[" would be math. */
static void add_character(struct writer *w, char c)
{
	bool start = w->start;

	if (isdigit((unsigned char)c) && (start || w->number)) {
		w->number = true;
	} else if ((c == '.' || c == ')') && w->number) {
		buf_addf(w->out, "&#%d;", c);
		w->start = w->number = false;
		return;
	} else {
		w->number = false;
	}
	w->start = false;
	if (c == '[' || c == ']') {
		buf_addf(w->out, "&#%d;", c);
		return;
	}
	if (strchr("\\`*_<>&~|$#", c) || (start && strchr("+-=:", c)))
		buf_addch(w->out, '\\');
	buf_addch(w->out, c);
}

static void write_text(struct writer *w, const char *s, size_t len, bool code)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] == ' ' || s[i] == '\t') {
			w->blanks++;
			continue;
		}
		if (w->blanks > 0 || w->line_end || w->line_empty ||
		    (w->span_count > 0 && !w->spans[w->span_count - 1].opened))
			before_character(w);
		if (!code) {
			add_character(w, s[i]);
			continue;
		}
		if (s[i] == '|' && w->cell)
			buf_addch(w->out, '\\');
		buf_addch(w->out, s[i]);
		w->start = w->number = false;
	}
}

static void write_inlines(struct writer *w, const struct markdown_node *holder, bool code);

static void write_span(struct writer *w, const struct markdown_node *n, bool code)
{
	bool link = n->type == MARKDOWN_LINK || n->type == MARKDOWN_IMAGE, mark;

	mark = w->style == MARKDOWN_STYLE_FULL && !code && w->span_count < ARRAY_LEN(w->spans);
	if (mark)
		w->spans[w->span_count++] = (struct open_span){.node = n};
	if (link && !n->first)
		write_text(w, n->text, n->len, false);
	write_inlines(w, n, code || (mark && n->type == MARKDOWN_CODE));
	if (mark)
		close_span(w);
}

static void write_inlines(struct writer *w, const struct markdown_node *holder, bool code)
{
	for (const struct markdown_node *n = holder->first; n && n->from < w->range->to; n = n->next) {
		if (!markdown_shows(n, w->range))
			continue;
		if (n->type == MARKDOWN_TEXT) {
			write_text(w, n->text, n->len, code);
			/* Lines of code that are written as text. */
			if (holder->type == MARKDOWN_CODE_BLOCK && !n->continues)
				w->line_end = !w->start;
		} else if (n->type == MARKDOWN_BREAK) {
			w->line_end = !w->start;
		} else {
			write_span(w, n, code);
		}
	}
}

void writer_inlines(struct writer *w, const struct markdown_node *holder)
{
	w->start = true;
	w->number = w->line_end = false;
	w->blanks = 0;
	write_inlines(w, holder, false);
	w->line_end = false;
	w->blanks = 0;
}
