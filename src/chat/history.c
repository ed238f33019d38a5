#include "chat/history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

#define FILE_MAX (16 << 20)

char *chat_history_path(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && *state == '/')
		return xasprintf("%s/myna/chat_history", state);
	return home && *home == '/' ? xasprintf("%s/.local/state/myna/chat_history", home) : NULL;
}

/* Creates the directories above a file. */
static void make_folders(const char *path)
{
	char *copy = xstrdup(path);

	for (char *slash = copy; (slash = strchr(slash + 1, '/')); *slash = '/') {
		*slash = '\0';
		if (mkdir(copy, 0700) != 0 && errno != EEXIST)
			break;
	}
	free(copy);
}

static void read_whole(const char *path, struct buf *out)
{
	char chunk[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t n;

	while (fd >= 0 && out->len < FILE_MAX && (n = read(fd, chunk, sizeof(chunk))) > 0)
		buf_add(out, chunk, (size_t)n);
	if (fd >= 0)
		close(fd);
}

static void add_escaped(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n')
			buf_addstr(out, "\\n");
		else if (*text == '\\')
			buf_addstr(out, "\\\\");
		else
			buf_addch(out, *text);
	}
	buf_addch(out, '\n');
}

/* Removes escapes in place. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (*s == '\\' && s[1]) {
			s++;
			*to++ = *s == 'n' ? '\n' : *s;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
}

static size_t count_lines(const char *s)
{
	size_t n = 0;

	for (; (s = strchr(s, '\n')); s++)
		n++;
	return n;
}

static void write_all(int fd, const char *data, size_t len)
{
	for (ssize_t n; len > 0 && (n = write(fd, data, len)) > 0; data += n)
		len -= (size_t)n;
}

/* Replaces the file atomically, so that an interruption loses nothing. */
static void replace(const char *path, const char *text)
{
	char *fresh = xasprintf("%s.%ld", path, (long)getpid());
	int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd >= 0) {
		write_all(fd, text, strlen(text));
		if (close(fd) != 0 || rename(fresh, path) != 0)
			unlink(fresh);
	}
	free(fresh);
}

void chat_history_load(const char *path, void (*take)(void *arg, const char *text), void *arg)
{
	struct buf all = BUF_INIT;

	read_whole(path, &all);
	char *at = all.data, *end;
	size_t lines = count_lines(at);
	for (size_t drop = lines > CHAT_HISTORY_MAX ? lines - CHAT_HISTORY_MAX : 0; drop > 0; drop--)
		at = strchr(at, '\n') + 1;
	if (lines > 2 * CHAT_HISTORY_MAX)
		replace(path, at);
	for (; (end = strchr(at, '\n')); at = end + 1) {
		*end = '\0';
		unescape(at);
		take(arg, at);
	}
	buf_clear(&all);
}

void chat_history_add(const char *path, const char *text)
{
	struct buf line = BUF_INIT;

	make_folders(path);
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	add_escaped(&line, text);
	if (fd >= 0) {
		write_all(fd, line.data, line.len);
		close(fd);
	}
	buf_clear(&line);
}
