#include "playground/gateway/provider.h"
#include "playground/world/json_format.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "net/http/http.h"

#define PROBE_MS       60000 /* a local model may have to be loaded first */
#define OLLAMA_MS      1500
#define OLLAMA_CONNECT 500
#define ANSWER_MAX     (256 * 1024)
#define WHY_MAX        160

/* How each format is asked for a short answer. */
static const struct format {
	const char *api, *path;
	const char *more; /* members besides the model */
	const char *key_header, *key_prefix;
	const char *answer; /* a member that every answer has */
} formats[] = {
    {"anthropic", "/v1/messages",
	"\"max_tokens\":16,\"messages\":[{\"role\":\"user\",\"content\":\"Answer with the word OK.\"}]",
	"x-api-key", "", "content"},
    {"openai-chat", "/chat/completions",
	"\"messages\":[{\"role\":\"user\",\"content\":\"Answer with the word OK.\"}]", "Authorization",
	"Bearer ", "choices"},
    {"openai-responses", "/responses", "\"input\":\"Answer with the word OK.\",\"store\":false",
	"Authorization", "Bearer ", "output"},
};

static const struct format *find(const char *api)
{
	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (strcmp(formats[i].api, api) == 0)
			return &formats[i];
	return NULL;
}

bool provider_knows_api(const char *api)
{
	return find(api);
}

const char *provider_guess_api(const char *url)
{
	return strstr(url, "://api.anthropic.com") ? "anthropic" : "openai-chat";
}

/* Statuses and what they mean for the person who typed the settings; the first match is used. */
static const struct {
	int from, to;
	const char *text;
} meanings[] = {
    {401, 403, "The key was refused"},
    {404, 404, "There is no such address or model; base URLs usually end with /v1"},
    {405, 405, "This is not the address of a model; base URLs usually end with /v1"},
    {429, 429, "The provider says that too much was asked, or that there is no credit"},
    {400, 499, "The provider refuses the request"},
    {500, 599, "The provider is in trouble"},
    {100, 599, "The address answers, but not as a model does"},
};

/* Adds the provider's own message, shortened and without secrets. */
static void add_why(struct buf *out, struct json_object *o)
{
	const char *why = json_get_str(json_get_object(o, "error"), "message");
	struct buf clean = BUF_INIT;

	if (!why)
		why = json_get_str(o, "error");
	if (!why)
		return;
	secret_redact(&clean, why, strlen(why));
	buf_addf(out, ": %.*s", WHY_MAX, clean.data);
	buf_clear(&clean);
}

static bool judge(const struct format *f, const struct provider *p, const struct http_response *res,
    uint64_t ms, struct buf *out)
{
	struct json_object *o = json_parse_object(res->body.data, res->body.len, NULL);
	bool works = res->status == 200 && json_get_array(o, f->answer);
	size_t i = 0;

	if (works) {
		buf_addf(out, "%s answered in %.1f s.", p->model, (double)ms / 1000);
	} else {
		while (i + 1 < ARRAY_LEN(meanings) &&
		    (res->status < meanings[i].from || res->status > meanings[i].to))
			i++;
		buf_addf(out, "%s (%d)", meanings[i].text, res->status);
		add_why(out, o);
		if (out->data[out->len - 1] != '.')
			buf_addch(out, '.');
	}
	json_object_put(o);
	return works;
}

static void write_body(const struct format *f, const struct provider *p, struct buf *out)
{
	buf_addstr(out, "{\"model\":");
	json_quote(out, p->model, strlen(p->model));
	buf_addf(out, ",%s}", f->more);
}

int provider_probe(struct task *t, const struct provider *p, bool *works, struct buf *out, struct error *err)
{
	const struct format *f = find(p->api);
	char *url = xasprintf("%s%s", p->url, f->path),
	     *key = xasprintf("%s%s", f->key_prefix, p->key ? p->key : "");
	struct http_header headers[] = {
	    {"Content-Type", "application/json"}, {"anthropic-version", "2023-06-01"}, {f->key_header, key}};
	struct buf body = BUF_INIT;
	struct http_request req = {.method = "POST",
	    .url = url,
	    .label = "the model",
	    .headers = headers,
	    .header_count = p->key ? 3 : 2,
	    .total_ms = PROBE_MS,
	    .max_body = ANSWER_MAX,
	    .once = true};
	struct http_response res;
	struct error why = {0};
	uint64_t began = clock_now();
	int ret = 0;

	write_body(f, p, &body);
	req.body = body.data;
	req.body_len = body.len;
	*works = false;
	if (http_perform(t, &req, &res, &why) == 0)
		*works = judge(f, p, &res, clock_now() - began, out);
	else if (why.kind == ERROR_CANCELLED)
		ret = error_cancelled(err);
	else
		buf_addf(out, "%s was not reached: %s", p->url, why.text);
	http_response_clear(&res);
	buf_clear(&body);
	free(url);
	free(key);
	return ret;
}

const char *provider_ollama_url(void)
{
	const char *url = getenv("MYNA_OLLAMA_URL");

	return url && http_url_allowed(url, NULL) ? url : "http://127.0.0.1:11434";
}

static void add_models(struct json_object *names, struct json_object *o)
{
	struct json_object *models = json_get_array(o, "models");

	json_each(models, item) {
		const char *name = json_get_str(item, "name");

		if (name)
			json_object_array_add(names, json_object_new_string(name));
	}
}

struct json_object *provider_ollama(struct task *t, struct error *err)
{
	char *url = xasprintf("%s/api/tags", provider_ollama_url());
	struct http_request req = {.method = "GET",
	    .url = url,
	    .label = "Ollama",
	    .connect_ms = OLLAMA_CONNECT,
	    .total_ms = OLLAMA_MS,
	    .max_body = ANSWER_MAX};
	struct json_object *answer = json_object_new_object(), *names = json_object_new_array(), *o = NULL;
	struct http_response res;
	struct error why = {0};

	if (http_perform(t, &req, &res, &why) == 0 && res.status == 200)
		o = json_parse_object(res.body.data, res.body.len, NULL);
	add_models(names, o);
	json_setf(answer, "url: %s, running: %i, models: %p", provider_ollama_url(),
	    json_get_array(o, "models") != NULL, names);
	json_object_put(o);
	http_response_clear(&res);
	free(url);
	if (why.kind != ERROR_CANCELLED)
		return answer;
	json_object_put(answer);
	error_cancelled(err);
	return NULL;
}
