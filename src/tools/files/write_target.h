#ifndef TOOLS_FILES_WRITE_TARGET_H
#define TOOLS_FILES_WRITE_TARGET_H
/*
 * The target of a write: a name in an open folder below a root, so that nothing is written outside even
 * if the path changes meanwhile. The name itself is never followed. May block: worker threads only.
 */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct buf;
struct path_error;
struct root;
struct roots;

struct write_target {
	const struct roots *roots;
	const struct root *root;
	int folder; /* open for reading; -1 when not open */
	char name[NAME_MAX + 1];
	bool exists;             /* a regular file without other hard links */
	bool allows_prompt_file; /* a person has approved a write to a prompt file */
	struct stat st;          /* of that file */
};

/* Resolves path, as the model gave it. make: creates missing folders. Returns -1 with why, also when the
 * existing file must not be written. Call write_target_clear in any case. */
int write_target_open(
    const struct roots *r, const char *path, bool make, struct write_target *p, struct path_error *why);
/* The same; allows_prompt_file: also a file that a model gets as instructions. write_target_open refuses
 * those: the rule that asks a person first knows the text of a path alone, and not where links lead. */
int write_target_open_approved(const struct roots *r, const char *path, bool make, bool allows_prompt_file,
    struct write_target *p, struct path_error *why);
/* Gets the name with an ending, in the same folder, whose descriptor p keeps: do not clear it. */
int write_target_sibling(const struct write_target *p, const char *path, const char *ending,
    struct write_target *out, struct path_error *why);
/* Checks the file again. Returns 0, or -1 with why. */
int write_target_refresh(struct write_target *p, const char *path, struct path_error *why);
void write_target_clear(struct write_target *p);

/* Appends the contents of the existing file, at most `most` bytes. Returns -1 with why, also
 * when it has more. */
int write_target_read(
    const struct write_target *p, const char *path, size_t most, struct buf *out, struct path_error *why);

struct write_target_content {
	const char *data;
	size_t len;
	mode_t mode;                       /* of a new file, under the umask */
	const struct write_target *backup; /* the old file is renamed to it; NULL deletes it */
};

/* Returns -1 with why when the target lies in a workspace that would hold more than its quota after a change
 * of its size. */
int write_target_check_quota(
    const struct write_target *p, const char *path, int64_t change, struct path_error *why);
/* Replaces the file atomically: after a crash the old or the new one is there, complete. An existing file
 * keeps its mode and owner. Returns 0 when it is on disk, or -1 with why: nothing has changed then unless
 * why says so. */
int write_target_replace(const struct write_target *p, const char *path,
    const struct write_target_content *text, struct path_error *why);

#endif
