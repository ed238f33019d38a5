#ifndef STORE_STORE_INTERNAL_H
#define STORE_STORE_INTERNAL_H
/* State that the files of this folder share. */
#include <stdatomic.h>
#include <stdbool.h>

#include "base/time/clock.h"
#include "store/db.h"
#include "store/job_queue.h"
#include "store/settings.h"
#include "store/store.h"
#include "store/turn/warm_history.h"

struct cluster;
struct error;
struct json_object;
struct trace;

/* Rows that a read handles before other jobs run. */
#define STORE_SLICE 200

/* A temporary trouble, as reported to the operator. On a nearly full disk the store fails and works by turns,
 * many times a second: its end is reported when it has lasted. */
struct store_trouble {
	struct store *store;
	unsigned trouble; /* enum db_trouble */
	bool reported;
	char *over;                  /* the sentence about its end */
	struct clock_timer debounce; /* runs since its end */
};

/* What an engine does for the store besides struct db_ops. */
struct store_engine {
	/* On the store's thread: opens s->db, and brings it to the current version. */
	int (*open)(struct store *s, int64_t now_ms, struct error *err);
	/* On the store's thread, after each job: reports the engine's own troubles. */
	void (*report)(struct store *s, struct db *db);
	/* May be NULL: */
	struct job *(*check_later)(void);
	void (*free_pages)(struct store *s); /* hourly: gives space back */
	int (*backup)(struct task *t, struct store *s, const char *file, struct error *err);
	const struct cluster_engine *cluster;
};

/* What an engine with clusters does for cluster.h. The thread of a cluster has a connection of its own. */
struct cluster_engine {
	/* Creates what open needs. */
	struct cluster *(*new)(struct store *s);
	/* Begins the heartbeats, after open. */
	int (*start)(struct cluster *c, struct error *err);
	/* Ends them. */
	void (*stop)(struct cluster *c);
	/* On the store's thread, at a clean stop: gives the units and the lease back. */
	int (*leave)(struct cluster *c, struct db *db, struct error *err);
	/* On the store's thread: as cluster_give. */
	int (*give)(struct cluster *c, struct db *db, const char *unit, struct error *err);
	void (*serve)(struct cluster *c, const char *const *units, size_t count);
	void (*configured)(struct cluster *c, const char *revision);
	void (*announce)(struct cluster *c, const char *unit);
	bool (*may_send)(const struct cluster *c);
	/* Returns true on one node at a time: it does the work that a database needs once. */
	bool (*does_maintenance)(const struct cluster *c);
	/* On the store's thread: as cluster_nodes. */
	struct json_object *(*nodes)(struct cluster *c, struct db *db, struct error *err);
	void (*free)(struct task *t, struct cluster *c);
};

extern const struct store_engine store_engine_sqlite;
extern const struct store_engine *const store_engine_postgres; /* NULL in a build without it */

struct store {
	const struct store_engine *engine;
	struct cluster *cluster; /* NULL: this gateway has the database for itself */
	struct queue queue;
	struct store_options options;
	struct store_settings settings; /* copies */
	char *dir;
	struct clock_timer hourly;
	bool messages_running, conversations_running, free_pages_running,
	    index_running;                    /* such a job is queued or running */
	bool index_tuned;                     /* or that job will do it */
	void (*schedules_changed)(void *arg); /* may be NULL */
	void *schedules_arg;
	struct store_trouble troubles[3];
	struct warm_histories warm;
	atomic_bool stop; /* asks the opening to end soon */
	/* Store thread only. */
	struct db db;
	int lock;         /* -1 when not held */
	bool check_later; /* the opening left a check for later */
	bool damage_reported;
	unsigned reported_troubles; /* enum db_trouble: not over yet */
	uint64_t commits_when_reported;
};

/* Redacts secrets before a text is stored. *text is malloc'd or NULL. Returns whether there were any. */
bool store_redact(char **text);

/* open.c: The first and the last job of the store's thread. */

/* A read job: locks the directory, and has the engine open the database. Sets check_later. */
struct job *open_job_new(struct store *s);
/* An idle job: records the clean stop, closes the database, unlocks the directory. Works after a failed
 * opening too. */
struct job *close_job_new(struct store *s);
/* For an engine: records that the database is in use, and counts stops that were not clean. */
int open_note_running(struct db *db, struct error *err);
/* On the store's thread, after each job: reports new trouble to the operator. */
void open_report_trouble(void *store, struct db *db);

/* dead_turns.c: Dead turns: given up because the process crashed in them repeatedly. */

/* Returns the result of store_dead_turns; NULL with err set on failure. */
struct json_object *dead_turns_list(struct db *db, struct error *err);

/* message_trace.c: The history of one message across the tables, collected in slices, so that other jobs wait
 * briefly. */

/* what: as in store_trace. */
struct trace *message_trace_new(const char *what);
void message_trace_free(struct trace *tr);
/* Returns 1 when there is more to read, 0 when done, -1 on an error. */
int message_trace_slice(struct trace *tr, struct db *db, struct error *err);
/* After 0. The caller owns the result. NULL when there is no such message. */
struct json_object *message_trace_result(const struct trace *tr);

#endif
