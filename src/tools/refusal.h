#ifndef TOOLS_REFUSAL_H
#define TOOLS_REFUSAL_H
/* Why a path cannot be used, in the words and codes that every file tool answers. */
#include <sys/types.h>

struct refusal {
	const char *code;         /* error_code; NULL: it can be used */
	const char *cause, *rule; /* of the context; NULL for none */
	char text[512];           /* error: the path as it was given, and what to do */
};

/* Fills why; path stands between before and after, cut when it is long. All return -1, but for
 * those that say otherwise. */
int refusal_set(struct refusal *why, const char *code, const char *cause, const char *before,
    const char *path, const char *after);
/* What errno of an open says. */
int refusal_errno(struct refusal *why, const char *path, int number);
/* What errno says of a failed call on the file: IO_ERROR with cause, beginning with before. */
int refusal_io(struct refusal *why, const char *cause, const char *before, const char *path);
/* 0 for a regular file. */
int refusal_kind(struct refusal *why, const char *path, mode_t mode);
/* 0 for a folder. */
int refusal_no_folder(struct refusal *why, const char *path, mode_t mode);
/* What errno says of a failed write. */
int refusal_write(struct refusal *why, const char *path);

#endif
