#ifndef STORE_RECOVER_RECOVER_H
#define STORE_RECOVER_RECOVER_H
/*
 * A damaged database is set aside, never deleted, and what can be read of it becomes the new one. Until the
 * new one is complete nothing is renamed: a stop at any instant leaves either the damaged one or the saved
 * one in its place.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct schema;

struct recover_report {
	char *aside;  /* path of the damaged file; malloc'd */
	int64_t rows; /* taken over */
	int64_t gaps; /* places or rows that could not be */
};

/* The database dir/name must be closed. Long; ends early with ERROR_CANCELLED when *stop gets set. */
int recover_run(const char *dir, const char *name, const struct schema *schema, int64_t now_ms,
    const atomic_bool *stop, struct recover_report *report, struct error *err);
/* Before a database is opened: completes or discards what a stop in recover_run left. */
int recover_resume(const char *dir, const char *name, int64_t now_ms, struct error *err);

#endif
