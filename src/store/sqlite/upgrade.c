#include "store/sqlite/upgrade.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "store/sqlite/backup.h"
#include "store/db.h"
#include "store/files.h"
#include "store/schema.h"

#define COPY_PREFIX "myna.db.version-"
#define COPIES_MAX  2
/* Free space that a copy needs, in sizes of the database: itself, and the log of the migration. */
#define COPY_SPACE 2

static bool is_part(const char *name)
{
	return strstr(name, ".part-") != NULL;
}

static int is_copy(const struct dirent *entry)
{
	return strncmp(entry->d_name, COPY_PREFIX, sizeof(COPY_PREFIX) - 1) == 0;
}

/* By the time, which is at the end of the name. */
static int by_time(const struct dirent **a, const struct dirent **b)
{
	const char *x = strrchr((*a)->d_name, '-'), *y = strrchr((*b)->d_name, '-');

	return strcmp(x, y);
}

/* The complete copies or the unfinished ones, oldest first; names and list are malloc'd. */
static size_t list(const char *dir, bool parts, char ***out)
{
	struct dirent **found = NULL;
	int count = scandir(dir, &found, is_copy, by_time);
	size_t listed = 0;

	*out = xcalloc(count > 0 ? (size_t)count : 1, sizeof(**out));
	for (int i = 0; i < count; i++) {
		if (is_part(found[i]->d_name) == parts)
			(*out)[listed++] = xstrdup(found[i]->d_name);
		free(found[i]);
	}
	free(found);
	return listed;
}

size_t upgrade_copies(const char *dir, char ***out)
{
	return list(dir, false, out);
}

/* Removes all but the newest. */
static void remove_but(const char *dir, bool parts, size_t keep)
{
	char **names;
	size_t count = list(dir, parts, &names);

	for (size_t i = 0; i < count; i++) {
		char *path = xasprintf("%s/%s", dir, names[i]);

		if (i + keep < count && unlink(path) != 0)
			log_warn("store", "cannot remove the old copy %s: %m", path);
		free(path);
		free(names[i]);
	}
	free(names);
}

static bool has_space(struct db *db, int64_t *bytes)
{
	struct db_size size;
	bool known = db_size(db, &size, NULL) == 0;

	*bytes = size.all;
	return known && files_free_space(db->dir) > COPY_SPACE * *bytes;
}

static int copy(struct db *db, const char *path, struct error *err)
{
	struct backup *b = backup_new(path);
	int rc;

	while ((rc = backup_slice(b, db, err)) > 0)
		if (db->stop && atomic_load_explicit(db->stop, memory_order_relaxed)) {
			rc = error_cancelled(err);
			break;
		}
	if (rc == 0)
		rc = backup_complete(b, err);
	backup_free(b);
	return rc;
}

/* A copy that fails does not stop the migration: it is for comfort. */
static int keep_copy(struct db *db, int64_t version, int64_t now_ms, struct error *err)
{
	char kind[32], *path;
	int64_t bytes;
	int rc = 0;

	snprintf(kind, sizeof(kind), "version-%lld", (long long)version);
	path = files_aside(db->path, kind, now_ms);
	/* A killed process left them. */
	remove_but(db->dir, true, 0);
	if (!has_space(db, &bytes)) {
		log_warn("store",
		    "no copy is kept of the database before it is upgraded: that takes %lld MiB of free "
		    "space, twice its size",
		    (long long)(COPY_SPACE * bytes >> 20));
	} else {
		log_info("store", "copying the database (%lld MiB) before it is upgraded",
		    (long long)(bytes >> 20));
		rc = copy(db, path, err);
		if (rc == 0)
			log_info("store", "the database from before the upgrade is kept as %s", path);
		else if (err->kind != ERROR_CANCELLED)
			log_warn(
			    "store", "no copy is kept of the database before it is upgraded: %s", err->text);
		remove_but(db->dir, false, COPIES_MAX);
	}
	free(path);
	return rc != 0 && err->kind == ERROR_CANCELLED ? -1 : 0;
}

int upgrade_run(struct db *db, int64_t version, int64_t now_ms, struct error *err)
{
	int64_t begun = 0;

	if (version == (int64_t)schema_current.count)
		return 0;
	if (version > 0) {
		if (schema_get(db, "upgrading", &begun, err) != 0)
			return -1;
		if (begun == 0 &&
		    (keep_copy(db, version, now_ms, err) != 0 ||
			schema_set(db, "upgrading", version, err) != 0))
			return -1;
		log_info("store", "upgrading the database from version %lld to %zu", (long long)version,
		    schema_current.count);
	}
	db->work = "upgrading the database";
	int rc = schema_migrate(db, &schema_current, err);
	db->work = NULL;
	if (rc == 0 && version > 0)
		rc = schema_set(db, "upgrading", 0, err);
	return rc;
}
