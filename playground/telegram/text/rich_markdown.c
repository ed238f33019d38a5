#include <ctype.h>
#include <md4c.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "playground/telegram/text/rich_internal.h"

/* Rich Markdown (Bot API, "Rich Markdown style") is GitHub's, and more: its HTML is Rich HTML. Blocks of HTML
 * are read as text with tags, because Markdown in them counts. Undocumented: what becomes of tags that Rich
 * HTML does not have; as it "can contain arbitrary HTML", they say nothing. */
#define FLAGS                                                                                  \
	(MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_LATEXMATHSPANS | \
	    MD_FLAG_NOHTMLBLOCKS)
/* md4c makes every row of a table as long as its header: a few bytes can be many cells. */
#define HTML_MAX (1 << 22)
/* What a callback returns to end md_parse. */
#define TOO_MUCH 1

/* A span that is open, and where its HTML begins. */
struct open_span {
	MD_SPANTYPE type;
	size_t at;
};

/* The first == or || of what may be a pair. */
struct open_mark {
	char sign; /* 0: none */
	size_t at, depth;
};

struct writer {
	struct buf *out;
	const char *end;         /* of the source */
	const char *read;        /* where its text ends that was written last */
	const struct buf *notes; /* the id of each footnote, between newlines */
	struct open_span *spans;
	size_t depth, cap;
	struct open_mark marks[2];
	bool math;  /* the block of code */
	bool alone; /* in a line that is no paragraph */
};

static void escape(struct buf *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const char *to = s[i] == '&' ? "&amp;" : s[i] == '<' ? "&lt;" : s[i] == '>' ? "&gt;" : NULL;

		if (to)
			buf_addstr(out, to);
		else if (s[i] == '"')
			buf_addstr(out, "&quot;");
		else
			buf_addch(out, s[i]);
	}
}

static void insert(struct buf *out, size_t at, const char *text)
{
	size_t len = strlen(text), tail = out->len - at;

	buf_add(out, text, len);
	memmove(out->data + at + len, out->data + at, tail);
	memcpy(out->data + at, text, len);
}

/* Appends an attribute of md4c as HTML. */
static void add_attribute(struct buf *out, const MD_ATTRIBUTE *a)
{
	for (size_t i = 0; a->text && a->substr_offsets[i] < a->size; i++) {
		size_t from = a->substr_offsets[i], len = a->substr_offsets[i + 1] - from;

		if (a->substr_types[i] == MD_TEXT_ENTITY)
			buf_add(out, a->text + from, len);
		else
			escape(out, a->text + from, len);
	}
}

/* Blocks ----------------------------------------------------------------------------------------------------
 */

static void begin_item(struct buf *out, const MD_BLOCK_LI_DETAIL *d)
{
	buf_addstr(out, "<li>");
	if (d->is_task)
		buf_addf(out, "<input type=\"checkbox\"%s>", d->task_mark == ' ' ? "" : " checked");
}

static void begin_cell(struct buf *out, const char *name, const MD_BLOCK_TD_DETAIL *d)
{
	static const char *const aligns[] = {[MD_ALIGN_DEFAULT] = "",
	    [MD_ALIGN_LEFT] = " align=\"left\"",
	    [MD_ALIGN_CENTER] = " align=\"center\"",
	    [MD_ALIGN_RIGHT] = " align=\"right\""};

	buf_addf(out, "<%s%s>", name, aligns[d->align]);
}

static void begin_code(struct writer *w, const MD_BLOCK_CODE_DETAIL *d)
{
	struct buf language = BUF_INIT;

	add_attribute(&language, &d->lang);
	w->math = strcmp(language.data, "math") == 0;
	if (w->math)
		buf_addstr(w->out, "<tg-math-block>");
	else if (language.len > 0)
		buf_addf(w->out, "<pre><code class=\"language-%s\">", language.data);
	else
		buf_addstr(w->out, "<pre><code>");
	buf_clear(&language);
}

static const char *name_of_block(MD_BLOCKTYPE type)
{
	static const char *const names[] = {
	    [MD_BLOCK_QUOTE] = "blockquote",
	    [MD_BLOCK_UL] = "ul",
	    [MD_BLOCK_OL] = "ol",
	    [MD_BLOCK_LI] = "li",
	    [MD_BLOCK_P] = "p",
	    [MD_BLOCK_TABLE] = "table",
	    [MD_BLOCK_TR] = "tr",
	    [MD_BLOCK_TH] = "th",
	    [MD_BLOCK_TD] = "td",
	};

	return (size_t)type < ARRAY_LEN(names) ? names[type] : NULL;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *arg)
{
	struct writer *w = arg;
	const char *name = name_of_block(type);

	w->alone = type == MD_BLOCK_H || type == MD_BLOCK_TH || type == MD_BLOCK_TD;
	if (type == MD_BLOCK_LI)
		begin_item(w->out, detail);
	else if (type == MD_BLOCK_TH || type == MD_BLOCK_TD)
		begin_cell(w->out, name, detail);
	else if (type == MD_BLOCK_CODE)
		begin_code(w, detail);
	else if (type == MD_BLOCK_OL)
		buf_addf(w->out, "<ol start=\"%u\">", ((MD_BLOCK_OL_DETAIL *)detail)->start);
	else if (type == MD_BLOCK_H)
		buf_addf(w->out, "<h%u>", ((MD_BLOCK_H_DETAIL *)detail)->level);
	else if (type == MD_BLOCK_HR)
		buf_addstr(w->out, "<hr/>");
	else if (name)
		buf_addf(w->out, "<%s>", name);
	return w->out->len > HTML_MAX ? TOO_MUCH : 0;
}

static void end_span(struct writer *w, MD_SPANTYPE type);

static int leave_block(MD_BLOCKTYPE type, void *detail, void *arg)
{
	struct writer *w = arg;
	const char *name = name_of_block(type);

	/* md4c 0.4.8 sometimes ends a span of ~~ that it did not begin, or the other way round. */
	while (w->depth > 0)
		end_span(w, w->spans[w->depth - 1].type);
	memset(w->marks, 0, sizeof(w->marks));
	if (type == MD_BLOCK_CODE)
		buf_addstr(w->out, w->math ? "</tg-math-block>" : "</code></pre>");
	else if (type == MD_BLOCK_H)
		buf_addf(w->out, "</h%u>", ((MD_BLOCK_H_DETAIL *)detail)->level);
	else if (name)
		buf_addf(w->out, "</%s>", name);
	w->math = false;
	return 0;
}

/* Spans -----------------------------------------------------------------------------------------------------
 */

static int enter_span(MD_SPANTYPE type, void *detail, void *arg)
{
	static const char *const begins[] = {
	    [MD_SPAN_EM] = "<i>", [MD_SPAN_STRONG] = "<b>", [MD_SPAN_CODE] = "<code>", [MD_SPAN_DEL] = "<s>"};
	struct writer *w = arg;

	if (w->depth == w->cap) {
		w->cap = w->cap != 0 ? w->cap * 2 : 8;
		w->spans = xrealloc(w->spans, w->cap * sizeof(*w->spans));
	}
	w->spans[w->depth++] = (struct open_span){type, w->out->len};
	if (type == MD_SPAN_A) {
		buf_addstr(w->out, "<a href=\"");
		add_attribute(w->out, &((MD_SPAN_A_DETAIL *)detail)->href);
		buf_addstr(w->out, "\">");
	} else if ((size_t)type < ARRAY_LEN(begins) && begins[type]) {
		buf_addstr(w->out, begins[type]);
	}
	return w->out->len > HTML_MAX ? TOO_MUCH : 0;
}

/* "$5 to $10" is money: mathematics begins and ends at its dollars, and no digit follows them (as Pandoc has
 * it). */
static bool is_money(const struct writer *w, const struct buf *text)
{
	return text->len > 0 &&
	    (isspace((unsigned char)text->data[0]) || isspace((unsigned char)text->data[text->len - 1]) ||
		(w->read && w->read + 1 < w->end && isdigit((unsigned char)w->read[1])));
}

/* Display mathematics is a block, unless it is in something else. */
static void end_math(struct writer *w, bool display, const struct buf *text)
{
	const char *sign = display ? "$$" : "$",
		   *name = display && w->depth == 0 && !w->alone ? "tg-math-block" : "tg-math";

	if (!display && is_money(w, text))
		buf_addf(w->out, "%s%s%s", sign, text->data, sign);
	else
		buf_addf(w->out, "<%s>%s</%s>", name, text->data, name);
}

static void end_span(struct writer *w, MD_SPANTYPE type)
{
	static const char *const ends[] = {[MD_SPAN_EM] = "</i>",
	    [MD_SPAN_STRONG] = "</b>",
	    [MD_SPAN_A] = "</a>",
	    [MD_SPAN_CODE] = "</code>",
	    [MD_SPAN_DEL] = "</s>"};
	struct open_span span = w->spans[--w->depth];
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(w->marks); i++)
		if (w->marks[i].depth > w->depth)
			w->marks[i].sign = 0;
	if (type == MD_SPAN_LATEXMATH || type == MD_SPAN_LATEXMATH_DISPLAY) {
		buf_add(&text, w->out->data + span.at, w->out->len - span.at);
		buf_truncate(w->out, span.at);
		end_math(w, type == MD_SPAN_LATEXMATH_DISPLAY, &text);
	} else if ((size_t)type < ARRAY_LEN(ends) && ends[type]) {
		buf_addstr(w->out, ends[type]);
	}
	buf_clear(&text);
}

/* The value of a parameter in the query of a URL that is written as HTML, without what follows it. */
static size_t find_query(const char *url, const char *name, const char **value)
{
	const char *at = strstr(url, name);

	*value = at ? at + strlen(name) : url;
	return at ? strcspn(*value, "&\"") : 0;
}

static bool has_ending(const char *url, const char *const *endings)
{
	size_t len = strcspn(url, "?#");

	for (; *endings; endings++)
		if (len > strlen(*endings) &&
		    strncasecmp(url + len - strlen(*endings), *endings, strlen(*endings)) == 0)
			return true;
	return false;
}

static const char *element_of(const char *url)
{
	static const char *const images[] = {".jpg", ".jpeg", ".png", ".webp", NULL},
				 *const videos[] = {".mp4", ".gif", NULL},
				 *const sounds[] = {".mp3", ".ogg", NULL};

	if (strncmp(url, "tg://", 5) == 0)
		return strncmp(url + 5, "photo?", 6) == 0 ? "img" :
		    strncmp(url + 5, "video?", 6) == 0    ? "video" :
		    strncmp(url + 5, "audio?", 6) == 0    ? "audio" :
							    "tg-document";
	return has_ending(url, images) ? "img" :
	    has_ending(url, videos)    ? "video" :
	    has_ending(url, sounds)    ? "audio" :
					 "tg-document";
}

/* ![alt](src "title"): an emoji, a time, or a file. alt is HTML. */
static void add_image(struct buf *out, const char *src, const char *title, const char *alt)
{
	const char *value, *format, *element;
	size_t len, format_len;

	if (strncmp(src, "tg://emoji?", 11) == 0) {
		len = find_query(src, "id=", &value);
		buf_addf(out, "<tg-emoji emoji-id=\"%.*s\">%s</tg-emoji>", (int)len, value, alt);
	} else if (strncmp(src, "tg://time?", 10) == 0) {
		len = find_query(src, "unix=", &value);
		format_len = find_query(src, "format=", &format);
		buf_addf(out, "<tg-time unix=\"%.*s\" format=\"%.*s\">%s</tg-time>", (int)len, value,
		    (int)format_len, format, alt);
	} else {
		element = element_of(src);
		buf_addf(out, "<figure><%s src=\"%s\"/>", element, src);
		if (title[0] != '\0')
			buf_addf(out, "<figcaption>%s</figcaption>", title);
		buf_addstr(out, "</figure>");
	}
}

static int leave_span(MD_SPANTYPE type, void *detail, void *arg)
{
	struct buf src = BUF_INIT, title = BUF_INIT, alt = BUF_INIT;
	const MD_SPAN_IMG_DETAIL *image = detail;
	struct writer *w = arg;

	if (w->depth == 0 || w->spans[w->depth - 1].type != type)
		return 0;
	if (type != MD_SPAN_IMG) {
		end_span(w, type);
		return 0;
	}
	buf_add(&alt, w->out->data + w->spans[w->depth - 1].at, w->out->len - w->spans[w->depth - 1].at);
	buf_truncate(w->out, w->spans[w->depth - 1].at);
	end_span(w, type);
	add_attribute(&src, &image->src);
	add_attribute(&title, &image->title);
	add_image(w->out, src.data, title.data, alt.data);
	buf_clear(&src);
	buf_clear(&title);
	buf_clear(&alt);
	return 0;
}

/* Text ------------------------------------------------------------------------------------------------------
 */

/* == or ||, and no third. Undocumented: where they mark something. As ~~ does: what is marked begins and ends
 * with no blank. */
static bool add_mark(struct writer *w, const char *text, const char *s, const char *end)
{
	bool spoiler = *s == '|';
	struct open_mark *m = &w->marks[spoiler];
	const char *name = spoiler ? "tg-spoiler" : "mark";
	char tag[16];

	if (end - s < 2 || s[1] != *s || (end - s > 2 && s[2] == *s) || (s > text && s[-1] == *s))
		return false;
	if (m->sign != 0 && m->depth == w->depth && w->out->len > m->at &&
	    !isspace((unsigned char)w->out->data[w->out->len - 1])) {
		snprintf(tag, sizeof(tag), "<%s>", name);
		memmove(w->out->data + m->at, w->out->data + m->at + 2, w->out->len - m->at - 2);
		buf_truncate(w->out, w->out->len - 2);
		insert(w->out, m->at, tag);
		buf_addf(w->out, "</%s>", name);
		if (w->marks[!spoiler].at > m->at) /* it began in there and does not end */
			w->marks[!spoiler].sign = 0;
		m->sign = 0;
		return true;
	}
	if (s + 2 < w->end && isspace((unsigned char)s[2]))
		return false;
	*m = (struct open_mark){*s, w->out->len, w->depth};
	buf_add(w->out, s, 2);
	return true;
}

/* Length of the [^id] of a footnote that there is; 0: none. */
static size_t note_length(const struct writer *w, const char *s, const char *end)
{
	const char *close = end - s > 3 && s[1] == '^' ? memchr(s, ']', (size_t)(end - s)) : NULL;
	char *line;
	bool found;

	if (!close)
		return 0;
	line = xasprintf("\n%.*s\n", (int)(close - s - 2), s + 2);
	found = strlen(line) > 2 && strstr(w->notes->data, line);
	free(line);
	return found ? (size_t)(close + 1 - s) : 0;
}

/* Undocumented: how a footnote's mark looks; a choice. */
static void add_normal(struct writer *w, const char *s, size_t len)
{
	const char *text = s, *end = s + len;
	bool code = w->depth > 0 && w->spans[w->depth - 1].type == MD_SPAN_IMG;
	size_t n;

	if (w->read && s == w->read + 1 && *w->read == '\\') /* escaped */
		escape(w->out, s++, 1);
	for (; s < end; s += n) {
		n = 1;
		if ((*s == '=' || *s == '|') && !code && add_mark(w, text, s, end)) {
			n = 2;
		} else if (*s == '[' && (n = note_length(w, s, end)) > 0) {
			buf_addf(w->out, "<sup><a href=\"#%.*s\">%.*s</a></sup>", (int)n - 3, s + 2,
			    (int)n - 3, s + 2);
		} else {
			n = 1;
			escape(w->out, s, 1);
		}
	}
}

static int add_text(MD_TEXTTYPE type, const MD_CHAR *s, MD_SIZE len, void *arg)
{
	struct writer *w = arg;

	switch (type) {
	case MD_TEXT_NULLCHAR:
		buf_addstr(w->out, "\xef\xbf\xbd");
		break;
	case MD_TEXT_BR:
		buf_addstr(w->out, "<br>");
		break;
	case MD_TEXT_SOFTBR:
		buf_addch(w->out, '\n');
		break;
	case MD_TEXT_ENTITY:
	case MD_TEXT_HTML:
		buf_add(w->out, s, len);
		break;
	case MD_TEXT_NORMAL:
		add_normal(w, s, len);
		break;
	default:
		escape(w->out, s, len);
	}
	w->read = s + len;
	return w->out->len > HTML_MAX ? TOO_MUCH : 0;
}

/* Lines -------------------------------------------------------------------------------------------------
 */

/* Length of the id of "[^id]:" at the beginning of a line; 0: there is none. */
static size_t definition_id(const char *line, size_t len)
{
	size_t n = 2;

	if (len < 5 || line[0] != '[' || line[1] != '^')
		return 0;
	while (n < len && (isalnum((unsigned char)line[n]) || line[n] == '_' || line[n] == '-'))
		n++;
	return n > 2 && n + 1 < len && line[n] == ']' && line[n + 1] == ':' ? n - 2 : 0;
}

/* Length of the fence that the line begins with; 0: none. */
static size_t fence_length(const char *line, size_t len)
{
	size_t blanks = 0, n = 0;

	while (blanks < len && line[blanks] == ' ')
		blanks++;
	while (blanks + n < len && (line[blanks] == '`' || line[blanks] == '~') &&
	    line[blanks + n] == line[blanks])
		n++;
	return blanks < 4 && n > 2 ? n : 0;
}

static void end_definition(struct buf *out, bool *open)
{
	if (*open) {
		if (out->len > 0 && out->data[out->len - 1] == '\n')
			buf_truncate(out, out->len - 1);
		buf_addstr(out, "</tg-reference>\n\n");
	}
	*open = false;
}

/* Is it the line below the header of a table? */
static bool is_delimiter_row(const char *line, size_t len)
{
	bool pipe = memchr(line, '|', len) != NULL, dash = memchr(line, '-', len) != NULL;

	for (size_t i = 0; i < len; i++)
		if (!strchr("|-:> \t\r\n", line[i]))
			return false;
	return pipe && dash;
}

/* md4c 0.4.8 wants three dashes for a column. */
static void add_delimiter_row(struct buf *out, const char *line, size_t len)
{
	for (size_t i = 0, n; i < len; i += n) {
		for (n = 0; i + n < len && line[i + n] == '-';)
			n++;
		if (n > 0)
			buf_addstr(out, "---");
		else
			buf_addch(out, line[i + n++]);
	}
}

/* What md4c does not know: "[^id]: text" becomes the referenced text, a paragraph. */
static void prepare(const char *s, size_t len, struct buf *out, struct buf *ids)
{
	size_t fence = 0;
	bool open = false;

	buf_addch(ids, '\n');
	for (size_t at = 0, n; at < len; at += n) {
		const char *line = s + at, *end = memchr(line, '\n', len - at);
		size_t id, marks;

		n = end ? (size_t)(end + 1 - line) : len - at;
		marks = fence_length(line, n);
		id = fence == 0 ? definition_id(line, n) : 0;
		if (id > 0 || marks > 0 || strspn(line, " \t\r") >= (size_t)(end ? end - line : (ptrdiff_t)n))
			end_definition(out, &open);
		if (marks > 0)
			fence = fence == 0 ? marks : marks >= fence ? 0 : fence;
		if (id == 0 && fence == 0 && is_delimiter_row(line, n)) {
			add_delimiter_row(out, line, n);
			continue;
		}
		if (id == 0) {
			buf_add(out, line, n);
			continue;
		}
		open = true;
		buf_addf(ids, "%.*s\n", (int)id, line + 2);
		buf_addf(out, "\n<tg-reference name=\"%.*s\">", (int)id, line + 2);
		for (id += 4; id < n && line[id] == ' ';)
			id++;
		buf_add(out, line + id, n - id);
	}
	end_definition(out, &open);
}

int rich_markdown_write(const char *s, size_t len, struct buf *out, struct error *err)
{
	static const MD_PARSER parser = {.flags = FLAGS,
	    .enter_block = enter_block,
	    .leave_block = leave_block,
	    .enter_span = enter_span,
	    .leave_span = leave_span,
	    .text = add_text};
	struct buf text = BUF_INIT, notes = BUF_INIT;
	struct writer w = {.out = out, .notes = &notes};
	int ret;

	prepare(s, len, &text, &notes);
	w.end = text.data + text.len;
	ret = md_parse(text.data, (MD_SIZE)text.len, &parser, &w);
	free(w.spans);
	buf_clear(&text);
	buf_clear(&notes);
	return ret == 0 ? 0 : error_set(err, ERROR_OURS, "MESSAGE_TOO_LONG");
}
