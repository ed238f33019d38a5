#ifndef TESTS_TOOLS_FILES_OUTSIDE_FILES_H
#define TESTS_TOOLS_FILES_OUTSIDE_FILES_H
/* A workshop with a world around its workspace that no tool may touch or show: files that hold "hidden", and
 * in the workspace links that lead there. */
#include <stddef.h>

#include "tools/tools_fixture.h"

/* In memory, where there is such a place. Opens the tools. */
void outside_files_init(struct tools_fixture *w);
void outside_files_link(const struct tools_fixture *w, const char *target, const char *path);
/* Everything outside the workspace, by name, kind and size, and what the files hold. Malloc'd. */
char *outside_files_list(const struct tools_fixture *w);

/* Paths that lead out, or to what nobody may open; '@' at the beginning is the folder above the workspace. */
extern const char *const outside_files_hostile[];
extern const size_t outside_files_hostile_count;
/* One of them, whole. Malloc'd. */
char *outside_files_path(const struct tools_fixture *w, const char *path);

#endif
