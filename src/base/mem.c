#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/format.h"

void mem_exhausted(size_t size)
{
	char text[96];
	int len = snprintf(text, sizeof(text), "myna: out of memory (%zu bytes wanted); stopping\n", size);

	/* Not stdio, which may allocate. A failed write changes nothing. */
	(void)!write(STDERR_FILENO, text, (size_t)len);
	abort();
}

void *xmalloc(size_t size)
{
	void *p = malloc(size != 0 ? size : 1);

	if (!p)
		mem_exhausted(size);
	return p;
}

void *xcalloc(size_t count, size_t size)
{
	void *p = count != 0 && size != 0 ? calloc(count, size) : calloc(1, 1);

	if (!p)
		mem_exhausted(size != 0 && count > (size_t)-1 / size ? (size_t)-1 : count * size);
	return p;
}

void *xrealloc(void *p, size_t size)
{
	void *q = realloc(p, size != 0 ? size : 1);

	if (!q)
		mem_exhausted(size);
	return q;
}

void *xmemdup(const void *p, size_t size)
{
	void *copy = xmalloc(size);

	if (size != 0)
		memcpy(copy, p, size);
	return copy;
}

char *xstrdup(const char *s)
{
	return s ? xmemdup(s, strlen(s) + 1) : NULL;
}

char *xstrndup(const char *s, size_t max)
{
	size_t len;
	char *copy;

	if (!s)
		return NULL;
	len = strnlen(s, max);
	copy = xmalloc(len + 1);
	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

char *xasprintf(const char *fmt, ...)
{
	char usual[256], *text;
	va_list ap, again;
	int len;

	va_start(ap, fmt);
	va_copy(again, ap);
	len = str_vformat(usual, sizeof(usual), fmt, ap);
	if (len < 0)
		mem_exhausted(0);
	text = xmalloc((size_t)len + 1);
	if ((size_t)len < sizeof(usual))
		memcpy(text, usual, (size_t)len + 1);
	else
		str_vformat(text, (size_t)len + 1, fmt, again);
	va_end(again);
	va_end(ap);
	return text;
}

int str_copy(char *dst, size_t size, const char *src)
{
	size_t len = strnlen(src, size);
	int fits = len < size;

	if (!fits)
		len = size - 1;
	memcpy(dst, src, len);
	dst[len] = '\0';
	return fits ? 0 : -1;
}

bool str_is_blank(const char *s)
{
	return s[strspn(s, " \t\r\n")] == '\0';
}

bool str_ends_with(const char *s, const char *end)
{
	size_t len = strlen(s), end_len = strlen(end);

	return len >= end_len && strcmp(s + len - end_len, end) == 0;
}
