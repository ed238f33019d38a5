#include "playground/control/gateway.h"

#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "net/http/http.h"
#include "playground/gateway/model_choice.h"
#include "playground/gateway/daemon.h"
#include "playground/world/json_members.h"
#include "playground/playground.h"
#include "playground/gateway/provider.h"

static int conflict(struct error *err, const char *why)
{
	error_set(err, ERROR_OURS, "%s", why);
	err->code = 409;
	return -1;
}

static int need_gateway(const struct playground *pg, struct error *err)
{
	return daemon_is_known(pg->daemon) ?
	    0 :
	    conflict(err, "the playground knows no gateway: start it by quickstart");
}

static int need_supervisor(const struct playground *pg, struct error *err)
{
	return daemon_is_supervised(pg->daemon) ? 0 :
						  conflict(err, "nobody here may start and stop the gateway");
}

static int order(struct playground *pg, const char *text, struct buf *out, struct error *err)
{
	if (need_supervisor(pg, err) != 0 || daemon_order(pg->daemon, text, err) != 0)
		return -1;
	buf_addstr(out, "{\"ok\":true}");
	return 0;
}

int control_gateway_kill(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	(void)t;
	return order(pg, json_get_bool(in, "hold", false) ? "kill hold" : "kill", out, err);
}

int control_gateway_restart(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	(void)t;
	(void)in;
	return order(pg, "restart", out, err);
}

int control_gateway_state(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	(void)t;
	if (need_supervisor(pg, err) != 0 || daemon_note(pg->daemon, in, err) != 0)
		return -1;
	buf_addstr(out, "{\"ok\":true}");
	return 0;
}

/* The status is null while the gateway does not answer. */
int control_gateway_status(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	struct json_object *status = NULL;
	struct error why = {0};

	(void)in;
	if (daemon_is_known(pg->daemon))
		status = daemon_ask(t, pg->daemon, "/v1/status", NULL, &why);
	if (why.kind == ERROR_CANCELLED)
		return error_cancelled(err);
	buf_addstr(out, "{\"ok\":true,");
	daemon_write_members(pg->daemon, out);
	buf_addstr(out, ",\"status\":");
	json_write(out, status);
	buf_addch(out, '}');
	json_object_put(status);
	return 0;
}

int control_gateway_trace(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	const char *message = members_string(in, "message");
	struct json_object *trace;
	struct buf path = BUF_INIT;

	if (need_gateway(pg, err) != 0)
		return -1;
	if (!message)
		return error_set(err, ERROR_OURS,
		    "say which \"message\": CHANNEL:CHAT:ID, a number of the inbox, or turn:N");
	buf_addstr(&path, "/v1/trace?message=");
	http_url_encode(&path, message, strlen(message));
	trace = daemon_ask(t, pg->daemon, path.data, NULL, err);
	buf_clear(&path);
	if (!trace)
		return -1;
	buf_addstr(out, "{\"ok\":true,\"trace\":");
	json_write(out, trace);
	buf_addch(out, '}');
	json_object_put(trace);
	return 0;
}

int control_gateway_model(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	struct json_object *ollama;

	(void)in;
	if (!pg->model_choice)
		return conflict(
		    err, "the playground does not choose the gateway's model: start it by quickstart");
	ollama = provider_ollama(t, err);
	if (!ollama)
		return -1;
	buf_addstr(out, "{\"ok\":true,\"used\":");
	model_choice_write(pg->model_choice, out);
	buf_addstr(out, ",\"ollama\":");
	json_write(out, ollama);
	buf_addch(out, '}');
	json_object_put(ollama);
	return 0;
}

int control_gateway_set_model(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	struct buf text = BUF_INIT;
	bool works = false;
	int ret;

	if (!pg->model_choice)
		return conflict(
		    err, "the playground does not choose the gateway's model: start it by quickstart");
	ret = model_choice_set(t, pg->model_choice, pg->daemon, in, &works, &text, err);
	if (ret == 0) {
		buf_addf(out, "{\"ok\":true,\"works\":%s,\"text\":", works ? "true" : "false");
		json_quote(out, text.data, text.len);
		buf_addch(out, '}');
	}
	buf_clear(&text);
	return ret;
}
