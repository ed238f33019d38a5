#ifndef TOOLS_FILES_PATH_ERROR_H
#define TOOLS_FILES_PATH_ERROR_H
/* Why a path cannot be used, in the words and codes that every file tool answers. */
#include <sys/types.h>

struct path_error {
	const char *code;         /* error_code; NULL: it can be used */
	const char *cause, *rule; /* of the context; NULL for none */
	char text[512];           /* error: the path as it was given, and what to do */
};

/* Fills why; path stands between before and after, cut when it is long. All return -1, but for
 * those that say otherwise. */
int path_error_set(struct path_error *why, const char *code, const char *cause, const char *before,
    const char *path, const char *after);
/* What errno of an open says. */
int path_error_errno(struct path_error *why, const char *path, int number);
/* What errno says of a failed call on the file: IO_ERROR with cause, beginning with before. */
int path_error_io(struct path_error *why, const char *cause, const char *before, const char *path);
/* 0 for a regular file. */
int path_error_kind(struct path_error *why, const char *path, mode_t mode);
/* 0 for a folder. */
int path_error_not_folder(struct path_error *why, const char *path, mode_t mode);
/* What errno says of a failed write. */
int path_error_write(struct path_error *why, const char *path);

#endif
