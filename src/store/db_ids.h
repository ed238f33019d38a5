#ifndef STORE_DB_IDS_H
#define STORE_DB_IDS_H
/* Ids that the program assigns itself. It costs more when the engine writes a counter with each row, or has
 * to return each id. */
#include <stdbool.h>
#include <stdint.h>

struct db;
struct error;

/* The tables with such ids. */
enum db_ids { DB_INBOX, DB_OUTBOX, DB_TURNS, DB_TRANSCRIPT, DB_IDS };

/* Ids that the program takes from the database at a time. */
#define DB_BLOCK 128
/* An engine may add a block when fewer are left. */
#define DB_BLOCK_LOW (DB_BLOCK / 4)

struct db_block {
	int64_t ids[DB_BLOCK + DB_BLOCK_LOW];
	unsigned next, count;
	bool is_committed; /* false: a rollback returns the ids */
};

/* Assigns an id that no row of the table has or had. Ids rise as long as one program alone assigns them. */
int db_new_id(struct db *db, enum db_ids table, int64_t *id, struct error *err);
/* Drops the current blocks: the next id comes from a new one. */
void db_forget_ids(struct db *db);
/* Call it after undoing a savepoint: drops the blocks that were taken within. */
void db_undo_ids(struct db *db);
/* In the last transaction: returns the unused ids, with which the next program continues. */
int db_return_ids(struct db *db, struct error *err);

#endif
