#ifndef CONTROL_SEND_FILES_H
#define CONTROL_SEND_FILES_H
/* The file of a post: a copy in the outbox for each recipient. */
#include <stddef.h>

struct error;
struct post;
struct task;

/* Makes the copies under this name. Returns -1 with err, and no copies, when a channel takes no files or
 * none that large, the bytes hold a secret, or the disk is full. */
int send_copy_files(
    struct task *t, struct post *p, const char *name, const void *data, size_t len, struct error *err);

#endif
