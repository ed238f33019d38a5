#ifndef STORE_OFFLINE_H
#define STORE_OFFLINE_H
/*
 * Access to the database of a gateway that is not running, for commands; read-only but for offline_compact.
 * No gateway can start meanwhile. These calls block.
 */
#include <stdbool.h>
#include <stdint.h>

struct db;
struct error;
struct json_object;
struct store_settings;

typedef int offline_fn(struct db *db, void *arg, struct error *err);

/* Where the store is, as in struct store_options. */
struct offline_place {
	const char *dir;
	const struct store_settings *settings; /* NULL: in a file */
};

/* ERROR_OURS when there is no database, a gateway runs (unless the store is on a server, which serves both),
 * or its version differs from this program's. */
int offline_read(const struct offline_place *place, offline_fn *fn, void *arg, struct error *err);

/* Locks the state directory, where the database must be; returns a descriptor for lock_release, or -1. */
int offline_lock(const char *dir, struct error *err);
/* Returns 0 when the store has this program's version, and was not moved (ERROR_REFUSED). */
int offline_check_store(struct db *db, struct error *err);

/* What offline_check found. */
struct offline_findings {
	bool exists;
	int64_t newest_ms; /* arrival of the newest message, 0 for none */
	bool running;      /* the last stop was not clean, or a gateway runs */
	char *risk;        /* why a crash of the server may lose what was stored; malloc'd, NULL for none */
};
/* Checks the database: all of a file; that a server answers. */
int offline_check(const struct offline_place *place, struct offline_findings *out, struct error *err);

/* Like store_trace and store_dead_turns. */
int offline_trace(
    const struct offline_place *place, const char *what, struct json_object **out, struct error *err);
int offline_dead_turns(const struct offline_place *place, struct json_object **out, struct error *err);
/* Only of a store in a file. Copies the database into a new file without free pages, in its place; out gets
 * the sizes. Needs twice its size on the disk meanwhile. */
struct offline_sizes {
	int64_t before, after;
};
int offline_compact(const struct offline_place *place, struct offline_sizes *out, struct error *err);
/* Like store_backup. */
int offline_backup(const struct offline_place *place, const char *file, struct error *err);

#endif
