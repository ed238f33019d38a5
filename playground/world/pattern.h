#ifndef PLAYGROUND_WORLD_PATTERN_H
#define PLAYGROUND_WORLD_PATTERN_H
/*
 * Regular expressions of bots and scripts (PCRE2). Whatever they say, compiling and matching take little time
 * and memory.
 */
#include <stdbool.h>
#include <stddef.h>

struct error;
struct pattern;

#define PATTERN_ANY_CASE 1u
/* Rust's language: what that refuses is refused, in its words. Operations on sets of characters (&&, --, ~~)
 * and the flag R are not simulated. */
#define PATTERN_RUST 2u

struct pattern_group {
	const char *text; /* NULL: it took no part */
	size_t len;
};

/* Without PATTERN_RUST, a dot is any character, and $ the end of the text. Returns NULL with what is wrong.
 */
struct pattern *pattern_new(const char *text, unsigned flags, struct error *err);
void pattern_free(struct pattern *p); /* NULL is allowed */
/* Sets the groups, which point into text; group 0 is the whole. A match that takes too many steps is none. */
bool pattern_match(
    struct pattern *p, const char *text, size_t len, struct pattern_group *groups, size_t count);

#endif
