#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "playground/spec/spec_internal.h"

#define DEPTH_MAX 8 /* of brackets in a type */

/* Takes a text in quotes from *p, without them. */
int spec_read_text(struct spec *s, char **p, const char **out)
{
	char *from = *p + 1, *to = from;

	*out = to;
	while (*from != '"' && *from != '\0') {
		if (*from == '\\' && from[1] != '\0')
			from++;
		*to++ = *from++;
	}
	if (*from == '\0')
		return spec_wrong(s, "a text has no end", NULL);
	*p = from + 1;
	*to = '\0';
	return 0;
}

static int read_limit(struct spec *s, char **p, bool *has, int64_t *limit)
{
	char *end;

	errno = 0;
	*limit = strtoll(*p, &end, 10);
	*has = end != *p;
	*p = end;
	return errno == 0 ? 0 : spec_wrong(s, "a limit is too large", NULL);
}

static int read_limits(struct spec *s, char **p, struct spec_type *t)
{
	if (**p != '(')
		return 0;
	++*p;
	if (read_limit(s, p, &t->has_min, &t->min) != 0)
		return -1;
	if (strncmp(*p, "..", 2) != 0)
		return spec_wrong(s, "limits are (MIN..MAX)", NULL);
	*p += 2;
	if (read_limit(s, p, &t->has_max, &t->max) != 0)
		return -1;
	return *(*p)++ == ')' ? 0 : spec_wrong(s, "limits are (MIN..MAX)", NULL);
}

static const struct {
	const char *name;
	enum spec_kind kind;
} kinds[] = {
    {"any", SPEC_ANY},
    {"bool", SPEC_BOOL},
    {"bytes", SPEC_BYTES},
    {"file", SPEC_FILE},
    {"id", SPEC_ID},
    {"int", SPEC_INT},
    {"null", SPEC_NULL},
    {"number", SPEC_NUMBER},
    {"string", SPEC_STRING},
    {"time", SPEC_TIME},
    {"true", SPEC_TRUE},
    {"url", SPEC_URL},
};

static void read_name(struct spec *s, char **p, struct spec_type *t)
{
	size_t len = strspn(*p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
	char *name = memcpy(spec_take(s, len + 1), *p, len);

	*p += len;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (strcmp(kinds[i].name, name) == 0) {
			t->kind = kinds[i].kind;
			return;
		}
	}
	t->kind = SPEC_NAMED;
	t->text = name;
	spec_list_add(&s->named, t);
}

static struct spec_type *read_type(struct spec *s, char **p, unsigned depth);

static int read_alternative(struct spec *s, char **p, struct spec_type *t, unsigned depth)
{
	char *at = *p, open = *at;

	if (open == '[' || open == '{') {
		++*p;
		t->kind = open == '[' ? SPEC_LIST : SPEC_MAP;
		t->of = read_type(s, p, depth + 1);
		if (!t->of)
			return -1;
		if (*(*p)++ != (open == '[' ? ']' : '}'))
			return spec_wrong(s, "a bracket is not closed", NULL);
	} else if (open == '"') {
		t->kind = SPEC_LITERAL;
		return spec_read_text(s, p, &t->text);
	} else if (open == '-' || isdigit((unsigned char)open)) {
		t->kind = SPEC_LITERAL;
		errno = 0;
		t->number = strtoll(at, p, 10);
		return *p != at && errno == 0 ? 0 : spec_wrong(s, "a number is wrong:", at);
	} else if (isalpha((unsigned char)open)) {
		read_name(s, p, t);
	} else {
		return spec_wrong(s, "a type is missing", NULL);
	}
	return read_limits(s, p, t);
}

/* The alternatives at *p; NULL after an error. */
static struct spec_type *read_type(struct spec *s, char **p, unsigned depth)
{
	struct spec_type *first = spec_take(s, sizeof(*first)), *t = first;

	if (depth > DEPTH_MAX) {
		spec_wrong(s, "a type is too deep", NULL);
		return NULL;
	}
	for (;;) {
		struct spec_type *next;

		if (read_alternative(s, p, t, depth) != 0)
			return NULL;
		if (**p != '|')
			return first;
		++*p;
		next = spec_take(s, sizeof(*next));
		t->next = next;
		t = next;
	}
}

struct spec_type *spec_read_type(struct spec *s, char *text)
{
	struct spec_type *t = read_type(s, &text, 0);

	if (t && *text != '\0') {
		spec_wrong(s, "behind a type stands", text);
		return NULL;
	}
	return t;
}
