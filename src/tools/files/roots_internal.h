#ifndef TOOLS_FILES_ROOTS_INTERNAL_H
#define TOOLS_FILES_ROOTS_INTERNAL_H
/* The inside of roots, for what opens and writes beneath them. Worker threads only. */
#include <stdbool.h>
#include <stddef.h>

struct path_error;

struct root {
	char *real;  /* absolute and without links; "/" for all */
	char *given; /* as the config has it, where that is absolute, else NULL */
	int fd;
};

struct roots {
	struct root *items; /* the workspace first */
	size_t count;
	unsigned refs;
	bool walk;                 /* there is no openat2 */
	char *config_file, *state; /* absolute and without links, or NULL */
};

/* The root that holds the path, and the path below it, "." at least; NULL with why. */
const struct root *root_find(
    const struct roots *r, const char *path, const char **rest, struct path_error *why);
/* A descriptor, or -1 with errno, as path_open_beneath. */
int root_open_in(const struct roots *r, const struct root *root, const char *rest, int flags);
/* A folder as a place (O_PATH); -1 with errno. */
int root_open_folder_in(const struct roots *r, const struct root *root, const char *rest);
/* Opens such a folder to read its entries and to sync it. Takes fd; -1 with errno. */
int root_reopen_folder(int fd);
/* Where the descriptor really leads; -1 with why where that cannot be told. path is what the sentence
 * repeats. */
int root_real_path(int fd, const char *path, char *place, size_t size, struct path_error *why);
/* The rule protected-files: 0, or -1 with why. place is absolute and without links; path is what the sentence
 * repeats. */
int root_check_rules(const struct roots *r, const struct root *root, const char *place, const char *path,
    struct path_error *why);

#endif
