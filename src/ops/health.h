#ifndef OPS_HEALTH_H
#define OPS_HEALTH_H
/*
 * The health of the gateway: every channel receives, the store works, the disk has space. Checked on
 * request, at most once a second; never waits for a store or a disk that hangs.
 */
#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

struct gateway;
struct health;
struct json_object;
struct task;

/* Minimum free space on the state directory's disk. */
#define HEALTH_DISK_MIN (INT64_C(64) << 20)

struct health_view {
	bool stale;        /* the fields below could not be read in time */
	char *store_error; /* NULL: counts is valid */
	struct store_counts counts;
	char *disk_error;                          /* NULL: the numbers are valid */
	int64_t disk_free, disk_bytes, files_free; /* files_free: -1 where the file system has no limit */
};

struct health *health_new(struct gateway *g);
void health_free(struct task *t, struct health *h); /* NULL is allowed */
/* Returns the newest view, at most a second old; waits for it a few seconds at most. Valid until the task
 * suspends. */
const struct health_view *health_view_get(struct task *t, struct health *h);
/* Returns a new array of the reasons why the gateway is not ready: {"what", "name"?, "state"?, "text"};
 * empty when it is. */
struct json_object *health_reasons(struct task *t, struct health *h);

#endif
