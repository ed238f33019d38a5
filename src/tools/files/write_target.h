#ifndef TOOLS_FILES_WRITE_TARGET_H
#define TOOLS_FILES_WRITE_TARGET_H
/*
 * Where a file is to be written: a name in a folder beneath a root, which is held open, so
 * that whatever becomes of the path meanwhile, nothing is written outside. The name itself is
 * never followed. May block: worker threads only.
 */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct buf;
struct path_error;
struct root;
struct roots;

struct write_target {
	const struct roots *roots;
	const struct root *root;
	int folder; /* open for reading; -1: not open */
	char name[NAME_MAX + 1];
	bool exists;    /* a regular file that no other name has */
	struct stat st; /* of it */
};

/* Finds the place of path, as the model gave it. make: folders that are missing are made, one by one. -1 with
 * why: also when what is there must not be written. write_target_clear in any case. */
int write_target_open(
    const struct roots *r, const char *path, bool make, struct write_target *p, struct path_error *why);
/* The name with an ending, in the same folder, whose descriptor p keeps: not to be cleared. */
int write_target_sibling(const struct write_target *p, const char *path, const char *ending,
    struct write_target *out, struct path_error *why);
/* Looks again. 0, or -1 with why. */
int write_target_refresh(struct write_target *p, const char *path, struct path_error *why);
void write_target_clear(struct write_target *p);

/* Appends the file that is there, which has to have at most most bytes. */
int write_target_read(
    const struct write_target *p, const char *path, size_t most, struct buf *out, struct path_error *why);

struct write_target_content {
	const char *data;
	size_t len;
	mode_t mode;                       /* of a new file, under the umask */
	const struct write_target *backup; /* what the old file is renamed to; NULL: it is dropped */
};

/* Puts a file there that has this text: after a crash at any instant the old one or the new one is there,
 * whole. One that exists keeps its mode and owner. 0: it is on disk. -1 with why: nothing has changed there,
 * unless that says so. */
int write_target_replace(const struct write_target *p, const char *path,
    const struct write_target_content *text, struct path_error *why);

#endif
