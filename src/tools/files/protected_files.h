#ifndef TOOLS_FILES_PROTECTED_FILES_H
#define TOOLS_FILES_PROTECTED_FILES_H
/*
 * The rule protected-files: what no tool opens although a root holds it. A guard against slips;
 * the boundary is the roots.
 */
#include <stdbool.h>
#include <stddef.h>

#define PROTECTED_RULE "protected-files"

/* path: absolute, without links. */
bool protected_files_has(const char *path);
/* Is path the folder, or in it? */
bool protected_files_within(const char *path, const char *folder);

#endif
