#include "gateway/gateway_internal.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "agent/budget.h"
#include "base/buf.h"
#include "base/time/clock.h"
#include "base/epoch.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "bus/outbox_file.h"
#include "control/control.h"
#include "ops/doctor.h"
#include "ops/diagnosis.h"
#include "config/gateway_config.h"
#include "config/last_good_config.h"
#include "gateway/gateway.h"
#include "ops/gateway_view.h"
#include "ops/health.h"
#include "control/http_api.h"
#include "llm/llm.h"
#include "ops/reports.h"
#include "session/commands/command.h"
#include "session/session.h"
#include "ops/status.h"
#include "store/store.h"
#include "tools/mcp/mcp.h"
#include "tools/background.h"
#include "tools/sandbox/sandbox.h"
#include "tools/tools.h"

/* Delays the proof of the sandbox, to leave the machine to the start. A tool that needs the sandbox earlier
 * does not wait for this. */
#define SANDBOX_DELAY_MS 1000

static void gateway_notify_operator(void *arg, const char *text)
{
	struct gateway *g = arg;

	log_warn("gateway", "%s", text);
	if (g->notice_count < GATEWAY_NOTICES_MAX)
		g->notices[g->notice_count++] = xstrdup(text);
}

static int open_store(struct task *t, struct gateway *g)
{
	struct store_options options = {.dir = g->config->top.state,
	    .settings = &g->config->store,
	    .retention = g->config->retention,
	    .cluster = g->config->cluster.node && !g->guest ? &g->config->cluster : NULL,
	    .node_ops = &node_ops,
	    .notice = gateway_notify_operator,
	    .arg = g};

	struct error logged = {0};

	for (uint64_t until = clock_now() + GATEWAY_WAIT_MS;;) {
		g->store = store_open(t, &options, g->err);
		if (g->store)
			node_begin(g);
		if (g->store || g->err->kind != ERROR_LIMITED || clock_now() > until)
			return g->store ? 0 : -1;
		if (strcmp(logged.text, g->err->text) != 0) {
			logged = *g->err;
			log_warn("gateway", "waiting to start, for %d minutes at most: %s",
			    GATEWAY_WAIT_MS / 60000, logged.text);
			sd_notify_status(logged.text);
		}
		if (task_sleep(t, g->err->retry_ms, g->err) < 0)
			return -1;
	}
}

static void close_store(struct task *t, struct gateway *g)
{
	store_close(t, g->store);
	node_end(g);
}

static int open_health(struct task *t, struct gateway *g)
{
	(void)t;
	g->health = health_new(g);
	return 0;
}

static void close_health(struct task *t, struct gateway *g)
{
	health_free(t, g->health);
}

static int open_tools(struct task *t, struct gateway *g)
{
	(void)t;
	return tools_open(g->config->tools, g->err);
}

/* MCP servers connect in the background: nothing waits for them. */
static int start_mcp(struct task *t, struct gateway *g)
{
	(void)t;
	g->mcp = mcp_new(g->config->tools, &g->config->mcp, g->config->top.state);
	return 0;
}

static void stop_mcp(struct task *t, struct gateway *g)
{
	struct mcp *mcp = g->mcp;

	g->mcp = NULL;
	mcp_free(t, mcp);
}

static void bus_received(void *arg, struct message *m)
{
	struct gateway *g = arg;

	if (g->sessions)
		sessions_received(g->sessions, m);
	else
		message_free(m); /* stopping: it stays pending in the journal */
}

static void bus_delivered_row(void *arg, const struct outbound *row)
{
	struct gateway *g = arg;

	if (g->reports)
		reports_delivered(g->reports, row);
}

static void bus_moved(void *arg, const struct journal_move *move, bool committed)
{
	struct gateway *g = arg;

	if (g->sessions)
		sessions_moved(g->sessions, move, committed);
	if (committed)
		return;
	char *text = xasprintf("The chat %s of the channel %s has the id %s now: put that in place of the "
			       "old one in the configuration. Until then the old one is understood.",
	    move->old_chat, move->channel, move->new_chat);
	gateway_notify_operator(g, text);
	free(text);
}

static int64_t quiet_hours(void *arg, const struct address *to)
{
	const struct gateway *g = arg;
	const struct gateway_channel *c = gateway_config_channel(g->config, to->channel);
	const struct access_group_settings *p =
	    c ? access_group_settings(&c->access, to->chat, bus_former_chat_id(g->bus, to)) : NULL;
	int64_t now_ms = clock_wall(), channel = 0;

	if (p && p->quiet_hours)
		channel = quiet_hours_until(&p->quiet, now_ms);
	else if (c)
		channel = quiet_hours_until(&c->quiet, now_ms);
	int64_t target = targets_quiet_until(&g->config->targets, to, now_ms);

	return channel > target ? channel : target;
}

static void lend_access(struct channel *ch, const struct access_settings *access)
{
	ch->uncertain = (enum channel_uncertain)access->uncertain;
	ch->ack_reaction = access->ack_reaction;
	ch->stop_reaction = access->stop_reaction ? access->stop_reaction : ch->ops->stop_reaction;
	ch->admins = access->admin_ids;
	ch->admin_count = access->admin_id_count;
}

static int open_bus(struct task *t, struct gateway *g)
{
	struct journal journal = store_journal(g->store);
	struct bus_handler handler = {
	    .received = bus_received, .moved = bus_moved, .delivered = bus_delivered_row, .arg = g};

	(void)t;
	if (g->config->cluster.node) {
		handler.put_elsewhere = node_put_elsewhere;
		handler.has_owner = node_has_owner;
	}
	g->bus = bus_new(&journal, &handler);
	char *copies = xasprintf("%s/outgoing", tools_data(g->config->tools));
	bus_set_files(g->bus, copies);
	if (g->config->cluster.shared)
		bus_share_files(g->bus);
	bus_set_quiet(g->bus, quiet_hours, g);
	free(copies);
	g->menu = command_menu();
	for (size_t i = 0; i < g->config->channel_count; i++) {
		const struct gateway_channel *c = &g->config->channels[i];
		struct channel *ch = bus_add_channel(g->bus, c->name, c->ops, c->settings);
		for (; ch; ch = bus_next_channel(g->bus, ch)) {
			ch->menu = g->menu;
			lend_access(ch, &c->access);
			if (node_shares(g, ch))
				channel_set_status(
				    ch, CHANNEL_ELSEWHERE, "another node serves it, or none yet");
		}
	}
	if (g->config->cluster.node)
		bus_share(g->bus);
	return 0;
}

static void close_bus(struct task *t, struct gateway *g)
{
	bus_free(t, g->bus);
	free(g->menu);
}

static int open_budget(struct task *t, struct gateway *g)
{
	g->budget = budget_new(g->store, g->bus);
	if (g->config->cluster.node)
		budget_share(g->budget);
	budget_apply(g->budget, &g->config->budgets, llm_currency(g->config->llm));
	return budget_load(t, g->budget, g->err);
}

static void close_budget(struct task *t, struct gateway *g)
{
	(void)t;
	budget_free(g->budget);
	g->budget = NULL;
}

static int open_reports(struct task *t, struct gateway *g)
{
	(void)t;
	g->reports = reports_new(g);
	return 0;
}

static void close_reports(struct task *t, struct gateway *g)
{
	reports_free(t, g->reports);
	g->reports = NULL;
}

static const struct access_settings *channel_access(void *arg, const char *channel)
{
	struct gateway *g = arg;
	const struct gateway_channel *c = gateway_config_channel(g->config, channel);

	return c ? &c->access : NULL;
}

static void tell_status(struct task *t, void *arg, bool details, struct buf *out)
{
	struct json_object *status = status_collect(t, arg), *queue = json_get_object(status, "queue");
	int64_t waiting = json_get_int(queue, "inbox_pending", 0);

	/* The command that asks is among them until it is answered. */
	if (waiting > 0)
		json_set_int(queue, "inbox_pending", waiting - 1);
	status_describe(status, details, out);
	json_object_put(status);
}

static bool report_addresses(void *arg, struct address **to, size_t *count)
{
	const struct gateway *g = arg;
	const char *name = g->config->top.reports;

	*count = 0;
	*to = name && *name ? targets_expand(&g->config->targets, name, count, NULL) : NULL;
	return name;
}

static void tell_reload(struct task *t, void *arg, struct buf *out)
{
	gateway_reload(t, arg, out);
}

static void equip_agent(struct gateway *g)
{
	g->agent = (struct agent){.store = g->store,
	    .bus = g->bus,
	    .llm = g->config->llm,
	    .tools = g->config->tools,
	    .background = g->background,
	    .budget = g->budget,
	    .name = g->config->top.name};
}

static void tell_doctor(struct task *t, void *arg, struct buf *out)
{
	struct json_object *findings = doctor_check(t, arg);
	size_t before = out->len;

	diagnosis_describe(findings, false, out);
	if (out->len == before)
		buf_addstr(out, "All is well.");
	json_object_put(findings);
}

static void start_again(void *arg)
{
	struct gateway *g = arg;

	if (g->stopping)
		return;
	g->restart = true;
	gateway_begin_stop(g);
}

static int open_background(struct task *t, struct gateway *g)
{
	(void)t;
	g->background = background_new();
	return 0;
}

/* While its store and settings still exist. */
static void close_background(struct task *t, struct gateway *g)
{
	background_free(t, g->background);
	g->background = NULL;
}

static int open_sessions(struct task *t, struct gateway *g)
{
	(void)t;
	equip_agent(g);
	struct sessions_options options = {.agent = &g->agent,
	    .access = channel_access,
	    .status = tell_status,
	    .doctor = tell_doctor,
	    .reload = tell_reload,
	    .reports = report_addresses,
	    .restart = g->guest ? NULL : start_again,
	    .arg = g,
	    .turns_at_once = (size_t)g->config->top.turns_at_once,
	    .queue_most = (size_t)g->config->top.queue_most,
	    .files = &g->config->files,
	    .settings = &g->config->sessions,
	    .only_channel = g->guest ? g->guest->channel : NULL};
	g->sessions = sessions_new(&options);
	return 0;
}

static void close_sessions(struct task *t, struct gateway *g)
{
	/* A sub-agent in the background asks the sessions what its person may do. */
	background_close(t, g->background);
	sessions_free(t, g->sessions);
	g->sessions = NULL;
}

static int open_control(struct task *t, struct gateway *g)
{
	(void)t;
	g->control = control_new(g, g->config->top.control, g->err);
	return g->control ? 0 : -1;
}

static void close_control(struct task *t, struct gateway *g)
{
	control_free(t, g->control);
}

/* A guest gateway runs only as long as its terminal and needs no monitoring. */
static int open_http(struct task *t, struct gateway *g)
{
	(void)t;
	if (!g->config->http.listen || g->guest)
		return 0;
	g->http = http_api_new(g, &g->config->http, g->err);
	return g->http ? 0 : -1;
}

static void close_http(struct task *t, struct gateway *g)
{
	http_api_free(t, g->http);
}

static int resume_work(struct task *t, struct gateway *g)
{
	if (reports_resume(t, g->reports, g->err) < 0 || bus_resume(t, g->bus, g->err) < 0)
		return -1;
	return sessions_resume(t, g->sessions, g->err);
}

static int start_channels(struct task *t, struct gateway *g)
{
	(void)t;
	for (struct channel *ch = NULL; (ch = bus_next_channel(g->bus, ch));) {
		if ((g->guest && strcmp(g->guest->channel, ch->channel) != 0) || node_shares(g, ch))
			continue;
		if (ch->ops->start(ch, ch->settings, g->err) < 0)
			return error_prefix(g->err, "channel %s", ch->name);
	}
	node_serve(g);
	return 0;
}

/* A guest gateway runs briefly; the daemon keeps the copy. */
static int keep_config(struct task *t, struct gateway *g)
{
	if (!g->guest)
		last_good_config_keep(t, g->config);
	if (g->config->broken)
		reports_safe_mode(t, g->reports, g->config->broken);
	return 0;
}

const struct gateway_part gateway_parts[] = {
    {"store", open_store, close_store},
    {"cluster.shared", node_open_shared, NULL},
    {"tools", open_tools, NULL},
    {"mcp", start_mcp, stop_mcp},
    {"health", open_health, close_health},
    {"bus", open_bus, close_bus},
    {"reports", open_reports, close_reports},
    {"budget", open_budget, close_budget},
    {"background", open_background, close_background},
    {"sessions", open_sessions, close_sessions},
    {"control", open_control, close_control},
    {"http", open_http, close_http},
    {"resume", resume_work, NULL},
    {"channels", start_channels, NULL},
    {"config", keep_config, NULL},
    {NULL, NULL, NULL},
};

static void sandbox_task(struct task *t, void *arg)
{
	const struct gateway *g = arg;
	struct epoch *e;

	if (task_sleep(t, SANDBOX_DELAY_MS, NULL) < 0)
		return;
	e = epoch_enter();
	sandbox_prove(t, tools_sandbox(g->config->tools), NULL);
	epoch_leave(e);
}

void gateway_prove_sandbox(struct gateway *g)
{
	task_start(&g->guests, "sandbox", sandbox_task, g);
}

void gateway_retire_config(void *arg)
{
	gateway_config_clear(arg);
	free(arg);
}

/* A level set by /log stays unless the file changes it, too. */
static void change_log(const struct gateway_config *old, const struct gateway_config *now)
{
	if (old->top.log_level != now->top.log_level || old->top.log_format != now->top.log_format ||
	    !log_settings_equal(&old->log, &now->log))
		log_settings_apply(
		    (enum log_level)now->top.log_level, (enum log_format)now->top.log_format, &now->log);
}

void gateway_put_config(struct gateway *g, struct gateway_config *gc)
{
	static const struct access_settings nobody = {0};
	const struct gateway_config *old = g->config;

	g->config = gc;
	equip_agent(g);
	budget_apply(g->budget, &gc->budgets, llm_currency(gc->llm));
	for (struct channel *ch = NULL; (ch = bus_next_channel(g->bus, ch));) {
		const struct gateway_channel *c = gateway_config_channel(gc, ch->channel);
		lend_access(ch, c ? &c->access : &nobody);
		if (ch->state && ch->ops->admins_changed)
			ch->ops->admins_changed(ch);
	}
	sessions_set_limits(g->sessions, (size_t)gc->top.turns_at_once, (size_t)gc->top.queue_most,
	    &gc->files, &gc->sessions);
	change_log(old, gc);
	mcp_apply(g->mcp, gc->tools, &gc->mcp);
	llm_retire(old->llm);
	if (old != g->first)
		epoch_retire(gateway_retire_config, (void *)old);
}
