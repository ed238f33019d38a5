#include "ops/doctor.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "ops/cluster_status.h"
#include "ops/sandbox_status.h"
#include "bus/bus.h"
#include "ops/diagnosis.h"
#include "ops/gateway_view.h"
#include "config/gateway_config.h"
#include "ops/health.h"
#include "llm/llm.h"
#include "llm/local_server.h"
#include "llm/providers.h"
#include "llm/provider_alerts.h"
#include "store/store.h"
#include "tools/mcp/mcp.h"
#include "tools/files/workspace_move.h"
#include "tools/prompt/files.h"

/* Checkpoints keep the log far below this. */
#define LOG_MAX (INT64_C(64) << 20)
/* A clock that was set back by less is not reported. */
#define CLOCK_SLACK_MS (5 * 60 * 1000)
/* 2026-01-01: this program is newer. */
#define CLOCK_MIN_MS INT64_C(1767225600000)

void doctor_add_clock(struct json_object *list, long long newest_ms)
{
	int64_t now_ms = clock_wall();

	if (now_ms < CLOCK_MIN_MS)
		diagnosis_add(list, DIAGNOSIS_BAD, "clock", "The clock of this machine is years behind.",
		    "Set it, and switch on time synchronisation.");
	else if (newest_ms > now_ms + CLOCK_SLACK_MS)
		diagnosis_add(list, DIAGNOSIS_WARNING, "clock",
		    "The newest message came later than now: the clock was set back, or is wrong.",
		    "Look whether time synchronisation works.");
	else
		diagnosis_add(list, DIAGNOSIS_OK, "clock", "no jump seen", NULL);
}

/* Advice for each state of a channel. */
static const char *const channel_advice[] = {
    [CHANNEL_STARTING] =
	"Wait some seconds; if it stays so, look at the network and at base URLs in the configuration.",
    [CHANNEL_READY] = NULL,
    [CHANNEL_DEGRADED] = "It tries again by itself. Look at the network, at the platform's status page, and "
			 "whether another process uses the same token.",
    [CHANNEL_STOPPED] = "Correct what it names (a new token, a permission), then restart.",
    [CHANNEL_ELSEWHERE] = NULL,
};

static void add_channels(struct json_object *list, struct gateway *g)
{
	for (struct channel *ch = NULL; (ch = bus_next_channel(gateway_bus(g), ch));) {
		const struct gateway_channel *c = gateway_config_channel(gateway_config(g), ch->channel);
		const char *warning = c ? access_warning(&c->access) : NULL;
		char *about = xasprintf("channel %s", ch->name);
		struct buf text = BUF_INIT;
		bool good = ch->status == CHANNEL_READY || ch->status == CHANNEL_ELSEWHERE;
		buf_addf(&text, "%s: ", channel_status_name(ch->status));
		channel_describe(ch, &text);
		diagnosis_add(
		    list, good ? DIAGNOSIS_OK : DIAGNOSIS_BAD, about, text.data, channel_advice[ch->status]);
		if (warning)
			diagnosis_add(list, DIAGNOSIS_WARNING, about, warning, NULL);
		free(about);
		buf_clear(&text);
	}
}

static void add_cluster(struct task *t, struct json_object *list, struct gateway *g)
{
	struct json_object *cluster = cluster_status_object(t, g);

	cluster_status_add_findings(list, cluster, g);
	json_object_put(cluster);
}

void doctor_add_risk(struct json_object *list, const char *risk)
{
	char *text = xasprintf(
	    "the server runs with %s: a crash, or a failover, may lose what was acknowledged", risk);

	diagnosis_add(list, DIAGNOSIS_BAD, "durability", text,
	    "Set fsync and full_page_writes to on. Name the standbys that must have each commit in "
	    "synchronous_standby_names; docs/postgresql.md says what the server needs.");
	free(text);
}

static void add_risk(struct task *t, struct json_object *list, struct gateway *g)
{
	char *risk;

	/* A server that does not answer is among the reasons. */
	if (store_risk(t, gateway_store(g), &risk, NULL) == 0 && risk)
		doctor_add_risk(list, risk);
	free(risk);
}

static void add_store_reasons(struct task *t, struct json_object *list, struct gateway *g)
{
	struct json_object *reasons = health_reasons(t, gateway_health(g));

	for (size_t i = 0; i < json_object_array_length(reasons); i++) {
		struct json_object *o = json_object_array_get_idx(reasons, i);
		const char *what = json_get_str(o, "what");
		if (strcmp(what, "channel") != 0)
			diagnosis_add(list, DIAGNOSIS_BAD, what, json_get_str(o, "text"), NULL);
	}
	json_object_put(reasons);
}

static void add_sizes(struct json_object *list, const struct health_view *v)
{
	const struct store_counts *c = &v->counts;
	struct buf text = BUF_INIT;

	buf_addf(&text, "database %lld KiB, log %lld KiB, free on its disk %lld MiB, no damage met",
	    (long long)(c->db_bytes >> 10), (long long)(c->wal_bytes >> 10), (long long)(v->disk_free >> 20));
	if (c->wal_bytes > LOG_MAX)
		diagnosis_add(list, DIAGNOSIS_WARNING, "store", text.data,
		    "The log grows: look whether the disk is slow, then restart.");
	else if (!v->stale && !v->store_error && !c->is_damaged)
		diagnosis_add(list, DIAGNOSIS_OK, "store", text.data, NULL);
	buf_clear(&text);
}

/* Adds a diagnosis for a count that should be 0. */
static void add_count(
    struct json_object *list, int64_t count, const char *about, const char *what, const char *advice)
{
	char *text = xasprintf("%lld %s", (long long)count, what);

	if (count > 0)
		diagnosis_add(list, DIAGNOSIS_WARNING, about, text, advice);
	free(text);
}

static void add_counts(struct json_object *list, const struct store_counts *c)
{
	add_count(list, c->turns_dead, "dead letters",
	    "given up, because the gateway did not survive them three times",
	    "`myna dead` lists them; `myna dead retry ID` or `myna dead drop ID`.");
	add_count(list, c->outbox_uncertain, "messages", "of which nobody knows whether they arrived",
	    "Look into the chats; the log names them.");
	add_count(list, c->outbox_failed, "messages", "could not be delivered in the last 30 days",
	    "The log says why.");
	add_count(list, c->unclean_stops, "stops",
	    c->unclean_stops == 1 ?
		"time in all the gateway did not stop in good order (killed, crashed, power lost)" :
		"times in all the gateway did not stop in good order (killed, crashed, power lost)",
	    c->unclean_stops > 0 ?
		"Look into the log of the service before each start. Nothing was lost by it." :
		NULL);
}

/* Adds that no model answers, if so. */
static void add_outage(struct json_object *list, const struct llm *llm)
{
	struct llm_health model;

	llm_health(llm, &model);
	if (!model.down)
		return;
	char *text =
	    xasprintf("none answers (%s) for %llu min; %zu turns wait: %s", llm_error_class_name(model.class),
		(unsigned long long)model.for_ms / 60000, model.waiting, model.reason);
	diagnosis_add(list, DIAGNOSIS_BAD, "model", text,
	    "Look at the provider, the key and the network. Turns wait, and go on by themselves.");
	free(text);
}

static void add_models(struct json_object *list, const struct llm *llm)
{
	for (const struct llm_provider *p = NULL; (p = llm_next_provider(llm, p));) {
		char *about = xasprintf("model %s", p->name);
		struct buf text = BUF_INIT;
		llm_alert_describe(p, llm_alert_of(p), &text);
		if (text.len > 0)
			diagnosis_add(list, DIAGNOSIS_BAD, about, text.data, NULL);
		else
			diagnosis_add(list, DIAGNOSIS_OK, about,
			    llm_alert_answered(p) ? "has answered" :
						    "was not asked yet: `myna check --probe` asks it",
			    NULL);
		buf_clear(&text);
		free(about);
	}
}

static void add_local_models(struct task *t, struct json_object *list, struct gateway *g)
{
	struct llm_local_server_facts facts;
	struct error err = {0};

	for (const struct llm_provider *p = NULL; (p = llm_next_provider(gateway_config(g)->llm, p));) {
		int rc = llm_local_server_ask(t, p, &facts, &err);
		char *about = xasprintf("model %s", p->name);
		struct buf advice = BUF_INIT;
		if (rc < 0)
			diagnosis_add(
			    list, DIAGNOSIS_WARNING, about, err.text, "Is the local server running?");
		if (rc > 0)
			llm_local_server_advise(p, &facts, &advice);
		if (advice.len > 0)
			diagnosis_add(list, DIAGNOSIS_WARNING, about, advice.data, NULL);
		buf_clear(&advice);
		free(about);
	}
}

static void add_mcp(struct json_object *list, struct gateway *g)
{
	struct json_object *servers = mcp_status(gateway_mcp(g));

	for (size_t i = 0; i < json_object_array_length(servers); i++) {
		struct json_object *s = json_object_array_get_idx(servers, i);
		const char *state = json_get_str(s, "state"), *reason = json_get_str(s, "reason");
		int64_t tools = json_get_int(s, "tools", 0);
		bool ready = strcmp(state, "ready") == 0, refused = json_get_int(s, "refused", 0) > 0;
		char *about = xasprintf("MCP server %s", json_get_str(s, "name"));
		char *text = xasprintf("%s, %lld tool%s, %lld not offered%s%s", state, (long long)tools,
		    tools == 1 ? "" : "s", (long long)json_get_int(s, "refused", 0), reason ? ": " : "",
		    reason ? reason : "");
		diagnosis_add(list, ready && !refused ? DIAGNOSIS_OK : DIAGNOSIS_WARNING, about, text,
		    ready ? refused ? "/tools names those, and why." : NULL :
			    "It is tried again by itself. What it writes to stderr stands in the log.");
		free(about);
		free(text);
	}
	json_object_put(servers);
}

static void add_config(struct json_object *list, struct gateway *g)
{
	struct buf warnings = BUF_INIT;

	config_warnings(gateway_config(g)->file, &warnings);
	if (warnings.len > 0)
		diagnosis_add_lines(list, DIAGNOSIS_WARNING, "configuration", warnings.data, NULL);
	else
		diagnosis_add(list, DIAGNOSIS_OK, "configuration", "no mistakes", NULL);
	buf_clear(&warnings);
	for (size_t i = 0; gateway_notice(g, i); i++)
		diagnosis_add(list, DIAGNOSIS_WARNING, "notice", gateway_notice(g, i), NULL);
}

static void add_left_out(struct json_object *list, const struct prompt_text *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (texts[i].problem)
			diagnosis_add(list, DIAGNOSIS_WARNING, "prompt", texts[i].problem,
			    "Until then the model is not told what it says.");
}

/* Rules ask before commands that obviously write these files, but cannot detect all. */
static void add_open(struct json_object *list, const struct prompt_files *files, const struct tools *ts)
{
	for (size_t i = 0; i < files->file_count && prompt_files_open_to_commands(ts); i++) {
		if (!files->files[i].text)
			continue;
		char *text = xasprintf("%s instructs the agent, and a command of the agent's could write it "
				       "in a roundabout way.",
		    files->files[i].name);
		diagnosis_add(list, DIAGNOSIS_WARNING, "prompt", text,
		    "Put it into a folder outside of the workspace, and name that one in prompt.folder.");
		free(text);
	}
}

/* Problems of skills in the workspace are not the operator's. */
static void add_prompt(struct task *t, struct json_object *list, struct gateway *g)
{
	struct prompt_files files;
	struct error err = {0};

	if (prompt_files_read(t, gateway_config(g)->tools, &files, &err) < 0)
		return;
	add_left_out(list, files.files, files.file_count);
	add_left_out(list, files.notes, files.note_count);
	add_open(list, &files, gateway_config(g)->tools);
	for (size_t i = 0; i < files.skills.count; i++) {
		const struct skill *s = &files.skills.items[i];
		char *about = xasprintf("skill %.64s", s->name);
		if (s->problem && !s->workspace)
			diagnosis_add(
			    list, DIAGNOSIS_WARNING, about, s->problem, "It is not used until then.");
		free(about);
	}
	prompt_files_clear(&files);
}

static void add_workspace(struct json_object *list, const struct tools *ts)
{
	const char *problem = workspace_problem(ts);

	if (problem)
		diagnosis_add(list, DIAGNOSIS_WARNING, "workspace", problem, NULL);
}

struct json_object *doctor_check(struct task *t, struct gateway *g)
{
	struct json_object *list = json_object_new_array();

	add_channels(list, g);
	add_cluster(t, list, g);
	doctor_add_state(list, gateway_config(g)->top.state);
	add_store_reasons(t, list, g);
	add_risk(t, list, g);
	const struct health_view *v = health_view_get(t, gateway_health(g));
	add_sizes(list, v);
	add_counts(list, &v->counts);
	doctor_add_clock(list, (long long)v->counts.newest_ms);
	add_outage(list, gateway_config(g)->llm);
	add_models(list, gateway_config(g)->llm);
	add_local_models(t, list, g);
	sandbox_status_add_finding(t, list, gateway_config(g));
	add_mcp(list, g);
	add_prompt(t, list, g);
	add_workspace(list, gateway_config(g)->tools);
	add_config(list, g);
	doctor_add_versions(list);
	return list;
}
