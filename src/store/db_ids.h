#ifndef STORE_DB_IDS_H
#define STORE_DB_IDS_H
/* Ids that the program gives itself. A counter that the engine writes with each row, or an id that it has to
 * tell, costs more. */
#include <stdbool.h>
#include <stdint.h>

struct db;
struct error;

/* The tables that have such ids. */
enum db_ids { DB_INBOX, DB_OUTBOX, DB_TURNS, DB_TRANSCRIPT, DB_IDS };

/* So many are taken from the database at a time. */
#define DB_BLOCK 128
/* With fewer left, an engine may add a block to them. */
#define DB_BLOCK_LOW (DB_BLOCK / 4)

struct db_block {
	int64_t ids[DB_BLOCK + DB_BLOCK_LOW];
	unsigned next, count;
	bool is_committed; /* false: a rollback takes it back */
};

/* Gives an id that no row of the table has or had. Ids rise, as long as one program alone gives them. */
int db_new_id(struct db *db, enum db_ids table, int64_t *id, struct error *err);
/* The next ids come from blocks that are taken then. */
void db_forget_ids(struct db *db);
/* After a savepoint was undone. */
void db_undo_ids(struct db *db);
/* In a transaction, the last one: the next program goes on with the ids that were not given. */
int db_return_ids(struct db *db, struct error *err);

#endif
