#ifndef TESTS_FLOW_SECURITY_LEAK_H
#define TESTS_FLOW_SECURITY_LEAK_H
/* Finds leaked secrets wherever they went, also parts of them, so that half a token counts. Shares no code
 * with base/secret. */
#include <stdbool.h>
#include <stddef.h>

struct buf;

struct canary {
	const char *name;
	const char *head, *core, *tail; /* the secret is their concatenation; core is 20 letters and digits */
	const char *home;               /* the relay or platform that may see it */
};

extern const struct canary canaries[];
extern const size_t canary_count;
/* Written next to the secrets but not secret: where it is missing, nothing was searched. */
extern const char leak_mark[];

enum leak_form { LEAK_RAW, LEAK_URL, LEAK_JSON, LEAK_BASE64, LEAK_BASE64_SHIFTED, LEAK_FORMS };

/* Returns the secret with that name; the caller frees it. */
char *canary_value(const char *name);
/* Appends the mark and every secret in this form. */
void leak_say(struct buf *out, enum leak_form form);
/* Returns the number of parts of secrets in data whose home is not this one (NULL: of all). Appends a line
 * for each to found. */
size_t leak_find(const char *place, const char *home, const void *data, size_t len, struct buf *found);
/* The same for all files below dir, including their names, except those in `except` (NULL-terminated).
 * Adds the number of files with the mark to *marks. */
size_t leak_find_files(const char *dir, const char *const *except, struct buf *found, size_t *marks);
bool leak_has_mark(const void *data, size_t len);

#endif
