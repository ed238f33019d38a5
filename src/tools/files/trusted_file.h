#ifndef TOOLS_FILES_TRUSTED_FILE_H
#define TOOLS_FILES_TRUSTED_FILE_H
/* Reading files that count as the operator's words to a model. Worker threads only. */
#include <stddef.h>
#include <sys/types.h>

struct buf;
struct path_error;
struct roots;

/* Of a file that is larger nothing is read: it is none that somebody wrote for a model. */
#define TRUSTED_FILE_MAX (1024 * 1024)

/* Who may not have written such a file. */
struct untrusted_user {
	char *user; /* whom commands run as when we are root */
	uid_t uid;  /* of that user; else (uid_t)-1 */
};

void untrusted_user_find(struct untrusted_user *by);
void untrusted_user_clear(struct untrusted_user *by);

/* Appends the text of a file, clean; path is relative to the first root. by: it must be the operator's, so
 * that another user's, one that all may write, and one that has other links is refused; NULL: it is data, and
 * may be anybody's. *size: its bytes. -1 with why. */
int trusted_file_read(const struct roots *r, const char *path, const struct untrusted_user *by,
    struct buf *out, size_t *size, struct path_error *why);
/* As utf8_cut, in bytes. */
size_t trusted_file_cut(const char *text, size_t len, size_t most);

#endif
