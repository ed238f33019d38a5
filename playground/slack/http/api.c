#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "playground/playground.h"
#include "playground/server/origin.h"
#include "playground/slack/http/method.h"
#include "playground/slack/slack.h"
#include "playground/slack/socket/socket.h"

#define JSON_TYPE "application/json; charset=utf-8"

static void write_error(struct buf *out, const char *error)
{
	buf_addstr(out, "{\"ok\":false,\"error\":");
	json_quote(out, error, strlen(error));
}

/* Answers {"ok":false,…}. */
static void answer_error(struct exchange *ex, int status, const char *error, unsigned retry_s)
{
	struct buf out = BUF_INIT;
	char header[48] = "";

	if (retry_s > 0)
		snprintf(header, sizeof(header), "Retry-After: %u\r\n", retry_s);
	write_error(&out, error);
	buf_addch(&out, '}');
	exchange_answer(ex, status, JSON_TYPE, header[0] != '\0' ? header : NULL, &out);
	buf_clear(&out);
}

/* Faults: the servers in front of the real ones answer 5xx with their own page. Undocumented: what clients
 * have logged. */
static void play_failure(struct exchange *ex, int status, unsigned retry_s)
{
	const char *text = ex->fault.text[0] != '\0' ? ex->fault.text : "internal_error";
	struct buf page = BUF_INIT;

	if (status == 429) {
		answer_error(ex, 429, "ratelimited", retry_s > 0 ? retry_s : 1);
	} else if (status >= 502) {
		buf_addf(&page,
		    "<!DOCTYPE html><html><head><title>Server Error | "
		    "Slack</title></head><body>%d</body></html>",
		    status);
		exchange_answer(ex, status, "text/html; charset=utf-8", NULL, &page);
	} else {
		answer_error(ex, status, text, 0);
	}
	buf_clear(&page);
}

static void set_metadata(struct slk_call *call)
{
	struct json_object *metadata = json_get_object(call->out, "response_metadata");

	if (!call->messages && !call->warnings)
		return;
	if (!metadata) {
		metadata = json_object_new_object();
		json_set(call->out, "response_metadata", metadata);
	}
	if (call->messages)
		json_set(metadata, "messages", json_object_get(call->messages));
	if (!call->warnings)
		return;
	json_set(metadata, "warnings", json_object_get(call->warnings));
	json_set_str(call->out, "warning", json_object_get_string(json_at(call->warnings, 0)));
}

/* Every answer lists the scopes of the bot's token. */
static void add_headers(struct slk_call *call, struct buf *headers)
{
	if (call->app && !spec_has(call->spec, "app_token")) {
		buf_addstr(headers, "x-oauth-scopes: ");
		slk_auth_scopes(call->world, headers);
		buf_addstr(headers, "\r\n");
	}
	if (call->retry_s > 0)
		buf_addf(headers, "Retry-After: %u\r\n", call->retry_s);
}

/* The status is 200 for all errors of the platform itself, except rate limits. */
static int status_of(const struct slk_call *call)
{
	if (call->retry_s > 0)
		return 429;
	return call->error && strcmp(call->error, SLK_NOT_SIMULATED) == 0 ? 400 : 200;
}

static bool is_common(const char *error)
{
	for (const struct spec_type *t = spec_type(spec_of("slack"), "common_errors")->type; t; t = t->next)
		if (strcmp(t->text, error) == 0)
			return true;
	return strcmp(error, SLK_NOT_SIMULATED) == 0;
}

static void judge_answer(struct slk_call *call, const struct buf *answer)
{
	struct strict *s = &call->world->pg->strict;

	/* api.test answers with the error that it is given. */
	if (call->error && !spec_has_error(call->spec, call->error) && !is_common(call->error) &&
	    strcmp(call->spec->name, "api.test") != 0)
		strict_note(s, "slack", call->spec->name, "the error %s is not documented", call->error);
	if (call->error)
		strict_judge_message(s, "slack", "failure", answer->data, answer->len);
	else if (call->spec->returns)
		strict_judge_text(
		    s, "slack", call->spec->name, call->spec->returns, answer->data, answer->len);
}

void slk_call_write(struct slk_call *call, struct buf *out)
{
	struct buf rest = BUF_INIT;

	set_metadata(call);
	json_write(&rest, call->out);
	if (call->error)
		write_error(out, call->error);
	else
		buf_addstr(out, "{\"ok\":true");
	if (rest.len > 2) {
		buf_addch(out, ',');
		buf_add(out, rest.data + 1, rest.len - 1);
	} else {
		buf_addch(out, '}');
	}
	if (call->world->pg->strict.on && call->spec)
		judge_answer(call, out);
	buf_clear(&rest);
}

static void answer_call(struct slk_call *call)
{
	struct buf out = BUF_INIT, headers = BUF_INIT;

	add_headers(call, &headers);
	slk_call_write(call, &out);
	exchange_answer(call->ex, status_of(call), JSON_TYPE, headers.len > 0 ? headers.data : NULL, &out);
	buf_clear(&headers);
	buf_clear(&out);
}

static int run_call(struct slk_call *call)
{
	slk_method_fn *run = call->spec ? slk_method_find(call->spec) : NULL;
	unsigned wait;
	int ret = slk_arguments_read(call);

	call->token = xstrdup(json_get_str(call->params, "token"));
	json_object_object_del(call->params, "token");
	exchange_set_json(call->ex, call->params);
	if (ret != 0)
		return -1;
	if (!call->spec) {
		exchange_problem(call->ex, "there is no method %s", call->ex->method);
		json_set_str(call->out, "req_method", call->ex->method);
		return slk_fail(call, "unknown_method");
	}
	if (!run && !spec_has(call->spec, "user_token"))
		return slk_refuse(
		    call, SLK_NOT_SIMULATED, "%s is not simulated by the playground", call->spec->name);
	if (slk_auth_check(call) != 0)
		return -1;
	if (call->app && call->world->set.limits) {
		wait = slk_limit_take(&call->app->limits, slk_limit_tier(spec_value(call->spec, "tier")),
		    slk_hash(call->spec->name));
		if (wait > 0)
			return slk_limited(call, wait);
		exchange_limit(call->ex, call->app->limits.used);
	}
	return slk_params_judge(call) != 0 ? -1 : run(call);
}

static void serve_method(struct task *t, struct slk_world *w, struct exchange *ex)
{
	struct slk_call call = {
	    .ex = ex,
	    .world = w,
	    .spec = spec_method(spec_of("slack"), ex->method),
	    .params = json_object_new_object(),
	    .out = json_object_new_object(),
	};

	if (!exchange_fault(t, ex)) {
		run_call(&call);
		answer_call(&call);
		playground_changed(w->pg);
	}
	json_object_put(call.params);
	json_object_put(call.out);
	json_object_put(call.messages);
	json_object_put(call.warnings);
	free(call.token);
}

static void serve_link(struct task *t, struct slk_world *w, struct exchange *ex, const char *rest)
{
	(void)rest;
	if (exchange_fault(t, ex))
		exchange_end(ex);
	else
		slk_socket_serve(t, w, ex); /* answers the exchange when the connection is open */
}

static void serve_api(struct task *t, struct slk_world *w, struct exchange *ex, const char *rest)
{
	str_copy(ex->method, sizeof(ex->method), rest);
	serve_method(t, w, ex);
	exchange_end(ex);
}

static void serve_upload(struct task *t, struct slk_world *w, struct exchange *ex, const char *rest)
{
	if (!exchange_fault(t, ex))
		slk_transfer_upload(w, ex, rest);
	exchange_end(ex);
}

static void serve_download(struct task *t, struct slk_world *w, struct exchange *ex, const char *rest)
{
	if (!exchange_fault(t, ex))
		slk_transfer_download(w, ex, rest);
	exchange_end(ex);
}

static void serve_cdn(struct task *t, struct slk_world *w, struct exchange *ex, const char *rest)
{
	if (!exchange_fault(t, ex))
		slk_transfer_cdn(w, ex, rest);
	exchange_end(ex);
}

static void serve_hook(struct task *t, struct slk_world *w, struct exchange *ex, const char *rest)
{
	if (!exchange_fault(t, ex)) {
		slk_response_url_serve(w, ex, rest);
		playground_changed(w->pg);
	}
	exchange_end(ex);
}

/* The paths below the prefix; method is the name in the record and for faults. */
static const struct {
	const char *path, *method;
	void (*serve)(struct task *t, struct slk_world *w, struct exchange *ex, const char *rest);
} places[] = {
    {"api/", "", serve_api},
    {"link", "socket", serve_link},
    {"upload/v1/", "upload", serve_upload},
    {"files-pri/", "download", serve_download},
    {"cdn/", "cdn", serve_cdn},
    {"hooks/", "response_url", serve_hook},
};

bool slk_api_has_method(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		if (name[0] != '\0' && strcmp(places[i].method, name) == 0)
			return true;
	return strcmp(name, FAULT_EVENT) == 0 || strcmp(name, FAULT_REQUEST_URL) == 0 ||
	    spec_method(spec_of("slack"), name);
}

/* Notes the base URL that the client uses: other URLs are built from it. */
static void note_base(struct slk_world *w, struct server_request *req)
{
	char origin[128] = "";

	origin_of(req, origin, sizeof(origin));
	if (origin[0] != '\0')
		snprintf(w->base, sizeof(w->base), "%s%s", origin, slack_platform.prefix);
}

void slk_api_serve(struct task *t, void *world, struct server_request *req)
{
	const char *path = server_path(req) + strlen(slack_platform.prefix);
	struct slk_world *w = world;
	struct exchange ex;

	note_base(w, req);
	exchange_begin(&ex, w->pg, req, w->log, slack_platform.name, play_failure);
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		size_t len = strlen(places[i].path);

		if (strncmp(path, places[i].path, len) != 0)
			continue;
		str_copy(ex.method, sizeof(ex.method), places[i].method);
		places[i].serve(t, w, &ex, path + len);
		return;
	}
	str_copy(ex.method, sizeof(ex.method), path);
	exchange_problem(
	    &ex, "there is nothing at this path: methods are below %sapi/", slack_platform.prefix);
	answer_error(&ex, 404, "not_found", 0);
	exchange_end(&ex);
}
