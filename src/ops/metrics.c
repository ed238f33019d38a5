#include "ops/metrics.h"

#include <string.h>
#include <sys/resource.h>

#include "agent/agent.h"
#include "agent/budget.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/metric.h"
#include "base/task.h"
#include "bus/bus.h"
#include "ops/cluster_status.h"
#include "ops/health.h"
#include "llm/llm.h"
#include "llm/usage_stats.h"
#include "net/loop_busy.h"
#include "ops/process.h"

/* The metrics that are members of the status, or of one of its groups. */
static const struct metric {
	const char *name, *group, *key, *type, *help;
	double scale;
} metrics[] = {
    {"myna_ready", NULL, "ready", "gauge", "1 when every channel receives.", 1},
    {"myna_safe_mode", NULL, "safe_mode", "gauge",
	"1 when the configuration is broken and the last good one is in force.", 1},
    {"myna_uptime_seconds", NULL, "uptime_ms", "gauge", "Since the start.", 0.001},
    {"myna_turns_running", NULL, "turns_running", "gauge", "Turns that have a place.", 1},
    {"myna_inbox_pending", "queue", "inbox_pending", "gauge", "Messages that no turn has taken.", 1},
    {"myna_outbox_queued", "queue", "outbox_queued", "gauge", "Messages to be sent.", 1},
    {"myna_outbox_uncertain", "queue", "outbox_uncertain", "gauge",
	"Messages of which nobody knows whether they arrived.", 1},
    {"myna_outbox_failed", "queue", "outbox_failed", "gauge", "Messages that could not be delivered.", 1},
    {"myna_turns_open", "queue", "turns_open", "gauge", "Turns that are not over.", 1},
    {"myna_turns_dead", "queue", "turns_dead", "gauge", "Turns that were given up: the dead letters.", 1},
    {"myna_sessions", "queue", "sessions", "gauge", "Conversations.", 1},
    {"myna_database_bytes", "queue", "db_bytes", "gauge", "Size of the database.", 1},
    {"myna_database_log_bytes", "queue", "wal_bytes", "gauge",
	"Of its log, what is not in the database file yet.", 1},
    {"myna_store_commits_total", "queue", "commits", "counter", "Commits since the start.", 1},
    {"myna_store_round_trips_total", "queue", "round_trips", "counter",
	"Waits for the server of the database since the start; 0 with SQLite.", 1},
    {"myna_model_down", "model", "down", "gauge", "1 while no model answers.", 1},
    {"myna_sandbox_level", "sandbox", "number", "gauge",
	"The level of the sandbox that is proved, 0 to 3; -1: none, or no verdict yet.", 1},
    {"myna_turns_waiting", "model", "turns_waiting", "gauge", "Turns that wait for a model.", 1},
};

static struct histogram *const histograms[] = {
    &agent_first_request_delay, &agent_model_time, &bus_delivery_time, &loop_busy_time, &store_commit_time};

static struct counter *const tallies[] = {&agent_turns, &budget_refusals, &bus_arrivals, &bus_deliveries,
    &llm_retries, &llm_failovers, &llm_cooldowns};

static void add_head(struct buf *out, const char *name, const char *help, const char *type)
{
	buf_addf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void add_gauge(struct buf *out, const char *name, const char *help, double value)
{
	add_head(out, name, help, "gauge");
	buf_addf(out, "%s %.15g\n", name, value);
}

static void add_metric(struct buf *out, const struct metric *m, struct json_object *status)
{
	struct json_object *from = m->group ? json_get_object(status, m->group) : status;
	struct json_object *value = json_get(from, m->key);

	/* A value that could not be read is left out instead of reported as 0. */
	if (!value)
		return;
	add_head(out, m->name, m->help, m->type);
	if (json_object_is_type(value, json_type_boolean))
		buf_addf(out, "%s %d\n", m->name, json_object_get_boolean(value));
	else
		buf_addf(out, "%s %.15g\n", m->name, (double)json_object_get_int64(value) * m->scale);
}

static void add_label(struct buf *out, const char *before, const char *value)
{
	buf_addf(out, "%s\"", before);
	metric_escape_label(out, value);
	buf_addch(out, '"');
}

static void add_channel(struct buf *out, const char *metric, struct json_object *channel)
{
	add_label(out, metric, json_get_str(channel, "name"));
	add_label(out, ",type=", json_get_str(channel, "type"));
}

/* Of channels that have several. */
static void add_shards(
    struct buf *out, struct json_object *channels, const char *key, const char *metric, const char *help)
{
	char *begin = xasprintf("%s{channel=", metric);

	for (size_t i = 0, printed = 0; channels && i < json_object_array_length(channels); i++) {
		struct json_object *c = json_object_array_get_idx(channels, i);

		if (!json_get(c, key))
			continue;
		if (printed++ == 0)
			add_head(out, metric, help, "gauge");
		add_channel(out, begin, c);
		buf_addf(out, "} %lld\n", (long long)json_get_int(c, key, 0));
	}
	free(begin);
}

static void add_channels(struct buf *out, struct json_object *channels)
{
	size_t count = channels ? json_object_array_length(channels) : 0;

	add_head(out, "myna_channel_up", "1 when the channel receives.", "gauge");
	for (size_t i = 0; i < count; i++) {
		struct json_object *c = json_object_array_get_idx(channels, i);
		add_channel(out, "myna_channel_up{channel=", c);
		buf_addf(out, "} %d\n",
		    strcmp(json_get_str(c, "status"), channel_status_name(CHANNEL_READY)) == 0);
	}
	add_shards(out, channels, "shards", "myna_channel_shards", "Connections of a Discord bot (shards).");
	add_shards(out, channels, "shards_ready", "myna_channel_shards_ready", "Those that are ready.");
	add_head(out, "myna_channel_state", "1 for the state that the channel is in.", "gauge");
	for (size_t i = 0; i < count; i++)
		for (enum channel_status s = CHANNEL_STARTING; s <= CHANNEL_STOPPED; s++) {
			struct json_object *c = json_object_array_get_idx(channels, i);
			add_channel(out, "myna_channel_state{channel=", c);
			buf_addf(out, ",state=\"%s\"} %d\n", channel_status_name(s),
			    strcmp(json_get_str(c, "status"), channel_status_name(s)) == 0);
		}
}

static void add_tokens(struct buf *out, const char *model, const char *kind, int64_t tokens)
{
	add_label(out, "myna_model_tokens_total{model=", model);
	buf_addf(out, ",kind=\"%s\"} %lld\n", kind, (long long)tokens);
}

static void add_costs(struct buf *out, const char *currency)
{
	const struct llm_usage_stats *s;

	add_head(out, "myna_model_cost_total",
	    "What requests cost, by llm.prices, of those whose price is known.", "counter");
	for (size_t i = 0; (s = llm_usage_stats(i)); i++) {
		add_label(out, "myna_model_cost_total{model=", s->name);
		add_label(out, ",currency=", currency);
		buf_addf(out, "} %.6f\n", (double)s->cost / 1e6);
	}
	add_head(out, "myna_model_unpriced_requests_total", "Requests of which nobody knows what they cost.",
	    "counter");
	for (size_t i = 0; (s = llm_usage_stats(i)); i++) {
		add_label(out, "myna_model_unpriced_requests_total{model=", s->name);
		buf_addf(out, "} %lld\n", (long long)s->unpriced);
	}
	add_head(out, "myna_model_estimated_requests_total",
	    "Requests of which the provider did not say all that they took.", "counter");
	for (size_t i = 0; (s = llm_usage_stats(i)); i++) {
		add_label(out, "myna_model_estimated_requests_total{model=", s->name);
		buf_addf(out, "} %lld\n", (long long)s->estimated);
	}
	add_head(out, "myna_model_speech_seconds_total", "Speech that was turned into text.", "counter");
	for (size_t i = 0; (s = llm_usage_stats(i)); i++) {
		add_label(out, "myna_model_speech_seconds_total{model=", s->name);
		buf_addf(out, "} %lld\n", (long long)s->seconds);
	}
}

static void add_troubles(struct buf *out, struct json_object *troubles)
{
	add_head(out, "myna_model_alert",
	    "1 while a provider needs the operator: key, access, credit, model.", "gauge");
	for (size_t i = 0; troubles && i < json_object_array_length(troubles); i++) {
		struct json_object *o = json_object_array_get_idx(troubles, i);
		add_label(out, "myna_model_alert{model=", json_get_str(o, "name"));
		add_label(out, ",kind=", json_get_str(o, "kind"));
		buf_addstr(out, "} 1\n");
	}
}

static void add_models(struct buf *out)
{
	const struct llm_usage_stats *s;

	add_head(
	    out, "myna_model_requests_total", "Requests that a model answered, be it in part.", "counter");
	for (size_t i = 0; (s = llm_usage_stats(i)); i++) {
		add_label(out, "myna_model_requests_total{model=", s->name);
		buf_addf(out, "} %lld\n", (long long)s->requests);
	}
	add_head(out, "myna_model_tokens_total",
	    "Tokens as the providers report them: read, of those from a cache, and written.", "counter");
	for (size_t i = 0; (s = llm_usage_stats(i)); i++) {
		add_tokens(out, s->name, "input", s->input);
		add_tokens(out, s->name, "cached", s->cached);
		add_tokens(out, s->name, "output", s->output);
	}
}

static void add_store(struct buf *out, const struct health_view *v)
{
	add_gauge(out, "myna_store_failing",
	    "1 while the store cannot be relied upon: damaged, on a failing or full disk, or silent.",
	    v->stale || v->store_error || v->counts.is_damaged || v->counts.is_failing || v->counts.is_full);
	if (v->stale || v->disk_error)
		return;
	add_gauge(
	    out, "myna_disk_free_bytes", "Free on the disk of the state directory.", (double)v->disk_free);
	add_gauge(out, "myna_disk_bytes", "Size of the disk of the state directory.", (double)v->disk_bytes);
}

static double seconds(const struct timeval *tv)
{
	return (double)tv->tv_sec + (double)tv->tv_usec / 1e6;
}

static void add_process(struct buf *out)
{
	struct rusage usage = {0};

	getrusage(RUSAGE_SELF, &usage);
	add_head(out, "process_cpu_seconds_total", "Time on a processor.", "counter");
	buf_addf(
	    out, "process_cpu_seconds_total %.6f\n", seconds(&usage.ru_utime) + seconds(&usage.ru_stime));
	add_gauge(out, "process_resident_memory_bytes", "Memory in use.", (double)process_memory());
	add_gauge(out, "process_open_fds", "Open file descriptors.", (double)process_files());
	add_gauge(out, "myna_tasks", "Tasks, each with a stack of its own.", (double)task_count());
}

static void add_build(struct buf *out, struct json_object *status)
{
	add_head(out, "myna_build_info", "1, with the version as a label.", "gauge");
	add_label(out, "myna_build_info{version=", json_get_str(status, "version"));
	buf_addstr(out, "} 1\n");
}

void metrics_write(struct buf *out, struct json_object *status, const struct health_view *view)
{
	for (size_t i = 0; i < ARRAY_LEN(metrics); i++)
		add_metric(out, &metrics[i], status);
	add_channels(out, json_get_array(status, "channels"));
	cluster_status_add_metrics(json_get_object(status, "cluster"), out);
	add_models(out);
	add_troubles(out, json_get_array(json_get_object(status, "model"), "troubles"));
	add_costs(out, json_get_str(json_get_object(status, "spent"), "currency"));
	add_store(out, view);
	for (size_t i = 0; i < ARRAY_LEN(histograms); i++)
		histogram_write(out, histograms[i]);
	for (size_t i = 0; i < ARRAY_LEN(tallies); i++)
		counter_write(out, tallies[i]);
	add_process(out);
	add_build(out, status);
}
