#ifndef TOOLS_FILES_DISK_USAGE_H
#define TOOLS_FILES_DISK_USAGE_H
/*
 * How much disk a folder takes, for quotas. A file counts with the blocks it takes, not with its length, and
 * each name with at least 4 KiB, so that a quota bounds the number of files, too. A file with several names
 * counts for each name by its part. Blocks: worker threads only.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stat;

#define DISK_USAGE_LARGEST 3
/* A folder nested deeper than this cannot be counted, and so counts as too much. */
#define DISK_USAGE_DEPTH_MAX 256

struct disk_usage {
	int64_t bytes;
	int64_t files; /* without folders and links */
	bool too_deep;
	bool hidden; /* our own folder is unreadable again after it was made readable */
	struct {
		int64_t bytes;
		char path[96]; /* below the folder, cut; valid UTF-8 in one line */
	} largest[DISK_USAGE_LARGEST];
};

/* Adds everything below the folder to out, which begins as {0}. A folder that its owner, who we are, cannot
 * read is made readable. What cannot be opened, or is gone meanwhile, does not count. */
void disk_usage_add(int folder, struct disk_usage *out);
/* The same by path; without effect when there is no such folder. */
void disk_usage_add_path(const char *path, struct disk_usage *out);
/* Returns true when there may be more than was counted. */
bool disk_usage_is_unknown(const struct disk_usage *u);
/* What one file of that length will count. */
int64_t disk_usage_of_length(int64_t len);
/* What the file counts. */
int64_t disk_usage_of_file(const struct stat *st);
/* Writes who takes how much and what to do: "1.2 GiB of 1.0 GiB are used (tools.workspace_quota). ..." */
void disk_usage_describe(const struct disk_usage *u, int64_t quota, char *out, size_t size);

#endif
