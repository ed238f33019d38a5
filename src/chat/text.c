#include "chat/text.h"

#include <ctype.h>
#include <string.h>
#include <wchar.h>

#include "base/mem.h"
#include "base/text/utf8.h"

#define RESET    "\033[0m"
#define MARKERS  "`*_~"
#define BAR      "\u2502 " /* before each row of a quotation */
#define RULE     "\u2500"
#define RULE_MAX 40
/* A longer "[" is no link. */
#define LINK_MAX    2000
#define TAB_COLUMNS 4
/* Maximum length of the mark of an item or a heading, with its indent. */
#define LEAD_MAX 24

/* Control characters, and marks that change the text direction (Unicode 15, 23.2). */
static bool is_control(uint32_t cp)
{
	return (cp < 0x20 && cp != '\n' && cp != '\t') || (cp >= 0x7f && cp < 0xa0) ||
	    (cp >= 0x200e && cp <= 0x200f) || (cp >= 0x2028 && cp <= 0x202e) ||
	    (cp >= 0x2066 && cp <= 0x2069) || cp == 0xfeff;
}

size_t chat_text_columns(uint32_t cp)
{
	int columns = wcwidth((wchar_t)cp);

	return columns < 0 ? 1 : (size_t)columns;
}

void chat_text_plain(struct buf *out, const char *text, size_t len)
{
	uint32_t cp = 0;

	for (size_t at = 0, n; at < len; at += n ? n : 1) {
		n = utf8_decode(text + at, len - at, &cp);
		if (n == 0)
			cp = 0xfffd;
		if (!is_control(cp))
			utf8_encode(out, cp);
	}
}

void chat_text_sgr(struct buf *out, unsigned style)
{
	static const char *const codes[] = {
	    "1", "36", "2", "3", "9", "4"}; /* by the bits of enum chat_style */
	const char *before = "\033[";

	for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
		if ((style & 1u << i) == 0)
			continue;
		buf_addf(out, "%s%s", before, codes[i]);
		before = ";";
	}
	buf_addch(out, 'm');
}

void chat_text_init(struct chat_text *x, size_t width, bool colour)
{
	*x = (struct chat_text){.width = width > 10 ? width : 10, .colour = colour, .leading = true};
	buf_init(&x->rows);
	buf_init(&x->row);
	buf_init(&x->word);
	buf_init(&x->partial);
	buf_init(&x->lead);
	buf_init(&x->link);
	buf_init(&x->table);
}

void chat_text_clear(struct chat_text *x)
{
	buf_clear(&x->rows);
	buf_clear(&x->row);
	buf_clear(&x->word);
	buf_clear(&x->partial);
	buf_clear(&x->lead);
	buf_clear(&x->link);
	buf_clear(&x->table);
}

static void end_row(struct chat_text *x)
{
	buf_add(&x->rows, x->row.data, x->row.len);
	buf_addch(&x->rows, '\n');
	buf_reset(&x->row);
	x->row_width = x->blanks = 0;
}

static void add_bars(struct chat_text *x)
{
	for (unsigned i = 0; i < x->quotes; i++) {
		chat_text_sgr(&x->row, CHAT_DIM);
		buf_addstr(&x->row, BAR RESET);
		x->row_width += 2;
	}
}

/* Indents the next row of a wrapped line below its text. */
static void continue_row(struct chat_text *x)
{
	size_t hang = x->hang < x->width / 2 ? x->hang : 0;

	end_row(x);
	add_bars(x);
	buf_addf(&x->row, "%*s", (int)hang, "");
	x->row_width += hang;
}

/* Every word sets and resets its own style, so that rows can be printed separately. */
static void end_word(struct chat_text *x)
{
	if (x->word.len == 0)
		return;
	if (x->word_style)
		buf_addstr(&x->word, RESET);
	if (x->row_width > 0 && x->row_width + x->blanks + x->word_width > x->width)
		continue_row(x);
	buf_addf(&x->row, "%*s", (int)x->blanks, "");
	buf_add(&x->row, x->word.data, x->word.len);
	x->row_width += x->blanks + x->word_width;
	x->blanks = x->word_width = 0;
	x->word_style = 0;
	buf_reset(&x->word);
}

static void put_blank(struct chat_text *x, size_t columns)
{
	end_word(x);
	x->blanks += columns;
}

static void put(struct chat_text *x, uint32_t cp)
{
	size_t columns = chat_text_columns(cp);

	if (cp == ' ' || cp == '\t') {
		put_blank(x, cp == '\t' ? TAB_COLUMNS : 1);
		return;
	}
	/* Breaks a word that is longer than a row. */
	if (x->word_width + columns > x->width)
		end_word(x);
	if (x->word_style != x->style) {
		if (x->word_style)
			buf_addstr(&x->word, RESET);
		if (x->style)
			chat_text_sgr(&x->word, x->style);
		x->word_style = x->style;
	}
	utf8_encode(&x->word, cp);
	x->word_width += columns;
}

static void put_all(struct chat_text *x, const char *s)
{
	uint32_t cp = 0;

	for (size_t len = strlen(s), n; len > 0 && (n = utf8_decode(s, len, &cp)) > 0; s += n, len -= n)
		put(x, cp);
}

static bool is_letter(uint32_t cp)
{
	return cp >= 0x80 || isalnum((unsigned char)cp);
}

static unsigned style_of(char marker, unsigned count)
{
	if (marker == '`')
		return CHAT_CODE;
	if (marker == '~')
		return count == 2 ? CHAT_STRIKE : 0;
	return count == 1 ? CHAT_ITALIC : count == 2 ? CHAT_BOLD : count == 3 ? CHAT_BOLD | CHAT_ITALIC : 0;
}

/* Interprets a finished run of marks by the character after it. */
static void end_markers(struct chat_text *x, uint32_t next)
{
	unsigned style = style_of(x->marker, x->markers);
	bool opens = next != ' ' && next != '\n' && !is_letter(x->before);
	bool closes = x->style & style && (x->marker != '_' || !is_letter(next));
	unsigned n = x->markers;

	x->markers = 0;
	if (style && (closes || opens)) {
		x->style ^= style;
		return;
	}
	while (n-- > 0)
		put(x, (unsigned char)x->marker);
	x->before = (unsigned char)x->marker;
}

static bool is_marker(const struct chat_text *x, uint32_t cp)
{
	return cp < 0x80 && cp > 0 && strchr(MARKERS, (int)cp) && (cp == '`' || !(x->style & CHAT_CODE));
}

static void add_inline(struct chat_text *x, uint32_t cp);

/* "[text](url)": the text, and in parentheses where it leads. Else what came is text. */
static void end_link(struct chat_text *x, bool complete)
{
	char *link = buf_take(&x->link), *to = complete ? strstr(link, "](") : NULL;
	bool same;

	buf_init(&x->link);
	if (!to) {
		put(x, '[');
		x->before = '[';
		for (const char *s = link + 1; *s;) {
			uint32_t cp;
			size_t n = utf8_decode(s, strlen(s), &cp);
			add_inline(x, cp);
			s += n;
		}
		free(link);
		return;
	}
	*to = '\0';
	to += 2;
	same = strcmp(link + 1, to) == 0;
	x->style ^= CHAT_UNDERLINE;
	put_all(x, link + 1);
	x->style ^= CHAT_UNDERLINE;
	if (!same) {
		put(x, ' ');
		put_all(x, "(");
		put_all(x, to);
		put_all(x, ")");
	}
	x->before = ')';
	free(link);
}

/* Returns whether the text that begins like a link is none if this character follows. */
static bool breaks_link(const struct chat_text *x, uint32_t cp)
{
	const char *text = x->link.data;
	bool named = strstr(text, "](");

	return x->link.len > LINK_MAX || (named && cp == ' ') ||
	    (!named && (cp == '[' || (text[x->link.len - 1] == ']' && cp != '(')));
}

/* Returns whether the character belongs to a link. */
static bool add_link(struct chat_text *x, uint32_t cp)
{
	while (x->link.len > 0 && breaks_link(x, cp))
		end_link(x, false);
	if (x->link.len == 0)
		return false;
	if (cp == ')' && strstr(x->link.data, "]("))
		end_link(x, true);
	else
		utf8_encode(&x->link, cp);
	return true;
}

static void add_inline(struct chat_text *x, uint32_t cp)
{
	if (!x->colour || x->fenced) {
		put(x, cp);
		return;
	}
	if (x->escaped) {
		x->escaped = false;
		if (cp >= 0x80 || !ispunct((int)cp))
			put(x, '\\');
		put(x, cp);
		x->before = cp;
		return;
	}
	if (add_link(x, cp))
		return;
	if (x->markers > 0 && cp == (unsigned char)x->marker) {
		x->markers++;
		return;
	}
	if (x->markers > 0)
		end_markers(x, cp);
	if (is_marker(x, cp)) {
		x->marker = (char)cp;
		x->markers = 1;
	} else if (cp == '\\' && !(x->style & CHAT_CODE)) {
		x->escaped = true;
	} else if (cp == '[' && !(x->style & CHAT_CODE)) {
		buf_addch(&x->link, '[');
	} else {
		put(x, cp);
		x->before = cp;
	}
}

/* The beginning of a line is neither an item nor a heading: treats it as text. */
static void release_lead(struct chat_text *x)
{
	char *lead = buf_take(&x->lead);

	x->leading = false;
	for (const char *s = lead; *s; s++)
		add_inline(x, (unsigned char)*s);
	free(lead);
}

/* "- ", "12. " and the like: indents the wrapped rows below the text. */
static void begin_item(struct chat_text *x, size_t indent)
{
	char *lead = buf_take(&x->lead);
	char mark = lead[indent];

	x->leading = false;
	put_blank(x, indent);
	if (x->colour && (mark == '-' || mark == '*' || mark == '+'))
		put_all(x, "\u2022");
	else
		put_all(x, lead + indent);
	put_blank(x, 1);
	x->hang = strlen(lead) + 1;
	free(lead);
}

static bool is_item(const char *mark)
{
	size_t digits = strspn(mark, "0123456789");

	if (strcmp(mark, "-") == 0 || strcmp(mark, "*") == 0 || strcmp(mark, "+") == 0)
		return true;
	return digits > 0 && (strcmp(mark + digits, ".") == 0 || strcmp(mark + digits, ")") == 0);
}

static void begin_fence(struct chat_text *x)
{
	buf_reset(&x->lead);
	x->leading = false;
	x->fenced = !x->fenced;
	x->fence_line = true;
}

/* A quotation, in which items, headings and further quotations can begin. */
static void begin_quote(struct chat_text *x)
{
	buf_reset(&x->lead);
	x->quotes++;
	chat_text_sgr(&x->row, CHAT_DIM);
	buf_addstr(&x->row, BAR RESET);
	x->row_width += 2;
}

/* A blank ends the mark of an item or a heading. */
static void end_lead(struct chat_text *x, size_t indent)
{
	const char *mark = x->lead.data + indent;
	size_t hashes = strspn(mark, "#");

	if (x->colour && !x->fenced && strcmp(mark, ">") == 0) {
		begin_quote(x);
	} else if (!x->fenced && (is_item(mark) || strcmp(mark, ">") == 0)) {
		begin_item(x, indent);
	} else if (x->colour && !x->fenced && hashes > 0 && hashes <= 6 && mark[hashes] == '\0') {
		buf_reset(&x->lead);
		x->leading = false;
		x->style |= CHAT_BOLD;
	} else {
		release_lead(x);
		add_inline(x, ' ');
	}
}

static void add_lead(struct chat_text *x, uint32_t cp)
{
	size_t indent = strspn(x->lead.data, " ");
	bool marked = x->lead.len > indent;

	if (cp == ' ' && marked) {
		end_lead(x, indent);
		return;
	}
	if (x->colour && !x->fenced && cp == '|' && !marked && x->quotes == 0) {
		x->leading = false;
		x->in_table = true;
		buf_reset(&x->lead);
		buf_addch(&x->table, '|');
		return;
	}
	if (cp >= 0x80 || x->lead.len >= LEAD_MAX || !strchr(" `#-*+>0123456789.)", (int)cp)) {
		x->hang = marked ? 0 : indent;
		release_lead(x);
		add_inline(x, cp);
		return;
	}
	buf_addch(&x->lead, (char)cp);
	if (x->colour && strcmp(x->lead.data + indent, "```") == 0)
		begin_fence(x);
}

/* "---": a line across. */
static bool is_rule(const char *lead)
{
	size_t len = strlen(lead);

	return len >= 3 && (*lead == '-' || *lead == '*') &&
	    lead[strspn(lead, *lead == '-' ? "-" : "*")] == '\0';
}

static void put_rule(struct chat_text *x)
{
	buf_reset(&x->lead);
	x->leading = false;
	x->style |= CHAT_DIM;
	for (size_t i = 0; i < RULE_MAX && x->row_width + i < x->width; i++)
		put_all(x, RULE);
}

static void end_pending(struct chat_text *x)
{
	if (x->leading && x->colour && !x->fenced && is_rule(x->lead.data ? x->lead.data : ""))
		put_rule(x);
	if (x->leading)
		release_lead(x);
	while (x->link.len > 0)
		end_link(x, false);
	if (x->markers > 0)
		end_markers(x, '\n');
	if (x->escaped)
		put(x, '\\');
	x->escaped = false;
}

static void end_table(struct chat_text *x)
{
	if (x->table.len > 0)
		chat_table_add(&x->rows, x->table.data, x->width);
	buf_reset(&x->table);
}

static void end_line(struct chat_text *x)
{
	end_pending(x);
	end_word(x);
	if (!x->fence_line)
		end_row(x);
	x->style = x->fenced && x->colour ? CHAT_CODE : 0;
	x->hang = x->blanks = x->quotes = 0;
	x->before = 0;
	x->leading = true;
	x->fence_line = false;
}

static void add_to_table(struct chat_text *x, uint32_t cp)
{
	utf8_encode(&x->table, cp);
	if (cp == '\n') {
		x->in_table = false;
		x->leading = true;
	}
}

static void add_character(struct chat_text *x, uint32_t cp)
{
	if (is_control(cp))
		return;
	if (x->in_table) {
		add_to_table(x, cp);
		return;
	}
	/* Whether the table goes on is known by the first character that is no blank. */
	if (x->table.len > 0 && cp != '|' && cp != ' ')
		end_table(x);
	if (cp == '\n')
		end_line(x);
	else if (x->fence_line)
		return; /* skips the language of a code block */
	else if (x->leading)
		add_lead(x, cp);
	else
		add_inline(x, cp);
}

/* Returns whether these bytes may begin a character. */
static bool is_beginning(const char *s, size_t len)
{
	unsigned char c = (unsigned char)s[0];
	size_t wants = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 1;

	return len < wants;
}

void chat_text_add(struct chat_text *x, const char *text, size_t len)
{
	size_t at = 0, n;
	uint32_t cp;

	buf_add(&x->partial, text, len);
	while (at < x->partial.len) {
		n = utf8_decode(x->partial.data + at, x->partial.len - at, &cp);
		if (n == 0 && is_beginning(x->partial.data + at, x->partial.len - at))
			break;
		add_character(x, n ? cp : 0xfffd);
		at += n ? n : 1;
	}
	buf_consume(&x->partial, at);
}

void chat_text_end(struct chat_text *x)
{
	if (x->partial.len > 0)
		add_character(x, 0xfffd);
	buf_reset(&x->partial);
	if (x->in_table)
		add_to_table(x, '\n');
	end_table(x);
	if (x->row.len > 0 || x->word.len > 0 || x->lead.len > 0 || x->markers > 0 || x->link.len > 0 ||
	    x->escaped)
		end_line(x);
	x->style = 0;
	x->fenced = x->fence_line = false;
	x->leading = true;
}

void chat_text_unfinished(const struct chat_text *x, struct buf *out)
{
	buf_add(out, x->row.data, x->row.len);
	if (x->row_width + x->blanks + x->word_width < x->width) {
		buf_addf(out, "%*s", (int)x->blanks, "");
		buf_add(out, x->word.data, x->word.len);
	}
	if (x->word_style)
		buf_addstr(out, RESET);
}

size_t chat_text_line(struct buf *out, const char *text, size_t len)
{
	struct chat_text x;
	size_t columns;

	chat_text_init(&x, SIZE_MAX / 2, true);
	x.leading = false;
	chat_text_add(&x, text, len);
	end_pending(&x);
	end_word(&x);
	buf_add(out, x.row.data, x.row.len);
	columns = x.row_width;
	chat_text_clear(&x);
	return columns;
}
