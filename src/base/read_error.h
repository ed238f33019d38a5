#ifndef BASE_READ_ERROR_H
#define BASE_READ_ERROR_H
/* Files that cannot be read for a reason that may pass: rights that are being set, a disk or a server that
 * does not answer, no descriptors. They are counted, so that a start waits when nothing else is wrong. */
#include <stdbool.h>
#include <stddef.h>

/* Counts the errno if it may pass without a change of ours; returns whether it may. */
bool read_error_note(int number);
/* Returns the count and sets it to 0. */
size_t read_error_take(void);

#endif
