#ifndef CRASH_DISK_H
#define CRASH_DISK_H
/*
 * Models what a power cut leaves of the state directory. File data and size are durable after a sync of the
 * file, names (create, rename, remove) after a sync of their directory. Unsynced changes are lost or survive
 * in part.
 */
#include <stdint.h>

struct disk;
struct event;

/* Everything in the directory counts as durable. */
struct disk *disk_new(const char *dir);
void disk_free(struct disk *d);
void disk_play(struct disk *d, const struct event *e);
/* Replaces the content of dir by what a power cut leaves. seed 0: no unsynced change survives; else some
 * do. */
void disk_cut(struct disk *d, const char *dir, uint64_t seed);
/* Compares dir with the replayed events. Returns NULL, or the path of a file that differs, freed by the
 * caller. */
char *disk_differs(struct disk *d, const char *dir);

#endif
