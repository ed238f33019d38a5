#ifndef TOOLS_PATTERN_H
#define TOOLS_PATTERN_H
/*
 * Patterns of paths: * ? [abc] [a-z] [!a] within one name, ** for any folders, {a,b}, a backslash before a
 * sign that stands for itself. Wildcards never match a leading dot. A path is matched name by name, on the
 * way down, so that folders in which nothing can match are not entered; what that costs is linear in the
 * names, whatever the pattern.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct pattern;

#define PATTERN_PLACES 1024

/* Where in the pattern the walk is: every place at once. */
struct pattern_state {
	uint64_t bits[PATTERN_PLACES / 64];
};

/* What a name may be for the pattern. */
enum pattern_fit {
	PATTERN_FILE = 1,
	PATTERN_FOLDER = 2,
	PATTERN_ENTER = 4 /* a folder in which something may match */
};

/* NULL with a sentence that begins with "Invalid glob pattern: ". deep: a pattern without '/' is one for
 * names in any folder. */
struct pattern *pattern_new(const char *text, bool deep, struct buf *problem);
void pattern_free(struct pattern *p); /* NULL is fine */
/* The folders that it begins with by their names: "src/a" of "src/a" + "/" + "*.c"; "" for none. It matches
 * below it. */
const char *pattern_start(const struct pattern *p);
void pattern_begin(const struct pattern *p, struct pattern_state *s);
/* What an entry of this name is, in a folder whose state is from: enum pattern_fit. to: the state of it as a
 * folder. */
unsigned pattern_step(
    const struct pattern *p, const struct pattern_state *from, const char *name, struct pattern_state *to);

/* Does one name match one part of a pattern, which has no '/' and no braces? */
bool pattern_match_name(const char *part, const char *name);
/* How many bytes the sign at p takes: an escape, brackets (0: they are not closed), or a byte. */
size_t pattern_sign(const char *p);

#endif
