#ifndef TOOLS_FILES_ROOTS_H
#define TOOLS_FILES_ROOTS_H
/*
 * The folders that file tools may touch: the workspace and extra roots. A path is opened
 * beneath a root's descriptor, so that the kernel answers, and no check comes before the
 * use. What opens files may block: worker threads only.
 */
#include <stdbool.h>
#include <stddef.h>

struct config_strings;
struct error;
struct path_error;
struct roots;

struct roots_options {
	const char *workspace;              /* made when missing, and its parents too */
	const struct config_strings *extra; /* may be NULL */
	/* Never opened although a root holds them; may be NULL. */
	const char *config_file, *state;
};

/* NULL with a sentence when a root cannot be opened. May block. */
struct roots *roots_open(const struct roots_options *options, struct error *err);
/* A job for a worker thread takes a reference of its own, and so may outlive the tools. Both on the loop's
 * thread. */
struct roots *roots_ref(struct roots *r);
void roots_unref(struct roots *r); /* NULL is fine */
/* The workspace of these alone: new ones. */
struct roots *roots_workspace_only(const struct roots *r);
/* Tests: opens as on a kernel that has no openat2. */
void roots_disable_openat2(struct roots *r);

/* Absolute, without links. */
const char *roots_workspace(const struct roots *r);
/* Is this one of the files that no tool opens, by its letters? path: absolute, without "." and ".." parts. */
bool roots_protect(const struct roots *r, const char *path);
/* Is the path, as the model gave it, outside by its letters alone? Then why says so. Does not block. */
bool roots_refuse(const struct roots *r, const char *path, struct path_error *why);

/* Opens a regular file for reading: the descriptor, or -1 with why. path is as the model gave it: relative to
 * the workspace, or absolute under a root. Nothing else is opened, not even for a moment: opening a device or
 * a pipe can have effects. */
int root_open_file(const struct roots *r, const char *path, struct path_error *why);
/* Opens a folder to read its entries. */
int root_open_folder(const struct roots *r, const char *path, struct path_error *why);

#endif
