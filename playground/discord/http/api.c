#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "playground/discord/discord.h"
#include "playground/discord/gateway/gateway.h"
#include "playground/discord/http/api.h"
#include "playground/discord/http/call.h"
#include "playground/platform.h"
#include "playground/playground.h"
#include "playground/server/origin.h"

#define CDN_PREFIX "cdn/attachments/"
#define GATEWAY    "gateway"

/* Discord: reference, User Agent: others than DiscordBot ($url, $versionNumber) may be blocked. Libraries
 * that many use leave the comma out. */
static void look_at_agent(struct exchange *ex, const char *agent)
{
	if (!agent || strncmp(agent, "DiscordBot (", 12) != 0)
		exchange_remark(ex, "the User-Agent is not DiscordBot (URL, VERSION): Discord may block it");
}

static void refuse_operation(struct cord_call *call)
{
	snprintf(call->fail_buf, sizeof(call->fail_buf), "%s is not simulated by the playground",
	    call->route->spec->name);
	exchange_problem(call->ex, "%s", call->fail_buf);
	cord_fail_plain(call, 400, call->fail_buf);
}

/* Finds the bot of the Authorization header. Returns -1 after a 401; an open operation accepts any or none.
 */
static int authorize(struct cord_call *call)
{
	const char *header = server_header(call->ex->req, "authorization");

	bool open = spec_has(call->route->spec, "open");

	if (header && strncmp(header, "Bot ", 4) == 0)
		call->bot = cord_bot_of_token(call->world, header + 4);
	if (open && header && !call->bot)
		exchange_remark(call->ex, "the Authorization is none: nothing wants it here");
	if (call->bot || open)
		return 0;
	if (!header || !strstr(header, "revoked"))
		exchange_problem(call->ex,
		    "401: Unauthorized: the header Authorization must be Bot TOKEN, with a token that is "
		    "base64(ID).STAMP.SECRET and was not reset");
	return cord_fail_plain(call, 401, "401: Unauthorized");
}

/* The bucket of the route and its major parameter: the first id of the path. */
static int take_limits(struct cord_call *call)
{
	struct cord_limits *l = &call->world->limits;
	int64_t number = call->bot ? call->bot->number : 0;
	struct cord_limit_state all;
	bool taken;

	call->scope = "user";
	if (!cord_limits_take(l, call->route->bucket, number, call->ids[0], &call->limit)) {
		call->retry_ms = call->limit.reset_ms;
		return cord_fail_plain(call, 429, "You are being rate limited.");
	}
	exchange_limit(call->ex, call->limit.used);
	if (spec_has(call->route->spec, "unbound"))
		return 0;
	taken = cord_limits_take_global(l, number, &all);
	exchange_limit(call->ex, all.used);
	if (taken)
		return 0;
	call->retry_ms = all.reset_ms;
	call->scope = "global";
	call->limit.bucket = NULL;
	return cord_fail_plain(call, 429, "You are being rate limited.");
}

/* Path parameters named …_id must be snowflakes. */
static int check_ids(struct cord_call *call)
{
	const char *at = call->route->path;

	for (size_t i = 0; (at = strchr(at, '{')); i++) {
		const char *end = strchr(at, '}');
		char name[40];

		snprintf(name, sizeof(name), "%.*s", (int)(end - at - 1), at + 1);
		if (strncmp(end - 3, "_id", 3) == 0 && call->ids[i] == 0)
			cord_errors_add(&call->errors, name, "NUMBER_TYPE_COERCE",
			    "Value \"%.40s\" is not snowflake.", call->args[i]);
		at = end;
	}
	return !call->errors.tree ? 0 : cord_refuse(call);
}

/* What the path names: the guild or channel, and the message in it. */
static int find_place(struct cord_call *call)
{
	const struct cord_endpoint *e = call->route->endpoint;

	if (e->place == CORD_IN_GUILD)
		call->guild = cord_call_guild(call, e->permissions);
	else if (e->place == CORD_IN_CHANNEL || e->place == CORD_IN_MESSAGE)
		call->channel = cord_call_channel(call, e->permissions);
	if (e->place == CORD_IN_MESSAGE && call->channel)
		call->message = cord_call_message(call, call->channel);
	return call->fail_status == 0 ? 0 : -1;
}

bool cord_call_find(struct cord_call *call, const char *method, const char *path)
{
	bool known;

	call->route = cord_route_find(method, path, call->args, &known);
	for (size_t i = 0; call->route && i < CORD_ARGS_MAX; i++) {
		struct buf text = BUF_INIT;

		if (form_decode(&text, call->args[i], strlen(call->args[i]), 0) == 0)
			str_copy(call->args[i], sizeof(call->args[i]), text.data);
		buf_clear(&text);
		if (!cord_snowflake_read(call->args[i], &call->ids[i]))
			call->ids[i] = 0;
	}
	return known;
}

int cord_call_run(struct cord_call *call)
{
	cord_threads_archive(call->world);
	cord_polls_finish(call->world);
	if (check_ids(call) != 0 || cord_request_judge(call) != 0)
		return -1;
	if (find_place(call) != 0 || call->route->endpoint->run(call) != 0)
		return -1;
	if (strcmp(call->route->method, "GET") != 0)
		playground_changed(call->world->pg);
	return 0;
}

/* Discord: resources/audit-log: a text of 1 to 512 characters with %XX. */
static void read_reason(struct cord_call *call)
{
	const char *given = server_header(call->ex->req, "x-audit-log-reason");
	struct buf text = BUF_INIT;

	if (given && form_decode(&text, given, strlen(given), 0) == 0)
		call->reason = xstrdup(text.data);
	buf_clear(&text);
}

/* Discord's OpenAPI description: the names of such operations say so. */
static void look_at_age(struct cord_call *call)
{
	if (strncmp(call->route->spec->name, "deprecated_", 11) == 0)
		exchange_remark(call->ex, "%s is deprecated", call->route->name);
}

static int read_call(struct cord_call *call)
{
	look_at_age(call);
	if (authorize(call) != 0)
		return -1;
	/* Headers report the buckets even while they are not enforced, because clients expect them. */
	if (call->world->settings.limits && take_limits(call) != 0)
		return -1;
	read_reason(call);
	return cord_request_read(call);
}

void cord_call_clear(struct cord_call *call)
{
	cord_errors_clear(&call->errors);
	json_object_put(call->query);
	json_object_put(call->body);
	json_object_put(call->parts);
	json_object_put(call->result);
	free(call->reason);
}

static void serve_rest(struct task *t, struct cord_world *w, struct exchange *ex, const char *path)
{
	struct cord_call call = {.ex = ex, .world = w, .scope = "user"};
	bool known = cord_call_find(&call, server_method(ex->req), path);

	snprintf(ex->method, sizeof(ex->method), "%s %.50s", server_method(ex->req), path);
	if (call.route && call.route->endpoint)
		str_copy(ex->method, sizeof(ex->method), call.route->name);
	look_at_agent(ex, server_header(ex->req, "user-agent"));
	if (cord_limits_banned(&w->limits) && w->settings.limits) {
		cord_answer_banned(ex);
	} else if (!call.route) {
		exchange_problem(ex, "there is no such %s", known ? "method of this path" : "path");
		cord_fail_plain(
		    &call, known ? 405 : 404, known ? "405: Method Not Allowed" : "404: Not Found");
		cord_answer(&call);
	} else if (!call.route->endpoint) {
		refuse_operation(&call);
		cord_answer(&call);
	} else if (!exchange_fault(t, ex)) {
		if (read_call(&call) == 0)
			cord_call_run(&call);
		cord_answer(&call);
	}
	cord_call_clear(&call);
}

static void serve_file(struct task *t, struct cord_world *w, struct exchange *ex, const char *path)
{
	str_copy(ex->method, sizeof(ex->method), "GET /cdn");
	if (server_header(ex->req, "authorization"))
		exchange_problem(ex, "the token must not be sent to the CDN");
	if (!exchange_fault(t, ex))
		cord_file_serve(w, ex, path, server_query(ex->req));
}

bool cord_api_has_method(const char *name)
{
	size_t count;
	const struct cord_route *routes = cord_routes(&count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(routes[i].name, name) == 0)
			return true;
	return strcmp(name, "GET /cdn") == 0 || strcmp(name, "gateway") == 0 ||
	    strcmp(name, FAULT_EVENT) == 0;
}

static void serve_other(struct cord_world *w, struct exchange *ex, const char *path)
{
	struct cord_call call = {.ex = ex, .world = w, .scope = "user"};

	str_copy(ex->method, sizeof(ex->method), path);
	if (strncmp(path, "api", 3) == 0) {
		cord_fail(&call, "Invalid API version provided");
	} else {
		exchange_problem(
		    ex, "there is nothing at this path: the API is below %sapi/", discord_platform.prefix);
		cord_fail_plain(&call, 404, "404: Not Found");
	}
	cord_answer(&call);
}

/* Returns what follows "api/vN" when that version is served, or "api", which means version 6; else NULL. */
static const char *skip_version(struct exchange *ex, const char *path)
{
	char number[8] = "6";

	if (strncmp(path, "api/v", 5) == 0 && path[5] >= '0' && path[5] <= '9') {
		size_t len = strspn(path + 5, "0123456789");

		snprintf(number, sizeof(number), "%.*s", (int)(len < 4 ? len : 4), path + 5);
		path += 5 + len;
	} else {
		path += strlen("api");
	}
	if (*path != '/' || !cord_version_is_served(number))
		return NULL;
	if (number[0] != '1' && number[0] != '9')
		exchange_remark(ex, "version %s of the API is deprecated", number);
	return path;
}

static void serve_path(struct task *t, struct cord_world *w, struct exchange *ex, const char *path)
{
	const char *rest = strncmp(path, "api/", 4) == 0 ? skip_version(ex, path) : NULL;
	size_t gateway = strlen(GATEWAY);

	if (rest)
		serve_rest(t, w, ex, rest);
	else if (strncmp(path, GATEWAY, gateway) == 0 && (path[gateway] == '\0' || path[gateway] == '/'))
		cord_gateway_serve(t, w, ex);
	else if (strncmp(path, CDN_PREFIX, strlen(CDN_PREFIX)) == 0)
		serve_file(t, w, ex, path + strlen(CDN_PREFIX));
	else
		serve_other(w, ex, path);
}

void cord_api_serve(struct task *t, void *world, struct server_request *req)
{
	const char *path = server_path(req) + strlen(discord_platform.prefix);
	struct cord_world *w = world;
	struct exchange ex;

	origin_of(req, w->origin, sizeof(w->origin));
	exchange_begin(&ex, w->pg, req, w->log, discord_platform.name, cord_answer_fault);
	serve_path(t, w, &ex, path);
	exchange_end(&ex);
}
