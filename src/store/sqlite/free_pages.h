#ifndef STORE_SQLITE_FREE_PAGES_H
#define STORE_SQLITE_FREE_PAGES_H

struct store;

/* Shrinks the file while much of it is free, in slices, when the store is idle; once at a time. */
void free_pages_start(struct store *s);

#endif
