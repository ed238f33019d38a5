#ifndef TESTS_FLOW_SECURITY_LEAK_H
#define TESTS_FLOW_SECURITY_LEAK_H
/*
 * Secrets that are easily found again wherever they went. This looks for parts of them, so that half a token
 * counts; it shares no code with base/secret.
 */
#include <stdbool.h>
#include <stddef.h>

struct buf;

struct canary {
	const char *name;
	const char *head, *core, *tail; /* the secret is these three; core is 20 letters and digits */
	const char *home;               /* the only place that may see it: a relay's or platform's name */
};

extern const struct canary canaries[];
extern const size_t canary_count;
/* Is said wherever the secrets are said, and is none itself: where it is missing nothing was looked at. */
extern const char leak_mark[];

enum leak_form { LEAK_RAW, LEAK_URL, LEAK_JSON, LEAK_BASE64, LEAK_BASE64_SHIFTED, LEAK_FORMS };

/* The secret called name; malloc'd. */
char *canary_value(const char *name);
/* The mark, and every secret in this form. */
void leak_say(struct buf *out, enum leak_form form);
/* How many parts of secrets whose home is not this one (NULL: of all) are in data; a line for each in
 * found. */
size_t leak_find(const char *place, const char *home, const void *data, size_t len, struct buf *found);
/* The same for all files beneath dir, also by their names, but those that are called as one of except
 * (NULL-terminated). *marks is counted up by the files that have the mark. */
size_t leak_find_files(const char *dir, const char *const *except, struct buf *found, size_t *marks);
bool leak_has_mark(const void *data, size_t len);

#endif
