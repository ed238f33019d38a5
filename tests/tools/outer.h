#ifndef TESTS_TOOLS_OUTER_H
#define TESTS_TOOLS_OUTER_H
/* A workshop with a world around its workspace that no tool may touch or show: files that hold "hidden", and
 * in the workspace links that lead there. */
#include <stddef.h>

#include "tools/workshop.h"

/* In memory, where there is such a place. Opens the tools. */
void outer_init(struct workshop *w);
void outer_link(const struct workshop *w, const char *target, const char *path);
/* Everything outside the workspace, by name, kind and size, and what the files hold. Malloc'd. */
char *outer_look(const struct workshop *w);

/* Paths that lead out, or to what nobody may open; '@' at the beginning is the folder above the workspace. */
extern const char *const outer_hostile[];
extern const size_t outer_hostile_count;
/* One of them, whole. Malloc'd. */
char *outer_path(const struct workshop *w, const char *path);

#endif
