#ifndef STORE_POSTGRES_CLUSTER_INTERNAL_H
#define STORE_POSTGRES_CLUSTER_INTERNAL_H
/* The nodes of a cluster: cluster.c has their life, cluster_sql.c what they say to the database. All of it
 * suspends nothing: it runs on the store's thread, or on that of the cluster. */
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

/* A name of a channel, and of a node. */
#define UNIT_SIZE 32

extern const struct cluster_engine cluster_postgres;

/* Borrowed. */
const struct cluster_settings *cluster_settings_of(const struct cluster *c);
/* Becomes a node, with the row in writers that p has. */
int cluster_join(struct cluster *c, struct postgres *p, struct error *err);

/* cluster_sql.c */

/* What one look shows of another node. */
struct nodes_peer {
	char node[UNIT_SIZE];
	char incarnation[40]; /* its row in writers */
	char until_ms[24];    /* the end of its lease, by the server's clock */
	bool is_late;         /* that has passed */
	bool is_locked;       /* its connection is there */
	int64_t newest_id;    /* that was given for the transcript */
	bool is_settled;      /* the server runs for a lease: all that lives has come back */
	uint64_t silent_ms;   /* clock_boot_ms: since then it has had neither lock nor heartbeat */
};

/* What one look shows of a unit that is free, or ours. */
struct nodes_unit {
	char unit[UNIT_SIZE];
	bool is_ours;
	bool is_wanted;  /* ours, and another node asks for it */
	int64_t held_ms; /* as in cluster_ops.gained */
};

int nodes_make_tables(struct postgres *p, struct error *err);
/* Upgrades the database, for which no other node may run. */
int nodes_migrate(struct postgres *p, struct error *err);
/* Puts the node into the table, in place of a former process of that name, whose units are free then. */
int nodes_join(struct postgres *p, const struct cluster_settings *c, struct error *err);
/* Of the thread's connection, once for each. */
int nodes_prepare(struct postgres *p, const struct cluster_settings *c, struct error *err);
int nodes_configured(
    struct postgres *p, const struct cluster_settings *c, const char *revision, struct error *err);
/* Tells other nodes about what was put for units; list: as below. */
int nodes_announce(struct postgres *p, const char *list, struct error *err);
/* The next unit that a node, perhaps this one, has announced, malloc'd; NULL: there is none now. What the
 * connection has got must have been read. */
char *nodes_announced(struct postgres *p);
/* A heartbeat: returns 1, 0 when the process is no node any more, or -1. *is_locked: the store's connection
 * is there. */
int nodes_beat(struct postgres *p, const struct cluster_settings *c, const char *incarnation, bool *is_locked,
    struct error *err);
/* The others; malloc'd. Returns the count or -1. */
int nodes_peers(
    struct postgres *p, const struct cluster_settings *c, struct nodes_peer **out, struct error *err);
/* Nothing that this peer has not committed will be; its units are free. Nothing happens if it has had a
 * heartbeat since it was read, or is gone. */
int nodes_bury(struct postgres *p, const struct nodes_peer *peer, struct error *err);
/* Makes rows for units that have none. list: SQL, 'a','b'. */
int nodes_name_units(struct postgres *p, const char *list, struct error *err);
int nodes_units(struct postgres *p, const struct cluster_settings *c, const char *list,
    struct nodes_unit **out, struct error *err);
/* Takes at most that many of the free ones, if this process is still a node. */
int nodes_take(struct postgres *p, const struct cluster_settings *c, const char *incarnation,
    const char *list, size_t most, struct error *err);
/* Asks for units of nodes that have more than `most`, so that this one has, and asks for, ours in all. */
int nodes_ask(struct postgres *p, const struct cluster_settings *c, const char *list, size_t most,
    size_t ours, struct error *err);
int nodes_ask_no_more(struct postgres *p, const struct cluster_settings *c, struct error *err);
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

/* Returns false when it is there already. */
bool units_add(struct units *u, const char *unit);
/* Empties the list, and returns it as SQL, 'a','b', malloc'd; NULL: it was empty. */
char *units_take(struct units *u);

/* cluster_silence.c */

/* Nodes whose lock was gone at the last look. */
struct silence {
	struct nodes_peer *unlocked;
	size_t count;
};

/* Its lease has ended, or it has had neither lock nor heartbeat for too long: one that lives may have lost
 * the connection of its store alone. */
bool silence_is_death(
    const struct silence *s, const struct nodes_peer *peer, const struct cluster_settings *c);
void silence_note(struct silence *s, const struct nodes_peer *peers, size_t count);
void silence_clear(struct silence *s);

#endif
