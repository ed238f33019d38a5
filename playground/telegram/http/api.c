#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/time/clock.h"
#include "playground/playground.h"
#include "playground/server/form.h"
#include "playground/telegram/http/api.h"
#include "playground/telegram/http/method.h"
#include "playground/telegram/telegram.h"

#define TOKEN_FORM    "a number, a colon and 35 letters"
#define SECRET_MIN    30 /* Undocumented: real ones have 35 */
#define TOKEN_MAX     80
#define LOGGED_OUT_MS 600000 /* Bot API, logOut: 10 minutes */

static void write_failure(
    struct buf *out, int code, const char *text, unsigned retry_after, int64_t migrated_to)
{
	buf_addf(out, "{\"ok\":false,\"error_code\":%d,\"description\":", code);
	json_quote(out, text, strlen(text));
	if (retry_after > 0)
		buf_addf(out, ",\"parameters\":{\"retry_after\":%u}", retry_after);
	else if (migrated_to != 0)
		buf_addf(out, ",\"parameters\":{\"migrate_to_chat_id\":%" PRId64 "}", migrated_to);
	buf_addch(out, '}');
}

static void answer_failure(
    struct exchange *ex, int code, const char *text, unsigned retry_after, int64_t migrated_to)
{
	struct buf out = BUF_INIT;
	char header[48] = "";

	if (retry_after > 0)
		snprintf(header, sizeof(header), "Retry-After: %u\r\n", retry_after);
	write_failure(&out, code, text, retry_after, migrated_to);
	strict_judge_message(&ex->pg->strict, "telegram", "Failure", out.data, out.len);
	exchange_answer(ex, code, "application/json", header[0] != '\0' ? header : NULL, &out);
	buf_clear(&out);
}

/* Faults: the servers in front of the real one answer 5xx with their own page. Undocumented: what clients
 * have logged. */
static void play_failure(struct exchange *ex, int status, unsigned retry_s)
{
	struct buf page = BUF_INIT, text = BUF_INIT;

	if (status >= 502) {
		buf_addf(&page,
		    "<html><head><title>%d</title></head><body><center><h1>%d</h1></center></body></html>\n",
		    status, status);
		exchange_answer(ex, status, "text/html", NULL, &page);
	} else {
		if (retry_s > 0)
			buf_addf(&text, "Too Many Requests: retry after %u", retry_s);
		else
			buf_addf(&text, "%s",
			    ex->fault.text[0] != '\0' ? ex->fault.text :
				status == 401         ? "Unauthorized" :
				status == 403         ? "Forbidden: bot was blocked by the user" :
				status == 404         ? "Not Found" :
				status >= 500         ? "Internal Server Error" :
							"Bad Request: fault");
		answer_failure(ex, status, text.data, retry_s, 0);
	}
	buf_clear(&page);
	buf_clear(&text);
}

/* Parses "…/bot<TOKEN>/<rest>". Returns 0, or the status of the refusal. */
static int read_token(char *path, int64_t *id, char **rest)
{
	char *colon, *slash;
	size_t n;

	if (strncmp(path, "bot", 3) != 0)
		return 404;
	path += 3;
	slash = strchr(path, '/');
	colon = strchr(path, ':');
	if (!slash || !colon || colon > slash || slash - path > TOKEN_MAX)
		return 404;
	*slash = *colon = '\0';
	*rest = slash + 1;
	if (!world_read_id(path, id) || *id <= 0)
		return 404;
	for (n = 0; isalnum((unsigned char)colon[1 + n]) || colon[1 + n] == '_' || colon[1 + n] == '-';)
		n++;
	return colon[1 + n] == '\0' && n >= SECRET_MIN && !strstr(colon + 1, "revoked") ? 0 : 401;
}

static void merge(struct json_object *into, struct json_object *from)
{
	json_object_object_foreach(from, name, value) {
		json_object_object_add(into, name, json_object_get(value));
	}
}

static int read_json(struct json_object *into, const char *body, size_t len, struct error *err)
{
	struct json_object *o = json_parse_object(body, len, err);

	if (!o)
		return -1;
	merge(into, o);
	json_object_put(o);
	return 0;
}

static int read_params(struct call *call, struct error *err)
{
	struct server_request *req = call->ex->req;
	struct json_object *into = call->params;
	const char *type = server_header(req, "content-type"), *query = server_query(req), *body;
	size_t len;

	if (form_read(into, query, strlen(query), err) != 0)
		return -1;
	body = server_body(req, &len);
	if (strcasecmp(server_method(req), "GET") == 0 || len == 0)
		return 0;
	if (form_has_type(type, "application/json"))
		return read_json(into, body, len, err);
	if (form_has_type(type, "application/x-www-form-urlencoded"))
		return form_read(into, body, len, err);
	call->multipart = form_has_type(type, "multipart/form-data");
	if (call->multipart)
		return form_read_multipart(into, type, body, len, err);
	return error_set(err, ERROR_OURS, "unsupported content type %.60s", type ? type : "(none)");
}

static void answer_call(struct call *call)
{
	struct buf out = BUF_INIT;

	if (call->error_code != 0) {
		answer_failure(
		    call->ex, call->error_code, call->error.data, call->retry_after, call->migrated_to);
		return;
	}
	buf_reserve(&out, call->result.len + 64);
	strict_judge_text(&call->world->pg->strict, "telegram", call->spec->name, call->spec->returns,
	    call->result.data, call->result.len);
	buf_addstr(&out, "{\"ok\":true,\"result\":");
	buf_add(&out, call->result.data, call->result.len);
	if (call->description)
		buf_addf(&out, ",\"description\":\"%s\"", call->description);
	buf_addch(&out, '}');
	exchange_answer(call->ex, 200, "application/json", NULL, &out);
	buf_clear(&out);
}

/* Its parameters were read. */
static int run_call(struct task *t, struct call *call)
{
	const struct method *method = call->spec ? method_find(call->spec) : NULL;
	int ret;

	exchange_set_json(call->ex, call->params);
	if (!call->spec) {
		exchange_problem(call->ex, "unknown method");
		return call_fail(call, 404, "Not Found: method not found");
	}
	if (!method)
		return call_refuse(call, "%s is not simulated by the playground", call->spec->name);
	if (call->bot->logged_out_ms != 0 && clock_now() < call->bot->logged_out_ms + LOGGED_OUT_MS)
		return call_fail(call, 400, "Logged out");
	if (params_judge(call) != 0)
		return -1;
	ret = method->run ? method->run(call) : method->run_task(t, call);
	if (ret == 0 && strncmp(call->spec->name, "get", 3) != 0)
		playground_changed(call->world->pg);
	return ret;
}

static void clear_call(struct call *call)
{
	json_object_put(call->params);
	buf_clear(&call->result);
	buf_clear(&call->error);
}

/* By its name, or by one that it had and that the platform still reads. */
static const struct spec_record *find_spec(const char *name)
{
	static const char *const old[][2] = {
	    {"getChatMembersCount", "getChatMemberCount"}, {"kickChatMember", "banChatMember"}};

	for (size_t i = 0; i < ARRAY_LEN(old); i++)
		if (strcasecmp(old[i][0], name) == 0)
			name = old[i][1];
	return spec_method(spec_of("telegram"), name);
}

bool api_has_method(const char *name)
{
	return strcmp(name, "file") == 0 || strcmp(name, FAULT_WEBHOOK) == 0 || find_spec(name);
}

/* Handles a request with a valid token. */
static void serve_method(struct task *t, struct world *w, struct exchange *ex, int64_t bot_id)
{
	struct call call = {
	    .ex = ex,
	    .world = w,
	    .spec = find_spec(ex->method),
	    .params = json_object_new_object(),
	    .result = BUF_INIT,
	    .error = BUF_INIT,
	};
	struct error err = {0};

	if (call.spec)
		str_copy(ex->method, sizeof(ex->method), call.spec->name);
	if (!exchange_fault(t, ex)) {
		call.bot = world_get_bot(w, bot_id);
		if (read_params(&call, &err) != 0)
			call_refuse(&call, "%s", err.text);
		/* If a call fails without an error, its client has disconnected. */
		if (call.error_code != 0 || run_call(t, &call) == 0 || call.error_code != 0)
			answer_call(&call);
	}
	clear_call(&call);
}

/* The methods that a webhook's answer cannot call. */
static bool is_excluded(const char *method)
{
	static const char *const excluded[] = {"close", "deletewebhook", "logout", "setwebhook"};

	for (size_t i = 0; i < ARRAY_LEN(excluded); i++)
		if (strcasecmp(excluded[i], method) == 0)
			return true;
	return strncasecmp(method, "get", 3) == 0;
}

void api_run_answer(struct task *t, struct bot *b, const char *type, const char *body, size_t len)
{
	struct world *w = b->world;
	struct call call = {
	    .world = w, .bot = b, .params = json_object_new_object(), .result = BUF_INIT, .error = BUF_INIT};
	const char *method;
	struct exchange ex;

	if (form_has_type(type, "application/json"))
		read_json(call.params, body, len, NULL);
	else if (form_has_type(type, "application/x-www-form-urlencoded"))
		form_read(call.params, body, len, NULL);
	method = json_get_str(call.params, "method");
	if (method && method[0] != '\0' && !is_excluded(method)) {
		exchange_begin(&ex, w->pg, NULL, w->log, telegram_platform.name, play_failure);
		list_remove(&ex.link); /* there is no connection to cut */
		list_init(&ex.link);
		call.ex = &ex;
		call.spec = find_spec(method);
		str_copy(ex.method, sizeof(ex.method), call.spec ? call.spec->name : method);
		json_object_object_del(call.params, "method");
		run_call(t, &call);
		ex.status = call.error_code != 0 ? call.error_code : 200;
		exchange_set_answer(&ex, call.result.data, call.result.len);
		exchange_end(&ex);
	}
	clear_call(&call);
}

static const char *last_segment(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void serve_path(struct task *t, struct world *w, struct exchange *ex, char *path)
{
	bool file = strncmp(path, "file/", 5) == 0, revoked = strstr(path, "revoked") != NULL;
	char *rest = NULL;
	int64_t id = 0;
	int status = read_token(path + (file ? 5 : 0), &id, &rest);

	str_copy(ex->method, sizeof(ex->method), file ? "file" : rest ? rest : last_segment(path));
	if (status != 0) {
		if (status == 404)
			exchange_problem(
			    ex, "the path must be /bot<TOKEN>/<Method>, and the token " TOKEN_FORM);
		else if (!revoked)
			exchange_problem(ex, "the token is not well formed: " TOKEN_FORM);
		answer_failure(ex, status, status == 401 ? "Unauthorized" : "Not Found", 0, 0);
	} else if (file) {
		if (!exchange_fault(t, ex))
			file_serve(w, ex, rest);
	} else if (rest[0] == '\0' || strchr(rest, '/')) {
		exchange_problem(ex, "the path must be /bot<TOKEN>/<Method>");
		answer_failure(ex, 404, "Not Found", 0, 0);
	} else {
		serve_method(t, w, ex, id);
	}
}

bool api_is_at_root(const char *path)
{
	return strncmp(path, "/bot", 4) == 0 || strncmp(path, "/file/bot", 9) == 0;
}

void api_serve(struct task *t, void *world, struct server_request *req)
{
	const char *raw =
	    server_path(req) + (api_is_at_root(server_path(req)) ? 1 : strlen(telegram_platform.prefix));
	struct world *w = world;
	struct buf path = BUF_INIT;
	struct exchange ex;

	exchange_begin(&ex, w->pg, req, w->log, telegram_platform.name, play_failure);
	if (form_decode(&path, raw, strlen(raw), 0) != 0) {
		exchange_problem(&ex, "the path is not well encoded");
		answer_failure(&ex, 404, "Not Found", 0, 0);
	} else {
		serve_path(t, w, &ex, path.data);
	}
	exchange_end(&ex);
	buf_clear(&path);
}
