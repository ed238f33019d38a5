#include "store/moved.h"

#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "bus/journal.h"
#include "store/db.h"
#include "store/journal/cursor.h"

int moved_mark(struct db *db, const char *to, int64_t now_ms, struct error *err)
{
	const struct journal_cursor mark = {.account = MOVED_ACCOUNT, .name = MOVED_NAME, .value = to};

	return cursor_set(db, &mark, now_ms, err);
}

static int refuse(struct db *db, const char *to, int64_t at_ms, struct error *err)
{
	time_t seconds = (time_t)(at_ms / 1000);
	struct tm tm = {0};
	char day[32];

	gmtime_r(&seconds, &tm);
	strftime(day, sizeof(day), "%Y-%m-%d %H:%M UTC", &tm);
	if (*to == '/')
		return error_set(err, ERROR_REFUSED,
		    "the store in %s was moved to %s on %s: remove store from the configuration, or move it "
		    "to "
		    "a new database with `myna store copy --to URL`",
		    db->path, to, day);
	return error_set(err, ERROR_REFUSED,
	    "the store in %s was moved to %s on %s: set store.engine and store.url, or bring it back with "
	    "`myna "
	    "store copy --from URL`",
	    db->path, to, day);
}

/* Returns 1 with *to malloc'd, 0 when there is no mark, or -1. */
static int read_mark(struct db *db, char **to, int64_t *at_ms, struct error *err)
{
	static const char sql[] = "SELECT value, updated_ms FROM cursors WHERE account = ?1 AND name = ?2";
	struct db_row *row = db_select(db, sql, DB_ARGS(db_text(MOVED_ACCOUNT), db_text(MOVED_NAME)), err);
	int rc = row ? db_next(db, row, err) : -1;

	if (rc <= 0)
		return rc;
	*to = db_column_text(row, 0);
	*at_ms = db_column_int(row, 1);
	db_end(row);
	return rc;
}

int moved_check(struct db *db, struct error *err)
{
	char *to = NULL;
	int64_t at_ms;
	int rc = read_mark(db, &to, &at_ms, err);

	if (rc > 0)
		rc = refuse(db, to, at_ms, err);
	free(to);
	return rc;
}

bool moved_is_marked(struct db *db)
{
	char *to = NULL;
	int64_t at_ms;
	bool marked = read_mark(db, &to, &at_ms, NULL) > 0;

	free(to);
	return marked;
}
