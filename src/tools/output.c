#include "tools/output.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"

void output_init(struct output *o, size_t most)
{
	*o = (struct output){.half = most / 2 > 0 ? most / 2 : 1};
}

void output_clear(struct output *o)
{
	free(o->head);
	free(o->tail);
	*o = (struct output){0};
}

static size_t add_head(struct output *o, const char *data, size_t len)
{
	size_t room = o->half - o->head_len, n = len < room ? len : room;

	if (n == 0)
		return 0;
	o->head = xrealloc(o->head, o->head_len + n);
	memcpy(o->head + o->head_len, data, n);
	o->head_len += n;
	return n;
}

/* at: number of bytes that came before in the stream, without the head. */
static void add_tail(struct output *o, uint64_t at, const char *data, size_t len)
{
	if (len > o->half) {
		at += len - o->half;
		data += len - o->half;
		len = o->half;
	}
	if (len > 0 && !o->tail)
		o->tail = xmalloc(o->half);
	while (len > 0) {
		size_t place = (size_t)(at % o->half), n = o->half - place < len ? o->half - place : len;
		memcpy(o->tail + place, data, n);
		at += n;
		data += n;
		len -= n;
	}
}

void output_add(struct output *o, const char *data, size_t len)
{
	size_t n = add_head(o, data, len);

	add_tail(o, o->total + n - o->head_len, data + n, len - n);
	o->total += len;
}

/* Appends the last n bytes of the tail. */
static void write_tail(const struct output *o, size_t n, struct buf *out)
{
	uint64_t at = o->total - o->head_len - n;

	while (n > 0) {
		size_t place = (size_t)(at % o->half), part = o->half - place < n ? o->half - place : n;
		buf_add(out, o->tail + place, part);
		at += part;
		n -= part;
	}
}

/* Counts the bytes before the start of a code point. */
static size_t count_continuation(const char *s, size_t len)
{
	size_t n = 0;

	while (n < 3 && n < len && ((unsigned char)s[n] & 0xc0) == 0x80)
		n++;
	return n;
}

/* Returns len without an incomplete code point at the end. */
static size_t cut_whole(const char *s, size_t len)
{
	size_t i = len;
	uint32_t cp;

	while (i > 0 && len - i < 3 && ((unsigned char)s[i - 1] & 0xc0) == 0x80)
		i--;
	if (i > 0 && (unsigned char)s[i - 1] >= 0xc0 && utf8_decode(s + i - 1, len - i + 1, &cp) == 0)
		return i - 1;
	return len;
}

uint64_t output_write(const struct output *o, size_t most, struct buf *out)
{
	size_t half = most / 2 < o->half ? most / 2 : o->half;
	struct buf tail = BUF_INIT;

	if (o->total <= 2 * (uint64_t)half) {
		buf_add(out, o->head, o->head_len);
		write_tail(o, (size_t)(o->total - o->head_len), out);
		return 0;
	}
	size_t head = cut_whole(o->head, half), kept = (size_t)(o->total - o->head_len);
	/* If there is little room, the end can start within the head. */
	if (kept < half)
		buf_add(&tail, o->head + o->head_len - (half - kept), half - kept);
	write_tail(o, kept < half ? kept : half, &tail);
	size_t skipped = count_continuation(tail.data, tail.len);
	uint64_t left_out = o->total - head - (tail.len - skipped);
	buf_add(out, o->head, head);
	buf_addf(out, "\n[... %llu bytes left out ...]\n", (unsigned long long)left_out);
	buf_add(out, tail.data + skipped, tail.len - skipped);
	buf_clear(&tail);
	return left_out;
}
