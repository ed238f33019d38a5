#ifndef STORE_LOCK_H
#define STORE_LOCK_H
/* One process a state directory: DIR/lock, locked as long as it is open, with the process id of its owner. */
struct error;

/* A descriptor that lock_release closes, or -1 with a sentence that names who has the directory. Waits for
 * up to two seconds when that process is dead, but the directory not free yet. */
int lock_acquire(const char *dir, struct error *err);
void lock_release(int fd);

#endif
