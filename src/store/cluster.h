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
	int64_t most_units;
	char *shared; /* folder that all nodes have at this path; NULL: each has its own */
};

struct cluster_ops {
	/* On the loop: the unit is ours. For held_ms more its former owner may still send what it had begun
	 * to send, and run the commands that it had begun to run. */
	void (*gained)(void *arg, const char *unit, uint64_t held_ms);
	/* On the loop, again and again until cluster_give: another node, which has less than its share, asks
	 * for this unit of ours. May be NULL: nothing is given. */
	void (*wanted)(void *arg, const char *unit);
	/* On the loop: another node has told by cluster_announce that it has put something for a unit of
	 * ours. May be NULL, as somebody has to look all the same: it may not be told. */
	void (*put)(void *arg);
	/* On a thread of its own, as the loop may hang: this process is no node any more, and must end at
	 * once. Called once. why: a sentence, borrowed. */
	void (*lost)(void *arg, const char *why);
};

/* From now on takes these units (copied) when nobody owns them: its share of what the living nodes can
 * have, and what nobody else takes, up to most_units. When it has less than its share, and nothing is free,
 * it asks nodes that have more. Once. */
void cluster_serve(struct store *s, const char *const *units, size_t count);
/* On any thread. False: half of a lease has passed without a heartbeat, and nothing may leave the process
 * any more; true outside of a cluster. */
bool cluster_is_sure(const struct store *s);
/* On the loop. Tells the node that owns the unit soon that something was put for it; several calls within
 * some milliseconds are one message. */
void cluster_announce(struct store *s, const char *unit);
/* Gives the unit to the node that asks for it: nothing of it may be in progress here. Returns 1; 0 when no
 * node asks any more, and it is still ours; -1. Suspends. */
int cluster_give(struct task *t, struct store *s, const char *unit, struct error *err);
/* On the loop. Tells the other nodes which revision of the configuration is in force here. */
void cluster_configured(struct store *s, const char *revision);
/* All nodes: {"node": this one, "nodes": [{"name", "self", "state", "version", "configuration", "since_ms",
 * "lease_ms", "channels"}]}. The state of a node that was taken for dead, and has not come back, is "gone",
 * and it has "gone_ms" (0: nobody noted it) in place of "since_ms" and "lease_ms", which is what is left;
 * "late": nothing is. NULL in *out outside of a cluster. */
int cluster_nodes(struct task *t, struct store *s, struct json_object **out, struct error *err);

#endif
