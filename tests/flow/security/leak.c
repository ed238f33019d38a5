#include "flow/security/leak.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

#define PART 12

/* The shapes are those of the platforms; the key of a model may hold anything but control characters. */
const struct canary canaries[] = {
    {"telegram", "4242424242:AAE", "KaNaRyTg7Q2xVb9LmZ4t", "WcRePuYoIa12", "telegram"},
    {"slack bot", "xoxb-1-2-", "KaNaRySb5J8kHd3GfS6w", "", "slack"},
    {"slack app", "xapp-1-A1-2-", "KaNaRySa9P4vNc7MxB2z", "", "slack"},
    {"discord", "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.", "KaNaRyDc3T6rWe8QyU1i", "0123456", "discord"},
    {"model", "sk-\"+/", "KaNaRyMk2L5jHg8FdA1s", "\\=&%41 <x>", "model"},
    {"fallback", "sk ", "KaNaRyFb6O9pIu4YtR7e", "==", "fallback"},
    {"voice", "", "KaNaRyVo1Z3xCv5BnM8q", "", "voice"},
    {"http", "", "KaNaRyHt4W7sEd2RfT9g", "-http", "http"},
};
const size_t canary_count = sizeof(canaries) / sizeof(*canaries);
const char leak_mark[] = "PlainMarkThatIsNoSecret";

static const char digits64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Base64 of text after shift other bytes, only the characters that follow from text alone. */
static void add_base64(struct buf *out, const char *text, size_t shift)
{
	size_t bits = 8 * strlen(text), skip = (6 - 8 * shift % 6) % 6;

	for (size_t at = skip; at + 6 <= bits; at += 6) {
		unsigned value = 0;
		for (size_t b = at; b < at + 6; b++)
			value = value << 1 | ((unsigned char)text[b / 8] >> (7 - b % 8) & 1);
		buf_addch(out, digits64[value]);
	}
}

static void add_escaped(struct buf *out, const char *text, enum leak_form form)
{
	static const char plain[] = "-._~";

	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		bool letter = isalnum(c) || strchr(plain, c);
		if (form == LEAK_URL && !letter)
			buf_addf(out, "%%%02X", c);
		else if (form == LEAK_JSON && (c == '"' || c == '\\'))
			buf_addf(out, "\\%c", c);
		else
			buf_addch(out, (char)c);
	}
}

static char *value_of(const struct canary *c)
{
	return xasprintf("%s%s%s", c->head, c->core, c->tail);
}

char *canary_value(const char *name)
{
	for (size_t i = 0; i < canary_count; i++)
		if (strcmp(canaries[i].name, name) == 0)
			return value_of(&canaries[i]);
	abort();
}

void leak_say(struct buf *out, enum leak_form form)
{
	buf_addstr(out, leak_mark);
	for (size_t i = 0; i < canary_count; i++) {
		char *value = value_of(&canaries[i]);
		buf_addstr(out, ", ");
		if (form >= LEAK_BASE64)
			add_base64(out, value, form - LEAK_BASE64);
		else
			add_escaped(out, value, form);
		free(value);
	}
}

bool leak_has_mark(const void *data, size_t len)
{
	return len > 0 && memmem(data, len, leak_mark, strlen(leak_mark));
}

static size_t note(const char *place, const struct canary *c, const char *part, size_t part_len,
    const char *data, size_t len, struct buf *found)
{
	const char *at = len > 0 ? memmem(data, len, part, part_len) : NULL;

	if (!at)
		return 0;
	size_t from = at - data > 80 ? (size_t)(at - data) - 80 : 0, to = from + 200 < len ? from + 200 : len;
	buf_addf(found, "%s: %s in …", place, c->name);
	for (; from < to; from++)
		buf_addch(found, data[from] >= ' ' && data[from] < 127 ? data[from] : '.');
	buf_addstr(found, "…\n");
	return 1;
}

static size_t find_one(
    const char *place, const struct canary *c, const char *data, size_t len, struct buf *found)
{
	size_t n = note(place, c, c->core, PART, data, len, found);

	if (n == 0)
		n = note(place, c, c->core + strlen(c->core) - PART, PART, data, len, found);
	for (size_t shift = 0; shift < 3; shift++) {
		struct buf base64 = BUF_INIT;
		add_base64(&base64, c->core, shift);
		n += note(place, c, base64.data, base64.len, data, len, found);
		buf_clear(&base64);
	}
	return n;
}

size_t leak_find(const char *place, const char *home, const void *data, size_t len, struct buf *found)
{
	size_t n = 0;

	for (size_t i = 0; i < canary_count; i++)
		if (!home || strcmp(home, canaries[i].home) != 0)
			n += find_one(place, &canaries[i], data, len, found);
	return n;
}

static size_t find_in_file(const char *path, struct buf *found, size_t *marks)
{
	struct buf b = BUF_INIT;
	char chunk[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	while (fd >= 0 && (n = read(fd, chunk, sizeof(chunk))) > 0)
		buf_add(&b, chunk, (size_t)n);
	if (fd >= 0)
		close(fd);
	*marks += leak_has_mark(b.data, b.len);
	size_t hits = leak_find(path, NULL, b.data, b.len, found);
	buf_clear(&b);
	return hits;
}

static bool is_one_of(const char *name, const char *const *list)
{
	for (; list && *list; list++)
		if (strcmp(name, *list) == 0)
			return true;
	return false;
}

size_t leak_find_files(const char *dir, const char *const *except, struct buf *found, size_t *marks)
{
	DIR *d = opendir(dir);
	size_t hits = 0;

	for (struct dirent *e; d && (e = readdir(d));) {
		struct stat st;
		char *path = xasprintf("%s/%s", dir, e->d_name);
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
		    !is_one_of(e->d_name, except) && lstat(path, &st) == 0) {
			hits += leak_find("a file name", NULL, e->d_name, strlen(e->d_name), found);
			if (S_ISDIR(st.st_mode))
				hits += leak_find_files(path, except, found, marks);
			else if (S_ISREG(st.st_mode))
				hits += find_in_file(path, found, marks);
		}
		free(path);
	}
	if (d)
		closedir(d);
	return hits;
}
