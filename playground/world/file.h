#ifndef PLAYGROUND_WORLD_FILE_H
#define PLAYGROUND_WORLD_FILE_H
/* Whole files. */
struct buf;
struct error;
struct task;

/* Blocks: at start only. */
int file_read(const char *path, struct buf *out, struct error *err);
/* Replaces the file as a whole; nobody else may read it (mode 0600). */
int file_replace(struct task *t, const char *path, const char *text, struct error *err);

#endif
