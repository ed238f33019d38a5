#ifndef TOOLS_FILES_TRUSTED_FILE_H
#define TOOLS_FILES_TRUSTED_FILE_H
/* Reads files that a model treats as the operator's instructions. Worker threads only. */
#include <stddef.h>
#include <sys/types.h>

struct buf;
struct path_error;
struct roots;

/* Larger files are refused: they were not written for a model. */
#define TRUSTED_FILE_MAX (1024 * 1024)

/* The user who must not have written such a file. */
struct untrusted_user {
	char *user; /* the user of commands when we are root */
	uid_t uid;  /* its id; else (uid_t)-1 */
	gid_t gid;  /* likewise */
};

void untrusted_user_find(struct untrusted_user *by);
void untrusted_user_clear(struct untrusted_user *by);

/* Appends the sanitized text of a file; path is relative to the first root. by: the file must be the
 * operator's; refuses one that another user owns, that this one or all may write, or that has other hard
 * links. NULL: it is data, and anyone may own it. *size: its bytes. Returns -1 with why. */
int trusted_file_read(const struct roots *r, const char *path, const struct untrusted_user *by,
    struct buf *out, size_t *size, struct path_error *why);
/* Like utf8_cut, in bytes. */
size_t trusted_file_cut(const char *text, size_t len, size_t most);

#endif
