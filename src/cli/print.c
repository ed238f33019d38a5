#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "cli/cli.h"

#define GREEN  "\033[32m"
#define YELLOW "\033[33m"
#define RED    "\033[31m"
#define BOLD   "\033[1m"
#define PLAIN  "\033[0m"

static const struct {
	const char *word, *colour;
} marks[] = {
    {"ok", GREEN},
    {"OK", GREEN},
    {"ready", GREEN},
    {"sent", GREEN},
    {"warning", YELLOW},
    {"warning:", YELLOW},
    {"notice:", YELLOW},
    {"degraded", YELLOW},
    {"uncertain", YELLOW},
    {"NOT", RED},
    {"BAD", RED},
    {"FAILED", RED},
    {"failed", RED},
    {"stopped", RED},
    {"fix:", BOLD},
};

static bool has_colours(void)
{
	const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && (!no_colour || *no_colour == '\0') && terminal &&
	    strcmp(terminal, "dumb") != 0;
}

/* Returns the colour of the word with which text begins; NULL: none. */
static const char *colour_of(const char *text, size_t *len)
{
	*len = strcspn(text, " ,\n");
	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (strlen(marks[i].word) == *len && strncmp(marks[i].word, text, *len) == 0)
			return marks[i].colour;
	return NULL;
}

/* Prints the line with its first status word in colour, of those that begin it or follow ": " or " is ". */
static void print_line(const char *line, size_t len)
{
	size_t at = strspn(line, " "), word;

	while (at < len) {
		const char *colour = colour_of(line + at, &word);
		if (colour) {
			printf("%.*s%s%.*s" PLAIN "%.*s", (int)at, line, colour, (int)word, line + at,
			    (int)(len - at - word), line + at + word);
			return;
		}
		do
			at++;
		while (at < len && !(at >= 2 && strncmp(line + at - 2, ": ", 2) == 0) &&
		    !(at >= 4 && strncmp(line + at - 4, " is ", 4) == 0));
	}
	printf("%.*s", (int)len, line);
}

void cli_print(const char *text)
{
	if (!has_colours()) {
		fputs(text, stdout);
		return;
	}
	for (size_t len; *text; text += len) {
		len = strcspn(text, "\n");
		len += text[len] == '\n';
		print_line(text, len);
	}
}

void cli_print_json(struct json_object *o)
{
	char *text = json_text(o);

	puts(text);
	free(text);
}
