#include "base/buf.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/mem.h"

#define BUF_FIRST 64

char buf_empty[1];

void buf_init(struct buf *b)
{
	*b = (struct buf)BUF_INIT;
}

void buf_clear(struct buf *b)
{
	if (b->cap != 0)
		free(b->data);
	buf_init(b);
}

void buf_reset(struct buf *b)
{
	buf_truncate(b, 0);
}

/* A separate function, to keep it out of the hot path. */
static __attribute__((noinline)) void grow(struct buf *b, size_t need)
{
	size_t cap = b->cap * 2 > BUF_FIRST ? b->cap * 2 : BUF_FIRST;

	if (cap < need)
		cap = need;
	b->data = xrealloc(b->cap != 0 ? b->data : NULL, cap);
	b->cap = cap;
	b->data[b->len] = '\0';
}

void buf_reserve(struct buf *b, size_t extra)
{
	size_t need;

	if (extra >= SIZE_MAX / 2 - b->len)
		mem_exhausted(extra);
	need = b->len + extra + 1;
	if (need > b->cap)
		grow(b, need);
}

void buf_add(struct buf *b, const void *data, size_t len)
{
	if (len == 0)
		return;
	buf_reserve(b, len);
	memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void buf_addstr(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_addch(struct buf *b, char c)
{
	if (b->cap - b->len < 2)
		buf_reserve(b, 1);
	b->data[b->len++] = c;
	b->data[b->len] = '\0';
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(b, fmt, ap);
	va_end(ap);
}

void buf_vaddf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	size_t room;
	int len;

	/* Text that does not fit is formatted twice. */
	buf_reserve(b, BUF_FIRST - 1);
	room = b->cap - b->len;
	va_copy(again, ap);
	len = str_vformat(b->data + b->len, room, fmt, ap);
	if (len < 0)
		mem_exhausted(0);
	if ((size_t)len >= room) {
		buf_reserve(b, (size_t)len);
		str_vformat(b->data + b->len, (size_t)len + 1, fmt, again);
	}
	va_end(again);
	b->len += (size_t)len;
}

void buf_consume(struct buf *b, size_t n)
{
	if (n >= b->len) {
		buf_reset(b);
		return;
	}
	memmove(b->data, b->data + n, b->len - n);
	buf_truncate(b, b->len - n);
}

void buf_truncate(struct buf *b, size_t len)
{
	if (len >= b->len)
		return;
	b->len = len;
	b->data[len] = '\0';
}

char *buf_take(struct buf *b)
{
	char *text = b->cap != 0 ? b->data : xcalloc(1, 1);

	buf_init(b);
	return text;
}
