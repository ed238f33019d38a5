#include "base/config/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/config/scan.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/read_error.h"
#include "base/secret/source.h"
#include "base/text/utf8.h"

void config_text_init(struct config_text *t)
{
	*t = (struct config_text){0};
	buf_init(&t->text);
	buf_init(&t->origins);
}

void config_text_clear(struct config_text *t)
{
	for (size_t i = 0; i < t->source_count; i++)
		free(t->sources[i].file);
	free(t->sources);
	buf_clear(&t->origins);
	buf_clear(&t->text);
	config_text_init(t);
}

struct config_origin config_text_origin(const struct config_text *t, unsigned line)
{
	const struct config_origin *origins = (const void *)t->origins.data;
	size_t count = t->origins.len / sizeof(*origins);
	if (count == 0)
		return (struct config_origin){0, 1};
	if (line > count)
		line = (unsigned)count;
	return origins[line > 0 ? line - 1 : 0];
}

const struct config_source *config_text_source(const struct config_text *t, unsigned line)
{
	return &t->sources[config_text_origin(t, line).source];
}

__attribute__((format(printf, 4, 5))) static int fail(
    struct error *err, const char *file, unsigned line, const char *fmt, ...)
{
	struct buf why = BUF_INIT;
	va_list ap;
	va_start(ap, fmt);
	buf_vaddf(&why, fmt, ap);
	va_end(ap);
	error_set(err, ERROR_OURS, "%s:%u: %s", file, line, why.data);
	buf_clear(&why);
	return -1;
}

/* Appends a piece of a source, which starts on the given line of it, as whole lines. (libconfig 1.5
 * also wants a line feed after a comment that ends the text.) */
static void append(struct config_text *t, size_t source, unsigned line, const char *piece, size_t len)
{
	struct config_origin place = {source, line};
	for (size_t i = 0; i < len; i++) {
		if (i > 0 && piece[i - 1] != '\n')
			continue;
		buf_add(&t->origins, &place, sizeof(place));
		place.line++;
	}
	buf_add(&t->text, piece, len);
	if (len > 0 && piece[len - 1] != '\n')
		buf_addch(&t->text, '\n');
}

static int check_bytes(const char *file, const char *text, size_t len, struct error *err)
{
	unsigned line = 1;
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t cp;
		n = utf8_decode(text + i, len - i, &cp);
		if (n == 0)
			return fail(
			    err, file, line, "the bytes of this line are not UTF-8. Save the file as UTF-8.");
		if (cp == 0)
			return fail(
			    err, file, line, "this line holds a NUL byte. A configuration is plain text.");
		if (cp == '\n')
			line++;
	}
	return 0;
}

static int read_all(int fd, struct buf *out)
{
	char piece[16384];
	ssize_t n;
	while ((n = read(fd, piece, sizeof(piece))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		buf_add(out, piece, (size_t)n);
		if (out->len > CONFIG_BYTES_MAX)
			break;
	}
	return 0;
}

/* O_NONBLOCK: opening a pipe must not wait for its other end. */
static int file_read(const char *file, struct buf *out, struct config_source *source, const char **why)
{
	int got = -1;
	struct stat st = {0};
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		read_error_note(errno);
		*why = strerror(errno);
		return -1;
	}
	if (fstat(fd, &st) != 0)
		*why = strerror(errno);
	else if (!S_ISREG(st.st_mode))
		*why = "it is not a regular file";
	else if (read_all(fd, out) != 0) {
		read_error_note(errno);
		*why = strerror(errno);
	} else if (out->len > CONFIG_BYTES_MAX)
		*why = "it is larger than 1 MiB";
	else
		got = 0;
	*source = (struct config_source){
	    .mode = st.st_mode & 07777, .exposed = got == 0 && !secret_source_is_private(&st)};
	close(fd);
	return got;
}

static size_t source_add(struct config_text *t, const char *file, const struct config_source *like)
{
	t->sources = xrealloc(t->sources, (t->source_count + 1) * sizeof(*t->sources));
	t->sources[t->source_count] = *like;
	t->sources[t->source_count].file = xstrdup(file);
	return t->source_count++;
}

static int text_add(
    struct config_text *t, size_t source, const char *text, unsigned nesting, struct error *err);

/* Resolves the path of an include, relative to the file that contains it. */
static char *path_from(const char *file, const char *path, size_t len)
{
	const char *slash = strrchr(file, '/');
	if (path[0] == '/' || !slash)
		return xasprintf("%.*s", (int)len, path);
	return xasprintf("%.*s%.*s", (int)(slash + 1 - file), file, (int)len, path);
}

static int include(
    struct config_text *t, size_t source, const struct config_scan *s, unsigned nesting, struct error *err)
{
	int got = -1;
	struct config_source found;
	const char *why;
	const char *from = t->sources[source].file;
	struct buf content = BUF_INIT;
	char *path = path_from(from, s->text + s->path, s->path_len);

	if (nesting == CONFIG_NESTING || t->source_count == CONFIG_FILES_MAX)
		fail(err, from, s->line,
		    "at most %d files, nested %d deep, can be included. Does a file include itself?",
		    CONFIG_FILES_MAX, CONFIG_NESTING);
	else if (file_read(path, &content, &found, &why) != 0)
		fail(err, from, s->line, "%s cannot be included: %s. Correct the path or remove the line.",
		    path, why);
	else if (t->text.len + content.len > CONFIG_BYTES_MAX)
		fail(err, from, s->line, "with %s the configuration is larger than 1 MiB. Include less.",
		    path);
	else if (check_bytes(path, content.data, content.len, err) == 0)
		got = text_add(t, source_add(t, path, &found), content.data, nesting + 1, err);
	free(path);
	buf_clear(&content);
	return got;
}

/* Appends a source with its includes in place. The text before and after an include keeps its lines. */
static int text_add(
    struct config_text *t, size_t source, const char *text, unsigned nesting, struct error *err)
{
	struct config_scan s;
	enum config_token token;
	size_t done = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	unsigned line = 1;

	config_scan_init(&s, text);
	s.at = done;
	while ((token = config_scan_next(&s)) != CONFIG_TOKEN_END) {
		if (token == CONFIG_TOKEN_BAD)
			return fail(err, t->sources[source].file, s.line, "%s", s.why);
		if (token != CONFIG_TOKEN_INCLUDE)
			continue;
		append(t, source, line, text + done, s.start - done);
		if (include(t, source, &s, nesting, err) != 0)
			return -1;
		done = s.at;
		line = s.at_line;
	}
	append(t, source, line, text + done, strlen(text + done));
	return 0;
}

int config_text_load(struct config_text *t, const char *file, struct error *err)
{
	int got = -1;
	struct config_source found;
	const char *why;
	struct buf content = BUF_INIT;

	if (file_read(file, &content, &found, &why) != 0)
		fail(err, file, 1, "the configuration cannot be read: %s. %s", why,
		    access(file, R_OK) < 0 && errno == EACCES ?
			"Let this user read it, or run this as the gateway's user (sudo -u USER myna ...)." :
			"Name a readable file with -c, or let 'myna init' write one.");
	else if (check_bytes(file, content.data, content.len, err) == 0)
		got = text_add(t, source_add(t, file, &found), content.data, 0, err);
	buf_clear(&content);
	return got;
}

int config_text_parse(struct config_text *t, const char *name, const char *text, struct error *err)
{
	size_t len = strlen(text);
	if (len > CONFIG_BYTES_MAX)
		return fail(err, name, 1, "the configuration is larger than 1 MiB. Make it smaller.");
	if (check_bytes(name, text, len, err) != 0)
		return -1;
	return text_add(t, source_add(t, name, &(struct config_source){.mode = 0600}), text, 0, err);
}
