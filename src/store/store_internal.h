#ifndef STORE_STORE_INTERNAL_H
#define STORE_STORE_INTERNAL_H
/* What the files of this folder share. */
#include <stdatomic.h>
#include <stdbool.h>

#include "base/time/clock.h"
#include "store/db.h"
#include "store/job_queue.h"
#include "store/store.h"

/* Rows that a read takes before other jobs get their turn. */
#define STORE_SLICE 200

struct store {
	struct queue queue;
	struct store_options options;
	char *dir;
	struct clock_timer hourly;
	bool messages_running, conversations_running; /* a job of clean.c, of forget.c is on its way */
	void (*schedules_changed)(void *arg);         /* NULL: nobody wants to know */
	void *schedules_arg;
	atomic_bool stop; /* the opening is to end soon */
	/* The thread's. */
	struct db db;
	int lock;         /* -1: not taken */
	bool check_later; /* what was not checked at the opening */
	bool damage_reported;
	unsigned told; /* enum db_trouble: what was told of and is not over */
	uint64_t commits_when_reported;
};

/* Takes secrets out of a text before it is stored. *text is malloc'd or NULL. */
void store_redact(char **text);

#endif
