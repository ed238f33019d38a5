#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/text/utf8.h"

static const char *const kind_names[] = {
    [ERROR_NONE] = "none",
    [ERROR_OURS] = "ours",
    [ERROR_NETWORK] = "network",
    [ERROR_LIMITED] = "limited",
    [ERROR_REFUSED] = "refused",
    [ERROR_CANCELLED] = "cancelled",
};

static void set_text(struct error *err, const struct buf *raw)
{
	struct buf clean = BUF_INIT, text = BUF_INIT;
	size_t len;

	utf8_sanitize(&clean, raw->data, raw->len);
	/* Redacted here, not only in the log: the cut below could leave half a secret, which nothing would
	 * recognise. */
	secret_redact(&text, clean.data, clean.len);
	len = utf8_cut(text.data, text.len, sizeof(err->text) - 1, UTF8_BYTES);
	memcpy(err->text, text.data, len);
	err->text[len] = '\0';
	buf_clear(&clean);
	buf_clear(&text);
}

__attribute__((format(printf, 3, 0))) static void fill(
    struct error *err, enum error_kind kind, const char *fmt, va_list ap)
{
	struct buf raw = BUF_INIT;

	/* Formatted first: an argument may point into err->text. */
	buf_vaddf(&raw, fmt, ap);
	error_clear(err);
	err->kind = kind;
	set_text(err, &raw);
	buf_clear(&raw);
}

int error_set(struct error *err, enum error_kind kind, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	fill(err, kind, fmt, ap);
	va_end(ap);
	return -1;
}

int error_limited(struct error *err, uint64_t retry_ms, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	fill(err, ERROR_LIMITED, fmt, ap);
	va_end(ap);
	err->retry_ms = retry_ms;
	return -1;
}

int error_cancelled(struct error *err)
{
	return error_set(err, ERROR_CANCELLED, "cancelled");
}

int error_prefix(struct error *err, const char *fmt, ...)
{
	struct buf raw = BUF_INIT;
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	buf_vaddf(&raw, fmt, ap);
	va_end(ap);
	buf_addf(&raw, ": %s", err->text);
	set_text(err, &raw);
	buf_clear(&raw);
	return -1;
}

void error_clear(struct error *err)
{
	if (err)
		*err = (struct error){.kind = ERROR_NONE};
}

const char *error_kind_name(enum error_kind kind)
{
	return (size_t)kind < ARRAY_LEN(kind_names) ? kind_names[kind] : "unknown";
}
