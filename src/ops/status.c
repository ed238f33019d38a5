#include "ops/status.h"

#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "ops/cluster_status.h"
#include "ops/sandbox_status.h"
#include "bus/bus.h"
#include "ops/gateway_view.h"
#include "config/gateway_config.h"
#include "llm/llm.h"
#include "llm/providers.h"
#include "llm/provider_alerts.h"
#include "session/session.h"
#include "ops/spending.h"
#include "store/store.h"
#include "tools/mcp/mcp.h"

static struct json_object *channel_object(
    const struct gateway *g, const struct channel *ch, struct json_object *cluster)
{
	struct json_object *o = json_object_new_object();
	const struct gateway_channel *c = gateway_config_channel(gateway_config(g), ch->channel);

	json_set_str(o, "name", ch->name);
	json_set_str(o, "type", ch->ops->type);
	json_set_str(o, "status", channel_status_name(ch->status));
	char *where = ch->status == CHANNEL_ELSEWHERE ? cluster_status_of_channel(cluster, ch->name) : NULL;
	struct buf text = BUF_INIT;

	channel_describe(ch, &text);
	json_set_str(o, "text", where ? where : text.data);
	buf_clear(&text);
	free(where);
	if (ch->shards > 0) {
		json_set_int(o, "shards", ch->shards);
		json_set_int(o, "shards_ready", ch->shards_ready);
	}
	json_set_int(o, "since_ms", ch->status_since_ms);
	if (c)
		json_set_str(o, "warning", access_warning(&c->access));
	return o;
}

static struct json_object *queue_object(struct task *t, struct gateway *g)
{
	struct json_object *o = json_object_new_object();
	struct store_counts counts = {0};
	struct error err = {0};

	if (store_count(t, gateway_store(g), &counts, &err) < 0) {
		json_set_str(o, "error", err.text);
		return o;
	}
	json_set_int(o, "inbox_pending", counts.inbox_pending);
	json_set_int(o, "outbox_queued", counts.outbox_queued);
	json_set_int(o, "outbox_uncertain", counts.outbox_uncertain);
	json_set_int(o, "outbox_failed", counts.outbox_failed);
	json_set_int(o, "turns_open", counts.turns_open);
	json_set_int(o, "turns_dead", counts.turns_dead);
	json_set_int(o, "approvals_open", counts.approvals_open);
	json_set_int(o, "sessions", counts.sessions);
	json_set_int(o, "db_bytes", counts.db_bytes);
	json_set_int(o, "wal_bytes", counts.wal_bytes);
	json_set_int(o, "commits", counts.commits);
	json_set_int(o, "round_trips", counts.round_trips);
	return o;
}

static struct json_object *troubles_array(const struct gateway *g)
{
	struct json_object *list = json_object_new_array();

	for (const struct llm_provider *p = NULL; (p = llm_next_provider(gateway_config(g)->llm, p));) {
		enum llm_alert trouble = llm_alert_of(p);
		struct json_object *o = trouble != LLM_NO_ALERT ? json_object_new_object() : NULL;
		struct buf text = BUF_INIT;
		llm_alert_describe(p, trouble, &text);
		if (o) {
			json_set_str(o, "name", p->name);
			json_set_str(o, "kind", llm_alert_name(trouble));
			json_set_str(o, "text", text.data);
			json_object_array_add(list, o);
		}
		buf_clear(&text);
	}
	return list;
}

static struct json_object *model_object(const struct gateway *g)
{
	struct json_object *o = json_object_new_object();
	struct llm_health health;

	llm_health(gateway_config(g)->llm, &health);
	json_set_bool(o, "down", health.down);
	json_set_int(o, "turns_waiting", (int64_t)health.waiting);
	if (health.down) {
		json_set_str(o, "why", llm_error_class_name(health.class));
		json_set_str(o, "text", health.reason);
		json_set_int(o, "down_ms", (int64_t)health.for_ms);
		json_set_int(o, "next_try_ms", (int64_t)health.next_try_ms);
	}
	json_set(o, "troubles", troubles_array(g));
	return o;
}

struct json_object *status_collect(struct task *t, struct gateway *g)
{
	struct json_object *o = json_object_new_object(), *channels = json_object_new_array();
	struct json_object *notices = json_object_new_array(), *cluster = cluster_status_object(t, g);

	json_set_bool(o, "ready", gateway_ready(g));
	json_set_str(o, "version", PACKAGE_VERSION);
	json_set_bool(o, "safe_mode", gateway_config(g)->broken);
	json_set_str(o, "config_errors", gateway_config(g)->broken);
	json_set_int(o, "uptime_ms", (int64_t)gateway_uptime_ms(g));
	for (struct channel *ch = NULL; (ch = bus_next_channel(gateway_bus(g), ch));)
		json_object_array_add(channels, channel_object(g, ch, cluster));
	json_set(o, "channels", channels);
	if (cluster)
		json_set(o, "cluster", cluster);
	json_set(o, "queue", queue_object(t, g));
	json_set(o, "model", model_object(g));
	if (gateway_budget(g))
		json_set(o, "spent", spending_object(gateway_budget(g)));
	json_set(o, "sandbox", sandbox_status_object(gateway_config(g)));
	json_set(o, "mcp", mcp_status(gateway_mcp(g)));
	json_set_int(
	    o, "turns_running", gateway_sessions(g) ? (int64_t)sessions_running(gateway_sessions(g)) : 0);
	for (size_t i = 0; gateway_notice(g, i); i++)
		json_object_array_add(notices, json_object_new_string(gateway_notice(g, i)));
	json_set(o, "notices", notices);
	return o;
}

static void describe_channels(struct json_object *status, bool details, struct buf *out)
{
	struct json_object *channels = json_get_array(status, "channels");

	for (size_t i = 0; channels && i < json_object_array_length(channels); i++) {
		struct json_object *c = json_object_array_get_idx(channels, i);
		const char *warning = json_get_str(c, "warning");
		buf_addf(out, "channel %s (%s): %s", json_get_str(c, "name"), json_get_str(c, "type"),
		    json_get_str(c, "status"));
		if (details)
			buf_addf(out, ", %s", json_get_str(c, "text"));
		buf_addch(out, '\n');
		if (details && warning)
			buf_addf(out, "  warning: %s\n", warning);
	}
}

static void describe_model(struct json_object *model, bool details, struct buf *out)
{
	struct json_object *troubles = json_get_array(model, "troubles");

	for (size_t i = 0; details && troubles && i < json_object_array_length(troubles); i++)
		buf_addf(out, "%s\n", json_get_str(json_object_array_get_idx(troubles, i), "text"));
	if (!json_get_bool(model, "down", false))
		return;
	buf_addf(out, "no model answers (%s) for %lld min, turns waiting for it: %lld\n",
	    json_get_str(model, "why"), (long long)json_get_int(model, "down_ms", 0) / 60000,
	    (long long)json_get_int(model, "turns_waiting", 0));
	if (details)
		buf_addf(out, "  %s; next try in %lld s\n", json_get_str(model, "text"),
		    (long long)json_get_int(model, "next_try_ms", 0) / 1000);
}

static void describe_mcp(struct json_object *servers, bool details, struct buf *out)
{
	for (size_t i = 0; servers && i < json_object_array_length(servers); i++) {
		struct json_object *s = json_object_array_get_idx(servers, i);
		int64_t tools = json_get_int(s, "tools", 0), refused = json_get_int(s, "refused", 0);
		const char *reason = json_get_str(s, "reason"), *protocol = json_get_str(s, "protocol");
		buf_addf(out, "MCP server %s: %s, %lld tool%s", json_get_str(s, "name"),
		    json_get_str(s, "state"), (long long)tools, tools == 1 ? "" : "s");
		if (refused > 0)
			buf_addf(out, ", %lld not offered", (long long)refused);
		if (json_get(s, "processes"))
			buf_addf(
			    out, ", %lld processes for chats", (long long)json_get_int(s, "processes", 0));
		if (details && protocol)
			buf_addf(out, ", protocol %s over %s", protocol, json_get_str(s, "transport"));
		if (details && reason)
			buf_addf(out, ": %s", reason);
		buf_addch(out, '\n');
	}
}

static void describe_safe_mode(struct json_object *status, bool details, struct buf *out)
{
	const char *errors = json_get_str(status, "config_errors");

	if (!json_get_bool(status, "safe_mode", false))
		return;
	buf_addstr(out, "SAFE MODE: the configuration is broken, and the last good one is in force\n");
	if (details && errors)
		buf_addf(out, "%sCorrect it, then reload.\n", errors);
}

void status_describe(struct json_object *status, bool details, struct buf *out)
{
	struct json_object *queue = json_get_object(status, "queue"),
			   *notices = json_get_array(status, "notices");
	int64_t seconds = json_get_int(status, "uptime_ms", 0) / 1000;

	buf_addf(out, "Myna %s is %s, up %lld h %lld min %lld s\n", json_get_str(status, "version"),
	    json_get_bool(status, "ready", false) ? "ready" : "NOT ready", (long long)(seconds / 3600),
	    (long long)(seconds / 60 % 60), (long long)(seconds % 60));
	describe_safe_mode(status, details, out);
	describe_channels(status, details, out);
	cluster_status_describe(json_get_object(status, "cluster"), details, out);
	describe_model(json_get_object(status, "model"), details, out);
	if (details)
		spending_describe(json_get_object(status, "spent"), out);
	sandbox_status_describe(json_get_object(status, "sandbox"), details, out);
	describe_mcp(json_get_array(status, "mcp"), details, out);
	buf_addf(out, "turns running: %lld, messages waiting: %lld, to be sent: %lld\n",
	    (long long)json_get_int(status, "turns_running", 0),
	    (long long)json_get_int(queue, "inbox_pending", 0),
	    (long long)json_get_int(queue, "outbox_queued", 0));
	if (json_get_int(queue, "approvals_open", 0) > 0)
		buf_addf(out, "waiting for a person's yes: %lld\n",
		    (long long)json_get_int(queue, "approvals_open", 0));
	if (!details)
		return;
	buf_addf(out,
	    "not sure whether delivered: %lld, failed: %lld, given up: %lld, sessions: %lld, database: %lld "
	    "KiB\n",
	    (long long)json_get_int(queue, "outbox_uncertain", 0),
	    (long long)json_get_int(queue, "outbox_failed", 0),
	    (long long)json_get_int(queue, "turns_dead", 0), (long long)json_get_int(queue, "sessions", 0),
	    (long long)json_get_int(queue, "db_bytes", 0) / 1024);
	for (size_t i = 0; notices && i < json_object_array_length(notices); i++)
		buf_addf(out, "notice: %s\n", json_object_get_string(json_object_array_get_idx(notices, i)));
}
