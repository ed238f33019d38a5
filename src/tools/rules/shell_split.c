/* Splits a text into simple commands. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/mem.h"
#include "tools/rules/shell_parse.h"
#include "tools/rules/shell_internal.h"

/* Maximum nesting of $(); deeper ones are read as if they were in parentheses. */
#define SPLIT_DEPTH 24
/* Maximum number of pending here-documents. */
#define SPLIT_DOCUMENTS 8
/* Stands for the output of a substitution. */
#define SPLIT_UNKNOWN "$()"

enum redirect {
	REDIRECT_NONE,
	REDIRECT_READ,
	REDIRECT_WRITE,
	REDIRECT_TEXT,
	REDIRECT_DOCUMENT,
	REDIRECT_DOCUMENT_TABS
};

/* A here-document, whose text begins after the line with its <<. */
struct document {
	char *end;
	bool tabs;    /* <<-: leading tabs of its lines are ignored */
	size_t owner; /* the index of its command; SIZE_MAX: not appended yet */
};

struct reader {
	const char *at, *stop;
	struct shell_line *line;
	unsigned depth;
	struct document documents[SPLIT_DOCUMENTS];
	size_t document_count;
};

/* The command that is being read. */
struct frame {
	struct shell_command command;
	struct buf word;
	bool in_word;
	enum redirect redirect;
	unsigned parentheses;
};

static void read_list(struct reader *r, bool inside);

/* Makes room for one more item; doubles when count is a power of two. */
static void *grow(void *items, size_t count, size_t size)
{
	return count & (count - 1) ? items : xrealloc(items, (count ? 2 * count : 1) * size);
}

void shell_append(struct shell_line *line, struct shell_command *c)
{
	line->commands = grow(line->commands, line->count, sizeof(*line->commands));
	line->commands[line->count++] = *c;
	*c = (struct shell_command){0};
}

static void add_char(struct frame *f, char c)
{
	buf_addch(&f->word, c);
	f->in_word = true;
}

static void add_redirect(struct frame *f, char *target)
{
	struct shell_command *c = &f->command;

	c->redirects = grow(c->redirects, c->redirect_count, sizeof(*c->redirects));
	c->redirects[c->redirect_count++] = (struct shell_redirect){target, f->redirect == REDIRECT_WRITE};
}

static void add_document(struct reader *r, struct frame *f, char *end)
{
	if (r->document_count == SPLIT_DOCUMENTS) {
		free(end);
		return;
	}
	r->documents[r->document_count++] =
	    (struct document){.end = end, .tabs = f->redirect == REDIRECT_DOCUMENT_TABS, .owner = SIZE_MAX};
}

static void add_word(struct frame *f, char *word)
{
	struct shell_command *c = &f->command;

	c->words = grow(c->words, c->count, sizeof(*c->words));
	c->words[c->count++] = word;
}

static void end_word(struct reader *r, struct frame *f)
{
	if (!f->in_word)
		return;
	f->in_word = false;
	char *word = buf_take(&f->word);
	switch (f->redirect) {
	case REDIRECT_NONE:
		add_word(f, word);
		break;
	case REDIRECT_TEXT:
		free(f->command.input);
		f->command.input = word;
		break;
	case REDIRECT_DOCUMENT:
	case REDIRECT_DOCUMENT_TABS:
		add_document(r, f, word);
		break;
	default:
		add_redirect(f, word);
	}
	f->redirect = REDIRECT_NONE;
}

static void end_command(struct reader *r, struct frame *f)
{
	end_word(r, f);
	f->redirect = REDIRECT_NONE;
	for (size_t i = 0; i < r->document_count; i++)
		if (r->documents[i].owner == SIZE_MAX)
			r->documents[i].owner = r->line->count;
	if (f->command.count > 0 || f->command.redirect_count > 0 || f->command.input)
		shell_append(r->line, &f->command);
}

/* Takes the text of a here-document up to its last line, and moves at past it. */
static char *take_document(struct reader *r, const struct document *d)
{
	size_t len = strlen(d->end);
	const char *from = r->at, *line = r->at;

	while (line < r->stop) {
		const char *text = line, *end = memchr(line, '\n', (size_t)(r->stop - line));
		end = end ? end : r->stop;
		while (d->tabs && text < end && *text == '\t')
			text++;
		r->at = end < r->stop ? end + 1 : end;
		if ((size_t)(end - text) == len && strncmp(text, d->end, len) == 0)
			return xstrndup(from, (size_t)(line - from));
		line = r->at;
	}
	return xstrndup(from, (size_t)(r->stop - from));
}

static void take_documents(struct reader *r)
{
	for (size_t i = 0; i < r->document_count; i++) {
		struct document *d = &r->documents[i];
		char *text = take_document(r, d);
		if (d->owner < r->line->count && !r->line->commands[d->owner].input)
			r->line->commands[d->owner].input = text;
		else
			free(text);
		free(d->end);
	}
	r->document_count = 0;
}

/* Reads the contents of $( ), from after the parenthesis. */
static void read_inner(struct reader *r, struct frame *f)
{
	r->at += 2;
	r->depth++;
	read_list(r, true);
	r->depth--;
	buf_addstr(&f->word, SPLIT_UNKNOWN);
	f->in_word = true;
}

static void read_all(struct reader *r)
{
	read_list(r, false);
	/* Here-documents whose text is missing. */
	for (size_t i = 0; i < r->document_count; i++)
		free(r->documents[i].end);
}

/* The text between backquotes is read on its own; a backslash in it escapes another one. */
static void read_backquotes(struct reader *r, struct frame *f)
{
	struct buf inner = BUF_INIT;

	for (r->at++; r->at < r->stop && *r->at != '`'; r->at++) {
		if (*r->at == '\\' && r->at + 1 < r->stop && strchr("`\\$", r->at[1]))
			r->at++;
		buf_addch(&inner, *r->at);
	}
	r->at += r->at < r->stop;
	if (r->depth < SPLIT_DEPTH) {
		struct reader in = {
		    .at = inner.data, .stop = inner.data + inner.len, .line = r->line, .depth = r->depth + 1};
		read_all(&in);
	}
	buf_clear(&inner);
	buf_addstr(&f->word, SPLIT_UNKNOWN);
	f->in_word = true;
}

static bool begins(const struct reader *r, const char *with)
{
	size_t len = strlen(with);

	return (size_t)(r->stop - r->at) >= len && strncasecmp(r->at, with, len) == 0;
}

static void read_dollar(struct reader *r, struct frame *f, bool quoted)
{
	if (begins(r, "$(") && r->depth < SPLIT_DEPTH) {
		read_inner(r, f);
		return;
	}
	if (!quoted && (begins(r, "${ifs}") || begins(r, "$ifs"))) {
		r->at += begins(r, "${ifs}") ? 6 : 4;
		end_word(r, f);
		return;
	}
	/* $'…' is a way to quote. */
	if (quoted || !begins(r, "$'"))
		add_char(f, '$');
	r->at++;
}

static void read_single(struct reader *r, struct frame *f)
{
	f->in_word = true;
	for (r->at++; r->at < r->stop && *r->at != '\''; r->at++)
		buf_addch(&f->word, *r->at);
	r->at += r->at < r->stop;
}

static void read_double(struct reader *r, struct frame *f)
{
	f->in_word = true;
	r->at++;
	while (r->at < r->stop && *r->at != '"') {
		if (*r->at == '$') {
			read_dollar(r, f, true);
		} else if (*r->at == '`') {
			read_backquotes(r, f);
		} else {
			if (*r->at == '\\' && r->at + 1 < r->stop && strchr("$`\"\\\n", r->at[1]))
				r->at++;
			if (*r->at != '\n' || r->at[-1] != '\\')
				buf_addch(&f->word, *r->at);
			r->at++;
		}
	}
	r->at += r->at < r->stop;
}

static void read_backslash(struct reader *r, struct frame *f)
{
	r->at++;
	if (r->at == r->stop)
		return;
	if (*r->at != '\n')
		add_char(f, *r->at);
	r->at++;
}

static const struct {
	const char *text;
	enum redirect kind;
} operators[] = {
    {"&>>", REDIRECT_WRITE},
    {"&>", REDIRECT_WRITE},
    {"<<<", REDIRECT_TEXT},
    {"<<-", REDIRECT_DOCUMENT_TABS},
    {"<<", REDIRECT_DOCUMENT},
    {"<>", REDIRECT_WRITE},
    {"<&", REDIRECT_READ},
    {"<", REDIRECT_READ},
    {">>", REDIRECT_WRITE},
    {">|", REDIRECT_WRITE},
    {">&", REDIRECT_WRITE},
    {">", REDIRECT_WRITE},
};

static bool read_redirect(struct reader *r, struct frame *f)
{
	for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
		if (!begins(r, operators[i].text))
			continue;
		/* The number of a descriptor. */
		if (f->in_word && f->word.len > 0 && strspn(f->word.data, "0123456789") == f->word.len) {
			buf_reset(&f->word);
			f->in_word = false;
		}
		end_word(r, f);
		f->redirect = operators[i].kind;
		r->at += strlen(operators[i].text);
		while (r->at < r->stop && (*r->at == ' ' || *r->at == '\t'))
			r->at++;
		return true;
	}
	return false;
}

/* Returns true at the end of $( ). */
static bool read_operator(struct reader *r, struct frame *f, bool inside)
{
	char c = *r->at++;

	end_command(r, f);
	if (c == '\n')
		take_documents(r);
	if (c == '(')
		f->parentheses++;
	if (c != ')')
		return false;
	if (f->parentheses > 0) {
		f->parentheses--;
		return false;
	}
	return inside;
}

static void skip_comment(struct reader *r)
{
	const char *end = memchr(r->at, '\n', (size_t)(r->stop - r->at));

	r->at = end ? end : r->stop;
}

/* Reads one step; true at the end of $( ). */
static bool read_step(struct reader *r, struct frame *f, bool inside)
{
	static const struct {
		char c;
		void (*read)(struct reader *r, struct frame *f);
	} quotes[] = {
	    {'\'', read_single}, {'"', read_double}, {'`', read_backquotes}, {'\\', read_backslash}};

	for (size_t i = 0; i < ARRAY_LEN(quotes); i++) {
		if (*r->at == quotes[i].c) {
			quotes[i].read(r, f);
			return false;
		}
	}
	if (*r->at == '$') {
		read_dollar(r, f, false);
	} else if (*r->at == '#' && !f->in_word) {
		skip_comment(r);
	} else if (read_redirect(r, f)) {
		return false;
	} else if (strchr("\n;&|()", *r->at)) {
		return read_operator(r, f, inside);
	} else if (isspace((unsigned char)*r->at)) {
		end_word(r, f);
		r->at++;
	} else {
		add_char(f, *r->at++);
	}
	return false;
}

/* inside: up to the closing parenthesis. */
static void read_list(struct reader *r, bool inside)
{
	struct frame f = {.word = BUF_INIT};

	while (r->at < r->stop && !read_step(r, &f, inside))
		;
	end_command(r, &f);
	buf_clear(&f.word);
}

void shell_split(struct shell_line *line, const char *text, size_t len)
{
	struct reader r = {.at = text, .stop = text + len, .line = line};

	read_all(&r);
}
