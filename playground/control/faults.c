#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "playground/control/verbs.h"
#include "playground/server/exchange.h"
#include "playground/server/fault.h"
#include "playground/platform.h"
#include "playground/playground.h"

static void disconnect(struct playground *pg, const char *platform)
{
	struct platform_instance *platform_instance = playground_platform(pg, platform);

	exchange_cut_all(pg, platform);
	if (platform_instance && platform_instance->platform->disconnect)
		platform_instance->platform->disconnect(platform_instance->self);
}

/* Refuses a fault of a method that does not exist, because no request could hit it. */
static int check_method(struct playground *pg, struct json_object *in, struct error *err)
{
	const struct platform_instance *s = control_platform(pg, in, err);
	const char *method = json_get_str(in, "method");

	if (!s)
		return -1;
	if (method && strcmp(method, "*") != 0 && !s->platform->has_method(method))
		return error_set(
		    err, ERROR_OURS, "%s has no method \"%.60s\"; \"*\" is any", s->platform->name, method);
	return 0;
}

int control_fault(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	const char *platform = json_get_str(in, "platform");
	enum fault_kind kind;
	int64_t id;

	(void)t;
	if ((!platform || strcmp(platform, "model") != 0) && check_method(pg, in, err) != 0)
		return -1;
	id = fault_add(&pg->faults, in, &kind, err);
	if (id < 0)
		return -1;
	if (kind == FAULT_DISCONNECT || kind == FAULT_OUTAGE)
		disconnect(pg, platform);
	feed_add(&pg->feed, FEED_FAULT, NULL, "set");
	buf_addf(out, "{\"ok\":true,\"id\":%lld}", (long long)id);
	return 0;
}

int control_faults(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	(void)t;
	(void)in;
	(void)err;
	buf_addstr(out, "{\"ok\":true,");
	faults_write(&pg->faults, out);
	buf_addch(out, '}');
	return 0;
}

int control_faults_clear(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	size_t n = faults_drop(
	    &pg->faults, json_get_int(in, "id", 0), json_get_str(in, "platform"), json_get_str(in, "kind"));

	(void)t;
	(void)err;
	if (n > 0)
		feed_add(&pg->feed, FEED_FAULT, NULL, "cleared");
	buf_addf(out, "{\"ok\":true,\"cleared\":%zu}", n);
	return 0;
}
