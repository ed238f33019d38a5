#include "ops/probe.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/secret/secret.h"
#include "bus/channel.h"
#include "config/gateway_config.h"
#include "llm/llm.h"
#include "llm/local_server.h"

/* Redacted, because a platform's answer may contain what it was sent. err: NULL when all is well. */
static void add_result(
    struct json_object *list, const char *about, const char *found, const struct error *err)
{
	const char *text = err ? err->text : found;
	struct json_object *o = json_object_new_object();
	struct buf shown = BUF_INIT;

	secret_redact(&shown, text, strlen(text));
	json_set_str(o, "about", about);
	json_set_bool(o, "ok", !err);
	if (err)
		json_set_str(o, "kind", error_kind_name(err->kind));
	json_set_str(o, "text", shown.data);
	json_object_array_add(list, o);
	buf_clear(&shown);
}

static bool probe_channel(struct task *t, const struct gateway_channel *c, struct json_object *list)
{
	struct buf what = BUF_INIT, found = BUF_INIT;
	struct error err = {0};
	bool ok = c->ops->probe(t, c->settings, &found, &err) == 0;

	buf_addf(&what, "channel %s (%s)", c->name, c->ops->type);
	add_result(list, what.data, found.data, ok ? NULL : &err);
	buf_clear(&what);
	buf_clear(&found);
	return ok;
}

/* Reports a local server's facts about the model, which has just answered. Problems here are warnings. */
static void describe_local(struct task *t, const struct llm_provider *p, struct buf *out)
{
	struct llm_local_server_facts facts;
	struct error err = {0};
	struct buf advice = BUF_INIT;

	if (llm_local_server_ask(t, p, &facts, &err) > 0) {
		if (facts.context > 0)
			buf_addf(out, "reads %lld tokens", (long long)facts.context);
		llm_local_server_advise(p, &facts, &advice);
		if (advice.len > 0)
			buf_addf(out, "%sWARNING: %s", out->len > 0 ? ". " : "", advice.data);
	}
	buf_clear(&advice);
}

static bool probe_model(struct task *t, const struct llm_provider *p, struct json_object *list)
{
	struct buf what = BUF_INIT, found = BUF_INIT;
	struct error err = {0};
	bool ok = llm_probe(t, p, &err) == 0;

	buf_addf(&what, "model %s (%s)", p->name, p->settings.model ? p->settings.model : "");
	if (ok)
		describe_local(t, p, &found);
	add_result(list, what.data, found.data, ok ? NULL : &err);
	buf_clear(&what);
	buf_clear(&found);
	return ok;
}

size_t probe_all(struct task *t, const struct gateway_config *gc, struct json_object *list)
{
	size_t failed = 0;

	for (size_t i = 0; i < gc->channel_count; i++)
		if (gc->channels[i].ops->probe)
			failed += !probe_channel(t, &gc->channels[i], list);
	for (const struct llm_provider *p = NULL; (p = llm_next_provider(gc->llm, p));)
		failed += !probe_model(t, p, list);
	return failed;
}
