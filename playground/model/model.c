#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/time/clock.h"
#include "playground/embedded.h"
#include "playground/model/api.h"
#include "playground/playground.h"
#include "playground/server/request_log.h"
#include "playground/world/json_format.h"

#define CONTEXT_TOKENS 128000

struct model {
	struct playground *pg;
	struct script *script;
	struct offered_tools tools;
	struct record_log log;
	bool instant;
	size_t context_tokens;
	int journal; /* descriptor; -1 for none */
};

struct model *model_new(struct playground *pg, const char *script, struct error *err)
{
	struct model *m = xcalloc(1, sizeof(*m));

	m->pg = pg;
	m->journal = -1;
	m->context_tokens = CONTEXT_TOKENS;
	m->script =
	    script ? script_load(script, err) : script_parse(embedded_script, strlen(embedded_script), err);
	if (m->script)
		return m;
	free(m);
	return NULL;
}

void model_free(struct model *m)
{
	if (!m)
		return;
	script_free(m->script);
	offered_tools_clear(&m->tools);
	record_log_clear(&m->log);
	if (m->journal >= 0)
		close(m->journal);
	free(m);
}

int model_keep_journal(struct model *m, const char *path, struct error *err)
{
	m->journal = request_journal_open(path, err);
	return m->journal >= 0 ? 0 : -1;
}

void model_reset(struct model *m)
{
	record_log_clear(&m->log);
}

const struct record_log *model_log(const struct model *m)
{
	return &m->log;
}

const struct script *model_script(const struct model *m)
{
	return m->script;
}

struct json_object *model_parse(struct model *m, const char *text, size_t len, struct error *err)
{
	return offered_tools_parse(&m->tools, text, len, err);
}

bool model_is_instant(const struct model *m)
{
	return m->instant;
}

size_t model_context_tokens(const struct model *m)
{
	return m->context_tokens;
}

int model_set(struct model *m, struct json_object *settings, struct error *err)
{
	int64_t tokens = json_get_int(settings, "context_tokens", (int64_t)m->context_tokens);

	json_object_object_foreach(settings, name, value) {
		(void)value;
		if (strcmp(name, "instant") != 0 && strcmp(name, "context_tokens") != 0)
			return error_set(err, ERROR_OURS, "the model has no setting \"%.60s\"", name);
	}
	if (tokens < 1)
		return error_set(err, ERROR_OURS, "context_tokens must be positive");
	m->context_tokens = (size_t)tokens;
	m->instant = json_get_bool(settings, "instant", m->instant);
	return 0;
}

void model_settings(const struct model *m, struct json_object *out)
{
	json_setf(out, "instant: %i, context_tokens: %jd", m->instant, (int64_t)m->context_tokens);
}

static void fail_chat(struct exchange *ex, int status, unsigned retry_s)
{
	struct refusal r;

	refuse(&r, status == 429 ? "rate_limit_exceeded" : NULL, NULL, "%s",
	    status == 429 ? "Rate limit reached. Please try again later." :
			    "The server had an error while processing your request.");
	r.type = status == 429 ? "requests" : status >= 500 ? "server_error" : "invalid_request_error";
	r.status = status;
	r.retry_after = retry_s;
	refusal_answer(ex, &r);
}

static void fail_messages(struct exchange *ex, int status, unsigned retry_s)
{
	struct refusal r;

	refuse(&r, NULL, NULL, "%s",
	    status == 429     ? "This request would exceed your organization's rate limit." :
		status == 529 ? "Overloaded" :
				"Internal server error");
	r.status = status;
	r.retry_after = retry_s;
	model_api_messages.refuse(ex, &r);
}

static void write_model(struct buf *out, const char *id)
{
	buf_addstr(out, "{\"id\":");
	json_quote(out, id, strlen(id));
	buf_addf(out, ",\"object\":\"model\",\"created\":%lld,\"owned_by\":\"playground\"}",
	    (long long)(clock_wall() / 1000));
}

static void list_models(struct task *t, struct model *m, struct exchange *ex)
{
	struct buf out = BUF_INIT;

	(void)t;
	(void)m;
	buf_addstr(&out, "{\"object\":\"list\",\"data\":[");
	write_model(&out, "scripted");
	buf_addstr(&out, "]}");
	exchange_answer(ex, 200, "application/json", NULL, &out);
	buf_clear(&out);
}

static const struct endpoint {
	const char *path, *http_method, *name;
	const struct model_api *api; /* also determines the form of errors */
	void (*serve)(struct task *t, struct model *m, struct exchange *ex); /* NULL: the model answers */
	exchange_fail_fn *fail;
} endpoints[] = {
    {"/v1/audio/transcriptions", "POST", "audio.transcriptions", &model_api_chat, transcribe_serve,
	fail_chat},
    {"/v1/chat/completions", "POST", "chat.completions", &model_api_chat, NULL, fail_chat},
    {"/v1/messages", "POST", "messages", &model_api_messages, NULL, fail_messages},
    {"/v1/responses", "POST", "responses", &model_api_responses, NULL, fail_chat},
    {"/v1/models", "GET", "models", &model_api_chat, list_models, fail_chat},
};

static const struct endpoint *find_endpoint(struct server_request *req, struct refusal *r)
{
	for (size_t i = 0; i < ARRAY_LEN(endpoints); i++) {
		if (strcmp(endpoints[i].path, server_path(req)) != 0)
			continue;
		if (strcmp(endpoints[i].http_method, server_method(req)) == 0)
			return &endpoints[i];
		refuse(r, "method_not_supported", NULL, "Not allowed to %s on %s.", server_method(req),
		    endpoints[i].path);
		r->status = 405;
		return NULL;
	}
	refuse(r, "unknown_url", NULL, "Invalid URL (%s %s)", server_method(req), server_path(req));
	r->status = 404;
	return NULL;
}

static void tell_asked(const struct model *m, const struct exchange *ex)
{
	struct feed_mark *mark = feed_add(&m->pg->feed, FEED_MODEL_REQUEST, "model", NULL);

	if (mark)
		str_copy(mark->id, sizeof(mark->id), ex->method);
}

static void serve_endpoint(
    struct task *t, struct model *m, struct exchange *ex, const struct endpoint *endpoint)
{
	struct refusal r;

	tell_asked(m, ex);
	ex->fail = endpoint->fail;
	if (endpoint->api->check_key(ex->req, &r) != 0) {
		exchange_problem(ex, "%s", r.message);
		endpoint->api->refuse(ex, &r);
	} else if (!endpoint->serve) {
		model_api_serve(t, m, ex, endpoint->api);
	} else if (!exchange_fault(t, ex)) {
		endpoint->serve(t, m, ex);
	}
}

void model_serve(struct task *t, struct model *m, struct server_request *req)
{
	const struct endpoint *endpoint;
	struct exchange ex;
	struct refusal r;

	exchange_begin(&ex, m->pg, req, &m->log, "model", fail_chat);
	endpoint = find_endpoint(req, &r);
	str_copy(ex.method, sizeof(ex.method), endpoint ? endpoint->name : server_path(req));
	if (!endpoint) {
		exchange_problem(&ex, "%s", r.message);
		refusal_answer(&ex, &r);
	} else {
		serve_endpoint(t, m, &ex, endpoint);
	}
	if (m->journal >= 0)
		request_journal_add(m->journal, &ex);
	exchange_end(&ex);
	playground_changed(m->pg);
}
