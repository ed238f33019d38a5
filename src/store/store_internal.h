#ifndef STORE_STORE_INTERNAL_H
#define STORE_STORE_INTERNAL_H
/* State that the files of this folder share. */
#include <stdatomic.h>
#include <stdbool.h>

#include "base/time/clock.h"
#include "store/db.h"
#include "store/job_queue.h"
#include "store/store.h"

/* Rows that a read handles before other jobs run. */
#define STORE_SLICE 200

struct store {
	struct queue queue;
	struct store_options options;
	char *dir;
	struct clock_timer hourly;
	bool messages_running, conversations_running; /* a retention job is queued or running */
	void (*schedules_changed)(void *arg);         /* may be NULL */
	void *schedules_arg;
	atomic_bool stop; /* asks the opening to end soon */
	/* Store thread only. */
	struct db db;
	int lock;         /* -1 when not held */
	bool check_later; /* the opening left a check for later */
	bool damage_reported;
	unsigned told; /* enum db_trouble: reported and not over */
	uint64_t commits_when_reported;
};

/* Redacts secrets before a text is stored. *text is malloc'd or NULL. */
void store_redact(char **text);

#endif
