#ifndef TOOLS_FILES_ROOTS_INTERNAL_H
#define TOOLS_FILES_ROOTS_INTERNAL_H
/* Internals of roots, for code that opens and writes below them. Worker threads only. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/config/config.h"

struct path_error;
struct stat;

struct root {
	char *real;  /* absolute, without links; "/" for all */
	char *given; /* the configured path if absolute, else NULL */
	int fd;
	char *below;  /* path below fd of a part of the workspace, made when it is first used; else NULL */
	char *former; /* path below fd of what belongs to that part; NULL for none */
};

struct roots {
	struct root *items; /* the workspace first */
	size_t count;
	unsigned refs;
	struct roots *base; /* whose descriptors and texts these are, but for a part's; NULL: our own */
	bool is_part;       /* the first root is a part of base's, and its texts are ours */
	bool walk;          /* openat2 is unavailable */
	char *config_file, *state, *shared; /* absolute, without links, or NULL */
	struct config_strings instructions;
	bool skills;
	int64_t disk_reserve, quota, part_quota;
};

/* Returns the root of the path and sets rest to the path below it, at least "."; NULL with why. */
const struct root *root_find(
    const struct roots *r, const char *path, const char **rest, struct path_error *why);
/* Makes a folder in another one, durably, for the same owner. Returns -1 with errno, EEXIST among others. */
int root_make_folder(int folder, const char *name);
/* Opens the folder of a part with O_PATH, and makes it when it is missing. No link leads to it, whatever its
 * owner put there. Returns -1 with errno. */
int root_open_part(const struct root *root);
/* Returns a descriptor, or -1 with errno, like path_open_beneath. */
int root_open_in(const struct roots *r, const struct root *root, const char *rest, int flags);
/* Opens a folder with O_PATH; returns -1 with errno. */
int root_open_folder_in(const struct roots *r, const struct root *root, const char *rest);
/* Opens such a folder to read its entries and to sync it. Takes fd. Returns -1 with errno. */
int root_reopen_folder(int fd);
/* Gets the real path of the descriptor; returns -1 with why when it is unknown. The sentence repeats path. */
int root_real_path(int fd, const char *path, char *real, size_t size, struct path_error *why);
/* Checks the rule protected-files. Returns 0, or -1 with why. real is absolute and without links; the
 * sentence repeats path. */
int root_check_rules(const struct roots *r, const struct root *root, const char *real, const char *path,
    struct path_error *why);
/* Returns true when a model gets the workspace file as instructions, whatever links led there. real is
 * absolute and without links; st is of the file, NULL when there is none. */
bool root_is_prompt_file(const struct roots *r, const char *real, const struct stat *st);

/*
 * path_open.c: Opens a path so that it cannot leave its starting directory: with openat2 (Linux 5.6), or by
 * walking its components where the kernel or a filter refuses openat2. May block.
 */

/* Returns true when the system has openat2. */
bool path_open_has_openat2(int dir);
/* Opens the relative path with read flags (O_RDONLY or O_PATH). Returns the descriptor, or -1 with errno;
 * EXDEV: the path leaves dir. Follows relative links that stay below dir; the walk follows none and gives
 * ELOOP. Magic links of /proc give ELOOP. Never waits for the other end of a pipe. */
int path_open_beneath(int dir, const char *path, int flags);
int path_open_walk(int dir, const char *path, int flags);

#endif
