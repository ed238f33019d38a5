#include "base/format.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct formatted {
	char *dst;
	size_t size, len; /* len: of all, also of what does not fit */
};

static void add(struct formatted *f, const char *text, size_t len)
{
	if (f->len < f->size)
		memcpy(f->dst + f->len, text, len < f->size - f->len ? len : f->size - f->len);
	f->len += len;
}

static void add_unsigned(struct formatted *f, uint64_t value)
{
	char digits[24], *at = digits + sizeof(digits);

	do
		*--at = (char)('0' + value % 10);
	while ((value /= 10) > 0);
	add(f, at, (size_t)(digits + sizeof(digits) - at));
}

static void add_signed(struct formatted *f, int64_t value)
{
	if (value < 0)
		add(f, "-", 1);
	add_unsigned(f, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

static bool add_string(struct formatted *f, const char *text, int max)
{
	if (text)
		add(f, text, max < 0 ? strlen(text) : strnlen(text, (size_t)max));
	return text;
}

struct arguments {
	va_list list;
};

/* Returns the text after a directive, or NULL when it is not one of the usual. */
static const char *add_directive(struct formatted *f, const char *fmt, struct arguments *a)
{
	switch (*fmt) {
	case 's':
		return add_string(f, va_arg(a->list, const char *), -1) ? fmt + 1 : NULL;
	case 'd':
		add_signed(f, va_arg(a->list, int));
		return fmt + 1;
	case 'u':
		add_unsigned(f, va_arg(a->list, unsigned));
		return fmt + 1;
	}
	if (strncmp(fmt, ".*s", 3) == 0) {
		int max = va_arg(a->list, int);

		return add_string(f, va_arg(a->list, const char *), max) ? fmt + 3 : NULL;
	}
	if (strncmp(fmt, "ld", 2) == 0)
		add_signed(f, va_arg(a->list, long));
	else if (strncmp(fmt, "lu", 2) == 0)
		add_unsigned(f, va_arg(a->list, unsigned long));
	else if (strncmp(fmt, "zu", 2) == 0)
		add_unsigned(f, va_arg(a->list, size_t));
	else
		return NULL;
	return fmt + 2;
}

int str_vformat(char *dst, size_t size, const char *fmt, va_list ap)
{
	struct formatted f = {.dst = dst, .size = size};
	struct arguments a;
	const char *at = fmt;

	va_copy(a.list, ap);
	while (at && *at != '\0') {
		const char *directive = strchrnul(at, '%');

		add(&f, at, (size_t)(directive - at));
		at = *directive == '\0' ? directive : add_directive(&f, directive + 1, &a);
	}
	va_end(a.list);
	if (!at || f.len > INT_MAX)
		return vsnprintf(dst, size, fmt, ap);
	if (size > 0)
		dst[f.len < size ? f.len : size - 1] = '\0';
	return (int)f.len;
}

int str_format(char *dst, size_t size, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = str_vformat(dst, size, fmt, ap);
	va_end(ap);
	return len;
}
