#ifndef BASE_LOG_TAIL_H
#define BASE_LOG_TAIL_H
/* The last lines that were logged, redacted as they were written. On any thread. */
#include <stddef.h>

#include "base/log.h"

struct buf;

#define LOG_TAIL_MAX 200
/* Of warnings and errors so many are kept apart, so that what is said often does not push them out. */
#define LOG_TAIL_GRAVE 50

/* Keeps a line; log.c's own. */
void log_tail_note(enum log_level level, const char *line, size_t len);
/* Appends the newest lines of this level and graver, at most count, the oldest first, each with a line
 * end. */
void log_tail(enum log_level level, size_t count, struct buf *out);
void log_tail_forget(void);

#endif
