#ifndef BASE_BUF_H
#define BASE_BUF_H
/*
 * A growing string buffer. data is never NULL and always terminated, so it can serve as a string; it may
 * also hold NUL bytes.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct buf {
	char *data;
	size_t len;
	size_t cap; /* 0: data is the shared empty string */
};

extern char buf_empty[1];
#define BUF_INIT                \
	{                       \
		buf_empty, 0, 0 \
	}

void buf_init(struct buf *b);
void buf_clear(struct buf *b);                 /* frees; b is as after buf_init */
void buf_reset(struct buf *b);                 /* empties, keeps the memory */
void buf_reserve(struct buf *b, size_t extra); /* room for extra bytes more */
void buf_add(struct buf *b, const void *data, size_t len);
void buf_addstr(struct buf *b, const char *s);
void buf_addch(struct buf *b, char c);
__attribute__((format(printf, 2, 3))) void buf_addf(struct buf *b, const char *fmt, ...);
void buf_vaddf(struct buf *b, const char *fmt, va_list ap);
void buf_consume(struct buf *b, size_t n); /* drops n bytes at the front */
void buf_truncate(struct buf *b, size_t len);
/* Moves the string to the caller, who frees it; b is empty again. */
char *buf_take(struct buf *b);

#endif
