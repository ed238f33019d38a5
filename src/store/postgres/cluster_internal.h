#ifndef STORE_POSTGRES_CLUSTER_INTERNAL_H
#define STORE_POSTGRES_CLUSTER_INTERNAL_H
/* The nodes of a cluster: cluster.c runs them, cluster_sql.c has their SQL. Nothing here suspends: it runs on
 * the store's thread, or on that of the cluster. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cluster;
struct cluster_engine;
struct cluster_settings;
struct db;
struct error;
struct json_object;
struct postgres;

/* Room for the name of a channel or of a node. */
#define UNIT_SIZE 32

extern const struct cluster_engine cluster_postgres;

/* Borrowed. */
const struct cluster_settings *cluster_settings_of(const struct cluster *c);
/* Makes this process a node, with p's row in the table writers. */
int cluster_join(struct cluster *c, struct postgres *p, struct error *err);

/* cluster_sql.c */

/* Another node, as one heartbeat reads it. */
struct nodes_peer {
	char node[UNIT_SIZE];
	char incarnation[40]; /* its row in writers */
	char until_ms[24];    /* the end of its lease, by the server's clock */
	bool is_late;         /* the lease has ended */
	bool is_locked;       /* its connection lives */
	int64_t newest_id;    /* of its transcript */
	bool is_settled;      /* the server has run for a lease: all live nodes have come back */
	uint64_t silent_ms;   /* clock_boot_ms: since then it has had neither lock nor heartbeat */
};

/* A unit that is free, or ours, as one heartbeat reads it. */
struct nodes_unit {
	char unit[UNIT_SIZE];
	bool is_ours;
	bool is_requested; /* ours, and another node requests it */
	int64_t held_ms;   /* as in cluster_ops.gained */
};

int nodes_make_tables(struct postgres *p, struct error *err);
/* Upgrades the database. No other node may run. */
int nodes_migrate(struct postgres *p, struct error *err);
/* Inserts the node, in place of a former process of that name, whose units become free. */
int nodes_join(struct postgres *p, const struct cluster_settings *c, struct error *err);
/* Prepares a connection of the cluster's thread; once for each. */
int nodes_prepare(struct postgres *p, const struct cluster_settings *c, struct error *err);
int nodes_configured(
    struct postgres *p, const struct cluster_settings *c, const char *revision, struct error *err);
/* Tells other nodes that something was stored for these units; list: as below. */
int nodes_announce(struct postgres *p, const char *list, struct error *err);
/* Returns the next unit that a node, perhaps this one, has announced, malloc'd; NULL: none now. Call
 * PQconsumeInput first. */
char *nodes_announced(struct postgres *p);
/* Sends a heartbeat. Returns 1, 0 when the process is no longer a node, or -1. *is_locked: the store's
 * connection lives. */
int nodes_beat(struct postgres *p, const struct cluster_settings *c, const char *incarnation, bool *is_locked,
    struct error *err);
/* Lists the other nodes; malloc'd. Returns the count or -1. */
int nodes_peers(
    struct postgres *p, const struct cluster_settings *c, struct nodes_peer **out, struct error *err);
/* Fences a dead peer, which can commit nothing more, and frees its units. Does nothing if it has had a
 * heartbeat since it was read, or is gone. */
int nodes_remove_dead(struct postgres *p, const struct nodes_peer *peer, struct error *err);
/* Inserts rows for units that have none. list: SQL, 'a','b'. */
int nodes_name_units(struct postgres *p, const char *list, struct error *err);
int nodes_units(struct postgres *p, const struct cluster_settings *c, const char *list,
    struct nodes_unit **out, struct error *err);
/* Takes at most max of the free units, if this process is still a node. */
int nodes_take(struct postgres *p, const struct cluster_settings *c, const char *incarnation,
    const char *list, size_t max, struct error *err);
/* Requests units from nodes with more than `max`, until those that this node has and requests are `ours` in
 * all. */
int nodes_request_units(struct postgres *p, const struct cluster_settings *c, const char *list, size_t max,
    size_t ours, struct error *err);
int nodes_withdraw_requests(struct postgres *p, const struct cluster_settings *c, struct error *err);
/* As cluster_give. */
int nodes_give(struct db *db, const struct cluster_settings *c, const char *unit, struct error *err);
/* As cluster_nodes. */
struct json_object *nodes_list(struct postgres *p, const char *self, struct error *err);
/* A clean stop. */
int nodes_leave(struct db *db, const struct cluster_settings *c, const char *incarnation, struct error *err);

/* cluster_units.c */

struct units { /* zeroed before first use */
	char **names;
	size_t count;
};

/* Returns false when the unit is in the list already. */
bool units_add(struct units *u, const char *unit);
/* Empties the list, and returns it as SQL, 'a','b', malloc'd; NULL: it was empty. */
char *units_take(struct units *u);

/* cluster_silence.c */

/* Nodes whose lock was gone at the last heartbeat. */
struct silence {
	struct nodes_peer *unlocked;
	size_t count;
};

/* Returns true when the peer's lease has ended, or it has had neither lock nor heartbeat for too long: a live
 * node may have lost its store's connection alone. */
bool silence_means_dead(
    const struct silence *s, const struct nodes_peer *peer, const struct cluster_settings *c);
void silence_note(struct silence *s, const struct nodes_peer *peers, size_t count);
void silence_clear(struct silence *s);

#endif
