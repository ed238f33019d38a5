#ifndef PLAYGROUND_WORLD_FILE_H
#define PLAYGROUND_WORLD_FILE_H
/* Reads and writes complete files. */
struct buf;
struct error;
struct task;

/* Blocks: call it at start only. */
int file_read(const char *path, struct buf *out, struct error *err);
/* Replaces the file atomically with mode 0600. Suspends. */
int file_replace(struct task *t, const char *path, const char *text, struct error *err);

#endif
