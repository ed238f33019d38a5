#include "store/db_ids.h"

#include "store/db_engine.h"

int db_new_id(struct db *db, enum db_ids table, int64_t *id, struct error *err)
{
	struct db_block *b = &db->blocks[table];

	if (atomic_load_explicit(&db->later_ids, memory_order_relaxed) &&
	    atomic_exchange(&db->later_ids, false))
		db_forget_ids(db);
	if (b->next == b->count) {
		b->next = b->count = 0;
		if (db->ops->take_ids(db, table, b, err) != 0)
			return -1;
		b->count = DB_BLOCK;
		b->is_committed = false;
	}
	*id = b->ids[b->next++];
	return 0;
}

void db_forget_ids(struct db *db)
{
	for (size_t i = 0; i < DB_IDS; i++)
		db->blocks[i].next = db->blocks[i].count = 0;
}

void db_undo_ids(struct db *db)
{
	for (size_t i = 0; i < DB_IDS; i++)
		if (!db->blocks[i].is_committed)
			db->blocks[i].next = db->blocks[i].count = 0;
}

int db_return_ids(struct db *db, struct error *err)
{
	for (unsigned i = 0; i < DB_IDS && db->ops->return_ids; i++)
		if (db->blocks[i].next < db->blocks[i].count &&
		    db->ops->return_ids(db, (enum db_ids)i, &db->blocks[i], err) != 0)
			return -1;
	db_forget_ids(db);
	return 0;
}
