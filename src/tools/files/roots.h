#ifndef TOOLS_FILES_ROOTS_H
#define TOOLS_FILES_ROOTS_H
/*
 * The folders that file tools may access: the workspace and extra roots. Paths are opened relative to a
 * root's descriptor, so that the kernel enforces the boundary without a gap between check and use.
 * Functions that open files may block: worker threads only.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct config_strings;
struct error;
struct path_error;
struct roots;
struct stat;

struct roots_options {
	const char *workspace;              /* created when missing, with its parents */
	const struct config_strings *extra; /* may be NULL */
	/* Never opened even inside a root; may be NULL. */
	const char *config_file, *state, *shared;
	/* Workspace files, and its folder of skills, that a model gets as instructions: write_target.h. NULL
	 * for none. */
	const struct config_strings *instructions;
	bool skills;
	int64_t disk_reserve; /* bytes that stay free when a file is written: write_target_replace */
	/* Most bytes of the workspace, and of each part of it (roots_part); 0: no limit. */
	int64_t quota, part_quota;
};

/* Returns NULL with an error when a root cannot be opened. May block. */
struct roots *roots_open(const struct roots_options *options, struct error *err);
/* A worker job takes its own reference and may outlive the tools. Both on the loop's thread. */
struct roots *roots_ref(struct roots *r);
void roots_unref(struct roots *r); /* NULL is allowed */
/* Returns new roots with only the workspace. */
struct roots *roots_workspace_only(struct roots *r);
/* Returns new roots whose workspace is the folder below that of r, made when it is first used. Each use moves
 * there what is in the folder former (NULL for none). Never blocks. */
struct roots *roots_part(struct roots *r, const char *below, const char *former);
/* Returns the roots that r is a part of, else r; borrowed. */
const struct roots *roots_base(const struct roots *r);
/* Tests: behave as on a kernel without openat2. */
void roots_disable_openat2(struct roots *r);

/* The most bytes of the workspace (disk_usage.h); 0: no limit. */
int64_t roots_quota(const struct roots *r);
/* Absolute, without links. */
const char *roots_workspace(const struct roots *r);
/* Returns true when the path names a file that no tool opens. path: absolute, without "." and ".." parts.
 * Does not resolve links. */
bool roots_protect(const struct roots *r, const char *path);
/* Returns true, with why, when the path as the model gave it is outside the roots. Does not resolve links
 * or block. */
bool roots_refuse(const struct roots *r, const char *path, struct path_error *why);

/* Opens a regular file for reading. Returns the descriptor, or -1 with why. path is as the model gave it:
 * relative to the workspace, or absolute below a root. Opens nothing else, because opening a device or a
 * pipe can have effects. */
int root_open_file(const struct roots *r, const char *path, struct path_error *why);
/* Opens a folder to read its entries. */
int root_open_folder(const struct roots *r, const char *path, struct path_error *why);
/* Returns the folder's absolute path without links, malloc'd, and what it is; NULL with why. */
char *root_folder_path(const struct roots *r, const char *path, struct stat *st, struct path_error *why);

#endif
