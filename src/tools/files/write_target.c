#include "tools/files/write_target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "tools/files/disk_usage.h"
#include "tools/files/path_error.h"
#include "tools/files/protected_files.h"
#include "tools/files/roots_internal.h"

#define READ_CHUNK 65536

static int tell_folder(struct path_error *why, const char *path)
{
	return path_error_set(
	    why, "INVALID_ARGUMENT", "IS_A_DIRECTORY", "", path, " names a directory. Name a file in it.");
}

static int refuse_prompt_file(struct path_error *why, const char *path, const char *place)
{
	char after[512];

	why->rule = PROMPT_FILES_RULE;
	snprintf(after, sizeof(after),
	    " leads to %.150s, which instructs the model. Write to it by its own name, about which a person "
	    "is "
	    "asked first; or ask a person to change it.",
	    place);
	return path_error_set(why, "BLOCKED", "RULE", "", path, after);
}

/* Refuses a path that ends in '/', "." or "..". */
static int refuse_folder(
    const struct write_target *p, const char *rest, const char *path, struct path_error *why)
{
	int fd = root_open_in(p->roots, p->root, rest, O_PATH);

	if (fd < 0)
		return errno == ENOENT ? tell_folder(why, path) : path_error_errno(why, path, errno);
	close(fd);
	return path_error_kind(why, path, S_IFDIR);
}

/* Splits rest into parent (at least ".") and name; false when it can only be a folder. */
static bool split(struct write_target *p, const char *rest, char *parent, size_t size)
{
	const char *slash = strrchr(rest, '/'), *name = slash ? slash + 1 : rest;
	size_t len = slash ? (size_t)(slash - rest) : 0;

	if (*name == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return false;
	snprintf(parent, size, "%.*s", len ? (int)len : 1, len ? rest : ".");
	return str_copy(p->name, sizeof(p->name), name) == 0;
}

/* Do the components of path lead above its start, by their text? */
static bool leads_above_start(const char *path)
{
	int depth = 0;

	for (size_t len; *path && depth >= 0; path += len + strspn(path + len, "/")) {
		len = strcspn(path, "/");
		if (len == 2 && strncmp(path, "..", 2) == 0)
			depth--;
		else if (len > 0 && !(len == 1 && *path == '.'))
			depth++;
	}
	return depth < 0;
}

/* Does path contain ".."? */
static bool has_dot_dot(const char *path)
{
	for (size_t len; *path; path += len + strspn(path + len, "/")) {
		len = strcspn(path, "/");
		if (len == 2 && strncmp(path, "..", 2) == 0)
			return true;
	}
	return false;
}

/* Checks the rules for what will be written: p's name in the folders missing, which do not exist yet, below
 * the open folder. */
static int check_rules(
    const struct write_target *p, int folder, const char *missing, const char *path, struct path_error *why)
{
	char where[PATH_MAX];
	struct buf whole = BUF_INIT;

	if (root_real_path(folder, path, where, sizeof(where), why) < 0)
		return -1;
	buf_addstr(&whole, strcmp(where, "/") == 0 ? "" : where);
	const char *missing_given = missing;
	for (size_t len; *missing; missing += len + strspn(missing + len, "/")) {
		len = strcspn(missing, "/");
		if (len > 0 && !(len == 1 && *missing == '.'))
			buf_addf(&whole, "/%.*s", (int)len, missing);
	}
	buf_addf(&whole, "/%s", p->name);
	int rc = root_check_rules(p->roots, p->root, whole.data, path, why);
	if (rc == 0 && !p->allows_prompt_file &&
	    root_is_prompt_file(p->roots, whole.data, p->exists && *missing_given == '\0' ? &p->st : NULL))
		rc = refuse_prompt_file(why, path, whole.data);
	buf_clear(&whole);
	return rc;
}

/* Creates a folder in another, durably. */
static int make_folder(int folder, const char *name, const char *path, struct path_error *why)
{
	if (root_make_folder(folder, name) == 0 || errno == EEXIST)
		return 0;
	return errno == ENAMETOOLONG ? path_error_errno(why, path, errno) : path_error_write(why, path);
}

/* Opens one more component of parent, whose first len bytes are prefix. Returns the descriptor, or -1 with
 * why. at stays open. */
static int enter(const struct write_target *p, int at, const char *parent, size_t len, const char *path,
    bool *made, struct path_error *why)
{
	char prefix[PATH_MAX + 1];

	snprintf(prefix, sizeof(prefix), "%.*s", (int)len, parent);
	int fd = root_open_folder_in(p->roots, p->root, prefix);
	if (fd >= 0)
		return fd;
	if (errno != ENOENT)
		return path_error_errno(why, path, errno);
	const char *slash = strrchr(prefix, '/'), *name = slash ? slash + 1 : prefix;
	const char *missing = parent + (name - prefix);
	if (has_dot_dot(missing))
		return path_error_errno(why, path, ENOENT);
	if (check_rules(p, at, missing, path, why) < 0)
		return -1;
	/* Once: the others are a few blocks. */
	if (!*made && write_target_check_quota(p, path, disk_usage_of_length(0), why) < 0)
		return -1;
	*made = true;
	if (make_folder(at, name, path, why) < 0)
		return -1;
	fd = root_open_folder_in(p->roots, p->root, prefix);
	return fd < 0 ? path_error_errno(why, path, errno) : fd;
}

/* Opens parent and creates the folders that are missing. */
static int make_parents(
    const struct write_target *p, const char *parent, const char *path, struct path_error *why)
{
	int at = root_open_folder_in(p->roots, p->root, "."), next;
	bool made = false;

	if (at < 0)
		return path_error_errno(why, path, errno);
	for (const char *c = parent; *c;) {
		size_t len = strcspn(c, "/");
		if (len > 0) {
			next = enter(p, at, parent, (size_t)(c - parent) + len, path, &made, why);
			close(at);
			if (next < 0)
				return -1;
			at = next;
		}
		c += len + strspn(c + len, "/");
	}
	return at;
}

int write_target_open(
    const struct roots *r, const char *path, bool make, struct write_target *p, struct path_error *why)
{
	return write_target_open_approved(r, path, make, false, p, why);
}

int write_target_open_approved(const struct roots *r, const char *path, bool make, bool allows_prompt_file,
    struct write_target *p, struct path_error *why)
{
	char parent[PATH_MAX + 1];
	const char *rest;

	*p = (struct write_target){.roots = r, .folder = -1, .allows_prompt_file = allows_prompt_file};
	p->root = root_find(r, path, &rest, why);
	if (!p->root)
		return -1;
	if (!split(p, rest, parent, sizeof(parent)))
		return *p->name ? path_error_errno(why, path, ENAMETOOLONG) :
				  refuse_folder(p, rest, path, why);
	p->folder = root_open_folder_in(r, p->root, parent);
	if (p->folder < 0 && errno == ENOENT && leads_above_start(rest))
		return path_error_errno(why, path, EXDEV);
	if (p->folder < 0 && errno == ENOENT && make)
		p->folder = make_parents(p, parent, path, why);
	else if (p->folder < 0)
		path_error_errno(why, path, errno);
	if (p->folder < 0 || write_target_refresh(p, path, why) < 0)
		return -1;
	/* All checks have passed. */
	p->folder = root_reopen_folder(p->folder);
	return p->folder < 0 ? path_error_errno(why, path, errno) : 0;
}

int write_target_refresh(struct write_target *p, const char *path, struct path_error *why)
{
	p->exists = fstatat(p->folder, p->name, &p->st, AT_SYMLINK_NOFOLLOW) == 0;
	if (!p->exists && errno != ENOENT)
		return path_error_errno(why, path, errno);
	if (p->exists && S_ISLNK(p->st.st_mode))
		return path_error_errno(why, path, ELOOP);
	if (p->exists && path_error_kind(why, path, p->st.st_mode) < 0)
		return -1;
	if (p->exists && p->st.st_nlink > 1)
		return path_error_set(why, "ACCESS_DENIED", "HARD_LINK", "Access denied: ", path,
		    " has other hard links. Copy it first, and write the copy.");
	return check_rules(p, p->folder, "", path, why);
}

int write_target_sibling(const struct write_target *p, const char *path, const char *ending,
    struct write_target *out, struct path_error *why)
{
	size_t len = strlen(p->name), more = strlen(ending);

	*out = *p;
	if (len + more >= sizeof(out->name))
		return path_error_errno(why, path, ENAMETOOLONG);
	memcpy(out->name + len, ending, more + 1);
	char *shown = xasprintf("%s%s", path, ending);
	int rc = write_target_refresh(out, shown, why);
	free(shown);
	return rc;
}

void write_target_clear(struct write_target *p)
{
	if (p->folder >= 0)
		close(p->folder);
	p->folder = -1;
}

static int read_all(int fd, size_t most, struct buf *out)
{
	char chunk[READ_CHUNK];
	ssize_t n;

	do {
		n = read(fd, chunk, sizeof(chunk));
		if (n > 0)
			buf_add(out, chunk, (size_t)n);
	} while ((n > 0 && out->len <= most) || (n < 0 && errno == EINTR));
	return n < 0 ? -1 : 0;
}

int write_target_read(
    const struct write_target *p, const char *path, size_t most, struct buf *out, struct path_error *why)
{
	struct stat st;
	int fd = openat(p->folder, p->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC),
	    rc = 0;
	char after[128];

	if (fd < 0)
		return path_error_errno(why, path, errno);
	if (fstat(fd, &st) < 0 || st.st_dev != p->st.st_dev || st.st_ino != p->st.st_ino)
		rc = path_error_set(why, "IO_ERROR", "OPEN_FAILED", "Cannot open file: ", path,
		    ": it is being replaced. Try again.");
	else if (read_all(fd, most, out) < 0)
		rc = path_error_io(why, "READ_FAILED", "Failed to read file: ", path);
	close(fd);
	if (rc < 0 || out->len <= most)
		return rc;
	snprintf(after, sizeof(after),
	    " has %lld bytes, the limit is %zu. Change it with exec_shell and sed.",
	    (long long)(st.st_size > (off_t)out->len ? st.st_size : (off_t)out->len), most);
	return path_error_set(why, "LIMIT_REACHED", "TOO_LARGE", "", path, after);
}
