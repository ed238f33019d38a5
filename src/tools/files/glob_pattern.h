#ifndef TOOLS_FILES_GLOB_PATTERN_H
#define TOOLS_FILES_GLOB_PATTERN_H
/*
 * Glob patterns for paths: * ? [abc] [a-z] [!a] within one name, ** for any folders, {a,b}, and a
 * backslash to escape. Wildcards never match a leading dot. A path is matched name by name during the
 * walk, so that folders without possible matches are not entered; the cost is linear in the names for
 * any pattern. fnmatch knows no ** and no {a,b}, and takes exponential time for some patterns.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct glob_pattern;

#define GLOB_PATTERN_POSITIONS 1024

/* The set of possible positions in the pattern. */
struct glob_pattern_state {
	uint64_t bits[GLOB_PATTERN_POSITIONS / 64];
};

/* How an entry matches. */
enum glob_pattern_match {
	GLOB_PATTERN_FILE = 1,
	GLOB_PATTERN_FOLDER = 2,
	GLOB_PATTERN_ENTER = 4 /* a folder that may contain matches */
};

/* Returns NULL with a sentence that begins with "Invalid glob pattern: ". deep: a pattern without '/'
 * matches names in any folder. */
struct glob_pattern *glob_pattern_new(const char *text, bool deep, struct buf *problem);
void glob_pattern_free(struct glob_pattern *p); /* NULL is allowed */
/* Returns the literal folders at the start of the pattern: "src/a" for "src/a" + "/" + "*.c"; "" for none.
 * All matches are below it. */
const char *glob_pattern_start(const struct glob_pattern *p);
void glob_pattern_begin(const struct glob_pattern *p, struct glob_pattern_state *s);
/* Returns how an entry of this name matches in a folder with state from: enum glob_pattern_match. Sets to
 * to its state as a folder. */
unsigned glob_pattern_step(const struct glob_pattern *p, const struct glob_pattern_state *from,
    const char *name, struct glob_pattern_state *to);

/* Matches one name against one part of a pattern without '/' and braces. */
bool glob_pattern_match_name(const char *part, const char *name);
/* Returns the length in bytes of the token at p: an escape, brackets (0 when unclosed), or a byte. */
size_t glob_pattern_sign(const char *p);

#endif
