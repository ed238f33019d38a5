#include "tools/files/path_error.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/text/utf8.h"

/* Bytes of a path that an error repeats. */
#define PATH_SHOWN 256

#define OUTSIDE       " is outside allowed paths. Use a path inside the workspace; an admin can add a root."
#define NO_PERMISSION ". Choose another file, or ask the owner for access."
#define DEVICE        " is a device. Name a regular file."

static const struct {
	int number;
	const char *code, *cause, *before, *after;
} problems[] = {
    {ENOENT, "NOT_FOUND", "FILE_NOT_FOUND",
	"File not found: ", ". Check the name, or look for it with glob."},
    /* The path leaves the root: by "..", by a link that contains "..", or by an absolute link. */
    {EXDEV, "ACCESS_DENIED", "OUTSIDE_ROOTS", "Access denied: ", OUTSIDE},
    {ELOOP, "ACCESS_DENIED", "SYMLINK", "Access denied: ", " is a link. Name its target."},
    {EACCES, "ACCESS_DENIED", "PERMISSION_DENIED", "Permission denied: ", NO_PERMISSION},
    {EPERM, "ACCESS_DENIED", "PERMISSION_DENIED", "Permission denied: ", NO_PERMISSION},
    {ENOTDIR, "INVALID_ARGUMENT", "NOT_A_DIRECTORY", "",
	" leads through something that is not a directory. Check the path."},
    {ENAMETOOLONG, "INVALID_ARGUMENT", "RANGE", "", " holds a name that is too long. Check the path."},
};

int path_error_set(struct path_error *why, const char *code, const char *cause, const char *before,
    const char *path, const char *after)
{
	size_t shown = utf8_cut(path, strlen(path), PATH_SHOWN, UTF8_BYTES);

	why->code = code;
	why->cause = cause;
	snprintf(why->text, sizeof(why->text), "%s%.*s%s%s", before, (int)shown, path, path[shown] ? "…" : "",
	    after);
	return -1;
}

/* In a root that holds /dev, these are links into /proc to the files that this process has open. */
static bool is_stream(const char *path)
{
	static const char *const names[] = {"/dev/stderr", "/dev/stdin", "/dev/stdout"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(path, names[i]) == 0)
			return true;
	return false;
}

int path_error_io(struct path_error *why, const char *cause, const char *before, const char *path)
{
	char after[128];

	snprintf(after, sizeof(after), ": %m. Try again, or another file.");
	return path_error_set(why, "IO_ERROR", cause, before, path, after);
}

int path_error_errno(struct path_error *why, const char *path, int number)
{
	if ((number == EXDEV || number == ELOOP) && is_stream(path))
		return path_error_set(why, "ACCESS_DENIED", "SPECIAL_FILE", "Access denied: ", path, DEVICE);
	if (number == ENOENT && path[0] == '~')
		return path_error_set(why, "NOT_FOUND", "FILE_NOT_FOUND", "File not found: ", path,
		    ". A leading ~ is not expanded: name the path relative to the workspace.");
	for (size_t i = 0; i < ARRAY_LEN(problems); i++)
		if (problems[i].number == number)
			return path_error_set(why, problems[i].code, problems[i].cause, problems[i].before,
			    path, problems[i].after);
	errno = number;
	return path_error_io(why, "OPEN_FAILED", "Cannot open file: ", path);
}

static const struct {
	mode_t kind;
	const char *code, *cause, *before, *after;
} kinds[] = {
    {S_IFBLK, "ACCESS_DENIED", "SPECIAL_FILE", "Access denied: ", DEVICE},
    {S_IFCHR, "ACCESS_DENIED", "SPECIAL_FILE", "Access denied: ", DEVICE},
    {S_IFDIR, "INVALID_ARGUMENT", "IS_A_DIRECTORY", "", " is a directory. Use list_directory."},
    {S_IFIFO, "ACCESS_DENIED", "SPECIAL_FILE", "Access denied: ", " is a pipe. Name a regular file."},
    {S_IFSOCK, "ACCESS_DENIED", "SPECIAL_FILE", "Access denied: ", " is a socket. Name a regular file."},
};

int path_error_kind(struct path_error *why, const char *path, mode_t mode)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (kinds[i].kind == (mode & S_IFMT))
			return path_error_set(
			    why, kinds[i].code, kinds[i].cause, kinds[i].before, path, kinds[i].after);
	return 0;
}

int path_error_not_folder(struct path_error *why, const char *path, mode_t mode)
{
	if (S_ISDIR(mode))
		return 0;
	return path_error_set(why, "INVALID_ARGUMENT", "NOT_A_DIRECTORY", "", path,
	    S_ISREG(mode) ? " is a file. Use read_file." : " is not a directory. Name a folder.");
}

int path_error_write(struct path_error *why, const char *path)
{
	if (errno == ENOSPC || errno == EDQUOT)
		return path_error_set(why, "IO_ERROR", "NO_SPACE", "No space left on device: ", path,
		    ". Free space, then try again.");
	if (errno == EACCES || errno == EPERM || errno == EROFS)
		return path_error_errno(why, path, EACCES);
	return path_error_io(why, "WRITE_FAILED", "Failed to write file: ", path);
}
