#include "lib/old_state.h"

#include <fcntl.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "config.h"

#define FOLDER SOURCE_DIR "/tests/old-state/version-23"

static char *read_whole(const char *name)
{
	char *path = xasprintf(FOLDER "/%s", name), chunk[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct buf b = BUF_INIT;
	ssize_t n;

	if (fd < 0)
		fail_msg("%s cannot be opened", path);
	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		buf_add(&b, chunk, (size_t)n);
	close(fd);
	free(path);
	return buf_take(&b);
}

/* Replaces @DIR@, @URL@, @WS@ and @HOST@. */
static char *read_text(const struct old_state_place *place, const char *name)
{
	const char *host = strstr(place->url, "://");
	host = host ? host + 3 : place->url;
	char *text = read_whole(name), *ws = xasprintf("ws://%s", host);
	const char *words[][2] = {
	    {"@DIR@", place->dir}, {"@URL@", place->url}, {"@WS@", ws}, {"@HOST@", host}};
	struct buf out = BUF_INIT;

	for (const char *at = text; *at;) {
		size_t i = 0;
		while (i < ARRAY_LEN(words) && strncmp(at, words[i][0], strlen(words[i][0])) != 0)
			i++;
		if (i < ARRAY_LEN(words)) {
			buf_addstr(&out, words[i][1]);
			at += strlen(words[i][0]);
		} else {
			buf_addch(&out, *at++);
		}
	}
	free(text);
	free(ws);
	return buf_take(&out);
}

static void run(sqlite3 *db, const char *sql)
{
	char *why = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%.200s: %s", sql, why);
}

/* Adds to every time that is set. */
static void move_times(sqlite3 *db)
{
	static const char columns[] =
	    "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' "
	    "AND c.name LIKE '%\\_ms' ESCAPE '\\' AND c.name <> 'every_ms'";
	sqlite3_stmt *row, *newest;

	assert_int_equal(
	    sqlite3_prepare_v2(db, "SELECT max(received_ms) FROM inbox", -1, &newest, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(newest), SQLITE_ROW);
	int64_t later = (int64_t)time(NULL) * 1000 - sqlite3_column_int64(newest, 0);
	sqlite3_finalize(newest);
	assert_int_equal(sqlite3_prepare_v2(db, columns, -1, &row, NULL), SQLITE_OK);
	while (sqlite3_step(row) == SQLITE_ROW) {
		const char *column = (const char *)sqlite3_column_text(row, 1);
		char *sql = xasprintf("UPDATE %s SET %s = %s + %lld WHERE %s > 0",
		    (const char *)sqlite3_column_text(row, 0), column, column, (long long)later, column);
		run(db, sql);
		free(sql);
	}
	sqlite3_finalize(row);
}

/* An approval's hash is that of its text, which names the folder. */
static void hash_approvals(sqlite3 *db)
{
	char hash[SHA256_TEXT_SIZE];
	sqlite3_stmt *row;

	assert_int_equal(
	    sqlite3_prepare_v2(db, "SELECT id, data FROM prompts WHERE hash IS NOT NULL", -1, &row, NULL),
	    SQLITE_OK);
	while (sqlite3_step(row) == SQLITE_ROW) {
		const char *data = (const char *)sqlite3_column_text(row, 1);
		sha256_text(data, strlen(data), hash);
		char *sql = xasprintf(
		    "UPDATE prompts SET hash = '%s' WHERE id = %d", hash, sqlite3_column_int(row, 0));
		run(db, sql);
		free(sql);
	}
	sqlite3_finalize(row);
}

void old_state_database(const struct old_state_place *place, const char *path)
{
	char *sql = read_text(place, "myna.sql");
	sqlite3 *db;

	unlink(path);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	run(db, sql);
	run(db, "BEGIN");
	move_times(db);
	hash_approvals(db);
	run(db, "COMMIT");
	sqlite3_close(db);
	free(sql);
}

void old_state_text(const struct old_state_place *place, const char *name, const char *path)
{
	char *text = read_text(place, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	free(text);
}

void old_state_files(const char *state)
{
	char *copy = xasprintf("mkdir -p '%s' && cp -R '" FOLDER "/state/.' '%s'", state, state);

	assert_int_equal(system(copy), 0);
	free(copy);
}
