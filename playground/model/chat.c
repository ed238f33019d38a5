#include "playground/model/chat.h"

#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "base/task.h"
#include "net/server.h"
#include "playground/exchange.h"
#include "playground/model/chat_answer.h"
#include "playground/model/chat_check.h"
#include "playground/model/dialogue.h"
#include "playground/model/model.h"
#include "playground/model/refusal.h"
#include "playground/model/script.h"

#define BYTES_PER_TOKEN 4

/* The body as an object; NULL with the refusal. The record keeps the text as it came. */
static struct json_object *read_body(struct exchange *ex, struct refusal *r)
{
	struct json_object *request;
	struct error err;
	const char *body;
	size_t len;

	body = server_body(ex->req, &len);
	request = json_parse_object(body, len, &err);
	exchange_set_body(ex, body, len, request != NULL);
	if (request == NULL)
		refuse(r, NULL, NULL, "We could not parse the JSON body of your request. (%s)", err.text);
	return request;
}

static int check_length(struct model *m, size_t tokens, struct refusal *r)
{
	if (tokens <= model_context_tokens(m))
		return 0;
	return refuse(r, "context_length_exceeded", "messages",
		      "This model's maximum context length is %zu tokens. However, your messages resulted in %zu "
		      "tokens. Please reduce the "
		      "length of the messages.",
		      model_context_tokens(m), tokens);
}

static void fail_as_scripted(struct exchange *ex, struct json_object *error)
{
	const char *type = json_get_str(error, "type"), *message = json_get_str(error, "message");
	int status = (int)json_get_int(error, "status", 500);
	struct refusal r;

	refuse(&r, json_get_str(error, "code"), NULL, "%s", message != NULL ? message : "The script says so.");
	r.status = status;
	r.type = type != NULL ? type : status >= 500 ? "server_error" : "invalid_request_error";
	r.retry_after = (unsigned)json_get_int(error, "retry_after", 0);
	refusal_answer(ex, &r);
}

static size_t read_max_tokens(struct json_object *request)
{
	return (size_t)json_get_int(request, "max_completion_tokens", json_get_int(request, "max_tokens", 0));
}

static void answer_request(struct task *t, struct model *m, struct exchange *ex, struct json_object *request,
			   const struct script_answer *script)
{
	struct chat_answer a = {
	    .model = json_get_str(request, "model"),
	    .script = script,
	    .include_usage = json_get_bool(json_get_object(request, "stream_options"), "include_usage", false),
	    .instant = model_is_instant(m),
	    .prompt_tokens = ex->body.len / BYTES_PER_TOKEN,
	    .max_tokens = read_max_tokens(request),
	};

	if (script->delay_ms > 0 && !a.instant && task_sleep(t, script->delay_ms, NULL) != 0)
		return;
	if (script->error != NULL)
		fail_as_scripted(ex, script->error);
	else if (json_get_bool(request, "stream", false))
		chat_answer_stream(t, ex, &a);
	else
		chat_answer_whole(ex, &a);
}

void chat_serve(struct task *t, struct model *m, struct exchange *ex)
{
	struct script_answer script;
	struct dialogue d = {0};
	struct json_object *request;
	struct refusal r;

	request = read_body(ex, &r);
	if (request == NULL || chat_check(request, &r) != 0) {
		exchange_problem(ex, "%s", r.message);
		refusal_answer(ex, &r);
	} else if (check_length(m, ex->body.len / BYTES_PER_TOKEN, &r) != 0) {
		refusal_answer(ex, &r); /* well made, only too long */
	} else {
		chat_read_dialogue(request, &d);
		script_play(model_script(m), &d, &script);
		answer_request(t, m, ex, request, &script);
		script_answer_clear(&script);
		dialogue_clear(&d);
	}
	json_object_put(request);
}
