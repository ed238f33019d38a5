#include "tools/mcp/server.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "tools/mcp/settings.h"
#include "tools/sandbox/sandbox.h"
#include "tools/files/roots.h"
#include "tools/scope.h"
#include "tools/source.h"
#include "tools/tools_internal.h"

#define BACKOFF_BASE_MS 1000
#define BACKOFF_MAX_MS  (5 * 60 * 1000)
/* After this time without a failure, the back-off restarts at its minimum. */
#define WELL_MS 60000
/* Delay before a changed list is read again, and the minimum interval. */
#define SETTLE_MS       300
#define LIST_PAUSE_MS   1500
#define LISTEN_AGAIN_MS 10000
/* Losing sessions more often than this counts as a failure. */
#define RENEW_PAUSE_MS 10000

static const char *const state_names[] = {
    [MCP_STARTING] = "starting", [MCP_READY] = "ready", [MCP_DOWN] = "down"};

const char *mcp_state_name(enum mcp_state state)
{
	return state_names[state];
}

void mcp_server_set_state(struct mcp_server *s, enum mcp_state state, const char *reason)
{
	char *problem = state == MCP_READY ?
	    NULL :
	    xasprintf("The server is %s%s%s.", state == MCP_STARTING ? "being started" : "down",
		!*reason                  ? "" :
		    state == MCP_STARTING ? " again: " :
					    ": ",
		reason);

	s->state = state;
	s->since_ms = clock_now();
	str_copy(s->reason, sizeof(s->reason), reason);
	if (s->source)
		tool_source_problem(s->source, problem);
	free(problem);
	task_cond_broadcast(&s->state_changed);
}

static void wake(struct mcp_server *s)
{
	if (s->task)
		task_wake(s->task);
}

static void on_changed(void *arg)
{
	struct mcp_server *s = arg;

	s->changed = true;
	wake(s);
}

static void on_lost(void *arg)
{
	wake(arg);
}

void mcp_server_renew(struct mcp_server *s)
{
	if (s->state != MCP_READY)
		return;
	s->renew = true;
	mcp_server_set_state(s, MCP_STARTING, "its session restarts");
	wake(s);
}

void mcp_server_check(struct mcp_server *s)
{
	on_changed(s);
}

int mcp_server_await(struct task *t, struct mcp_server *s, uint64_t ms)
{
	uint64_t due = clock_now() + ms;
	int rc = 0;

	while (rc == 0 && s->state == MCP_STARTING && !s->ending)
		rc = task_cond_wait_until(t, &s->state_changed, due, NULL);
	return rc == 0 && s->state == MCP_READY ? 0 : -1;
}

/* Does this list differ from the last one? */
static bool has_changed(struct mcp_server *s, const struct mcp_definitions *d)
{
	struct buf all = BUF_INIT;
	char hash[SHA256_TEXT_SIZE];

	for (size_t i = 0; i < d->count; i++)
		buf_addf(&all, "%s%c", d->items[i].hash, d->items[i].refusal ? '-' : '+');
	sha256_text(all.data, all.len, hash);
	buf_clear(&all);
	bool news = strcmp(hash, s->list_hash) != 0;
	memcpy(s->list_hash, hash, sizeof(hash));
	return news;
}

/* Passes the server's current tools to the registry. */
static void publish(struct mcp_server *s, struct mcp_definitions *d)
{
	struct tool_definition *list = xcalloc(d->count + 1, sizeof(*list));

	s->tools = s->refused = 0;
	for (size_t i = 0; i < d->count; i++) {
		mcp_call_define(&list[i], s, &d->items[i]);
		s->tools += !d->items[i].refusal;
		s->refused += d->items[i].refusal != NULL;
	}
	tool_source_replace(s->source, list, d->count);
	free(list);
}

static int list_tools(struct task *t, struct mcp_server *s, struct error *err)
{
	struct mcp_definitions d;

	s->changed = false;
	struct json_object *tools =
	    s->hello.has_tools ? mcp_list_tools(t, &s->peer, err) : json_object_new_array();
	if (!tools || !s->source) {
		json_object_put(tools);
		return tools ? error_cancelled(err) : -1;
	}
	mcp_definitions_read(&d, s->settings->name, tools);
	mcp_pins_apply(&s->pins, &d);
	if (has_changed(s, &d))
		publish(s, &d);
	mcp_definitions_clear(&d);
	json_object_put(tools);
	return 0;
}

/* Modern era: the request is answered when the server ends the subscription. */
static int subscribe(struct task *t, struct mcp_server *s)
{
	struct json_object *params = json_object_new_object(), *wanted = json_object_new_object();
	struct mcp_request req = {
	    .method = "subscriptions/listen", .params = params, .timeout_ms = MCP_NO_TIMEOUT};
	struct mcp_answer a;

	json_set_bool(wanted, "toolsListChanged", true);
	json_set(params, "notifications", wanted);
	mcp_peer_ask(t, &s->peer, &req, &a);
	bool again = a.outcome == MCP_ANSWERED || (a.outcome == MCP_LOST && !s->peer.lost);
	mcp_answer_clear(&a);
	return again ? task_sleep(t, LISTEN_AGAIN_MS, NULL) : -1;
}

static void run_listener(struct task *t, void *arg)
{
	struct mcp_server *s = arg;

	if (!s->peer.modern && s->ops->listen)
		s->ops->listen(t, s->peer.link);
	while (s->peer.modern && subscribe(t, s) == 0)
		s->changed = true; /* notifications in between were not received */
}

int mcp_server_connect(struct task *t, struct mcp_server *s, struct error *err)
{
	s->starts++;
	s->renew = false;
	mcp_peer_init(&s->peer, s->log);
	s->peer.tools_changed = on_changed;
	s->peer.on_lost = on_lost;
	s->peer.arg = s;
	/* The system's message may contain paths of this host, which people in a chat must not see. */
	if (!s->ops->open(t, &s->peer, s->settings, &s->place, err)) {
		log_warn(s->log, "not started: %s", err->text);
		return error_set(err, ERROR_OURS, "%s",
		    err->kind == ERROR_REFUSED ?
			"the sandbox that tools.sandbox requires is not proved here: "
			"an operator runs myna check --sandbox" :
			err->kind == ERROR_LIMITED ? "the disk is nearly full" :
						     "it could not be started, and the log says why");
	}
	return mcp_handshake_run(
	    t, &s->peer, s->ops, &s->era, (uint64_t)s->settings->start_ms, &s->hello, err);
}

static int connect_and_list(struct task *t, struct mcp_server *s, struct error *err)
{
	if (mcp_server_connect(t, s, err) < 0 || list_tools(t, s, err) < 0)
		return -1;
	log_info(s->log, "ready server=\"%s\" protocol=%s tools=%zu refused=%zu", s->hello.server,
	    s->peer.version, s->tools, s->refused);
	mcp_server_set_state(s, MCP_READY, "");
	return 0;
}

/* Runs while the server works. Returns with the reason why it does not, or cancelled. */
static void stay(struct task *t, struct mcp_server *s, struct error *err)
{
	uint64_t listed = clock_now();
	int rc = 0;

	/* A legacy server over HTTP may ask a person on its own stream, too. */
	if (s->hello.notifies_changes || (!s->peer.modern && s->ops->listen))
		task_start(&s->listeners, "mcp listener", run_listener, s);
	while (rc == 0 && !s->peer.lost && !s->renew) {
		if (!s->changed) {
			rc = task_wait(t, err);
			continue;
		}
		uint64_t next = listed + LIST_PAUSE_MS, now = clock_now();
		rc = task_sleep(t, next > now + SETTLE_MS ? next - now : SETTLE_MS, err);
		if (rc == 0 && !s->peer.lost && !s->renew)
			rc = list_tools(t, s, err);
		listed = clock_now();
	}
	if (rc == 0 && s->peer.lost)
		*err = s->peer.why;
	else if (rc == 0)
		error_set(err, ERROR_NETWORK, "it loses our session");
}

void mcp_server_disconnect(struct task *t, struct mcp_server *s)
{
	struct mcp_transport *link = s->peer.link;

	task_group_finish(t, &s->listeners);
	s->ops->close(t, link);
	s->peer.link = NULL;
	s->peer.lost = true;
}

/* A session that restarts does so at once. */
static int pause_before_next(struct task *t, struct mcp_server *s, uint64_t well_ms, const struct error *why)
{
	if (well_ms > WELL_MS)
		backoff_reset(&s->backoff);
	if (s->renew && (s->renewed_ms == 0 || clock_now() - s->renewed_ms > RENEW_PAUSE_MS)) {
		s->renewed_ms = clock_now();
		return task_check(t, NULL);
	}
	uint64_t ms = backoff_next(&s->backoff);
	log_warn(s->log, "down, and tried again in %llu ms: %s", (unsigned long long)ms, why->text);
	mcp_server_set_state(s, MCP_DOWN, why->text);
	return task_sleep(t, ms, NULL);
}

static void run_life(struct task *t, void *arg)
{
	struct mcp_server *s = arg;
	int rc = 0;

	while (rc == 0) {
		struct error why = {0};
		uint64_t well_ms = 0;
		if (connect_and_list(t, s, &why) == 0) {
			stay(t, s, &why);
			well_ms = clock_now() - s->since_ms;
		}
		mcp_server_disconnect(t, s);
		rc = task_check(t, NULL) < 0 ? -1 : pause_before_next(t, s, well_ms, &why);
		if (rc == 0 && s->state == MCP_DOWN)
			mcp_server_set_state(s, MCP_STARTING, why.text);
	}
	s->task = NULL;
}

static bool is_sandboxed(const struct mcp_server_settings *settings)
{
	return settings->command.count > 0 && settings->sandbox;
}

/* Where all chats share the workspace, one process has it. */
static bool is_split(const struct tools *ts, const struct mcp_server_settings *settings)
{
	return is_sandboxed(settings) && settings->files && ts->settings.workspace_scope != WORKSPACE_SHARED;
}

bool mcp_server_fits(
    const struct mcp_server *s, const struct tools *ts, const struct mcp_server_settings *settings)
{
	return strcmp(s->settings->name, settings->name) == 0 &&
	    strcmp(s->settings->fingerprint, settings->fingerprint) == 0 &&
	    (!is_sandboxed(settings) ||
		(sandbox_equal(s->place.sandbox, tools_sandbox(ts)) &&
		    s->place.quota == ts->settings.workspace_quota)) &&
	    s->is_split == is_split(ts, settings);
}

struct mcp_server *mcp_server_alloc(
    const struct mcp_server_settings *settings, const char *state, struct sandbox *sandbox)
{
	struct mcp_server *s = xcalloc(1, sizeof(*s));

	s->refs = 1;
	s->settings = mcp_server_settings_ref((struct mcp_server_settings *)settings);
	s->log = xasprintf("mcp.%s", settings->name);
	s->place.state = xstrdup(state);
	s->place.sandbox = sandbox ? sandbox_ref(sandbox) : NULL;
	s->ops = settings->command.count > 0 ? &mcp_stdio : &mcp_http;
	s->backoff = (struct backoff){.base_ms = BACKOFF_BASE_MS, .max_ms = BACKOFF_MAX_MS};
	task_cond_init(&s->state_changed);
	task_cond_init(&s->changes);
	list_init(&s->link);
	list_init(&s->processes);
	task_group_init(&s->own);
	task_group_init(&s->listeners);
	mcp_peer_init(&s->peer, s->log);
	s->peer.lost = true;
	return s;
}

struct mcp_server *mcp_server_new(
    struct tools *ts, const struct mcp_server_settings *settings, const char *state)
{
	struct mcp_server *s =
	    mcp_server_alloc(settings, state, is_sandboxed(settings) ? tools_sandbox(ts) : NULL);
	char *name = xasprintf("mcp:%s", settings->name);

	s->is_split = is_split(ts, settings);
	s->place.quota = ts->settings.workspace_quota;
	if (settings->files && !s->is_split && ts->roots)
		s->place.workspace = xstrdup(roots_workspace(roots_base(ts->roots)));
	s->source = tool_source_new(ts, name);
	mcp_server_set_state(s, MCP_STARTING, "");
	s->task = task_start(&s->own, "mcp server", run_life, s);
	free(name);
	return s;
}

void mcp_server_stop(struct mcp_server *s)
{
	struct tool_source *source = s->source;

	s->source = NULL;
	s->ending = true;
	tool_source_free(source);
	mcp_server_set_state(s, MCP_DOWN, "it was taken out of the configuration");
	task_group_cancel(&s->own);
}

void mcp_server_free(struct task *t, struct mcp_server *s)
{
	if (s->source)
		mcp_server_stop(s);
	task_group_finish(t, &s->own);
	list_remove(&s->link);
	mcp_server_unref(s);
}

struct mcp_server *mcp_server_ref(struct mcp_server *s)
{
	s->refs++;
	return s;
}

void mcp_server_unref(struct mcp_server *s)
{
	if (--s->refs > 0)
		return;
	mcp_server_settings_unref(s->settings);
	mcp_pins_clear(&s->pins);
	free(s->log);
	free(s->place.state);
	free(s->place.workspace);
	free(s->place.scope);
	sandbox_unref(s->place.sandbox);
	task_cond_clear(&s->state_changed);
	task_cond_clear(&s->changes);
	if (s->parent)
		mcp_server_unref(s->parent);
	free(s);
}
