#ifndef STORE_SQLITE_MEMORY_H
#define STORE_SQLITE_MEMORY_H
/* The memory of SQLite. For a message it asks for some 140 small blocks, and gives them back at the end of
 * each statement: often more of one size at once than the seven that glibc keeps for a thread. */

struct sqlite3_mem_methods;

/* For sqlite3_config. Any thread may call them. */
extern const struct sqlite3_mem_methods sqlite_memory;

/* Makes SQLite keep small blocks for itself. Only before the first database is opened: SQLite refuses it
 * later. Not where AddressSanitizer must see who uses a block that was freed. */
void sqlite_memory_configure(void);
/* Frees what is kept. */
void sqlite_memory_shrink(void);

#endif
