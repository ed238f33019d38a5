#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/task.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "playground/model/api.h"
#include "playground/server/fault.h"
#include "playground/world/json_format.h"

int model_check_bearer(const struct server_request *req, struct refusal *r)
{
	const char *header = server_header(req, "authorization");

	if (!header || strncasecmp(header, "Bearer ", 7) != 0 || header[7] == '\0') {
		refuse(r, NULL, NULL,
		    "You didn't provide an API key. You need to provide your API key in an Authorization "
		    "header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).");
		r->status = 401;
		return -1;
	}
	if (!strstr(header, "revoked"))
		return 0;
	refuse(r, "invalid_api_key", NULL, "Incorrect API key provided.");
	r->status = 401;
	return -1;
}

void model_random_name(char *out, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

	clock_random(out, len - 1);
	for (size_t i = 0; i + 1 < len; i++)
		out[i] = digits[(unsigned char)out[i] % (sizeof(digits) - 1)];
	out[len - 1] = '\0';
}

size_t model_answer_index(const struct model_answer *a, size_t i)
{
	return a->quirks & QUIRK_FAR_INDEX ? 7 + 2 * i : i;
}

size_t model_text_len(const struct model_answer *a)
{
	const char *text = a->script->text ? a->script->text : "";

	size_t len = strlen(text);

	if (a->max_tokens == 0 || a->max_tokens > len / MODEL_BYTES_PER_TOKEN)
		return len;
	return utf8_cut(text, len, a->max_tokens * MODEL_BYTES_PER_TOKEN, UTF8_BYTES);
}

size_t model_answer_tokens(const struct model_answer *a, size_t text_len)
{
	size_t tokens = text_len / MODEL_BYTES_PER_TOKEN + 1;

	for (size_t i = 0; i < a->script->call_count; i++) {
		const struct script_call *call = &a->script->calls[i];

		tokens += (strlen(call->name) + strlen(call->arguments)) / MODEL_BYTES_PER_TOKEN + 1;
	}
	return tokens;
}

/* Returns the body as an object; NULL with the refusal. The record keeps the original text. */
static struct json_object *read_body(struct model *m, struct exchange *ex, struct refusal *r)
{
	struct json_object *request;
	struct error err;
	const char *body;
	size_t len;

	body = server_body(ex->req, &len);
	request = model_parse(m, body, len, &err);
	exchange_set_body(ex, body, len, request);
	if (!request)
		refuse(r, NULL, NULL, "We could not parse the JSON body of your request. (%s)", err.text);
	return request;
}

static void fail_as_scripted(struct exchange *ex, const struct model_api *api, struct json_object *error)
{
	const char *type = json_get_str(error, "type"), *message = json_get_str(error, "message");
	int status = (int)json_get_int(error, "status", 500);
	struct refusal r;

	refuse(&r, json_get_str(error, "code"), NULL, "%s", message ? message : "The script says so.");
	r.status = status;
	r.type = type ? type : status >= 500 ? "server_error" : "invalid_request_error";
	r.retry_after = (unsigned)json_get_int(error, "retry_after", 0);
	api->refuse(ex, &r);
}

/* An answer that is not streamed fails as a whole, although its status is 200. */
static void fail_inside(struct exchange *ex)
{
	const char *text = failure_body(ex->fault.failure, strcmp(ex->method, "messages") == 0);
	struct buf body = BUF_INIT;

	buf_addstr(&body, text);
	exchange_answer(ex, 200, "application/json", NULL, &body);
	buf_clear(&body);
}

/* An answer that is not streamed comes when a slow model would have finished its stream. */
static int wait_for_whole(struct task *t, const struct exchange *ex, const struct model_answer *a)
{
	uint64_t tokens = model_answer_tokens(a, model_text_len(a));

	return ex->fault.kind == FAULT_SLOW ? task_sleep(t, tokens * ex->fault.token_ms, NULL) : 0;
}

/* Records the text and the calls, whatever the format. */
static void note_answer(struct exchange *ex, const struct script_answer *a)
{
	struct json_object *o = json_object_new_object(), *calls = json_object_new_array();
	char *text;

	json_set_str(o, "text", a->text ? a->text : "");
	for (size_t i = 0; i < a->call_count; i++)
		json_object_array_add(
		    calls, json_newf("{name: %s, arguments: %s}", a->calls[i].name, a->calls[i].arguments));
	json_set(o, "tool_calls", calls);
	if (a->error)
		json_set(o, "error", json_object_get(a->error));
	text = json_text(o);
	exchange_set_answer(ex, text, strlen(text));
	free(text);
	json_object_put(o);
}

static void answer_request(
    struct task *t, struct exchange *ex, const struct model_api *api, const struct model_answer *a)
{
	bool stream = json_get_bool(a->request, "stream", false);

	if (a->script->delay_ms > 0 && !a->instant && task_sleep(t, a->script->delay_ms, NULL) != 0)
		return;
	if (a->script->fault && exchange_play_fault(t, ex))
		return;
	if (a->script->error)
		fail_as_scripted(ex, api, a->script->error);
	else if (!stream && ex->fault.kind == FAULT_ERROR)
		fail_inside(ex);
	else if (stream)
		api->stream(t, ex, a);
	else if (wait_for_whole(t, ex, a) == 0)
		api->whole(ex, a);
}

/* A fault ordered through the control API precedes those of the script, which may be for one model only. */
static void choose_fault(struct exchange *ex, const char *model, struct script_answer *script)
{
	const char *only = json_get_str(script->fault, "model");

	if (ex->fault.kind != FAULT_NONE || (only && strcmp(only, model) != 0))
		script->fault = NULL;
	if (script->fault)
		fault_read(&ex->fault, script->fault, NULL);
	script_answer_apply_quirks(script, ex->fault.quirks);
}

/* Handles a request that passed the checks. */
static void play_request(struct task *t, struct model *m, struct exchange *ex, const struct model_api *api,
    struct json_object *request, size_t tokens)
{
	struct script_answer script;
	struct conversation d = {0};
	struct model_answer a = {
	    .model = json_get_str(request, "model"),
	    .script = &script,
	    .request = request,
	    .instant = model_is_instant(m),
	    .prompt_tokens = tokens,
	    .max_tokens = api->max_tokens(request),
	};

	api->read(request, &d);
	script_play(model_script(m), &d, &script);
	choose_fault(ex, a.model, &script);
	a.quirks = ex->fault.quirks;
	note_answer(ex, &script);
	answer_request(t, ex, api, &a);
	script_answer_clear(&script);
	conversation_clear(&d);
}

/* An image counts by its pixels, not by the text that carries it. */
static size_t count_tokens(const struct exchange *ex, struct json_object *request)
{
	size_t in_images = 0, tokens = images_tokens(request, &in_images);

	return tokens +
	    (ex->body.len - (in_images < ex->body.len ? in_images : ex->body.len)) / MODEL_BYTES_PER_TOKEN;
}

void model_api_serve(struct task *t, struct model *m, struct exchange *ex, const struct model_api *api)
{
	struct json_object *request;
	struct refusal r;
	size_t tokens;
	bool good;

	request = read_body(m, ex, &r);
	good = request && api->check(ex->req, request, &r) == 0;
	tokens = good ? count_tokens(ex, request) : 0;
	if (good)
		audit_request(ex, request);
	else
		exchange_problem(ex, "%s", r.message);
	if (exchange_fault(t, ex)) {
		/* Validated nevertheless. */
	} else if (!good) {
		api->refuse(ex, &r);
	} else if (tokens > model_context_tokens(m)) {
		api->too_long(tokens, model_context_tokens(m), &r); /* valid, but too long */
		api->refuse(ex, &r);
	} else {
		play_request(t, m, ex, api, request, tokens);
	}
	json_object_put(request);
}
