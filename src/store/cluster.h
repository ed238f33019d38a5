#ifndef STORE_CLUSTER_H
#define STORE_CLUSTER_H
/*
 * Several gateways, called nodes, on one database of PostgreSQL. A node owns units, the channels that it
 * alone serves, and it has a lease: by its heartbeats the server's clock knows that it lives. A node that
 * dies, hangs or is cut off loses its units to the others.
 *
 * What a node stores is fenced: each commit changes the row of its process in the table writers, and whoever
 * takes over deletes that row first, after which no commit of the old owner is possible. (A unit that is
 * given away while its owner lives has no such fence: everything about it has ended before.) What a node
 * sends cannot be fenced; therefore it ends by itself when half of a lease has passed without a heartbeat.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct json_object;
struct store;
struct task;

/* cluster: { … } in the configuration. */
struct cluster_settings {
	char *node; /* its name, which no other node has; NULL: a gateway has the database for itself */
	int64_t lease_ms;
	int64_t max_units;
	char *shared; /* folder that all nodes have at this path; NULL: each has its own */
};

struct cluster_ops {
	/* On the loop: the unit is ours. For up to held_ms its former owner may still finish deliveries and
	 * commands that were in progress. */
	void (*gained)(void *arg, const char *unit, uint64_t held_ms);
	/* On the loop, repeatedly until cluster_give: another node, which has less than its share, requests
	 * this unit of ours. May be NULL: this node gives none away. */
	void (*requested)(void *arg, const char *unit);
	/* On the loop: another node announced (cluster_announce) that it has stored something for a unit of
	 * ours. May be NULL: an announcement may be lost, so the owner has to look from time to time anyway.
	 */
	void (*announced)(void *arg);
	/* On a thread of its own, as the loop may hang: this process is no node any more, and must end at
	 * once. Called once. why: a sentence, borrowed. */
	void (*lost)(void *arg, const char *why);
};

/* From now on takes units of these (copied) that are free: its share among the live nodes, and what no other
 * node takes, up to max_units. With less than its share, and none free, it requests units from nodes that
 * have more. Call it once. */
void cluster_serve(struct store *s, const char *const *units, size_t count);
/* On any thread. Returns false when half of a lease has passed without a heartbeat: nothing may leave the
 * process any more. Always true outside of a cluster. */
bool cluster_may_send(const struct store *s);
/* On the loop. Soon tells the node that owns the unit that something was stored for it; calls within some
 * milliseconds become one message. */
void cluster_announce(struct store *s, const char *unit);
/* Gives the unit to the node that requests it; nothing of it may be in progress here. Returns 1, 0 when no
 * node requests it any more and it stays ours, or -1. Suspends. */
int cluster_give(struct task *t, struct store *s, const char *unit, struct error *err);
/* On the loop. Tells the other nodes which revision of the configuration is in force here. */
void cluster_configured(struct store *s, const char *revision);
/* All nodes: {"node": this one, "nodes": [{"name", "self", "state", "version", "configuration", "since_ms",
 * "lease_ms", "channels"}]}. The state of a node that was taken for dead, and has not come back, is "gone",
 * and it has "gone_ms" (0: nobody noted it) in place of "since_ms" and "lease_ms", which is what is left;
 * "late": nothing is. NULL in *out outside of a cluster. */
int cluster_nodes(struct task *t, struct store *s, struct json_object **out, struct error *err);

#endif
