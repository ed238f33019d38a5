#include <string.h>

#include "base/buf.h"
#include "base/time/clock_skip.h"
#include "base/error.h"
#include "base/json/json.h"
#include "playground/control/control.h"
#include "playground/control/verbs.h"
#include "playground/model/model.h"
#include "playground/platform.h"
#include "playground/server/exchange.h"
#include "playground/playground.h"

#define WAIT_MS_DEFAULT 10000
#define WAIT_MS_MAX     600000

/* The condition to wait for. */
struct want {
	struct platform_instance *platform_instance; /* NULL: requests of the model */
	size_t messages, bot_messages, requests;
	const char *contains;
};

static int read_size(struct json_object *in, const char *key, size_t *out, struct error *err)
{
	int64_t value = json_get_int(in, key, 0);

	if (value < 0)
		return error_set(err, ERROR_OURS, "%s must not be negative", key);
	*out = (size_t)value;
	return 0;
}

static int read_want(struct playground *pg, struct json_object *in, struct want *want, struct error *err)
{
	const char *platform = json_get_str(in, "platform");

	*want = (struct want){.contains = json_get_str(in, "contains")};
	if (platform && strcmp(platform, "model") == 0) {
		if (read_size(in, "count", &want->requests, err) != 0)
			return -1;
	} else {
		want->platform_instance = control_platform(pg, in, err);
		if (!want->platform_instance || read_size(in, "count", &want->messages, err) != 0 ||
		    read_size(in, "bot_messages", &want->bot_messages, err) != 0)
			return -1;
	}
	if (want->messages + want->bot_messages + want->requests == 0 && !want->contains)
		return error_set(err, ERROR_OURS, "say what to wait for: count, bot_messages or contains");
	return 0;
}

static bool has_request(struct playground *pg, const struct platform_instance *s)
{
	list_each_entry(&pg->exchanges, struct exchange, entry, link)
		if (strcmp(entry->platform, s->platform->name) == 0)
			return true;
	return s->log.last_n > 0;
}

bool control_has_bot(struct playground *pg, struct platform_instance *s)
{
	const struct platform_action *action = s->platform->people_actions;
	struct json_object *in, *out;
	int64_t n = 0;

	while (action->name && strcmp(action->name, "socket") != 0)
		action++;
	if (!action->name)
		return has_request(pg, s);
	in = json_object_new_object();
	out = json_object_new_object();
	if (action->act(s->self, in, out, NULL) == 0)
		n = json_get_int(out, "sessions", json_get_int(out, "connections", 0));
	json_object_put(in);
	json_object_put(out);
	return n > 0;
}

/* Returns 1 when the condition holds; 0 when not, with how saying how far it is. A chat that does not exist
 * yet has no messages. */
static int have(struct playground *pg, struct json_object *in, const struct want *want, struct error *how)
{
	struct platform_progress p = {.contains = want->contains};
	uint64_t n = model_log(pg->model)->last_n;

	if (!want->platform_instance) {
		error_set(how, ERROR_OURS, "%llu of %zu requests", (unsigned long long)n, want->requests);
		return n >= want->requests;
	}
	if (want->platform_instance->platform->progress(want->platform_instance->self, in, &p, how) != 0)
		return 0;
	error_set(how, ERROR_OURS, "messages: %zu, from the bot: %zu%s%s", p.messages, p.bot_messages,
	    want->contains && !p.found ? ", none with that text" : "",
	    control_has_bot(pg, want->platform_instance) ? "" : "; no bot has come to the platform");
	return p.messages >= want->messages && p.bot_messages >= want->bot_messages &&
	    (!want->contains || p.found);
}

static int wait_until(struct task *t, struct playground *pg, struct json_object *in, const struct want *want,
    uint64_t due, struct error *err)
{
	struct error how = {0};
	int ret = 0;

	while (have(pg, in, want, &how) == 0) {
		ret = task_cond_wait_until(t, &pg->changed, due + clock_skipped(), err);
		if (ret != 0)
			break;
	}
	if (ret == 1) {
		error_set(err, ERROR_OURS, "it did not come in time: %s", how.text);
		err->code = 408;
	}
	return ret == 0 ? 0 : -1;
}

int control_wait(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	int64_t ms = json_get_int(in, "timeout_ms", WAIT_MS_DEFAULT);
	struct want want;

	if (ms < 0 || ms > WAIT_MS_MAX)
		return error_set(err, ERROR_OURS, "timeout_ms must be from 0 to %d", WAIT_MS_MAX);
	if (read_want(pg, in, &want, err) != 0 ||
	    wait_until(t, pg, in, &want, clock_machine() + (uint64_t)ms, err) != 0)
		return -1;
	if (want.platform_instance)
		return want.platform_instance->platform->transcript(
		    want.platform_instance->self, in, out, err);
	buf_addf(out, "{\"ok\":true,\"count\":%llu}", (unsigned long long)model_log(pg->model)->last_n);
	return 0;
}
