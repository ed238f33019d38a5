#ifndef TOOLS_FILES_FILE_TYPE_H
#define TOOLS_FILES_FILE_TYPE_H
/* Kinds of files by their names, for grep: "c", "py", "md" and others. */
#include <stdbool.h>

struct buf;
struct file_type;

/* NULL when there is no type of this name. */
const struct file_type *file_type_find(const char *name);
bool file_type_has(const struct file_type *type, const char *file);
/* Appends the names of all types. */
void file_type_list(struct buf *out);

#endif
