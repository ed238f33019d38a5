#ifndef OPS_CLUSTER_STATUS_H
#define OPS_CLUSTER_STATUS_H
/* Shows the nodes of a cluster to the operator. */
#include <stdbool.h>

struct buf;
struct gateway;
struct json_object;
struct task;

/* As cluster_nodes, with "unowned": [names of channels that no node serves]; {"error"} when that fails; NULL
 * outside of a cluster. */
struct json_object *cluster_status_object(struct task *t, struct gateway *g);
/* Returns a text that names the node of a channel served elsewhere, malloc'd; NULL: unknown. */
char *cluster_status_of_channel(struct json_object *cluster, const char *channel);
/* Returns the name of the node that serves the channel, borrowed; NULL: none. */
const char *cluster_status_owner(struct json_object *cluster, const char *channel);
/* A line for each node. */
void cluster_status_describe(struct json_object *cluster, bool details, struct buf *out);
void cluster_status_add_findings(struct json_object *list, struct json_object *cluster, struct gateway *g);
void cluster_status_add_metrics(struct json_object *cluster, struct buf *out);

#endif
