#include "channels/markdown/markdown_internal.h"

#include <string.h>

#include "base/buf.h"

/* A section ends at the first paragraph beyond SOFT, and at the latest at HARD bytes. */
#define SECTION_SOFT (8 * 1024)
#define SECTION_HARD (16 * 1024)

/* Returns how many c the line starts with, after its prefix. */
static size_t run_of(const struct line *l, char c)
{
	size_t n = 0;

	while (l->prefix + n < l->len && l->s[l->prefix + n] == c)
		n++;
	return n;
}

static void follow_fence(struct section_reader *r, const struct line *l)
{
	struct line begin;
	size_t n;

	if (r->fence != 0) {
		n = run_of(l, r->fence);
		if (n >= r->fence_len && strspn(l->s + l->prefix + n, " \t\r") >= l->len - l->prefix - n)
			r->fence = 0;
		return;
	}
	begin = line_after_marker(*l);
	for (const char *c = "`~"; *c != '\0'; c++) {
		n = run_of(&begin, *c);
		if (n < 3 ||
		    (*c == '`' && memchr(begin.s + begin.prefix + n, '`', begin.len - begin.prefix - n)))
			continue;
		r->fence = *c;
		r->fence_len = n;
		r->opener = begin.s + begin.prefix;
		r->opener_len = begin.len - begin.prefix;
	}
}

/* May a section end between the two lines? Only where nothing of the first goes on in the second. */
static bool is_gap(const struct section_reader *r, const struct line *l)
{
	return r->fence == 0 && r->markdown_repair.before.s && r->markdown_repair.before.len == 0 &&
	    l->prefix == 0 && l->len > 0;
}

bool section_read(struct section_reader *r, struct buf *out)
{
	const char *began = r->at;
	struct line l;

	buf_reset(out);
	if (r->at == r->end)
		return false;
	if (r->fence != 0) {
		buf_add(out, r->opener, r->opener_len);
		buf_addch(out, '\n');
	}
	for (; r->at < r->end; r->at += l.full_len) {
		l = line_read(r->at, r->end, SECTION_HARD);
		if ((size_t)(r->at - began) > SECTION_SOFT && is_gap(r, &l))
			break;
		if (r->at != began && (size_t)(r->at - began) + l.full_len > SECTION_HARD)
			break;
		repair_line(&r->markdown_repair, &l, r->fence != 0, r->at + l.full_len, r->end, out);
		follow_fence(r, &l);
	}
	return true;
}
