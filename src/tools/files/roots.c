#include "tools/files/roots.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/config/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "tools/files/roots_internal.h"
#include "tools/files/protected_files.h"
#include "tools/files/path_error.h"

#define PATH_SIZE_MAX 4096
/* Tries for a file that is replaced repeatedly while it is opened. */
#define OPEN_TRIES 3

/* Creates a folder durably, so that a power cut cannot remove it with what was stored in it later. A failure
 * shows when it is opened. */
static void make_folder(const char *path)
{
	if (mkdir(path, 0700) < 0)
		return;
	char *parent = xstrdup(path), *slash = strrchr(parent, '/');
	if (slash)
		*(slash == parent ? slash + 1 : slash) = '\0';
	int fd = open(slash ? parent : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(parent);
}

/* Creates the missing folders of the path; a failure shows when the last one is opened. */
static void make_folders(const char *path)
{
	char *copy = xstrdup(path), *end = copy + strlen(copy);

	while (end > copy + 1 && end[-1] == '/')
		*--end = '\0';
	for (char *p = copy + 1; *copy && (p = strchr(p, '/')); p++) {
		*p = '\0';
		make_folder(copy);
		*p = '/';
	}
	make_folder(copy);
	free(copy);
}

static char *real_path(const char *path)
{
	char real[PATH_MAX];

	return path && realpath(path, real) ? xstrdup(real) : NULL;
}

static int add_root(struct roots *r, const char *path, struct error *err)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	char *real = fd < 0 ? NULL : real_path(path);

	if (!real) {
		error_set(err, ERROR_OURS,
		    "The folder %s, which tools may use, cannot be opened: %m. Make it, or change tools.",
		    path);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	r->items = xrealloc(r->items, (r->count + 1) * sizeof(*r->items));
	r->items[r->count++] =
	    (struct root){.real = real, .given = *path == '/' ? xstrdup(path) : NULL, .fd = fd};
	return 0;
}

static void copy_strings(struct config_strings *to, const struct config_strings *from)
{
	to->items = xcalloc(from ? from->count + 1 : 1, sizeof(*to->items));
	for (; from && to->count < from->count; to->count++)
		to->items[to->count] = xstrdup(from->items[to->count]);
}

struct roots *roots_open(const struct roots_options *options, struct error *err)
{
	struct roots *r = xcalloc(1, sizeof(*r));
	const struct config_strings *extra = options->extra;

	r->refs = 1;
	make_folders(options->workspace);
	int rc = add_root(r, options->workspace, err);
	for (size_t i = 0; rc == 0 && extra && i < extra->count; i++)
		rc = add_root(r, extra->items[i], err);
	if (rc < 0) {
		roots_unref(r);
		return NULL;
	}
	r->walk = !path_open_has_openat2(r->items[0].fd);
	if (r->walk)
		log_warn("tools", "no openat2 here: file tools follow no links");
	if (access("/proc/self/fd", F_OK) < 0)
		log_warn("tools",
		    "no /proc here, which tells where a file really is: file tools refuse every file");
	r->config_file = real_path(options->config_file);
	r->state = real_path(options->state);
	r->shared = real_path(options->shared);
	copy_strings(&r->instructions, options->instructions);
	r->skills = options->skills;
	r->disk_reserve = options->disk_reserve;
	r->quota = options->quota;
	r->part_quota = options->part_quota;
	return r;
}

struct roots *roots_ref(struct roots *r)
{
	r->refs++;
	return r;
}

/* With the first count roots of base, which stays open as long. */
static struct roots *derive(struct roots *base, size_t count)
{
	struct roots *r = xmemdup(base, sizeof(*base));

	r->refs = 1;
	r->base = roots_ref(base);
	r->is_part = false;
	r->count = count;
	r->items = xmemdup(base->items, count * sizeof(*base->items));
	return r;
}

struct roots *roots_workspace_only(struct roots *r)
{
	return derive(r, 1);
}

struct roots *roots_part(struct roots *r, const char *below, const char *former)
{
	struct roots *part = derive(r, r->count);
	struct root *root = &part->items[0];

	part->is_part = true;
	part->quota = r->part_quota;
	root->real = xasprintf("%s/%s", root->real, below);
	root->given = root->given ? xasprintf("%s/%s", root->given, below) : NULL;
	root->below = xstrdup(below);
	root->former = xstrdup(former);
	return part;
}

const struct roots *roots_base(const struct roots *r)
{
	return r->base ? roots_base(r->base) : r;
}

int64_t roots_quota(const struct roots *r)
{
	return r->quota;
}

static void root_clear(struct root *root)
{
	free(root->real);
	free(root->given);
	free(root->below);
	free(root->former);
}

void roots_unref(struct roots *r)
{
	if (!r || --r->refs > 0)
		return;
	if (r->is_part)
		root_clear(&r->items[0]);
	for (size_t i = 0; !r->base && i < r->count; i++) {
		if (r->items[i].fd >= 0)
			close(r->items[i].fd);
		root_clear(&r->items[i]);
	}
	free(r->items);
	if (r->base) {
		roots_unref(r->base);
	} else {
		config_strings_clear(&r->instructions);
		free(r->config_file);
		free(r->state);
		free(r->shared);
	}
	free(r);
}

void roots_disable_openat2(struct roots *r)
{
	r->walk = true;
}

static const char *skip_blank(const char *p)
{
	for (;;) {
		if (*p == '/')
			p++;
		else if (p[0] == '.' && (p[1] == '/' || p[1] == '\0'))
			p++;
		else
			return p;
	}
}

/* Returns the part of path below root, compared by component without empty and "." ones; NULL when path is
 * elsewhere. */
static const char *below(const char *root, const char *path)
{
	for (size_t len;; root += len, path += len) {
		root = skip_blank(root);
		path = skip_blank(path);
		len = strcspn(root, "/");
		if (len == 0)
			return path;
		if (strncmp(root, path, len) != 0 || (path[len] != '/' && path[len] != '\0'))
			return NULL;
	}
}

/* Returns the root with the longest match; NULL for none. */
static const struct root *find_longest(const struct roots *r, const char *path, const char **rest)
{
	const struct root *best = NULL;

	*rest = path;
	if (path[0] != '/')
		return &r->items[0];
	for (size_t i = 0; i < r->count; i++) {
		const struct root *root = &r->items[i];
		const char *names[] = {root->real, root->given};
		for (size_t k = 0; k < ARRAY_LEN(names); k++) {
			const char *found = names[k] ? below(names[k], path) : NULL;
			if (found && (!best || found > *rest)) {
				best = root;
				*rest = found;
			}
		}
	}
	if (**rest == '\0')
		*rest = ".";
	return best;
}

const struct root *root_find(
    const struct roots *r, const char *path, const char **rest, struct path_error *why)
{
	*why = (struct path_error){0};
	if (*path == '\0') {
		path_error_set(why, "INVALID_ARGUMENT", "RANGE", "The path is empty", "", ". Name a file.");
		return NULL;
	}
	if (strlen(path) > PATH_SIZE_MAX) {
		path_error_set(why, "INVALID_ARGUMENT", "RANGE", "", path,
		    " is longer than 4096 bytes. Check the path.");
		return NULL;
	}
	const struct root *root = find_longest(r, path, rest);
	if (!root)
		path_error_errno(why, path, EXDEV);
	return root;
}

int root_real_path(int fd, const char *path, char *real, size_t size, struct path_error *why)
{
	char link[32];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t len = readlink(link, real, size - 1);
	/* The path as given cannot be trusted: links and ".." lead around every rule. */
	if (len <= 0)
		return path_error_set(why, "IO_ERROR", "OPEN_FAILED", "Cannot tell where ", path,
		    " really is: its path is too long, or there is no /proc. Ask a person to mount it.");
	real[len] = '\0';
	return 0;
}

static bool is_of(const struct root *root, const char *real, const char *folder)
{
	if (!folder || !protected_files_within(real, folder))
		return false;
	return strcmp(root->real, folder) == 0 || !protected_files_within(root->real, folder);
}

/* Myna's own configuration and state, except roots inside the state folder, such as the default workspace. */
static bool is_own(const struct roots *r, const struct root *root, const char *real)
{
	if (r->config_file && strcmp(real, r->config_file) == 0)
		return true;
	return is_of(root, real, r->state) || is_of(root, real, r->shared);
}

const char *roots_workspace(const struct roots *r)
{
	return r->items[0].real;
}

bool roots_protect(const struct roots *r, const char *path)
{
	const char *rest;
	const struct root *root = find_longest(r, path, &rest);

	if (protected_files_has(path))
		return true;
	return root ? is_own(r, root, path) :
		      (r->config_file && strcmp(path, r->config_file) == 0) ||
		(r->state && protected_files_within(path, r->state)) ||
		(r->shared && protected_files_within(path, r->shared));
}

/* Returns how deep below its start the path ends; -1 when it leads above it. */
static int depth_of(const char *path)
{
	int depth = 0;

	for (size_t len; *path && depth >= 0; path += len) {
		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (len == 2 && strncmp(path, "..", 2) == 0)
			depth--;
		else if (len > 0 && (len > 1 || *path != '.'))
			depth++;
	}
	return depth;
}

bool roots_refuse(const struct roots *r, const char *path, struct path_error *why)
{
	const char *rest;

	if (!root_find(r, path, &rest, why))
		return true;
	if (depth_of(rest) >= 0)
		return false;
	path_error_errno(why, path, EXDEV);
	return true;
}

int root_check_rules(const struct roots *r, const struct root *root, const char *real, const char *path,
    struct path_error *why)
{
	if (!protected_files_has(real) && !is_own(r, root, real))
		return 0;
	why->rule = PROTECTED_RULE;
	return path_error_set(why, "BLOCKED", "RULE", "", path,
	    " is a protected file. Do without it, or ask a person for what is needed from it.");
}

int root_open_in(const struct roots *r, const struct root *root, const char *rest, int flags)
{
	int dir = root->below ? root_open_part(root) : root->fd;

	if (dir < 0)
		return -1;
	int fd = r->walk ? path_open_walk(dir, rest, flags) : path_open_beneath(dir, rest, flags);
	int problem = errno;
	if (root->below)
		close(dir);
	errno = problem;
	return fd;
}

int root_open_folder_in(const struct roots *r, const struct root *root, const char *rest)
{
	int fd = root_open_in(r, root, rest, O_PATH);
	struct stat st;

	if (fd < 0)
		return -1;
	int problem = fstat(fd, &st) < 0 ? errno : S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
	if (!problem)
		return fd;
	close(fd);
	errno = problem;
	return -1;
}

int root_reopen_folder(int fd)
{
	int folder = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), problem = errno;

	close(fd);
	errno = problem;
	return folder;
}

/* Checks whether the file may be read, through an O_PATH descriptor. Returns the descriptor, or -1; *st
 * describes the file. */
static int look(const struct roots *r, const struct root *root, const char *rest, const char *path,
    struct stat *st, int (*check_kind)(struct path_error *why, const char *path, mode_t mode),
    struct path_error *why)
{
	int fd = root_open_in(r, root, rest, O_PATH), rc;
	char real[2 * PATH_MAX];

	if (fd < 0)
		return path_error_errno(why, path, errno);
	if (fstat(fd, st) < 0)
		rc = path_error_io(why, "SIZE_FAILED", "Cannot get file size: ", path);
	else
		rc = check_kind(why, path, st->st_mode);
	if (rc == 0)
		rc = root_real_path(fd, path, real, sizeof(real), why);
	if (rc == 0)
		rc = root_check_rules(r, root, real, path, why);
	if (rc == 0)
		return fd;
	close(fd);
	return -1;
}

/*
 * The path is opened twice, and both times must lead to the same file: first with O_PATH, to see that it is
 * a regular file, then to read it. Reopening the first descriptor would need /proc. If somebody swaps the
 * file in between, the second open is refused; with O_NONBLOCK not even a pipe can block the thread.
 */
int root_open_file(const struct roots *r, const char *path, struct path_error *why)
{
	const char *rest;
	struct stat seen, st;
	const struct root *root = root_find(r, path, &rest, why);

	if (!root)
		return -1;
	for (int i = 0; i < OPEN_TRIES; i++) {
		int fd = look(r, root, rest, path, &seen, path_error_kind, why);
		if (fd < 0)
			return -1;
		close(fd);
		fd = root_open_in(r, root, rest, O_RDONLY);
		if (fd < 0 && errno != ENXIO) /* ENXIO: it is now a socket */
			return path_error_errno(why, path, errno);
		if (fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == seen.st_dev && st.st_ino == seen.st_ino)
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return path_error_set(
	    why, "IO_ERROR", "OPEN_FAILED", "Cannot open file: ", path, ": it is being replaced. Try again.");
}

int root_open_folder(const struct roots *r, const char *path, struct path_error *why)
{
	const char *rest;
	struct stat st;
	const struct root *root = root_find(r, path, &rest, why);
	int fd = root ? look(r, root, rest, path, &st, path_error_not_folder, why) : -1;

	if (fd < 0)
		return -1;
	/* This reopens the folder that was checked, and no other. */
	int folder = root_reopen_folder(fd);
	return folder < 0 ? path_error_errno(why, path, errno) : folder;
}

char *root_folder_path(const struct roots *r, const char *path, struct stat *st, struct path_error *why)
{
	char real[2 * PATH_MAX];
	int fd = root_open_folder(r, path, why), rc;

	if (fd < 0)
		return NULL;
	rc = fstat(fd, st) < 0 ? path_error_io(why, "OPEN_FAILED", "Cannot open folder: ", path) :
				 root_real_path(fd, path, real, sizeof(real), why);
	close(fd);
	return rc < 0 ? NULL : xstrdup(real);
}
