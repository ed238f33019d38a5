#ifndef OPS_HEALTH_H
#define OPS_HEALTH_H
/*
 * Is the gateway of use: does every channel receive, does the store store, is there space on its disk. Looked
 * at when somebody asks, at most once a second; a store or a disk that hangs is not waited for.
 */
#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

struct gateway;
struct health;
struct json_object;
struct task;

/* Less than this on the disk of the state directory is not enough. */
#define HEALTH_DISK_MIN (INT64_C(64) << 20)

struct health_view {
	bool stale;        /* what follows could not be read in time */
	char *store_error; /* NULL: counts is good */
	struct store_counts counts;
	char *disk_error;                          /* NULL: the numbers are good */
	int64_t disk_free, disk_bytes, files_free; /* files_free: -1 where the file system has no limit */
};

struct health *health_new(struct gateway *g);
void health_free(struct task *t, struct health *h); /* NULL is fine */
/* The newest view, at most a second old; waits for it at most some seconds. Good until the task suspends. */
const struct health_view *health_view_get(struct task *t, struct health *h);
/* Why the gateway is not ready, an array of {"what", "name"?, "state"?, "text"}, empty when it is. New. */
struct json_object *health_reasons(struct task *t, struct health *h);

#endif
