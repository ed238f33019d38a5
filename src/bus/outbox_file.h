#ifndef BUS_OUTBOX_FILE_H
#define BUS_OUTBOX_FILE_H
/*
 * Files that leave. A row's file is a copy in a folder of the outbox, so that what is sent is what was there
 * when it was put. The bus removes a copy when its row has its end, and at the start those that no row names.
 */
#include <stddef.h>
#include <stdint.h>

#include "bus/message.h"

struct buf;
struct bus;
struct error;
struct task;

/* Where the copies are; made (0700) with the first one. Once, before bus_resume. Without it no file can be
 * sent. */
void bus_set_files(struct bus *b, const char *dir);
const char *bus_files(const struct bus *b); /* NULL: there is no such folder */

/* Copies what fd, a regular file open for reading, holds: path and size of out. On disk when it returns 0.
 * ERROR_REFUSED when it is larger than most (0: any size). May block: worker threads only. */
int outbox_file_copy(const char *dir, int fd, int64_t most, struct attachment *out, struct error *err);
/* Removes a copy that no row took. May block: worker threads only. */
void outbox_file_remove(const struct attachment *file);

/* The bytes of the row's file, appended, for who uploads it. ERROR_REFUSED when the copy is gone or is not
 * what was put. */
int outbox_file_load(struct task *t, const struct outbound *row, struct buf *out, struct error *err);

/* As bus_rows, for a file with a caption ("" for none). What the channel does not take as a caption follows
 * as messages. Takes what file holds, also when it fails; the copy on disk stays then. */
struct outbound **bus_file_rows(struct bus *b, const struct address *to, enum outbound_kind kind,
    struct attachment *file, const char *caption, const char *reply_to, const char *key, int64_t turn,
    size_t *count, struct error *err);

/* Private to the bus. The row has its end: removes its copy, soon. */
void outbox_file_done(struct bus *b, const struct outbound *row);
/* At the start: removes copies that no row names. */
int outbox_file_sweep(struct task *t, struct bus *b, struct error *err);

#endif
