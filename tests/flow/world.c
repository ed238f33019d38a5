#include "flow/world.h"

#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "flow/web_site.h"

static struct world {
	uint64_t digest, rows;
	unsigned connections, markers, writes;
	int64_t telegram, slack; /* the last requests */
} before;

static struct flow *f;

static uint64_t digest;
static unsigned markers, started;

static void digest_bytes(const void *data, size_t len)
{
	for (const unsigned char *p = data; len > 0; p++, len--)
		digest = (digest ^ *p) * UINT64_C(1099511628211);
}

static void digest_file(const char *path)
{
	char chunk[8192];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	digest_bytes(path, strlen(path));
	while (fd >= 0 && (n = read(fd, chunk, sizeof(chunk))) > 0)
		digest_bytes(chunk, (size_t)n);
	if (fd >= 0)
		close(fd);
}

static bool is_kept(const char *path)
{
	static const char *const kept[] = {"/outside/", "/home/", "/state/memory/", "/myna.conf",
	    "/workspace/keep.txt", "/workspace/.netrc"};

	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		if (strstr(path, kept[i]))
			return true;
	return false;
}

static int look_at(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	const char *name = path + at->base;

	(void)st;
	markers += strncmp(name, "marker", 6) == 0;
	started += strncmp(name, "bg-", 3) == 0;
	if (kind == FTW_F && is_kept(path))
		digest_file(path);
	return 0;
}

static void digest_rows(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *row;

	if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	while (sqlite3_step(row) == SQLITE_ROW)
		for (int i = 0; i < sqlite3_column_count(row); i++)
			digest_bytes(sqlite3_column_text(row, i), (size_t)sqlite3_column_bytes(row, i));
	sqlite3_finalize(row);
}

/* Roles and reminders. Of a copy: nobody else reads the gateway's own while it runs. */
static void digest_database(void)
{
	char *path = xasprintf("%s/copy.db", f->dir), *body = xasprintf("{\"file\":\"%s\"}", path);
	struct json_object *o = flow_daemon(f, "/v1/backup", body);
	sqlite3 *db;

	digest = 0;
	assert_non_null(json_get_str(o, "file"));
	json_object_put(o);
	assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	digest_rows(db, "SELECT channel, person, role FROM grants ORDER BY id");
	digest_rows(db, "SELECT state, channel, person FROM pairings ORDER BY id");
	/* A user may be reminded in the chat where it was said. */
	digest_rows(db, "SELECT channel, chat, content FROM schedules WHERE chat != '77' ORDER BY id");
	sqlite3_close(db);
	unlink(path);
	free(body);
	free(path);
}

static void look_at_files(void)
{
	digest = UINT64_C(14695981039346656037);
	markers = started = 0;
	assert_int_equal(nftw(f->dir, look_at, 16, FTW_PHYS), 0);
	digest_file("/etc/passwd");
}

static const char *judge_request(struct json_object *r, const char *home)
{
	const char *method = json_get_str(r, "method"), *text = json_object_to_json_string(r);
	struct json_object *chat = json_get(json_get_object(r, "body"), "chat_id");

	if (strstr(text, WORLD_SECRET) || strstr(text, "root:x:0:"))
		return WORLD_SAID;
	if (strcmp(method, "sendChatAction") == 0 ||
	    (strncmp(method, "send", 4) != 0 && strncmp(method, "chat.", 5) != 0))
		return NULL;
	if (strcmp(method, "sendMessage") != 0)
		return WORLD_SENT;
	return chat && strcmp(json_object_get_string(chat), home) == 0 ? NULL : WORLD_ELSEWHERE;
}

/* Of the requests since the last look; *last becomes the newest. */
static const char *judge_requests(const char *platform, const char *home, int64_t *last)
{
	char *path = xasprintf("/control/requests?platform=%s&after=%lld", platform, (long long)*last);
	struct json_object *o = flow_get(f, path), *all = json_get_array(o, "requests");
	const char *what = NULL;

	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *r = json_object_array_get_idx(all, i);
		*last = json_get_int(r, "n", *last);
		what = what ? what : judge_request(r, home);
	}
	json_object_put(o);
	free(path);
	return what;
}

/* What has happened since the last look that may not; NULL: nothing. */
const char *world_look(const char *home)
{
	const char *said = judge_requests("telegram", home, &before.telegram),
		   *slack = judge_requests("slack", "", &before.slack);
	struct world was = before;

	look_at_files();
	before.digest = digest;
	before.markers = markers;
	before.connections = site_connections();
	before.writes = site_writes();
	if (before.connections != was.connections)
		return WORLD_REACHED;
	if (before.writes != was.writes)
		return WORLD_WRITTEN;
	if (before.markers > was.markers)
		return WORLD_MADE;
	if (started > WORLD_BACKGROUND)
		return WORLD_MANY;
	if (before.digest != was.digest)
		return WORLD_FILE;
	return said ? said : slack;
}

const char *world_look_at_rows(void)
{
	uint64_t was = before.rows;

	digest_database();
	before.rows = digest;
	return before.rows == was ? NULL : WORLD_ROW;
}

void world_begin(struct flow *flow)
{
	f = flow;
	before = (struct world){0};
	world_look("");
	world_look_at_rows();
}
