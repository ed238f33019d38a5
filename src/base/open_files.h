#ifndef BASE_OPEN_FILES_H
#define BASE_OPEN_FILES_H
/* The limit of open files (RLIMIT_NOFILE), which sockets and pipes count for, too. */
#include <stdbool.h>
#include <stddef.h>

struct error;

/* What a gateway needs with some channels and models, people at its pages, and the commands of a few chats.
 */
#define OPEN_FILES_NEEDED 256

/* Raises the limit of this process as far as it may, to at most 65536. */
void open_files_raise(void);
/* Returns true, with a sentence, when the limit, raised as far as it may be, is less than a gateway needs. */
bool open_files_are_few(char *sentence, size_t size);
/* Returns true when hardly any descriptor is left, which few libraries report when it makes them fail. Sets
 * err (may be NULL) to ERROR_NETWORK: it passes, and so what failed is tried again. */
bool open_files_used_up(struct error *err);

#endif
