/* Finds the programs that simple commands run. */
#include "tools/rules/shell_parse.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "tools/rules/shell_internal.h"

/* Maximum nesting of texts that are commands. */
#define SHELL_DEPTH 3

/* Words that precede the command that runs. */
static const struct {
	const char *name;
	const char *valued; /* one-letter options whose value is the next word */
	const char *ends;   /* options with which it runs nothing */
	size_t operands;    /* number of its own operands before the command */
	bool plain;         /* a word of the shell's language, without options */
} before[] = {
    {.name = "!", .plain = true},
    {.name = "{", .plain = true},
    {.name = "builtin", .plain = true},
    {.name = "busybox", .plain = true},
    {.name = "command", .ends = "vV"},
    {.name = "do", .plain = true},
    {.name = "elif", .plain = true},
    {.name = "else", .plain = true},
    {.name = "env", .valued = "uCS"},
    {.name = "exec", .valued = "a"},
    {.name = "if", .plain = true},
    {.name = "ionice", .valued = "cnpPu"},
    {.name = "nice", .valued = "n"},
    {.name = "nohup"},
    {.name = "setsid"},
    {.name = "stdbuf", .valued = "ioe"},
    {.name = "then", .plain = true},
    {.name = "time", .valued = "fo"},
    {.name = "timeout", .valued = "ks", .operands = 1},
    {.name = "until", .plain = true},
    {.name = "while", .plain = true},
    {.name = "xargs", .valued = "adEILnPs"},
};

static const char *const shells[] = {"ash", "bash", "dash", "ksh", "sh", "zsh"};
static const char *const executions[] = {"-exec", "-execdir", "-ok", "-okdir"};

static void read_text(struct shell_line *line, const char *text, unsigned depth);

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

const char *shell_command_name(const struct shell_command *c)
{
	return c->count > 0 ? last_part(c->words[0]) : "";
}

static bool is_assignment(const char *word)
{
	size_t n = 0;

	while (isalnum((unsigned char)word[n]) || word[n] == '_')
		n++;
	return n > 0 && !isdigit((unsigned char)word[0]) &&
	    (word[n] == '=' || (word[n] == '+' && word[n + 1] == '='));
}

/* Returns how many words after the first are options and operands of that row's word; SIZE_MAX: it runs
 * nothing. */
static size_t count_own(char *const *words, size_t count, size_t row)
{
	size_t i = 1;

	for (; i < count && words[i][0] == '-' && words[i][1] && !before[row].plain; i++) {
		const char *word = words[i], last = word[strlen(word) - 1];
		if (word[1] == '-')
			continue;
		if (before[row].ends && strpbrk(word, before[row].ends))
			return SIZE_MAX;
		i += before[row].valued && strchr(before[row].valued, last);
	}
	return i - 1 + before[row].operands;
}

/* Returns how many words at the front do not run; 0: the first one does. */
static size_t count_skipped(char *const *words, size_t count)
{
	if (is_assignment(words[0]))
		return 1;
	for (size_t i = 0; i < ARRAY_LEN(before); i++) {
		if (strcasecmp(last_part(words[0]), before[i].name) != 0)
			continue;
		size_t own = count_own(words, count, i);
		/* Without a command after it, the word itself is the command. */
		return own < count - 1 ? own + 1 : 0;
	}
	return 0;
}

static void skip_words(struct shell_command *c)
{
	size_t skipped = 0, n;

	while (skipped < c->count && (n = count_skipped(c->words + skipped, c->count - skipped)) > 0)
		skipped += n;
	for (size_t i = 0; i < skipped; i++)
		free(c->words[i]);
	c->count -= skipped;
	if (skipped > 0)
		memmove(c->words, c->words + skipped, c->count * sizeof(*c->words));
}

static bool is_listed(const char *word, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcasecmp(word, list[i]) == 0)
			return true;
	return false;
}

/* Returns the text of sh -c; NULL for none. */
static const char *script_of(const struct shell_command *c)
{
	bool wanted = false;

	for (size_t i = 1; i < c->count; i++) {
		const char *word = c->words[i];
		if (word[0] != '-' && word[0] != '+')
			return wanted ? word : NULL;
		wanted = wanted || (word[1] != '-' && strchr(word, 'c'));
		/* -o takes a value. */
		i += word[1] == 'o' && word[2] == '\0';
	}
	return NULL;
}

static char *join_words(const struct shell_command *c)
{
	struct buf text = BUF_INIT;

	for (size_t i = 1; i < c->count; i++)
		buf_addf(&text, "%s%s", i > 1 ? " " : "", c->words[i]);
	return buf_take(&text);
}

static void resolve(struct shell_line *line, size_t index, unsigned depth);

/* Copies the command from at up to the word that ends an -exec of find, and moves at there. */
static struct shell_command copy_execution(const struct shell_command *find, size_t *at)
{
	struct shell_command c = {0};
	size_t end = *at;

	while (end < find->count && strcmp(find->words[end], ";") != 0 && strcmp(find->words[end], "+") != 0)
		end++;
	c.words = xcalloc(end - *at + 1, sizeof(*c.words));
	for (; *at < end; ++*at)
		c.words[c.count++] = xstrdup(find->words[*at]);
	return c;
}

/* Finds the commands that find runs. */
static void read_executions(struct shell_line *line, size_t index, unsigned depth)
{
	for (size_t i = 1; i < line->commands[index].count; i++) {
		if (!is_listed(line->commands[index].words[i], executions, ARRAY_LEN(executions)))
			continue;
		i++;
		struct shell_command c = copy_execution(&line->commands[index], &i);
		shell_append(line, &c);
		resolve(line, line->count - 1, depth + 1);
	}
}

static void read_eval(struct shell_line *line, size_t index, unsigned depth)
{
	char *text = join_words(&line->commands[index]);

	read_text(line, text, depth + 1);
	free(text);
}

static void read_script(struct shell_line *line, size_t index, unsigned depth)
{
	const struct shell_command *c = &line->commands[index];
	const char *script = script_of(c);
	char *text = xstrdup(script ? script : c->input);

	if (text)
		read_text(line, text, depth + 1);
	free(text);
}

/* Finds the command that runs, and appends the commands that it runs in turn. */
static void resolve(struct shell_line *line, size_t index, unsigned depth)
{
	struct shell_command *c = &line->commands[index];

	skip_words(c);
	if (depth >= SHELL_DEPTH)
		return;
	if (is_listed(shell_command_name(c), shells, ARRAY_LEN(shells)))
		read_script(line, index, depth);
	else if (strcasecmp(shell_command_name(c), "eval") == 0)
		read_eval(line, index, depth);
	else if (strcasecmp(shell_command_name(c), "find") == 0)
		read_executions(line, index, depth);
}

static void read_text(struct shell_line *line, const char *text, unsigned depth)
{
	size_t from = line->count, len = strlen(text);

	if (utf8_count(text, len, UTF8_CHARS) > SHELL_TEXT_MAX) {
		line->unread = true;
		return;
	}
	shell_split(line, text, len);
	for (size_t i = from, end = line->count; i < end; i++)
		resolve(line, i, depth);
}

void shell_parse(struct shell_line *line, const char *text)
{
	*line = (struct shell_line){0};
	read_text(line, text, 0);
}

void shell_parse_words(struct shell_line *line, const char *const *words, size_t count)
{
	struct shell_command c = {.words = xcalloc(count + 1, sizeof(*c.words))};

	*line = (struct shell_line){0};
	for (; c.count < count; c.count++)
		c.words[c.count] = xstrdup(words[c.count]);
	shell_append(line, &c);
	resolve(line, 0, 0);
}

void shell_line_clear(struct shell_line *line)
{
	for (size_t i = 0; i < line->count; i++) {
		struct shell_command *c = &line->commands[i];
		for (size_t k = 0; k < c->count; k++)
			free(c->words[k]);
		for (size_t k = 0; k < c->redirect_count; k++)
			free(c->redirects[k].target);
		free(c->words);
		free(c->redirects);
		free(c->input);
	}
	free(line->commands);
	*line = (struct shell_line){0};
}
