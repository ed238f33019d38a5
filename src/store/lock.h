#ifndef STORE_LOCK_H
#define STORE_LOCK_H
/* One process per state directory: its owner holds a lock on DIR/lock, which contains its process id. */
struct error;

/* Returns a descriptor for lock_release, or -1 with a sentence that names the owner. Waits up to two
 * seconds when the owner is dead but the lock is still held. */
int lock_acquire(const char *dir, struct error *err);
void lock_release(int fd);

#endif
