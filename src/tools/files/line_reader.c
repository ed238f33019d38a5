#include "tools/files/grep_scan.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define LINE_READER_CHUNK (128 * 1024)
/* The same as in read_file. */
#define LINE_READER_PROBE 8192
/* The mark at the start of a file is no part of its first line. */
#define BOM "\xef\xbb\xbf"

void line_reader_init(struct line_reader *l)
{
	*l = (struct line_reader){.fd = -1, .data = BUF_INIT};
}

void line_reader_clear(struct line_reader *l)
{
	buf_clear(&l->data);
}

/* Reads more bytes and appends them. */
static void fill(struct line_reader *l)
{
	ssize_t n;

	if (l->at > 0) {
		buf_consume(&l->data, l->at);
		l->at = 0;
	}
	buf_reserve(&l->data, LINE_READER_CHUNK);
	do
		n = read(l->fd, l->data.data + l->data.len, LINE_READER_CHUNK);
	while (n < 0 && errno == EINTR);
	if (n > 0) {
		l->data.len += (size_t)n;
		l->data.data[l->data.len] = '\0';
	}
	l->ended = n <= 0;
	l->failed = n < 0;
}

bool line_reader_open(struct line_reader *l, int fd)
{
	l->fd = fd;
	l->at = 0;
	l->failed = l->is_cut = false;
	buf_reset(&l->data);
	fill(l);
	if (l->data.len >= strlen(BOM) && memcmp(l->data.data, BOM, strlen(BOM)) == 0)
		l->at = strlen(BOM);
	return !l->failed &&
	    !memchr(l->data.data, '\0', l->data.len < LINE_READER_PROBE ? l->data.len : LINE_READER_PROBE);
}

/* Skips the rest of a line that is longer than the limit. */
static size_t skip_long_line(struct line_reader *l, size_t len)
{
	const char *end = NULL;

	l->is_cut = true;
	while (!l->ended && !end) {
		buf_truncate(&l->data, l->at + len);
		size_t from = len;
		fill(l);
		end = memchr(l->data.data + from, '\n', l->data.len - from);
	}
	return end ? (size_t)(end + 1 - l->data.data) - l->at : l->data.len - l->at;
}

bool line_reader_next(struct line_reader *l, const char **line, size_t *len)
{
	const char *end;
	size_t seen = 0, whole;

	l->is_cut = false;
	for (;;) {
		end = memchr(l->data.data + l->at + seen, '\n', l->data.len - l->at - seen);
		seen = l->data.len - l->at;
		if (end || l->ended || seen >= LINE_READER_LINE_MAX)
			break;
		fill(l);
	}
	if (!end && seen == 0)
		return false;
	*len = end ? (size_t)(end - (l->data.data + l->at)) : seen;
	whole = end ? *len + 1 : seen;
	if (!end && seen >= LINE_READER_LINE_MAX) {
		*len = LINE_READER_LINE_MAX;
		whole = skip_long_line(l, LINE_READER_LINE_MAX);
	}
	*line = l->data.data + l->at;
	*len -= *len > 0 && (*line)[*len - 1] == '\r';
	l->at += whole;
	return true;
}

const char *line_reader_ahead(struct line_reader *l, size_t *len)
{
	const char *data = l->data.data + l->at, *last = memrchr(data, '\n', l->data.len - l->at);

	*len = l->ended ? l->data.len - l->at : last ? (size_t)(last + 1 - data) : 0;
	return data;
}

void line_reader_skip(struct line_reader *l, size_t len)
{
	l->at += len;
}
