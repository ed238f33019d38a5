#ifndef STORE_RECOVER_PAGE_H
#define STORE_RECOVER_PAGE_H
/* Pages of a SQLite file as bytes (https://www.sqlite.org/fileformat2.html). */
struct error;

/* Gives the file to the header and the pages of the table of tables that the file from has. */
int recover_copy_pages(const char *from, const char *to, struct error *err);

#endif
