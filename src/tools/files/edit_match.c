#include "tools/files/edit_match.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "tools/sanitize.h"

/* Bytes of a line: those compared and sanitized, and those shown. */
#define LINE_SEEN      4096
#define LINE_SHOWN_MAX 200
/* Size of the bit set of byte pairs. */
#define PAIRS 2048
/* Lines with fewer pairs in common, in percent, are not similar. */
#define SIMILAR_MIN 40

void edit_spots_clear(struct edit_spots *spots)
{
	for (size_t i = 0; i < spots->count; i++)
		free(spots->texts[i]);
	*spots = (struct edit_spots){0};
}

static const char *find(const char *at, const char *end, struct edit_text what)
{
	return memmem(at, (size_t)(end - at), what.data, what.len);
}

size_t edit_count(struct edit_text file, struct edit_text what)
{
	const char *end = file.data + file.len, *first = find(file.data, end, what);
	size_t n = 0;

	for (const char *at = first; at; at = find(at + what.len, end, what))
		n++;
	return n == 1 && find(first + 1, end, what) ? 2 : n;
}

static struct edit_text line_at(struct edit_text file, size_t start)
{
	const char *end = memchr(file.data + start, '\n', file.len - start);
	size_t len = end ? (size_t)(end - file.data) - start : file.len - start;

	if (len > 0 && file.data[start + len - 1] == '\r')
		len--;
	return (struct edit_text){file.data + start, len};
}

/* Sanitizes before cutting: half a secret would not be recognised. */
static char *tell(struct edit_text line)
{
	struct buf text = BUF_INIT;

	sanitize_text(&text, line.data, line.len < LINE_SEEN ? line.len : LINE_SEEN);
	buf_truncate(&text, utf8_cut(text.data, text.len, LINE_SHOWN_MAX, UTF8_BYTES));
	return text.len ? buf_take(&text) : xstrdup("");
}

void edit_find_lines(struct edit_text file, struct edit_text what, struct edit_spots *out)
{
	const char *end = file.data + file.len, *line = file.data, *newline, *found;

	for (int64_t number = 1; out->count < EDIT_SPOTS_MAX && (found = find(line, end, what)); number++) {
		for (; (newline = memchr(line, '\n', (size_t)(found - line))); line = newline + 1)
			number++;
		out->lines[out->count] = number;
		out->texts[out->count++] = tell(line_at(file, (size_t)(line - file.data)));
		newline = memchr(found, '\n', (size_t)(end - found));
		line = newline ? newline + 1 : end;
	}
}

struct pairs {
	uint64_t bits[PAIRS / 64];
	size_t count;
};

static unsigned char lower(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Collects the pairs of neighbouring bytes in a line, without blanks. */
static void find_pairs(struct edit_text line, struct pairs *out)
{
	unsigned char before = 0;

	*out = (struct pairs){0};
	for (size_t i = 0; i < line.len && i < LINE_SEEN; i++) {
		if (is_blank(line.data[i]))
			continue;
		unsigned char c = lower(line.data[i]);
		unsigned bit = (before * 31u + c) * 2654435761u >> 21;
		out->count += before && !(out->bits[bit / 64] >> bit % 64 & 1);
		if (before)
			out->bits[bit / 64] |= UINT64_C(1) << bit % 64;
		before = c;
	}
}

/* The similarity in percent. */
static unsigned likeness(const struct pairs *a, const struct pairs *b)
{
	size_t common = 0;

	for (size_t i = 0; i < PAIRS / 64; i++)
		common += (size_t)__builtin_popcountll(a->bits[i] & b->bits[i]);
	return a->count + b->count > 0 ? (unsigned)(200 * common / (a->count + b->count)) : 0;
}

/* Inserts a line into the most similar ones, which are sorted by score. */
static void keep_similar(
    struct edit_spots *out, unsigned *scores, unsigned score, struct edit_text line, int64_t number)
{
	size_t at = out->count;

	if (at == EDIT_SPOTS_MAX) {
		if (scores[--at] >= score)
			return;
		free(out->texts[at]);
	} else {
		out->count++;
	}
	for (; at > 0 && scores[at - 1] < score; at--) {
		scores[at] = scores[at - 1];
		out->texts[at] = out->texts[at - 1];
		out->lines[at] = out->lines[at - 1];
	}
	scores[at] = score;
	out->texts[at] = tell(line);
	out->lines[at] = number;
}

/* Returns the first line that is not blank. */
static struct edit_text first_line(struct edit_text what)
{
	struct edit_text line = {what.data, 0};

	for (size_t start = 0; start < what.len; start += line.len + 1) {
		const char *end = memchr(what.data + start, '\n', what.len - start);
		line = (struct edit_text){
		    what.data + start, end ? (size_t)(end - what.data) - start : what.len - start};
		for (size_t i = 0; i < line.len; i++)
			if (!is_blank(line.data[i]))
				return line;
	}
	return line;
}

void edit_find_similar(struct edit_text file, struct edit_text what, struct edit_spots *out)
{
	unsigned scores[EDIT_SPOTS_MAX] = {0};
	struct pairs wanted, have;
	int64_t number = 1;

	find_pairs(first_line(what), &wanted);
	for (size_t start = 0; start < file.len && wanted.count > 0; number++) {
		struct edit_text line = line_at(file, start);
		const char *newline = memchr(file.data + start, '\n', file.len - start);
		find_pairs(line, &have);
		unsigned score = likeness(&wanted, &have);
		if (score >= SIMILAR_MIN)
			keep_similar(out, scores, score, line, number);
		start = newline ? (size_t)(newline + 1 - file.data) : file.len;
	}
}

/* Appends text with CRLF replaced by LF and, if blanks is set, with every run of blanks replaced by one. */
static void normalize_blanks(struct buf *out, struct edit_text text, bool blanks)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];
		if (c == '\r' && i + 1 < text.len && text.data[i + 1] == '\n')
			continue;
		if (blanks && (c == ' ' || c == '\t')) {
			if (out->len == 0 || out->data[out->len - 1] != ' ')
				buf_addch(out, ' ');
			continue;
		}
		buf_addch(out, c);
	}
}

static bool holds(struct edit_text file, struct edit_text what, bool blanks)
{
	struct buf a = BUF_INIT, b = BUF_INIT;

	normalize_blanks(&a, file, blanks);
	normalize_blanks(&b, what, blanks);
	bool found = b.len > 0 && strcmp(b.data, " ") != 0 && memmem(a.data, a.len, b.data, b.len);
	buf_clear(&a);
	buf_clear(&b);
	return found;
}

const char *edit_difference(struct edit_text file, struct edit_text what)
{
	if (holds(file, what, false))
		return memmem(what.data, what.len, "\r\n", 2) ?
		    " The lines of the file end in LF, those of old_text in CRLF: leave out \\r." :
		    " The lines of the file end in CRLF, those of old_text in LF: write \\r\\n.";
	return holds(file, what, true) ? " It differs in tabs and blanks only." : "";
}

size_t edit_replace(
    struct buf *out, struct edit_text file, struct edit_text what, struct edit_text by, size_t most)
{
	const char *at = file.data, *end = file.data + file.len, *found;
	size_t n = 0;

	while (n < most && (found = find(at, end, what))) {
		buf_add(out, at, (size_t)(found - at));
		buf_add(out, by.data, by.len);
		at = found + what.len;
		n++;
	}
	buf_add(out, at, (size_t)(end - at));
	return n;
}
