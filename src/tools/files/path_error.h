#ifndef TOOLS_FILES_PATH_ERROR_H
#define TOOLS_FILES_PATH_ERROR_H
/* Why a path cannot be used: the error texts and codes of all file tools. */
#include <sys/types.h>

struct path_error {
	const char *code;         /* error_code; NULL for no error */
	const char *cause, *rule; /* for the context; NULL for none */
	char text[768];           /* error: the path as the model gave it, and what to do */
};

/* Fills why with path between before and after, cut when it is long. Returns -1, as do those below unless
 * noted. */
int path_error_set(struct path_error *why, const char *code, const char *cause, const char *before,
    const char *path, const char *after);
/* From the errno of an open. */
int path_error_errno(struct path_error *why, const char *path, int number);
/* From the errno of a failed call on the file: IO_ERROR with cause; the text begins with before. */
int path_error_io(struct path_error *why, const char *cause, const char *before, const char *path);
/* Returns 0 for a regular file. */
int path_error_kind(struct path_error *why, const char *path, mode_t mode);
/* Returns 0 for a folder. */
int path_error_not_folder(struct path_error *why, const char *path, mode_t mode);
/* From the errno of a failed write. */
int path_error_write(struct path_error *why, const char *path);

#endif
