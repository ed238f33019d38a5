#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/config/scan.h"
#include "base/config/text.h"
#include "base/mem.h"

static int read_file(const char *file, struct buf *out)
{
	char piece[16384];
	FILE *in = fopen(file, "re");
	size_t n;

	if (!in)
		return -1;
	while (out->len <= CONFIG_BYTES_MAX && (n = fread(piece, 1, sizeof(piece), in)) > 0)
		buf_add(out, piece, n);
	fclose(in);
	return strlen(out->data) == out->len ? 0 : -1;
}

static bool is_name(const struct config_scan *s, const char *name)
{
	size_t len = s->at - s->start;

	return s->last == CONFIG_TOKEN_NAME && s->depth == 0 && strlen(name) == len &&
	    strncmp(s->text + s->start, name, len) == 0;
}

/* Returns the string value of the name just read; NULL for any other value. */
static char *string_after(struct config_scan *s)
{
	if (config_scan_next(s) != CONFIG_TOKEN_MARK ||
	    (s->text[s->start] != '=' && s->text[s->start] != ':'))
		return NULL;
	if (config_scan_next(s) != CONFIG_TOKEN_STRING || memchr(s->text + s->start, '\\', s->at - s->start))
		return NULL;
	return xstrndup(s->text + s->start + 1, s->at - s->start - 2);
}

char *config_peek(const char *file, const char *name)
{
	struct buf text = BUF_INIT;
	struct config_scan s;
	enum config_token token;
	char *found = NULL;

	if (read_file(file, &text) == 0) {
		config_scan_init(&s, text.data);
		while (
		    !found && (token = config_scan_next(&s)) != CONFIG_TOKEN_END && token != CONFIG_TOKEN_BAD)
			if (is_name(&s, name))
				found = string_after(&s);
	}
	buf_clear(&text);
	return found;
}
