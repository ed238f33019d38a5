#include "tools/files/trusted_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/text/utf8.h"
#include "tools/sanitize.h"
#include "tools/files/path_error.h"
#include "tools/files/roots.h"
#include "tools/files/roots_internal.h"

void untrusted_user_find(struct untrusted_user *by)
{
	char text[4096];
	struct passwd pw, *found = NULL;

	by->uid = (uid_t)-1;
	by->gid = (gid_t)-1;
	/* Unless we are root, commands run as the same user as we do. */
	if (geteuid() == 0 && by->user && getpwnam_r(by->user, &pw, text, sizeof(text), &found) == 0 &&
	    found && pw.pw_uid != 0) {
		by->uid = pw.pw_uid;
		by->gid = pw.pw_gid;
	}
}

void untrusted_user_clear(struct untrusted_user *by)
{
	free(by->user);
}

static const char *distrust(const struct untrusted_user *by, const struct stat *st)
{
	if (st->st_uid == by->uid)
		return " belongs to the user that commands run as, so a command may have written it: chown "
		       "it to root.";
	if (st->st_mode & S_IWGRP && st->st_gid == by->gid)
		return " can be written by the group that commands run in, so a command may have written it: "
		       "chmod g-w.";
	if (st->st_mode & S_IWOTH)
		return " can be written by everybody: chmod o-w.";
	if (st->st_nlink > 1)
		return " has hard links, so another user may own it: copy the file instead.";
	return NULL;
}

/* A command may have made the link, whoever owns the file that it leads to. */
static bool is_link(const struct roots *r, const char *path)
{
	int folder = root_open_folder_in(r, &r->items[0], ".");
	struct stat st;
	bool is = folder >= 0 && fstatat(folder, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);

	if (folder >= 0)
		close(folder);
	return is;
}

static int read_all(int fd, struct buf *raw)
{
	ssize_t n;

	do {
		buf_reserve(raw, 16384);
		n = read(fd, raw->data + raw->len, 16384);
		if (n < 0 && errno != EINTR)
			return -1;
		raw->len += n > 0 ? (size_t)n : 0;
		raw->data[raw->len] = '\0';
	} while (n != 0 && raw->len <= TRUSTED_FILE_MAX);
	return 0;
}

static int take(int fd, const char *path, const struct stat *st, struct buf *out, struct path_error *why)
{
	struct buf raw = BUF_INIT;
	int rc = 0;

	if (st->st_size > TRUSTED_FILE_MAX || read_all(fd, &raw) < 0)
		rc = path_error_set(
		    why, "LIMIT_REACHED", "TOO_LARGE", "", path, " cannot be read, or has more than 1 MiB.");
	else if (memchr(raw.data, '\0', raw.len))
		rc = path_error_set(why, "INVALID_ARGUMENT", "BINARY", "", path, " is no text.");
	else
		sanitize_text(out, raw.data, raw.len);
	buf_clear(&raw);
	return rc;
}

int trusted_file_read(const struct roots *r, const char *path, const struct untrusted_user *by,
    struct buf *out, size_t *size, struct path_error *why)
{
	int fd = root_open_file(r, path, why);
	struct stat st;

	if (fd < 0)
		return -1;
	int rc = fstat(fd, &st) < 0 ? path_error_io(why, "SIZE_FAILED", "Cannot look at ", path) : 0;
	const char *doubt = rc == 0 && by ? distrust(by, &st) : NULL;
	if (rc == 0 && by && is_link(r, path))
		doubt = " is a link: put the file itself there.";
	if (doubt)
		rc = path_error_set(why, "ACCESS_DENIED", "NOT_OURS", "", path, doubt);
	if (rc == 0)
		rc = take(fd, path, &st, out, why);
	close(fd);
	*size = rc == 0 ? (size_t)st.st_size : 0;
	return rc;
}

size_t trusted_file_cut(const char *text, size_t len, size_t most)
{
	return utf8_cut(text, len, most, UTF8_BYTES);
}
