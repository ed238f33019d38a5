#include "playground/spec/spec_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/embedded.h"

#define CHAIN_MAX    5   /* names for a name */
#define WORDS_MAX    400 /* of a line */
#define BLOCK_SIZE   65536
#define PLATFORM_MAX 4

/* A block of memory for what is read. It lives as long as the tables. */
struct block {
	struct block *next;
	size_t used, size;
	_Alignas(max_align_t) char bytes[];
};

void *spec_take(struct spec *s, size_t size)
{
	struct block *b = s->blocks;
	void *p;

	size = (size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
	if (!b || b->size - b->used < size) {
		size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;

		b = xcalloc(1, sizeof(*b) + room);
		b->size = room;
		b->next = s->blocks;
		s->blocks = b;
	}
	p = b->bytes + b->used;
	b->used += size;
	return p;
}

void spec_list_add(struct spec_list *l, void *item)
{
	if (l->count == l->cap) {
		l->cap = l->cap * 2 + 16;
		l->items = xrealloc(l->items, l->cap * sizeof(*l->items));
	}
	l->items[l->count++] = item;
}

/* The items, in the memory of the tables, and a NULL behind them. */
static void *keep(struct spec *s, struct spec_list *l)
{
	void **items = spec_take(s, (l->count + 1) * sizeof(*items));

	if (l->count > 0)
		memcpy(items, l->items, l->count * sizeof(*items));
	l->count = 0;
	return items;
}

int spec_wrong(struct spec *s, const char *what, const char *name)
{
	return error_set(s->err, ERROR_OURS, "%s:%u: %s%s%.40s", s->file, s->line, what, name ? " " : "",
	    name ? name : "");
}

/* Cuts a line into its words; returns how many, -1 for too many. What stands behind # goes to note. */
static int cut(char *line, char **words, const char **note)
{
	int count = 0;

	*note = NULL;
	for (char *p = line + strspn(line, " \t"); *p != '\0'; p += strspn(p, " \t")) {
		bool quoted = false;

		if (*p == '#') {
			*note = p + 1 + strspn(p + 1, " ");
			*p = '\0';
			return count;
		}
		if (count == WORDS_MAX)
			return -1;
		words[count++] = p;
		while (*p != '\0' && (quoted || (*p != ' ' && *p != '\t'))) {
			if (*p == '\\' && p[1] != '\0')
				p++;
			else if (*p == '"')
				quoted = !quoted;
			p++;
		}
		if (*p != '\0')
			*p++ = '\0';
	}
	return count;
}

static const struct {
	const char *name;
	unsigned flag;
} flags[] = {
    {"differs", SPEC_DIFFERS},
    {"extra", SPEC_EXTRA},
    {"left_out", SPEC_LEFT_OUT},
    {"legacy", SPEC_LEGACY},
    {"may_be_empty", SPEC_MAY_BE_EMPTY},
    {"no_effect", SPEC_NO_EFFECT},
    {"refused", SPEC_REFUSED},
    {"required", SPEC_REQUIRED},
};

static int read_flag(struct spec *s, struct spec_member *m, char *word)
{
	if (word[0] == '"')
		return spec_read_text(s, &word, &m->error_text);
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		if (strcmp(flags[i].name, word) == 0) {
			m->flags |= flags[i].flag;
			return 0;
		}
	}
	return spec_wrong(s, "there is no flag", word);
}

static int read_member(struct spec *s, char **words, int count)
{
	struct spec_member *m = spec_take(s, sizeof(*m));

	if (!s->record)
		return spec_wrong(s, "a member stands before all records", NULL);
	if (strcmp(words[0], "!") == 0) {
		for (int i = 1; i < count; i++)
			spec_list_add(&s->errors, words[i] + (words[i][0] == '+'));
		return 0;
	}
	if (count < 2)
		return spec_wrong(s, "a member has no type:", words[0]);
	m->name = words[0];
	m->type = spec_read_type(s, words[1]);
	if (!m->type)
		return -1;
	for (int i = 2; i < count; i++)
		if (read_flag(s, m, words[i]) != 0)
			return -1;
	spec_list_add(&s->members, m);
	return 0;
}

static int compare_members(const void *a, const void *b)
{
	return strcmp(
	    (*(const struct spec_member *const *)a)->name, (*(const struct spec_member *const *)b)->name);
}

static int compare_records(const void *a, const void *b)
{
	const char *x = (*(const struct spec_record *const *)a)->name,
		   *y = (*(const struct spec_record *const *)b)->name;
	int order = strcasecmp(x, y);

	return order != 0 ? order : strcmp(x, y);
}

static int compare_in_any_case(const void *a, const void *b)
{
	return strcasecmp(
	    (*(const struct spec_record *const *)a)->name, (*(const struct spec_record *const *)b)->name);
}

static void set_members(
    struct spec *s, struct spec_record *r, const struct spec_member *members, size_t count)
{
	r->members = members;
	r->count = count;
	r->by_name = spec_take(s, (count + 1) * sizeof(*r->by_name));
	for (size_t i = 0; i < count; i++)
		r->by_name[i] = &members[i];
	qsort(r->by_name, count, sizeof(*r->by_name), compare_members);
}

/* The record is complete: its members go where they stay. */
static int close_record(struct spec *s)
{
	struct spec_record *r = s->record;
	struct spec_member *members;

	if (!r)
		return 0;
	members = spec_take(s, (s->members.count + 1) * sizeof(*members));
	for (size_t i = 0; i < s->members.count; i++)
		members[i] = *(struct spec_member *)s->members.items[i];
	set_members(s, r, members, s->members.count);
	s->members.count = 0;
	r->errors = keep(s, &s->errors);
	for (size_t i = 1; i < r->count; i++)
		if (strcmp(r->by_name[i - 1]->name, r->by_name[i]->name) == 0)
			return spec_wrong(s, "stands twice:", r->by_name[i]->name);
	return 0;
}

static int read_method(struct spec *s, char **words, int count)
{
	struct spec_record *r = s->record;
	struct spec_list kept = {0};

	for (int i = 0; i < count; i++) {
		const struct spec_type **type = strncmp(words[i], "body=", 5) == 0 ? &r->body :
		    strncmp(words[i], "returns=", 8) == 0                          ? &r->returns :
										     NULL;

		if (!type) {
			spec_list_add(&kept, words[i]);
			continue;
		}
		*type = spec_read_type(s, strchr(words[i], '=') + 1);
		if (!*type) {
			free(kept.items);
			return -1;
		}
	}
	r->words = keep(s, &kept);
	free(kept.items);
	spec_list_add(&s->methods, r);
	return 0;
}

static int read_record(struct spec *s, char **words, int count, const char *note)
{
	struct spec_record *r;

	if (close_record(s) != 0)
		return -1;
	if (count < 2)
		return spec_wrong(s, "a record has no name:", words[0]);
	s->record = r = spec_take(s, sizeof(*r));
	r->name = words[1];
	r->note = note;
	for (int i = 2; i < count; i++)
		if (strncmp(words[i], "like=", 5) == 0)
			r->like = words[i] + 5;
	if (strcmp(words[0], "method") == 0)
		return read_method(s, words + 2, count - 2);
	spec_list_add(&s->types, r);
	if (strcmp(words[0], "object") == 0)
		return 0;
	if (strcmp(words[0], "type") != 0 || count < 3)
		return spec_wrong(s, "a record is a method, an object, or a type and what it is:", words[0]);
	r->type = spec_read_type(s, words[2]);
	return r->type ? 0 : -1;
}

static int read_line(struct spec *s, char *line)
{
	char *words[WORDS_MAX];
	const char *note;
	bool inside = line[0] == '\t';
	int count = cut(line, words, &note);

	if (count < 0)
		return spec_wrong(s, "a line has too many words", NULL);
	if (count == 0)
		return 0;
	return inside ? read_member(s, words, count) : read_record(s, words, count, note);
}

static int read_table(struct spec *s, const struct spec_text *table)
{
	size_t size = strlen(table->text) + 1;
	char *text = memcpy(spec_take(s, size), table->text, size), *line;

	s->file = table->name;
	s->line = 0;
	if (!utf8_valid(text, size - 1))
		return spec_wrong(s, "the table is not UTF-8", NULL);
	while ((line = strsep(&text, "\n"))) {
		s->line++;
		if (read_line(s, line) != 0)
			return -1;
	}
	if (close_record(s) != 0)
		return -1;
	s->record = NULL;
	return 0;
}

static int sort_records(struct spec *s, struct spec_list *l)
{
	if (l->count > 0)
		qsort(l->items, l->count, sizeof(*l->items), compare_records);
	for (size_t i = 1; i < l->count; i++)
		if (compare_records(&l->items[i - 1], &l->items[i]) == 0)
			return error_set(s->err, ERROR_OURS, "%s: there are two of %.40s", s->file,
			    ((struct spec_record *)l->items[i])->name);
	return 0;
}

static const struct spec_record *find(
    const struct spec_list *l, const char *name, int (*compare)(const void *, const void *))
{
	const struct spec_record key = {.name = name}, *k = &key;
	void *const *found =
	    l->count > 0 ? bsearch(&k, l->items, l->count, sizeof(*l->items), compare) : NULL;

	return found ? *found : NULL;
}

/* How many names lead from the type to what it is, without a list or an object between; more than CHAIN_MAX
 * when they lead back to it. */
static unsigned chain(struct spec_record *r)
{
	unsigned longest = 0;

	if (r->chain != 0)
		return r->chain;
	r->chain = CHAIN_MAX + 1; /* until it is known */
	for (const struct spec_type *t = r->type; t && longest <= CHAIN_MAX; t = t->next) {
		unsigned n = t->kind == SPEC_NAMED ? chain((struct spec_record *)t->record) : 0;

		longest = n > longest ? n : longest;
	}
	return r->chain = longest + 1;
}

/* By name, as the members of each stand, unless a person has added some at the end. */
static void merge(struct spec *s, struct spec_record *r, const struct spec_record *other)
{
	struct spec_member *members = spec_take(s, (r->count + other->count + 1) * sizeof(*members));
	size_t n = 0;

	for (size_t i = 0, k = 0; i < r->count || k < other->count;) {
		if (k < other->count && spec_member(r, other->members[k].name))
			k++;
		else if (k == other->count ||
		    (i < r->count && strcmp(r->members[i].name, other->members[k].name) < 0))
			members[n++] = r->members[i++];
		else
			members[n++] = other->members[k++];
	}
	set_members(s, r, members, n);
}

/* Resolves like=. The other object must not have a like= of its own. */
static int resolve_likes(struct spec *s, const struct spec_list *records)
{
	for (size_t i = 0; i < records->count; i++) {
		struct spec_record *r = records->items[i];
		const struct spec_record *other = r->like ? spec_type(s, r->like) : NULL;

		if (r->like && (!other || other->type || other->like))
			return error_set(
			    s->err, ERROR_OURS, "%s: %.40s cannot be like %.40s", s->file, r->name, r->like);
		if (other)
			merge(s, r, other);
	}
	return 0;
}

static int resolve(struct spec *s)
{
	for (size_t i = 0; i < s->named.count; i++) {
		struct spec_type *t = s->named.items[i];

		t->record = spec_type(s, t->text);
		if (!t->record)
			return error_set(s->err, ERROR_OURS, "%s: there is no type %.40s", s->file, t->text);
	}
	for (size_t i = 0; i < s->types.count; i++)
		if (chain(s->types.items[i]) > CHAIN_MAX)
			return error_set(s->err, ERROR_OURS, "%s: %.40s is a name for a name and so on",
			    s->file, ((struct spec_record *)s->types.items[i])->name);
	return 0;
}

struct spec *spec_read(const struct spec_text *texts, struct error *err)
{
	struct spec *s = xcalloc(1, sizeof(*s));
	int ret = 0;

	s->err = err;
	s->file = "";
	for (; ret == 0 && texts->name; texts++)
		ret = read_table(s, texts);
	if (ret != 0 || sort_records(s, &s->methods) != 0 || sort_records(s, &s->types) != 0 ||
	    resolve(s) != 0 || resolve_likes(s, &s->types) != 0 || resolve_likes(s, &s->methods) != 0) {
		spec_free(s);
		return NULL;
	}
	free(s->named.items);
	free(s->members.items);
	free(s->errors.items);
	s->named = s->members = s->errors = (struct spec_list){0};
	return s;
}

void spec_free(struct spec *s)
{
	if (!s)
		return;
	while (s->blocks) {
		struct block *b = s->blocks;

		s->blocks = b->next;
		free(b);
	}
	free(s->methods.items);
	free(s->types.items);
	free(s->named.items);
	free(s->members.items);
	free(s->errors.items);
	free(s);
}

/* Tables that are built in are right: a test reads them. */
static const struct spec *read_embedded(const char *platform)
{
	struct spec_text texts[8] = {{NULL, NULL}};
	size_t len = strlen(platform), n = 0;
	struct error err = {0};
	struct spec *s;

	for (const struct embedded_file *f = embedded_tables; f->name && n + 1 < ARRAY_LEN(texts); f++)
		if (strncmp(f->name, platform, len) == 0 && f->name[len] == '/')
			texts[n++] = (struct spec_text){f->name, f->text};
	s = spec_read(texts, &err);
	if (!s) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	return s;
}

const struct spec *spec_of(const char *platform)
{
	static struct {
		char platform[16];
		const struct spec *spec;
	} known[PLATFORM_MAX];
	size_t i = 0;

	while (i < PLATFORM_MAX - 1 && known[i].spec && strcmp(known[i].platform, platform) != 0)
		i++;
	if (!known[i].spec || strcmp(known[i].platform, platform) != 0) {
		str_copy(known[i].platform, sizeof(known[i].platform), platform);
		known[i].spec = read_embedded(platform);
	}
	return known[i].spec;
}

const struct spec_record *spec_method(const struct spec *s, const char *name)
{
	return find(&s->methods, name, compare_in_any_case);
}

const struct spec_record *spec_type(const struct spec *s, const char *name)
{
	return find(&s->types, name, compare_records);
}

const struct spec_record *const *spec_methods(const struct spec *s, size_t *count)
{
	*count = s->methods.count;
	return (const struct spec_record *const *)s->methods.items;
}

const struct spec_member *spec_member(const struct spec_record *r, const char *name)
{
	const struct spec_member key = {.name = name}, *k = &key, **found;

	found = bsearch(&k, r->by_name, r->count, sizeof(*r->by_name), compare_members);
	return found ? *found : NULL;
}

static bool lists(const char *const *words, const char *word)
{
	for (; words && *words; words++)
		if (strcmp(*words, word) == 0)
			return true;
	return false;
}

bool spec_has(const struct spec_record *method, const char *flag)
{
	return lists(method->words, flag);
}

bool spec_has_error(const struct spec_record *method, const char *error)
{
	return lists(method->errors, error);
}

const char *spec_value(const struct spec_record *method, const char *key)
{
	size_t len = strlen(key);

	for (const char *const *w = method->words; w && *w; w++)
		if (strncmp(*w, key, len) == 0 && (*w)[len] == '=')
			return *w + len + 1;
	return NULL;
}
