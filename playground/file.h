#ifndef PLAYGROUND_FILE_H
#define PLAYGROUND_FILE_H
/* Whole files at start; blocks. */
struct buf;
struct error;

int file_read(const char *path, struct buf *out, struct error *err);

#endif
