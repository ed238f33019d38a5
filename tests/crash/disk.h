#ifndef CRASH_DISK_H
#define CRASH_DISK_H
/*
 * What a power cut leaves of the state directory. A file's bytes and its size are durable after a sync of the
 * file, names (made, renamed, removed) after one of their directory; what was not synced is lost, or survives
 * in part.
 */
#include <stdint.h>

struct disk;
struct event;

/* All that stands in the directory is durable. */
struct disk *disk_new(const char *dir);
void disk_free(struct disk *d);
void disk_play(struct disk *d, const struct event *e);
/* Replaces what is in dir by what a power cut leaves now. Seed 0: nothing that was not synced; else a part of
 * it. */
void disk_cut(struct disk *d, const char *dir, uint64_t seed);
/* Without a power cut the directory holds all that was played: NULL, or the path of a file that differs
 * (malloc'd). */
char *disk_differs(struct disk *d, const char *dir);

#endif
