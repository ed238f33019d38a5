#include "tools/files/glob_pattern.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"

/* Maximum number of alternatives from {a,b}{c,d}. */
#define CHOICES_MAX 256

enum part_kind {
	PART_NAME,
	PART_DEEP,  /* ** */
	PART_FILE,  /* end of a pattern for files */
	PART_FOLDER /* end of a pattern for folders */
};

struct part {
	enum part_kind kind;
	char *text; /* of a name */
};

struct glob_pattern {
	char *start;
	struct part *parts; /* parts of all alternatives, each up to its end part */
	size_t count;
	char **choices; /* the pattern with its braces expanded */
	size_t choice_count;
};

static int tell(struct buf *problem, const char *what, const char *text, size_t at)
{
	buf_addf(problem, "Invalid glob pattern: %s at %zu. Close it or escape it.", what,
	    utf8_count(text, at, UTF8_CHARS) + 1);
	return -1;
}

/* Returns the index of the brace that closes the one at text[i]; 0 for none. */
static size_t find_close(const char *text, size_t i)
{
	size_t depth = 0, len;

	for (; text[i] && (len = glob_pattern_sign(text + i)) > 0; i += len) {
		depth += text[i] == '{';
		if (text[i] == '}' && --depth == 0)
			return i;
	}
	return 0;
}

static int check(const char *text, struct buf *problem)
{
	size_t closed = 0; /* braces are, up to here */

	for (size_t i = 0, len; text[i]; i += len) {
		len = glob_pattern_sign(text + i);
		if (len == 0)
			return tell(problem, "unclosed [", text, i);
		if (text[i] == '\\' && len == 1)
			return tell(problem, "nothing after the \\", text, i);
		if (text[i] != '{' || i < closed)
			continue;
		closed = find_close(text, i);
		if (closed == 0)
			return tell(problem, "unclosed {", text, i);
	}
	return 0;
}

/* Finds the first braces of text; false if there are none. */
static bool find_braces(const char *text, size_t *open, size_t *close)
{
	for (*open = 0; text[*open] && text[*open] != '{'; *open += glob_pattern_sign(text + *open))
		;
	if (text[*open] == '\0')
		return false;
	*close = find_close(text, *open);
	return *close > 0;
}

/* Takes text. */
static int expand(struct glob_pattern *p, char *text)
{
	size_t open, close;
	int rc = 0;

	if (!find_braces(text, &open, &close)) {
		if (p->choice_count == CHOICES_MAX) {
			free(text);
			return -1;
		}
		p->choices = xrealloc(p->choices, (p->choice_count + 1) * sizeof(*p->choices));
		p->choices[p->choice_count++] = text;
		return 0;
	}
	size_t depth = 0;
	for (size_t i = open + 1, from = i; i <= close && rc == 0; i += glob_pattern_sign(text + i)) {
		if ((text[i] == ',' && depth == 0) || i == close) {
			const char *rest = text + close + 1;
			rc = expand(
			    p, xasprintf("%.*s%.*s%s", (int)open, text, (int)(i - from), text + from, rest));
			from = i + 1;
		}
		depth += text[i] == '{';
		depth -= text[i] == '}' && depth > 0;
	}
	free(text);
	return rc;
}

static void add_part(struct glob_pattern *p, enum part_kind kind, const char *text, size_t len)
{
	p->parts = xrealloc(p->parts, (p->count + 1) * sizeof(*p->parts));
	p->parts[p->count++] = (struct part){.kind = kind, .text = text ? xstrndup(text, len) : NULL};
}

static bool is_deep(const char *part, size_t len)
{
	return len == 2 && strncmp(part, "**", 2) == 0;
}

static void add_choice(struct glob_pattern *p, const char *text)
{
	bool folder = false, deep = false;

	for (size_t len; *text; text += len + strspn(text + len, "/")) {
		len = strcspn(text, "/");
		folder = text[len] == '/';
		if (len == 0 || (len == 1 && *text == '.'))
			continue;
		bool again = deep;
		deep = is_deep(text, len);
		if (!deep)
			add_part(p, PART_NAME, text, len);
		else if (!again)
			add_part(p, PART_DEEP, NULL, 0);
	}
	if (deep) /* what is in it */
		add_part(p, PART_NAME, "*", 1);
	add_part(p, folder ? PART_FOLDER : PART_FILE, NULL, 0);
}

/* Removes the literal folders at the start of text; at least its last part is left. */
static const char *take_start(struct glob_pattern *p, const char *text)
{
	const char *rest = text;

	for (;;) {
		rest += strspn(rest, "/");
		size_t len = strcspn(rest, "/");
		if (rest[len + strspn(rest + len, "/")] == '\0' || strcspn(rest, "*?[{\\") < len)
			break;
		/* Never inside braces that contain a '/': the opening brace has ended the loop before. */
		rest += len;
	}
	while (rest > text + 1 && rest[-1] == '/' && rest[-2] == '/')
		rest--;
	p->start = xstrndup(text, (size_t)(rest - text));
	size_t len = strlen(p->start);
	if (len > 1 && p->start[len - 1] == '/')
		p->start[len - 1] = '\0';
	return rest;
}

struct glob_pattern *glob_pattern_new(const char *text, bool deep, struct buf *problem)
{
	struct glob_pattern *p = NULL;

	if (check(text, problem) < 0)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	const char *rest = take_start(p, text);
	bool any_folder = deep && !strchr(text, '/');
	int rc = expand(p, xstrdup(rest));
	for (size_t i = 0; i < p->choice_count && rc == 0; i++) {
		if (any_folder)
			add_part(p, PART_DEEP, NULL, 0);
		add_choice(p, p->choices[i]);
		rc = p->count > GLOB_PATTERN_POSITIONS ? -1 : 0;
	}
	if (rc == 0)
		return p;
	buf_addf(problem,
	    "Invalid glob pattern: its braces stand for more than %d parts. Search in several steps.",
	    GLOB_PATTERN_POSITIONS);
	glob_pattern_free(p);
	return NULL;
}

void glob_pattern_free(struct glob_pattern *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->count; i++)
		free(p->parts[i].text);
	for (size_t i = 0; i < p->choice_count; i++)
		free(p->choices[i]);
	free(p->parts);
	free(p->choices);
	free(p->start);
	free(p);
}

const char *glob_pattern_start(const struct glob_pattern *p)
{
	return p->start;
}

static bool has(const struct glob_pattern_state *s, size_t i)
{
	return s->bits[i / 64] >> (i % 64) & 1;
}

/* ** also matches no folder at all. */
static void add(const struct glob_pattern *p, struct glob_pattern_state *s, size_t i)
{
	s->bits[i / 64] |= (uint64_t)1 << (i % 64);
	if (p->parts[i].kind == PART_DEEP)
		add(p, s, i + 1);
}

void glob_pattern_begin(const struct glob_pattern *p, struct glob_pattern_state *s)
{
	bool first = true;

	*s = (struct glob_pattern_state){0};
	for (size_t i = 0; i < p->count; i++) {
		if (first)
			add(p, s, i);
		first = p->parts[i].kind == PART_FILE || p->parts[i].kind == PART_FOLDER;
	}
}

unsigned glob_pattern_step(const struct glob_pattern *p, const struct glob_pattern_state *from,
    const char *name, struct glob_pattern_state *to)
{
	static const unsigned fits[] = {
	    GLOB_PATTERN_ENTER, GLOB_PATTERN_ENTER, GLOB_PATTERN_FILE, GLOB_PATTERN_FOLDER};
	unsigned fit = 0;

	memset(to, 0, sizeof(*to));
	for (size_t i = 0; i < p->count; i++) {
		const struct part *part = &p->parts[i];
		if (!from->bits[i / 64])
			i |= 63;
		else if (!has(from, i))
			continue;
		else if (part->kind == PART_DEEP && *name != '.')
			add(p, to, i);
		else if (part->kind == PART_NAME && glob_pattern_match_name(part->text, name))
			add(p, to, i + 1);
	}
	for (size_t i = 0; i < p->count; i++) {
		if (!to->bits[i / 64])
			i |= 63;
		else if (has(to, i))
			fit |= fits[p->parts[i].kind];
	}
	return fit;
}
