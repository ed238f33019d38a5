#ifndef BASE_LOG_TAIL_H
#define BASE_LOG_TAIL_H
/* The most recent log lines, redacted. On any thread. */
#include <stddef.h>

#include "base/log.h"

struct buf;

#define LOG_TAIL_MAX 200
/* Warnings and errors have a ring of their own, so that frequent lines do not push them out. */
#define LOG_TAIL_WARNINGS 50

/* Keeps a line; for log.c only. */
void log_tail_note(enum log_level level, const char *line, size_t len);
/* Appends at most count of the newest lines of this level and more severe, oldest first, each with a line
 * end. */
void log_tail(enum log_level level, size_t count, struct buf *out);

#endif
