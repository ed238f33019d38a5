#ifndef STORE_SQLITE_PAGE_H
#define STORE_SQLITE_PAGE_H
/* Pages of a SQLite file as bytes (https://www.sqlite.org/fileformat2.html). */
#include <stdbool.h>

struct error;

/* Returns true when a page that begins with this byte is one of an index. */
bool recover_is_index(unsigned char kind);
/* Returns true unless the second page shows that the file cannot give back free pages. */
bool recover_is_incremental(const char *path);
/* Copies the header and the schema table's pages of one file into another. */
int recover_copy_pages(const char *from, const char *to, struct error *err);

#endif
