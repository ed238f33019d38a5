#include "tools/mcp/server.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "tools/sanitize.h"
#include "tools/mcp/elicit.h"
#include "tools/mcp/header.h"
#include "tools/mcp/result.h"
#include "tools/mcp/settings.h"
#include "tools/source.h"
#include "tools/tools_internal.h"

/* A modern server may ask for the call to be repeated with a state of its own (MCP 2026-07-28, "Multi
 * round-trip requests"). */
#define ROUNDS_MAX 10
/* MCP 2025-11-25, "URL Elicitation Required Error". */
#define URL_REQUIRED (-32042)
#define INPUTS_MAX   5
/* How long a call waits for a session that restarts. */
#define RENEW_MS   30000
#define QUOTED_MAX 500

/* The x-mcp-header marks of the schema are kept: they say which arguments are sent as headers, too. */
struct mcp_tool {
	struct mcp_server *server;
	char *original_name;
	struct json_object *schema;
};

/* The state of one call. */
struct calling {
	const struct tool_call *call;
	const struct mcp_tool *tool;
	struct mcp_server *server; /* the tool's, or its process for the call's folder */
	struct json_object *args;
	char *state;                /* requestState of the previous round; NULL for none */
	struct json_object *inputs; /* what it wanted to know then; NULL for nothing */
	struct mcp_elicit elicit;
};

static const char *own_name(const struct calling *c)
{
	return c->call->tool->name;
}

static struct json_object *lost(const struct calling *c, const struct error *why)
{
	return tool_failure(own_name(c), "UNAVAILABLE", "SERVER_DOWN",
	    "The MCP server %s did not answer: %s.%s", c->server->settings->name, why->text,
	    why->uncertain ? " It may have done it: check before doing it again." :
			     " Nothing was run. Try later, or do without it.");
}

static struct json_object *refused(const struct calling *c, const struct mcp_answer *a)
{
	struct buf said = BUF_INIT;

	sanitize_text(&said, a->message, strlen(a->message));
	struct json_object *o = tool_failure(own_name(c), "TOOL_FAILED", NULL,
	    "The MCP server %s refuses the call: %.*s. Look at what it says, and call again otherwise.",
	    c->server->settings->name, (int)utf8_cut(said.data, said.len, QUOTED_MAX, UTF8_BYTES), said.data);
	json_set_int(json_get_object(o, "context"), "number", a->number);
	buf_clear(&said);
	return o;
}

static struct json_object *late(const struct calling *c, const struct mcp_answer *a)
{
	return tool_failure(own_name(c), "TOOL_TIMEOUT", NULL,
	    "The MCP server %s gave %s. Its outcome is unknown: check before doing it again.",
	    c->server->settings->name, a->err.text);
}

static struct json_object *stopped(const struct calling *c)
{
	return tool_failure(own_name(c), "INTERRUPTED", "STOPPED",
	    "The turn was stopped while this ran. Its outcome is unknown: check before doing it again.");
}

static struct json_object *make_params(const struct calling *c)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "name", c->tool->original_name);
	json_set(o, "arguments", json_object_get(c->args));
	json_set_str(o, "requestState", c->state);
	if (c->inputs)
		json_set(o, "inputResponses", json_object_get(c->inputs));
	return o;
}

static struct json_object *on_elicit(struct task *t, void *arg, struct json_object *params, const bool *over)
{
	struct calling *c = arg;

	return mcp_elicit_run(t, &c->elicit, params, over);
}

static void ask(struct task *t, struct calling *c, struct mcp_answer *a)
{
	struct mcp_server *s = c->server;
	struct buf name = BUF_INIT, headers = BUF_INIT;
	struct mcp_request req = {.method = "tools/call",
	    .params = make_params(c),
	    .progress = true,
	    .timeout_ms = (uint64_t)s->settings->timeout_ms,
	    .elicit = on_elicit,
	    .arg = c,
	    .elicit_ms = (uint64_t)c->call->tools->settings.question_ms,
	    .no_person = !mcp_elicit_is_possible(c->call)};

	mcp_header_encode(&name, c->tool->original_name);
	mcp_header_add(&headers, c->tool->schema, c->args);
	req.name = name.data;
	req.headers = headers.data;
	mcp_peer_ask(t, &s->peer, &req, a);
	buf_clear(&name);
	buf_clear(&headers);
}

/* If the session is gone, restarts it once: the server has not executed the call. */
static void ask_in_session(struct task *t, struct calling *c, struct mcp_answer *a)
{
	ask(t, c, a);
	if (a->outcome == MCP_SESSION) {
		mcp_server_renew(c->server);
		if (mcp_server_await(t, c->server, RENEW_MS) == 0) {
			mcp_answer_clear(a);
			ask(t, c, a);
		}
	}
	/* Over HTTP nothing else reports that the server is gone. */
	if (a->outcome == MCP_LOST && a->err.kind == ERROR_NETWORK)
		mcp_server_check(c->server);
}

static bool is_accepted(struct json_object *result)
{
	const char *action = json_get_str(result, "action");

	return action && strcmp(action, "accept") == 0;
}

static struct json_object *take_input(
    struct task *t, struct calling *c, struct json_object *input, const bool *over)
{
	const char *method = json_get_str(input, "method");

	if (method && strcmp(method, "roots/list") == 0)
		return mcp_peer_roots(&c->server->peer);
	return method && strcmp(method, "elicitation/create") == 0 ?
	    mcp_elicit_run(t, &c->elicit, json_get_object(input, "params"), over) :
	    NULL;
}

/* Asks the person for what the server wants to know before it goes on. Returns -1 when that cannot be asked.
 */
static int take_inputs(struct task *t, struct calling *c, struct json_object *wanted)
{
	bool more = true;

	json_object_put(c->inputs);
	c->inputs = NULL;
	if (!wanted || json_object_object_length(wanted) == 0)
		return c->state ? 0 : -1;
	if (json_object_object_length(wanted) > INPUTS_MAX)
		return -1;
	c->inputs = json_object_new_object();
	json_object_object_foreach(wanted, key, input) {
		/* Who declined once is asked nothing more. */
		bool over = !more;
		struct json_object *result = take_input(t, c, input, &over);
		if (!result)
			return -1;
		more = more && (json_get(result, "roots") || is_accepted(result));
		json_set(c->inputs, key, result);
	}
	return 0;
}

/* Pages that the person must visit before the call. Returns NULL when they did: it is repeated. */
static struct json_object *take_pages(struct task *t, struct calling *c, const struct mcp_answer *a)
{
	struct json_object *pages = json_get_array(a->data, "elicitations");
	size_t count = pages ? json_object_array_length(pages) : 0;
	bool done = count > 0 && count <= INPUTS_MAX;

	for (size_t i = 0; done && i < count; i++) {
		struct json_object *page = json_object_array_get_idx(pages, i), *result;
		result = json_get_str(page, "url") ? mcp_elicit_run(t, &c->elicit, page, NULL) : NULL;
		done = is_accepted(result);
		json_object_put(result);
	}
	return done ?
	    NULL :
	    tool_failure(own_name(c), "TOOL_FAILED", NULL,
		"The MCP server %s wants a person to visit a page first, and nobody did. Nothing was run. Do "
		"without it.",
		c->server->settings->name);
}

/* Returns NULL when the call must be repeated. */
static struct json_object *take_result(struct task *t, struct calling *c, struct json_object *result)
{
	const char *type = json_get_str(result, "resultType"), *server = c->server->settings->name;

	if (!c->server->peer.modern || !type || strcmp(type, "complete") == 0)
		return mcp_result_read(own_name(c), server, result);
	free(c->state);
	c->state = xstrdup(json_get_str(result, "requestState"));
	if (strcmp(type, "input_required") == 0 &&
	    take_inputs(t, c, json_get_object(result, "inputRequests")) == 0)
		return NULL;
	return tool_failure(own_name(c), "TOOL_FAILED", NULL,
	    "The MCP server %s wants more than the arguments, which cannot be given here. Do without it.",
	    server);
}

static struct json_object *take_answer(struct task *t, struct calling *c, const struct mcp_answer *a)
{
	switch (a->outcome) {
	case MCP_ANSWERED:
		return take_result(t, c, a->result);
	case MCP_ERROR:
		return a->number == URL_REQUIRED && !c->server->peer.modern ? take_pages(t, c, a) :
									      refused(c, a);
	case MCP_TIMED_OUT:
		return late(c, a);
	case MCP_STOPPED:
		return stopped(c);
	case MCP_SESSION:
	case MCP_LOST:
		break;
	}
	return lost(c, &a->err);
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	struct calling c = {.call = call, .tool = call->tool->context, .args = args};
	struct json_object *o = NULL;

	c.server = mcp_process_enter(t, c.tool->server, call, &o);
	if (!c.server)
		return o;
	c.elicit =
	    (struct mcp_elicit){.call = call, .server = c.server->settings->name, .log = c.server->log};
	for (int i = 0; i < ROUNDS_MAX && !o; i++) {
		struct mcp_answer a;
		ask_in_session(t, &c, &a);
		o = take_answer(t, &c, &a);
		mcp_answer_clear(&a);
	}
	free(c.state);
	json_object_put(c.inputs);
	mcp_process_leave(c.server);
	return o ? o :
		   tool_failure(call->tool->name, "TOOL_FAILED", NULL,
		       "The MCP server %s wants the call again and again. Do without it.",
		       c.tool->server->settings->name);
}

static void free_tool(void *context)
{
	struct mcp_tool *tool = context;

	mcp_server_unref(tool->server);
	json_object_put(tool->schema);
	free(tool->original_name);
	free(tool);
}

void mcp_call_define(struct tool_definition *out, struct mcp_server *s, const struct mcp_definition *d)
{
	struct mcp_tool *tool = xcalloc(1, sizeof(*tool));

	tool->server = mcp_server_ref(s);
	tool->original_name = xstrdup(d->original_name);
	tool->schema = json_object_get(d->schema);
	/* The server's own claims about its tools (readOnlyHint, ...) are ignored. */
	*out = (struct tool_definition){.name = d->name,
	    .summary = d->summary,
	    .schema = json_object_get(d->schema),
	    .flags = TOOL_WRITES | TOOL_NETWORK | TOOL_TIMED | TOOL_DAEMON | TOOL_UNTRUSTED_SCHEMA,
	    .refusal = d->refusal,
	    .run = run,
	    .context = tool,
	    .free_context = free_tool};
}
