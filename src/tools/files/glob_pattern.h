#ifndef TOOLS_FILES_GLOB_PATTERN_H
#define TOOLS_FILES_GLOB_PATTERN_H
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
struct glob_pattern;

#define GLOB_PATTERN_POSITIONS 1024

/* Where in the pattern the walk is: every place at once. */
struct glob_pattern_state {
	uint64_t bits[GLOB_PATTERN_POSITIONS / 64];
};

/* What a name may be for the pattern. */
enum glob_pattern_match {
	GLOB_PATTERN_FILE = 1,
	GLOB_PATTERN_FOLDER = 2,
	GLOB_PATTERN_ENTER = 4 /* a folder in which something may match */
};

/* NULL with a sentence that begins with "Invalid glob pattern: ". deep: a pattern without '/' is one for
 * names in any folder. */
struct glob_pattern *glob_pattern_new(const char *text, bool deep, struct buf *problem);
void glob_pattern_free(struct glob_pattern *p); /* NULL is fine */
/* The folders that it begins with by their names: "src/a" of "src/a" + "/" + "*.c"; "" for none. It matches
 * below it. */
const char *glob_pattern_start(const struct glob_pattern *p);
void glob_pattern_begin(const struct glob_pattern *p, struct glob_pattern_state *s);
/* What an entry of this name is, in a folder whose state is from: enum glob_pattern_match. to: the state of
 * it as a folder. */
unsigned glob_pattern_step(const struct glob_pattern *p, const struct glob_pattern_state *from,
    const char *name, struct glob_pattern_state *to);

/* Does one name match one part of a pattern, which has no '/' and no braces? */
bool glob_pattern_match_name(const char *part, const char *name);
/* How many bytes the sign at p takes: an escape, brackets (0: they are not closed), or a byte. */
size_t glob_pattern_sign(const char *p);

#endif
