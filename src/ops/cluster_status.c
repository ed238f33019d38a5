#include "ops/cluster_status.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/metric.h"
#include "base/time/clock.h"
#include "base/time/duration.h"
#include "bus/bus.h"
#include "config/gateway_config.h"
#include "ops/diagnosis.h"
#include "ops/gateway_view.h"
#include "store/cluster.h"

static size_t length(struct json_object *list)
{
	return list ? json_object_array_length(list) : 0;
}

static struct json_object *node_at(struct json_object *cluster, size_t i)
{
	return json_object_array_get_idx(json_get_array(cluster, "nodes"), i);
}

static size_t count_nodes(struct json_object *cluster)
{
	return length(json_get_array(cluster, "nodes"));
}

static bool is_in(struct json_object *node, const char *state)
{
	return strcmp(json_get_str(node, "state"), state) == 0;
}

const char *cluster_status_owner(struct json_object *cluster, const char *channel)
{
	for (size_t i = 0; i < count_nodes(cluster); i++)
		if (json_array_has(json_get_array(node_at(cluster, i), "channels"), channel))
			return json_get_str(node_at(cluster, i), "name");
	return NULL;
}

char *cluster_status_of_channel(struct json_object *cluster, const char *channel)
{
	const char *owner = cluster_status_owner(cluster, channel);

	if (!json_get_array(cluster, "nodes"))
		return NULL;
	return owner ? xasprintf("the node %s serves it", owner) : xstrdup("no node serves it");
}

static struct json_object *unowned(struct gateway *g, struct json_object *cluster)
{
	const struct gateway_config *gc = gateway_config(g);
	struct json_object *names = json_object_new_array();

	for (struct channel *ch = NULL; (ch = bus_next_channel(gateway_bus(g), ch));) {
		const struct gateway_channel *c = gateway_config_channel(gc, ch->channel);

		if (c && !c->implied && !cluster_status_owner(cluster, ch->name))
			json_object_array_add(names, json_object_new_string(ch->name));
	}
	return names;
}

struct json_object *cluster_status_object(struct task *t, struct gateway *g)
{
	struct json_object *o = NULL;
	struct error err = {0};

	if (cluster_nodes(t, gateway_store(g), &o, &err) == 0) {
		if (o)
			json_set(o, "unowned", unowned(g, o));
		return o;
	}
	o = json_object_new_object();
	json_set_str(o, "error", err.text);
	return o;
}

static void add_names(struct buf *out, struct json_object *names, const char *none)
{
	for (size_t i = 0; i < length(names); i++)
		buf_addf(out, "%s%s", i > 0 ? ", " : "",
		    json_object_get_string(json_object_array_get_idx(names, i)));
	if (length(names) == 0)
		buf_addstr(out, none);
}

static void add_time(struct buf *out, struct json_object *node, const char *key)
{
	duration_add(out, clock_wall() - json_get_int(node, key, 0));
}

/* Appends the node's state, and for how long it has had it. */
static void add_state(struct buf *out, struct json_object *node)
{
	int64_t left = json_get_int(node, "lease_ms", 0);

	if (is_in(node, "gone")) {
		buf_addstr(out, "gone");
		if (json_get_int(node, "gone_ms", 0) > 0) {
			buf_addstr(out, " for ");
			add_time(out, node, "gone_ms");
		}
	} else if (is_in(node, "late")) {
		buf_addf(out, "without a heartbeat, its lease has ended %lld.%lld s ago",
		    (long long)-left / 1000, (long long)(-left / 100 % 10));
	} else {
		buf_addstr(out, "up ");
		add_time(out, node, "since_ms");
		buf_addf(out, ", its lease ends in %lld.%lld s", (long long)left / 1000,
		    (long long)(left / 100 % 10));
	}
}

static void describe_node(struct json_object *node, bool details, struct buf *out)
{
	buf_addf(out, "node %s%s: ", json_get_str(node, "name"),
	    json_get_bool(node, "self", false) ? " (this one)" : "");
	if (details) {
		add_state(out, node);
		buf_addf(out, ", version %s, ", json_get_str(node, "version"));
		if (json_get_str(node, "configuration"))
			buf_addf(out, "configuration %s, ", json_get_str(node, "configuration"));
	} else if (!is_in(node, "alive")) {
		buf_addf(out, "%s, ", json_get_str(node, "state"));
	}
	buf_addstr(out, "serves ");
	add_names(out, json_get_array(node, "channels"), "no channel");
	buf_addch(out, '\n');
}

void cluster_status_describe(struct json_object *cluster, bool details, struct buf *out)
{
	const char *error = json_get_str(cluster, "error");
	struct json_object *unowned = json_get_array(cluster, "unowned");

	if (error)
		buf_addf(out, "nodes: not known%s%s\n", details ? ": " : "", details ? error : "");
	for (size_t i = 0; i < count_nodes(cluster); i++)
		describe_node(node_at(cluster, i), details, out);
	if (length(unowned) == 0)
		return;
	buf_addstr(out, "no node serves ");
	add_names(out, unowned, "");
	buf_addch(out, '\n');
}

static void add_node_finding(struct json_object *list, struct json_object *node)
{
	char *about = xasprintf("node %s", json_get_str(node, "name"));
	struct buf text = BUF_INIT;

	add_state(&text, node);
	buf_addstr(&text, ", serves ");
	add_names(&text, json_get_array(node, "channels"), "no channel");
	if (is_in(node, "alive"))
		diagnosis_add(list, DIAGNOSIS_OK, about, text.data, NULL);
	else if (is_in(node, "late"))
		diagnosis_add(list, DIAGNOSIS_BAD, about, text.data,
		    "Look at its machine, and at its way to the database. It starts again by itself.");
	else
		diagnosis_add(list, DIAGNOSIS_BAD, about, text.data,
		    "Start it again. If it shall not come back, this ends by itself after a week.");
	buf_clear(&text);
	free(about);
}

/* Adds a warning when what they say under key is not all the same. */
static void add_difference(struct json_object *list, struct json_object *cluster, const char *key,
    const char *about, const char *advice)
{
	struct buf text = BUF_INIT;
	const char *first = NULL;
	bool differs = false;

	for (size_t i = 0; i < count_nodes(cluster); i++) {
		struct json_object *node = node_at(cluster, i);
		const char *value = json_get_str(node, key);

		if (is_in(node, "gone") || !value)
			continue;
		differs |= first && strcmp(first, value) != 0;
		first = first ? first : value;
		buf_addf(&text, "%s%s has %s", text.len > 0 ? ", " : "", json_get_str(node, "name"), value);
	}
	if (differs)
		diagnosis_add(list, DIAGNOSIS_WARNING, about, text.data, advice);
	buf_clear(&text);
}

static void add_unowned(struct json_object *list, const char *name, const struct gateway_config *gc)
{
	const struct gateway_channel *c = gateway_config_channel(gc, name);
	const char *home = c ? c->access.home : NULL;
	char *about = xasprintf("channel %s", name),
	     *text = home ? xasprintf("no node serves it: its home, the node %s, does not", home) :
			    xstrdup("no node serves it");

	diagnosis_add(list, DIAGNOSIS_BAD, about, text,
	    home ? "Start that node, or take home out of the configuration." :
		   "One takes it within seconds. If none does, look whether cluster.most_units of the nodes "
		   "leaves "
		   "room for it, and into their logs.");
	free(about);
	free(text);
}

/* What is not shared does not move with a channel. */
static void add_folders(struct json_object *list, const struct gateway_config *gc)
{
	for (size_t i = 0; i < gc->channel_count; i++)
		if (!gc->cluster.shared && !gc->channels[i].implied && !gc->channels[i].access.home) {
			diagnosis_add(list, DIAGNOSIS_WARNING, "cluster.shared",
			    "The nodes share no folder: the memory and the files of chats stay on the node "
			    "that "
			    "served them.",
			    "Set cluster.shared, or home for the channels that need what is on one machine.");
			return;
		}
}

void cluster_status_add_findings(struct json_object *list, struct json_object *cluster, struct gateway *g)
{
	struct json_object *unowned = json_get_array(cluster, "unowned");

	if (!cluster)
		return;
	add_folders(list, gateway_config(g));

	if (json_get_str(cluster, "error"))
		diagnosis_add(list, DIAGNOSIS_BAD, "nodes", json_get_str(cluster, "error"), NULL);
	for (size_t i = 0; i < count_nodes(cluster); i++)
		add_node_finding(list, node_at(cluster, i));
	for (size_t i = 0; i < length(unowned); i++)
		add_unowned(
		    list, json_object_get_string(json_object_array_get_idx(unowned, i)), gateway_config(g));
	add_difference(list, cluster, "version", "versions of the nodes",
	    "Bring all nodes to the newest one, one after another.");
	add_difference(list, cluster, "configuration", "configurations of the nodes",
	    "Give all nodes the same file, but for what is a node's own, and run `myna reload` on each.");
}

static void add_gauge(struct buf *out, const char *name, const char *help)
{
	buf_addf(out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

static void add_node(struct buf *out, const char *metric, struct json_object *node)
{
	buf_addf(out, "%s{node=\"", metric);
	metric_escape_label(out, json_get_str(node, "name"));
	buf_addch(out, '"');
}

void cluster_status_add_metrics(struct json_object *cluster, struct buf *out)
{
	size_t count = count_nodes(cluster);

	if (count == 0)
		return;
	add_gauge(out, "myna_node_up", "1 while the lease of the node of the cluster lasts.");
	for (size_t i = 0; i < count; i++) {
		add_node(out, "myna_node_up", node_at(cluster, i));
		buf_addstr(out, ",version=\"");
		metric_escape_label(out, json_get_str(node_at(cluster, i), "version"));
		buf_addf(out, "\"} %d\n", is_in(node_at(cluster, i), "alive"));
	}
	add_gauge(out, "myna_node_lease_seconds", "What is left of the lease of the node.");
	for (size_t i = 0; i < count; i++) {
		if (is_in(node_at(cluster, i), "gone"))
			continue;
		add_node(out, "myna_node_lease_seconds", node_at(cluster, i));
		buf_addf(out, "} %.3f\n", (double)json_get_int(node_at(cluster, i), "lease_ms", 0) / 1e3);
	}
	add_gauge(out, "myna_node_channels", "Channels that the node serves.");
	for (size_t i = 0; i < count; i++) {
		add_node(out, "myna_node_channels", node_at(cluster, i));
		buf_addf(out, "} %zu\n", length(json_get_array(node_at(cluster, i), "channels")));
	}
	add_gauge(out, "myna_channels_without_node", "Channels of the configuration that no node serves.");
	buf_addf(out, "myna_channels_without_node %zu\n", length(json_get_array(cluster, "unowned")));
}
