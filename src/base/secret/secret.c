#include "base/secret/secret.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/base64.h"
#include "base/buf.h"
#include "base/secret/secret_internal.h"
#include "base/mem.h"
#include "base/secret/source.h"

#define SECRET_SHORTEST 6
#define FILE_PREFIX     "file:"

struct secret {
	struct secret *next;
	char *value;
};

/* What to search for in text: a secret itself, or the invariant part of its base64. */
struct form {
	struct form *next;
	size_t len;
	char data[];
};

/* Written by the loop's thread; worker threads read it, because they log and make errors, too. */
static struct {
	pthread_rwlock_t lock;
	struct secret *secrets;
	struct secret *files;     /* their paths */
	struct form *forms[256];  /* by the first byte; a form may be in several lists */
	struct byte_pairs starts; /* byte pairs with which a form or a token may begin */
} table = {.lock = PTHREAD_RWLOCK_INITIALIZER};
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void add_form_under(unsigned char first, const char *data, size_t len)
{
	struct form *form;

	for (form = table.forms[first]; form; form = form->next)
		if (form->len == len && memcmp(form->data, data, len) == 0)
			return;
	form = xmalloc(sizeof(*form) + len);
	form->len = len;
	memcpy(form->data, data, len);
	form->next = table.forms[first];
	table.forms[first] = form;
}

static void add_form(const char *data, size_t len)
{
	unsigned char firsts[ENCODINGS_FIRST_BYTES];
	size_t count = encodings_first_bytes((unsigned char)data[0], firsts);

	for (size_t i = 0; i < count; i++)
		add_form_under(firsts[i], data, len);
	encodings_add_starts(data, &table.starts);
}

/* Base64 of text that contains value: it can fall into groups of three bytes in three ways. The characters
 * at the ends that also depend on the neighbours are left out. */
static void add_base64(const char *value, size_t len)
{
	for (size_t shift = 0; shift < 3; shift++) {
		struct buf padded = BUF_INIT, text = BUF_INIT;
		size_t first = (8 * shift + 5) / 6, last = 8 * (shift + len) / 6;

		buf_reserve(&padded, shift + len);
		buf_add(&padded, "\0\0", shift);
		buf_add(&padded, value, len);
		base64_encode(&text, padded.data, padded.len);
		add_form(text.data + first, last - first);
		for (size_t i = 0; i < text.len; i++)
			text.data[i] = text.data[i] == '+' ? '-' : text.data[i] == '/' ? '_' : text.data[i];
		add_form(text.data + first, last - first);
		explicit_bzero(padded.data, padded.len);
		explicit_bzero(text.data, text.len);
		buf_clear(&padded);
		buf_clear(&text);
	}
}

/* The table's own copy of value. */
static const char *intern(const char *value)
{
	size_t len = strlen(value);
	struct secret *secret;

	for (secret = table.secrets; secret; secret = secret->next)
		if (strcmp(secret->value, value) == 0)
			return secret->value;
	secret = xmalloc(sizeof(*secret));
	secret->value = xstrdup(value);
	secret->next = table.secrets;
	table.secrets = secret;
	if (len >= SECRET_SHORTEST) {
		add_form(value, len);
		add_base64(value, len);
	}
	return secret->value;
}

static void prepare(void)
{
	token_shape_add_starts(&table.starts);
}

static void lock_to_write(void)
{
	pthread_once(&once, prepare);
	pthread_rwlock_wrlock(&table.lock);
}

static void lock_to_read(void)
{
	pthread_once(&once, prepare);
	pthread_rwlock_rdlock(&table.lock);
}

static void keep_file(const char *path)
{
	struct secret *file;

	for (file = table.files; file; file = file->next)
		if (strcmp(file->value, path) == 0)
			return;
	file = xmalloc(sizeof(*file));
	*file = (struct secret){.next = table.files, .value = xstrdup(path)};
	table.files = file;
}

const char *secret_resolve(const char *setting, struct error *err)
{
	char value[SECRET_SOURCE_MAX + 1];
	const char *kept;

	if (secret_source_read(setting, value, err) < 0)
		return NULL;
	lock_to_write();
	kept = intern(value);
	if (strncmp(setting, FILE_PREFIX, strlen(FILE_PREFIX)) == 0)
		keep_file(setting + strlen(FILE_PREFIX));
	pthread_rwlock_unlock(&table.lock);
	explicit_bzero(value, sizeof(value));
	return kept;
}

void secret_register(const char *value)
{
	if (!value)
		return;
	lock_to_write();
	intern(value);
	pthread_rwlock_unlock(&table.lock);
}

/* Returns the end of the longest secret that begins at text[at]; at when there is none. */
static size_t match_forms(const char *text, size_t len, size_t at)
{
	size_t end = at;

	for (const struct form *form = table.forms[(unsigned char)text[at]]; form; form = form->next) {
		size_t n = encodings_match(form->data, form->len, text + at, len - at);

		if (at + n > end)
			end = at + n;
	}
	return end;
}

/* Finds the next secret of a pass. It may overlap those before. */
static bool find(struct secret_scan *scan, size_t *start, size_t *end)
{
	const char *text = scan->text;

	for (size_t at = scan->at; at + 1 < scan->len; at++) {
		if (!byte_pairs_have(&table.starts, (unsigned char)text[at], (unsigned char)text[at + 1]))
			continue;
		*start = at;
		*end = match_forms(text, scan->len, at);
		if (*end > at || token_shape_find(scan, at, start, end)) {
			scan->at = at + 1;
			return true;
		}
	}
	return false;
}

/* Appends the text before from, and a mark for what is from there to to. */
static void redact(struct buf *out, const char *text, size_t *done, size_t from, size_t to)
{
	if (to == 0)
		return;
	buf_add(out, text + *done, from - *done);
	buf_addstr(out, "[redacted]");
	*done = to;
}

void secret_redact(struct buf *out, const char *text, size_t len)
{
	struct secret_scan scan = {.text = text, .len = len};
	/* Written up to done. Secrets that overlap cover the text between from and to. */
	size_t done = 0, from = 0, to = 0, start, end;

	lock_to_read();
	while (find(&scan, &start, &end)) {
		if (start >= to) {
			redact(out, text, &done, from, to);
			from = start;
		} else if (start < from) {
			from = start > done ? start : done;
		}
		if (end > to)
			to = end;
	}
	pthread_rwlock_unlock(&table.lock);
	redact(out, text, &done, from, to);
	buf_add(out, text + done, len - done);
}

bool secret_redact_in_place(char **text)
{
	struct buf clean = BUF_INIT;

	if (!*text || !secret_in(*text, strlen(*text)))
		return false;
	secret_redact(&clean, *text, strlen(*text));
	free(*text);
	*text = buf_take(&clean);
	return true;
}

bool secret_in(const char *text, size_t len)
{
	struct secret_scan scan = {.text = text, .len = len};
	size_t start, end;
	bool found;

	lock_to_read();
	found = find(&scan, &start, &end);
	pthread_rwlock_unlock(&table.lock);
	return found;
}

void secret_each_file(void (*fn)(void *arg, const char *path), void *arg)
{
	for (const struct secret *file = table.files; file; file = file->next)
		fn(arg, file->value);
}

static void wipe_forms(struct form **list)
{
	while (*list) {
		struct form *form = *list;

		*list = form->next;
		explicit_bzero(form->data, form->len);
		free(form);
	}
}

void secret_forget_all(void)
{
	lock_to_write();
	while (table.secrets) {
		struct secret *secret = table.secrets;

		table.secrets = secret->next;
		explicit_bzero(secret->value, strlen(secret->value));
		free(secret->value);
		free(secret);
	}
	while (table.files) {
		struct secret *file = table.files;

		table.files = file->next;
		free(file->value);
		free(file);
	}
	for (size_t i = 0; i < ARRAY_LEN(table.forms); i++)
		wipe_forms(&table.forms[i]);
	table.starts = (struct byte_pairs){0};
	prepare();
	pthread_rwlock_unlock(&table.lock);
}
