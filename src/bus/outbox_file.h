#ifndef BUS_OUTBOX_FILE_H
#define BUS_OUTBOX_FILE_H
/*
 * Files to be sent. A delivery's file is a copy in a folder of the outbox, made when the delivery is
 * committed. The bus removes the copy when the delivery is final, and at startup removes copies that no
 * delivery names.
 */
#include <stddef.h>
#include <stdint.h>

#include "bus/message.h"

struct buf;
struct bus;
struct error;
struct task;

/* Sets the folder of the copies, created (0700) with the first copy. Call it once, before bus_resume.
 * Without it no file can be sent. */
void bus_set_files(struct bus *b, const char *dir);
/* All nodes of the cluster see that folder. */
void bus_share_files(struct bus *b);
const char *bus_files(const struct bus *b); /* NULL when there is none */

/* Copies the contents of fd, a regular file open for reading, and sets path and size of out. The copy is on
 * disk when it returns 0. ERROR_REFUSED when it is larger than max (0: any size), ERROR_LIMITED when less
 * than reserve bytes would stay free (0: no check); then there is no copy. May block: worker threads only. */
int outbox_file_copy(
    const char *dir, int fd, int64_t max, int64_t reserve, struct attachment *out, struct error *err);
/* Removes a copy that no delivery took. May block: worker threads only. */
void outbox_file_remove(const struct attachment *file);

/* Appends the file's bytes for an upload. Returns -1 with ERROR_REFUSED when the copy is gone or changed,
 * ERROR_NETWORK when it cannot be read now, or ERROR_CANCELLED. Suspends. */
int outbox_file_load(struct task *t, const struct outbound *row, struct buf *out, struct error *err);

/* Like bus_rows, for a file with a caption ("" for none). Text beyond the channel's caption limit follows
 * as messages. Takes the contents of file when it succeeds. */
struct outbound **bus_file_rows(struct bus *b, const struct address *to, enum outbound_kind kind,
    struct attachment *file, const char *caption, const char *reply_to, const char *key, int64_t turn,
    size_t *count, struct error *err);

/* Internal. Removes a copy in the background: its delivery is final, or none has it. file may be NULL. */
void outbox_file_discard(struct bus *b, const struct attachment *file);
/* At startup: removes copies that no delivery names. Suspends. */
int outbox_file_sweep(struct task *t, struct bus *b, struct error *err);

#endif
