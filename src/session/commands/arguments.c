#include "session/commands/command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "bus/command_menu.h"

static const char blanks[] = " \t\r\n";

static void skip(const char **at, size_t len)
{
	*at += len;
	*at += strspn(*at, blanks);
}

static bool is_flag(const char *word, size_t len, const char *name)
{
	return len == strlen(name) + 2 && strncmp(word, "--", 2) == 0 &&
	    strncmp(word + 2, name, len - 2) == 0;
}

size_t arguments_word(const char *text)
{
	const char *end = strncmp(text, "<@", 2) == 0 ? strchr(text, '>') : NULL;

	return end ? (size_t)(end - text) + 1 : strcspn(text, blanks);
}

/* Parses one argument: malloc'd, or NULL. Moves *at past it. */
static char *take(const struct channel_argument *a, const char **at)
{
	const char *word = *at;
	size_t len = a->kind == CHANNEL_ARGUMENT_TEXT ? strlen(word) : arguments_word(word);

	if (len == 0)
		return NULL;
	if (a->kind == CHANNEL_ARGUMENT_FLAG) {
		if (!is_flag(word, len, a->name))
			return NULL;
		skip(at, len);
		return xstrdup("");
	}
	skip(at, len);
	return xstrndup(word, len);
}

static bool is_choice(const struct channel_argument *a, const char *value)
{
	for (size_t i = 0; a->choices[i]; i++)
		if (strcmp(a->choices[i], value) == 0)
			return true;
	return false;
}

static bool is_number(const char *value)
{
	size_t len = strspn(value, "0123456789");

	return len > 0 && len < 10 && value[len] == '\0';
}

static void shout(struct buf *out, const char *name)
{
	for (; *name; name++)
		buf_addch(out, (char)toupper((unsigned char)*name));
}

static void list_choices(const struct channel_argument *a, const char *between, struct buf *out)
{
	for (size_t i = 0; a->choices[i]; i++)
		buf_addf(out, "%s%s", i ? between : "", a->choices[i]);
}

static void show(const struct channel_argument *a, struct buf *out)
{
	if (a->kind == CHANNEL_ARGUMENT_FLAG)
		buf_addf(out, "--%s", a->name);
	else if (a->choices)
		list_choices(a, "|", out);
	else
		shout(out, a->name);
}

static int check(const struct channel_argument *a, const char *value, struct buf *out)
{
	if (!value) {
		if (!a->required)
			return 0;
		shout(out, a->name);
		buf_addstr(out, " is missing.");
		return -1;
	}
	if (a->choices && !is_choice(a, value)) {
		shout(out, a->name);
		buf_addstr(out, a->choices[1] ? " is one of " : " can only be ");
		list_choices(a, ", ", out);
		buf_addstr(out, a->choices[1] || a->required ? "." : ", or be left out.");
		return -1;
	}
	if (a->kind == CHANNEL_ARGUMENT_NUMBER && !is_number(value)) {
		shout(out, a->name);
		buf_addstr(out, " is a number.");
		return -1;
	}
	return 0;
}

static bool has_flag(const struct channel_argument *takes)
{
	while (takes->name && takes->kind != CHANNEL_ARGUMENT_FLAG)
		takes++;
	return takes->name;
}

int arguments_read(
    const struct channel_argument *takes, const char *text, char *values[ARGUMENTS_MAX], struct buf *out)
{
	int rc = 0;

	for (size_t i = 0; i < ARGUMENTS_MAX; i++)
		values[i] = NULL;
	text += strspn(text, blanks);
	for (size_t i = 0; i < ARGUMENTS_MAX && takes[i].name && rc == 0; i++) {
		values[i] = take(&takes[i], &text);
		rc = check(&takes[i], values[i], out);
	}
	if (rc == 0 && *text) {
		buf_addstr(out,
		    strncmp(text, "--", 2) == 0 && has_flag(takes) ? "Options come before the words." :
								     "That is more than it takes.");
		rc = -1;
	}
	return rc;
}

void arguments_clear(char *values[ARGUMENTS_MAX])
{
	for (size_t i = 0; i < ARGUMENTS_MAX; i++) {
		free(values[i]);
		values[i] = NULL;
	}
}

void arguments_usage(const struct channel_argument *takes, struct buf *out)
{
	for (const struct channel_argument *a = takes; a->name; a++) {
		buf_addstr(out, a->required ? " " : " [");
		show(a, out);
		buf_addstr(out, a->required ? "" : "]");
	}
}

void arguments_explain(const struct channel_argument *takes, struct buf *out)
{
	for (const struct channel_argument *a = takes; a->name; a++) {
		buf_addstr(out, "\n- ");
		show(a, out);
		buf_addf(out, ": %s%s", a->help,
		    a->required || a->kind == CHANNEL_ARGUMENT_FLAG ? "" : " (may be left out)");
	}
}
