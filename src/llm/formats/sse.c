#include "llm/formats/sse.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"

#define SSE_MAX_EVENT    (8 * 1024 * 1024)
#define SSE_RETRY_DIGITS 9

void sse_init(struct sse *s, sse_event_fn *fn, void *arg)
{
	*s = (struct sse){.fn = fn, .arg = arg, .max_event = SSE_MAX_EVENT};
	buf_init(&s->line);
	buf_init(&s->name);
	buf_init(&s->data);
	buf_init(&s->id);
}

void sse_clear(struct sse *s)
{
	buf_clear(&s->line);
	buf_clear(&s->name);
	buf_clear(&s->data);
	buf_clear(&s->id);
}

static int sse_too_large(struct sse *s, struct error *err)
{
	s->failed = true;
	return error_set(err, ERROR_OURS, "one event of the stream is larger than %zu bytes", s->max_event);
}

static int sse_dispatch(struct sse *s)
{
	int rc = 0;

	if (s->data.len > 0)
		rc = s->fn(s->name.data, s->data.data, s->data.len, s->arg);
	buf_reset(&s->name);
	buf_reset(&s->data);
	s->has_data = false;
	s->failed = rc != 0;
	return rc == 0 ? 0 : -1;
}

static void sse_data(struct sse *s, const char *value, size_t len)
{
	if (s->has_data)
		buf_addch(&s->data, '\n');
	s->has_data = true;
	buf_add(&s->data, value, len);
}

static void sse_name(struct sse *s, const char *value, size_t len)
{
	buf_reset(&s->name);
	buf_add(&s->name, value, len);
}

/* An id with a NUL is ignored. */
static void sse_id(struct sse *s, const char *value, size_t len)
{
	if (memchr(value, '\0', len))
		return;
	buf_reset(&s->id);
	buf_add(&s->id, value, len);
}

static void sse_retry(struct sse *s, const char *value, size_t len)
{
	if (len > 0 && len <= SSE_RETRY_DIGITS && strspn(value, "0123456789") >= len)
		s->retry_ms = strtoll(value, NULL, 10);
}

static const struct {
	const char *name;
	void (*take)(struct sse *s, const char *value, size_t len);
} fields[] = {
    {"data", sse_data},
    {"event", sse_name},
    {"id", sse_id},
    {"retry", sse_retry},
};

static void sse_field(struct sse *s, const char *name, size_t name_len, const char *value, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		if (strlen(fields[i].name) == name_len && memcmp(fields[i].name, name, name_len) == 0)
			fields[i].take(s, value, len);
}

static void sse_parse(struct sse *s, const char *line, size_t len)
{
	const char *colon = memchr(line, ':', len), *value = colon ? colon + 1 : line + len;

	if (value < line + len && *value == ' ')
		value++;
	sse_field(s, line, colon ? (size_t)(colon - line) : len, value, (size_t)(line + len - value));
}

/* Handles a complete line: a field, a comment (a field without a name), or the blank line that ends an
 * event. A byte follows it. */
static int sse_line(struct sse *s, const char *line, size_t len)
{
	if (!s->started && len >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
		line += 3;
		len -= 3;
	}
	s->started = true;
	if (len > 0)
		sse_parse(s, line, len);
	return len > 0 ? 0 : sse_dispatch(s);
}

static size_t sse_run(const char *data, size_t len)
{
	const char *lf = memchr(data, '\n', len), *cr = memchr(data, '\r', lf ? (size_t)(lf - data) : len);

	if (cr)
		return (size_t)(cr - data);
	return lf ? (size_t)(lf - data) : len;
}

/* The run completes a line whose beginning is buffered. */
static int sse_end_line(struct sse *s, const char *run, size_t len)
{
	int rc;

	if (s->line.len == 0)
		return sse_line(s, run, len);
	buf_add(&s->line, run, len);
	rc = sse_line(s, s->line.data, s->line.len);
	buf_reset(&s->line);
	return rc;
}

int sse_feed(struct sse *s, const char *data, size_t len, struct error *err)
{
	if (s->failed)
		return error_set(err, ERROR_OURS, "the stream was given up before its end");
	while (len > 0) {
		size_t run = sse_run(data, len);
		bool lf_of_crlf = s->after_cr && *data == '\n';

		s->after_cr = false;
		if (s->line.len + run + s->name.len + s->data.len > s->max_event)
			return sse_too_large(s, err);
		if (run == len) {
			buf_add(&s->line, data, run);
			return 0;
		}
		s->after_cr = data[run] == '\r';
		if (!lf_of_crlf && sse_end_line(s, data, run) != 0)
			return -1;
		data += run + 1;
		len -= run + 1;
	}
	return 0;
}

int sse_end(struct sse *s, struct error *err)
{
	/* The first line end ends the current line, the second the event. */
	s->after_cr = false;
	return sse_feed(s, s->line.len > 0 ? "\n\n" : "\n", s->line.len > 0 ? 2 : 1, err);
}
