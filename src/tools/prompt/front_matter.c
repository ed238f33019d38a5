#include "tools/prompt/front_matter.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"

#define NAME_SIZE_MAX   64
#define DESCRIPTION_MAX 1024 /* characters */

static size_t line_length(const char *s)
{
	return strcspn(s, "\n");
}

static const char *next_line(const char *s)
{
	s += line_length(s);
	return *s ? s + 1 : s;
}

static bool is_fence(const char *line)
{
	size_t len = line_length(line);

	while (len > 3 && strchr(" \t\r", line[len - 1]))
		len--;
	return len == 3 && strncmp(line, "---", 3) == 0;
}

/* Appends the line without surrounding blanks, after a blank unless out is empty. */
static void add_words(struct buf *out, const char *s, size_t len)
{
	while (len > 0 && strchr(" \t\r", s[len - 1]))
		len--;
	while (len > 0 && strchr(" \t", *s)) {
		s++;
		len--;
	}
	if (len > 0 && out->len > 0)
		buf_addch(out, ' ');
	buf_add(out, s, len);
}

/* Removes the quotes; '' stands for ' in single quotes, \" and \\ for " and \ in double ones. */
static char *unquote(const struct buf *raw)
{
	char quote = raw->len >= 2 ? raw->data[0] : '\0';
	struct buf out = BUF_INIT;

	if ((quote != '"' && quote != '\'') || raw->data[raw->len - 1] != quote)
		return xstrdup(raw->data);
	for (size_t i = 1; i + 1 < raw->len; i++) {
		char escape = quote == '"' ? '\\' : '\'';
		if (raw->data[i] == escape && i + 2 < raw->len && strchr("\"\\'", raw->data[i + 1]))
			i++;
		buf_addch(&out, raw->data[i]);
	}
	return buf_take(&out);
}

/* Reads the value after the colon; *line moves to its last line. */
static char *read_value(const char *value, const char **line)
{
	struct buf raw = BUF_INIT;

	value += strspn(value, " \t");
	/* The value of a block is only in the lines that follow. */
	if (*value != '>' && *value != '|')
		add_words(&raw, value, line_length(value));
	for (const char *next = next_line(*line); *next == ' ' || *next == '\t'; next = next_line(*line)) {
		add_words(&raw, next, line_length(next));
		*line = next;
	}
	char *text = unquote(&raw);
	buf_clear(&raw);
	return text;
}

static void take_line(struct skill_front_matter *h, const char **line)
{
	struct {
		const char *key;
		char **value;
	} const keys[] = {{"name:", &h->name}, {"description:", &h->description}};

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		size_t len = strlen(keys[i].key);
		if (strncmp(*line, keys[i].key, len) != 0 || *keys[i].value)
			continue;
		*keys[i].value = read_value(*line + len, line);
		return;
	}
}

static bool name_is_good(const char *name)
{
	size_t len = strlen(name);

	if (len == 0 || len > NAME_SIZE_MAX || name[0] == '-' || name[len - 1] == '-')
		return false;
	return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == len;
}

static const char *find_problem(const struct skill_front_matter *h, bool closed)
{
	if (!closed)
		return "Its SKILL.md must begin with a line ---, name: and description:, and another line "
		       "---.";
	if (!h->name || !name_is_good(h->name))
		return "Its name: must be of 1 to 64 small letters, digits and hyphens.";
	if (!h->description || str_is_blank(h->description))
		return "It needs a description: what it does, and when it is to be used.";
	if (utf8_count(h->description, strlen(h->description), UTF8_CHARS) > DESCRIPTION_MAX)
		return "Its description: has more than 1,024 characters.";
	return NULL;
}

int skill_front_matter_read(const char *text, struct skill_front_matter *out)
{
	const char *line;

	*out = (struct skill_front_matter){0};
	if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
		text += 3;
	line = is_fence(text) ? next_line(text) : "";
	for (; *line && !is_fence(line); line = next_line(line))
		take_line(out, &line);
	out->problem = find_problem(out, *line != '\0');
	return out->problem ? -1 : 0;
}

void skill_front_matter_clear(struct skill_front_matter *h)
{
	free(h->name);
	free(h->description);
}
