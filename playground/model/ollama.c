#include "playground/model/model.h"

#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "net/server/server.h"
#include "playground/server/request_log.h"

#define NAME        "scripted"
#define CONTEXT_MAX 131072

static bool is_loaded(const struct model *m)
{
	const struct record_log *log = model_log(m);

	for (size_t i = 0; i < log->count; i++) {
		const struct record *r = &log->ring[(log->first + i) % RECORD_MAX];
		if (r->status == 200 && strcmp(r->method, "chat.completions") == 0)
			return true;
	}
	return false;
}

static int tell_version(struct model *m, struct json_object *request, struct buf *out)
{
	(void)m;
	(void)request;
	buf_addstr(out, "{\"version\":\"0.33.0\"}");
	return 200;
}

static int list_installed(struct model *m, struct json_object *request, struct buf *out)
{
	(void)m;
	(void)request;
	buf_addstr(out,
	    "{\"models\":[{\"name\":\"" NAME ":latest\",\"model\":\"" NAME
	    ":latest\",\"size\":5225388164},{\"name\":\"" NAME "-blind:latest\",\"model\":\"" NAME
	    "-blind:latest\",\"size\":5225388164}]}");
	return 200;
}

static int list_loaded(struct model *m, struct json_object *request, struct buf *out)
{
	(void)request;
	buf_addstr(out, "{\"models\":[");
	if (is_loaded(m))
		buf_addf(out,
		    "{\"name\":\"" NAME ":latest\",\"model\":\"" NAME ":latest\",\"context_length\":%zu}",
		    model_context_tokens(m));
	buf_addstr(out, "]}");
	return 200;
}

static int show(struct model *m, struct json_object *request, struct buf *out)
{
	const char *name = json_get_str(request, "model");

	(void)m;
	if (!name || strncmp(name, NAME, strlen(NAME)) != 0) {
		buf_addstr(out, "{\"error\":\"model not found\"}");
		return 404;
	}
	buf_addf(out,
	    "{\"model_info\":{\"general.architecture\":\"script\",\"script.context_length\":%d},"
	    "\"capabilities\":[\"completion\"%s%s]}",
	    CONTEXT_MAX, strstr(name, "-toolless") ? "" : ",\"tools\"",
	    strstr(name, "-blind") ? "" : ",\"vision\"");
	return 200;
}

static int tell_props(struct model *m, struct json_object *request, struct buf *out)
{
	(void)request;
	buf_addf(out,
	    "{\"default_generation_settings\":{\"n_ctx\":%zu},\"total_slots\":1,\"modalities\":{\"vision\":"
	    "true,\"audio\":false}}",
	    model_context_tokens(m));
	return 200;
}

static const struct {
	const char *path, *http_method;
	int (*answer)(struct model *m, struct json_object *request, struct buf *out); /* the status */
} rows[] = {
    {"/api/ps", "GET", list_loaded},
    {"/api/show", "POST", show},
    {"/api/tags", "GET", list_installed},
    {"/api/version", "GET", tell_version},
    {"/props", "GET", tell_props},
};

bool ollama_serves(const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strcmp(rows[i].path, path) == 0)
			return true;
	return false;
}

void ollama_serve(struct model *m, struct server_request *req)
{
	struct buf out = BUF_INIT;
	size_t len, i = 0;
	const char *body = server_body(req, &len);
	struct json_object *request = json_parse_object(body, len, NULL);

	while (strcmp(rows[i].path, server_path(req)) != 0)
		i++;
	int status =
	    strcmp(rows[i].http_method, server_method(req)) == 0 ? rows[i].answer(m, request, &out) : 405;
	server_respond_json(req, status, &out);
	json_object_put(request);
	buf_clear(&out);
}
