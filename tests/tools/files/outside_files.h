#ifndef TESTS_TOOLS_FILES_OUTSIDE_FILES_H
#define TESTS_TOOLS_FILES_OUTSIDE_FILES_H
/* A tools fixture with files around its workspace that no tool may touch or show: they contain "hidden", and
 * links in the workspace lead to them. */
#include <stddef.h>

#include "tools/tools_fixture.h"

/* On a memory file system, if there is one. Opens the tools. */
void outside_files_init(struct tools_fixture *w);
void outside_files_link(const struct tools_fixture *w, const char *target, const char *path);
/* Lists everything outside the workspace: names, types, sizes and contents. Malloc'd. */
char *outside_files_list(const struct tools_fixture *w);

/* Paths that lead outside, or to what must not be opened; a leading '@' stands for the folder above the
 * workspace. */
extern const char *const outside_files_hostile[];
extern const size_t outside_files_hostile_count;
/* Returns the full path of one of them, malloc'd. */
char *outside_files_path(const struct tools_fixture *w, const char *path);

#endif
