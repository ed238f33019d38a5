#ifndef TOOLS_FILES_FILE_TYPE_H
#define TOOLS_FILES_FILE_TYPE_H
/* File types by name pattern, for grep: "c", "py", "md" and others. */
#include <stdbool.h>

struct buf;
struct file_type;

/* Returns NULL for an unknown type. */
const struct file_type *file_type_find(const char *name);
bool file_type_has(const struct file_type *type, const char *file);
/* Appends the names of all types. */
void file_type_list(struct buf *out);

#endif
