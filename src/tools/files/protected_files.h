#ifndef TOOLS_FILES_PROTECTED_FILES_H
#define TOOLS_FILES_PROTECTED_FILES_H
/*
 * The rule protected-files: files that no tool opens even inside a root. It guards against mistakes; the
 * roots are the security boundary.
 */
#include <stdbool.h>
#include <stddef.h>

#define PROMPT_FILES_RULE "prompt-files"
#define PROTECTED_RULE    "protected-files"

/* path: absolute, without links. */
bool protected_files_has(const char *path);
/* Returns true when path is the folder or inside it. */
bool protected_files_within(const char *path, const char *folder);

#endif
