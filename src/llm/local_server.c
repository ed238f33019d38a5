#include "llm/local_server.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "llm/profile.h"
#include "net/http/http.h"

#define CONNECT_MS     1000
#define TOTAL_MS       3000
#define BODY_BYTES_MAX (4 * 1024 * 1024)
/* The prompt and the tools alone take more than 4,000 tokens; Ollama's manual recommends 64,000 for
 * agents. */
#define CONTEXT_MIN  16384
#define CONTEXT_GOOD 65536
/* It may have been restarted with another context size. */
#define CHECK_EVERY_MS (10 * 60 * 1000)
#define CHECK_SOON_MS  (10 * 1000)

/* A request besides the wire format; its methods are where "/v1" is. */
struct asking {
	const char *base_url, *label;
	struct json_object *answer; /* NULL when it is not a JSON object */
	int status;
};

static int ask(struct task *t, struct asking *a, const char *path, const char *body, struct error *err)
{
	static const struct http_header json = {"Content-Type", "application/json"};
	size_t len = strlen(a->base_url);
	struct http_response res;

	if (len >= 3 && strcmp(a->base_url + len - 3, "/v1") == 0)
		len -= 3;
	char *url = xasprintf("%.*s%s", (int)len, a->base_url, path);
	const struct http_request req = {
	    .method = body ? "POST" : "GET",
	    .url = url,
	    .label = a->label,
	    .headers = &json,
	    .header_count = 1,
	    .body = body,
	    .body_len = body ? strlen(body) : 0,
	    .connect_ms = CONNECT_MS,
	    .total_ms = TOTAL_MS,
	    .max_body = BODY_BYTES_MAX,
	};
	int rc = http_perform(t, &req, &res, err);
	a->status = res.status;
	a->answer = rc == 0 ? json_parse_foreign(res.body.data, res.body.len, NULL) : NULL;
	http_response_clear(&res);
	free(url);
	if (rc == 0 && (!a->answer || a->status / 100 == 5))
		rc = error_set(err, ERROR_NETWORK, "%s: answers %s with %d, not as its kind does", a->label,
		    path, a->status);
	return rc;
}

/* "qwen3" is "qwen3:latest". */
static bool is_same_model(const char *listed, const char *asked)
{
	size_t len = strlen(asked);

	return listed && strncmp(listed, asked, len) == 0 &&
	    (listed[len] == '\0' || strcmp(listed + len, ":latest") == 0);
}

static struct json_object *find_model(struct json_object *answer, const char *model)
{
	struct json_object *list = json_get_array(answer, "models");

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *o = json_object_array_get_idx(list, i);
		if (is_same_model(json_get_str(o, "name"), model) ||
		    is_same_model(json_get_str(o, "model"), model))
			return o;
	}
	return NULL;
}

/* Reads the answer of POST /api/show: the number under "ARCHITECTURE.context_length", "num_ctx N" among its
 * parameters, and its capabilities. */
static void read_show(struct json_object *answer, struct llm_local_server_facts *facts)
{
	struct json_object *info = json_get_object(answer, "model_info"),
			   *can = json_get_array(answer, "capabilities");
	const char *parameters = json_get_str(answer, "parameters"),
		   *set = parameters ? strstr(parameters, "num_ctx") : NULL;

	if (info) {
		json_object_object_foreach(info, name, value)
			if (str_ends_with(name, ".context_length"))
				facts->context_max = json_object_get_int64(value);
	}
	if (set)
		facts->context = strtoll(set + strlen("num_ctx"), NULL, 10);
	facts->no_tools = can && !json_array_has(can, "tools");
	if (can)
		facts->vision = json_array_has(can, "vision") ? 1 : -1;
}

static int ask_ollama(
    struct task *t, const struct llm_provider *p, struct llm_local_server_facts *facts, struct error *err)
{
	struct asking show = {p->settings.base_url, p->name, NULL, 0}, loaded = show;
	struct buf body = BUF_INIT;

	buf_addstr(&body, "{\"model\":");
	json_quote(&body, p->settings.model, strlen(p->settings.model));
	buf_addch(&body, '}');
	int rc = ask(t, &show, "/api/show", body.data, err);
	if (rc == 0)
		rc = ask(t, &loaded, "/api/ps", NULL, err);
	if (rc == 0) {
		facts->missing = show.status == 404;
		read_show(show.answer, facts);
		/* The context that it was loaded with counts. */
		facts->context = json_get_int(
		    find_model(loaded.answer, p->settings.model), "context_length", facts->context);
	}
	json_object_put(show.answer);
	json_object_put(loaded.answer);
	buf_clear(&body);
	return rc;
}

static int ask_llamacpp(
    struct task *t, const struct llm_provider *p, struct llm_local_server_facts *facts, struct error *err)
{
	struct asking props = {p->settings.base_url, p->name, NULL, 0};
	int rc = ask(t, &props, "/props", NULL, err);

	if (rc == 0) {
		struct json_object *modalities = json_get_object(props.answer, "modalities");
		facts->context =
		    json_get_int(json_get_object(props.answer, "default_generation_settings"), "n_ctx", 0);
		if (modalities)
			facts->vision = json_get_bool(modalities, "vision", false) ? 1 : -1;
	}
	json_object_put(props.answer);
	return rc;
}

int llm_local_server_ask(
    struct task *t, const struct llm_provider *p, struct llm_local_server_facts *facts, struct error *err)
{
	static int (*const kinds[])(struct task * t, const struct llm_provider *p,
	    struct llm_local_server_facts *facts,
	    struct error *err) = {[LLM_OLLAMA] = ask_ollama, [LLM_LLAMACPP] = ask_llamacpp};
	enum llm_local local = llm_profile_of(p)->local;

	*facts = (struct llm_local_server_facts){.context = 0};
	if (local == LLM_NOT_LOCAL)
		return 0;
	return kinds[local](t, p, facts, err) == 0 ? 1 : -1;
}

static void advise_context(
    const struct llm_provider *p, const struct llm_local_server_facts *facts, struct buf *out)
{
	bool ollama = llm_profile_of(p)->local == LLM_OLLAMA;
	int64_t good =
	    facts->context_max > 0 && facts->context_max < CONTEXT_GOOD ? facts->context_max : CONTEXT_GOOD;

	buf_addf(out, "It reads only %lld tokens%s. ", (long long)facts->context,
	    ollama ? ", and silently drops the beginning of what is longer" : "");
	if (facts->context_max > 0 && facts->context_max <= facts->context)
		buf_addstr(out, "The model has no more: choose one that reads 64,000.");
	else if (ollama)
		buf_addf(
		    out, "Start it with OLLAMA_CONTEXT_LENGTH=%lld in its environment.", (long long)good);
	else
		buf_addf(out, "Start llama-server with -c %lld.", (long long)good);
}

void llm_local_server_advise(
    const struct llm_provider *p, const struct llm_local_server_facts *facts, struct buf *out)
{
	size_t begin = out->len;

	if (facts->missing) {
		buf_addf(out, "It does not have the model %s: ollama pull %s.", p->settings.model,
		    p->settings.model);
		return;
	}
	if (facts->no_tools)
		buf_addf(out, "%s cannot call tools, and is offered none: choose a model that can.",
		    p->settings.model);
	if (facts->context > 0 && facts->context < CONTEXT_MIN) {
		buf_addstr(out, out->len > begin ? " " : "");
		advise_context(p, facts, out);
	} else if (facts->context > 0 && facts->context < p->settings.context) {
		buf_addstr(out, out->len > begin ? " " : "");
		buf_addf(out,
		    "It reads %lld tokens, and context says %lld: leave context away, or start it with more.",
		    (long long)facts->context, (long long)p->settings.context);
	}
}

void llm_local_server_learn(struct task *t, const struct llm_provider *p)
{
	struct llm_learned *learned = p->learned;
	struct llm_local_server_facts facts;
	struct buf advice = BUF_INIT;
	struct error err = {0};

	if (!learned || llm_profile_of(p)->local == LLM_NOT_LOCAL || clock_now() < learned->next_check)
		return;
	int rc = llm_local_server_ask(t, p, &facts, &err);
	/* Not loaded yet: this request loads it. */
	learned->next_check = clock_now() + (rc < 0 ? CHECK_SOON_MS : facts.context > 0 ? CHECK_EVERY_MS : 0);
	if (rc < 0)
		log_debug("llm", "nothing is known of the context: %s", err.text);
	if (rc <= 0)
		return;
	llm_local_server_advise(p, &facts, &advice);
	if (advice.len > 0 && !learned->warned)
		log_warn("llm", "%s: %s", p->name, advice.data);
	learned->warned = advice.len > 0;
	learned->context = facts.context;
	learned->no_tools = facts.no_tools;
	learned->vision = facts.vision;
	buf_clear(&advice);
}

int llm_local_server_list(struct task *t, const char *base_url, struct buf *out, struct error *err)
{
	struct asking tags = {base_url, "Ollama", NULL, 0};
	int rc = ask(t, &tags, "/api/tags", NULL, err);
	struct json_object *list = json_get_array(tags.answer, "models");

	if (rc == 0 && !list)
		rc = error_set(err, ERROR_NETWORK, "what answers at %s is no Ollama", base_url);
	for (size_t i = 0; rc == 0 && i < json_object_array_length(list); i++) {
		const char *name = json_get_str(json_object_array_get_idx(list, i), "name");
		if (name && !strpbrk(name, "\n\"\\"))
			buf_addf(out, "%s\n", name);
	}
	json_object_put(tags.answer);
	return rc;
}
