#include "playground/control/verbs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "playground/control/gateway.h"
#include "playground/control/report.h"
#include "playground/control/side_world.h"
#include "playground/world/json_members.h"
#include "playground/model/model.h"
#include "playground/platform.h"
#include "playground/playground.h"

static int no_platform(const char *name, struct error *err)
{
	return error_set(err, ERROR_OURS, "there is no platform \"%.40s\": telegram, slack or discord", name);
}

struct platform_instance *control_platform(struct playground *pg, struct json_object *in, struct error *err)
{
	const char *name = json_get_str(in, "platform");
	struct platform_instance *platform_instance = playground_platform(pg, name);

	if (!name)
		error_set(err, ERROR_OURS, "say which \"platform\" is meant");
	else if (!platform_instance)
		no_platform(name, err);
	return platform_instance;
}

static void answer_ok(struct buf *out)
{
	buf_addstr(out, "{\"ok\":true}");
}

static int chats(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	struct json_object *answer = json_object_new_object(), *array = json_object_new_array();
	const char *only = json_get_str(in, "platform");

	(void)t;
	if (only && !control_platform(pg, in, err)) {
		json_object_put(answer);
		json_object_put(array);
		return -1;
	}
	for (struct platform_instance *s = pg->platform_instances; s->platform; s++)
		if (!only || strcmp(only, s->platform->name) == 0)
			s->platform->chats(s->self, array);
	json_set(answer, "chats", array);
	json_write(out, answer);
	json_object_put(answer);
	return 0;
}

/* Answers with one object from a platform. */
static int answer_object(struct platform_instance *platform_instance, struct json_object *in,
    int (*ask)(void *self, struct json_object *in, struct json_object *out, struct error *err),
    struct buf *out, struct error *err)
{
	struct json_object *answer = json_object_new_object();
	int ret;

	json_set_bool(answer, "ok", true);
	ret = ask(platform_instance->self, in, answer, err);
	if (ret == 0)
		json_write(out, answer);
	json_object_put(answer);
	return ret;
}

static int about(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	struct platform_instance *platform_instance = control_platform(pg, in, err);

	(void)t;
	return platform_instance ?
	    answer_object(platform_instance, in, platform_instance->platform->about, out, err) :
	    -1;
}

static int file(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	struct platform_instance *platform_instance = control_platform(pg, in, err);

	(void)t;
	return platform_instance ?
	    answer_object(platform_instance, in, platform_instance->platform->file, out, err) :
	    -1;
}

/* Reads the parameter after=N of a listing. */
static int read_after(struct json_object *in, uint64_t *after, struct error *err)
{
	const char *text = json_get_str(in, "after");
	char *end;

	*after = 0;
	if (!text)
		return 0;
	errno = 0;
	*after = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != '\0' || errno != 0)
		return error_set(err, ERROR_OURS, "after must be a number");
	return 0;
}

static int model(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	uint64_t after;

	(void)t;
	if (read_after(in, &after, err) != 0)
		return -1;
	record_log_write(model_log(pg->model), out, after, json_get_str(in, "method"));
	return 0;
}

static int requests(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	struct platform_instance *platform_instance = control_platform(pg, in, err);
	uint64_t after;

	(void)t;
	if (!platform_instance || read_after(in, &after, err) != 0)
		return -1;
	record_log_write(&platform_instance->log, out, after, json_get_str(in, "method"));
	return 0;
}

/* One complete request. */
static int request(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	const char *platform = json_get_str(in, "platform"), *text = members_string(in, "n");
	struct platform_instance *platform_instance = playground_platform(pg, platform);
	const struct record_log *log = platform_instance ? &platform_instance->log : NULL;

	(void)t;
	if (platform && strcmp(platform, "model") == 0)
		log = model_log(pg->model);
	else if (!control_platform(pg, in, err))
		return -1;
	buf_addstr(out, "{\"ok\":true,\"request\":");
	if (record_log_write_one(log, out, text ? strtoull(text, NULL, 10) : 0, false) != 0) {
		error_set(err, ERROR_OURS,
		    "there is no such request: n is its number, and only the newest are kept");
		err->code = 404;
		return -1;
	}
	buf_addch(out, '}');
	return 0;
}

static int report(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	const char *format = json_get_str(in, "format");
	struct report r;

	(void)t;
	if (format && strcmp(format, "json") != 0)
		return error_set(err, ERROR_OURS, "format must be json or junit");
	report_make(pg, &r);
	report_write_json(&r, out);
	report_clear(&r);
	return 0;
}

static int reset(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	(void)t;
	(void)in;
	(void)err;
	playground_reset(pg);
	answer_ok(out);
	return 0;
}

void control_write_settings(struct playground *pg, struct buf *out)
{
	struct json_object *answer = json_object_new_object(), *part;

	for (struct platform_instance *s = pg->platform_instances; s->platform; s++) {
		part = json_object_new_object();
		s->platform->settings(s->self, part);
		json_set(answer, s->platform->name, part);
	}
	part = json_object_new_object();
	model_settings(pg->model, part);
	json_set(answer, "model", part);
	json_write(out, answer);
	json_object_put(answer);
}

static int get_settings(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	(void)t;
	(void)in;
	(void)err;
	control_write_settings(pg, out);
	return 0;
}

static int set_one(struct playground *pg, const char *name, struct json_object *settings, struct error *err)
{
	struct platform_instance *platform_instance = playground_platform(pg, name);

	if (!json_object_is_type(settings, json_type_object))
		return error_set(err, ERROR_OURS, "the settings of \"%.40s\" must be an object", name);
	if (strcmp(name, "model") == 0)
		return model_set(pg->model, settings, err);
	if (!platform_instance)
		return no_platform(name, err);
	return platform_instance->platform->set(platform_instance->self, settings, err);
}

static int set_settings(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	(void)t;
	json_object_object_foreach(in, name, settings) {
		if (set_one(pg, name, settings, err) != 0)
			return -1;
	}
	feed_add(&pg->feed, FEED_SETTINGS, NULL, NULL);
	answer_ok(out);
	return 0;
}

static int transcript(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	struct platform_instance *platform_instance = control_platform(pg, in, err);

	(void)t;
	return platform_instance ?
	    platform_instance->platform->transcript(platform_instance->self, in, out, err) :
	    -1;
}

static int violations(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	(void)t;
	(void)in;
	if (!pg->strict.on) {
		error_set(err, ERROR_OURS, "start the playground with --strict-answers");
		err->code = 409;
		return -1;
	}
	buf_addstr(out, "{\"violations\":");
	if (pg->strict.violations)
		json_write(out, pg->strict.violations);
	else
		buf_addstr(out, "[]");
	buf_addch(out, '}');
	return 0;
}

const struct control_verb control_verbs[] = {
    {"GET", "about", "business guild", about},
    {"GET", "chats", "", chats},
    {"GET", "clock", "", control_clock},
    {"POST", "clock", "advance", control_advance},
    {"POST", "fault",
	"at_byte count failure global method quirks retry_after retry_after_ms seconds status text token_ms",
	control_fault},
    {"GET", "faults", "", control_faults},
    {"POST", "faults/clear", "id", control_faults_clear},
    {"GET", "file", "business guild index message_id", file},
    {"POST", "gateway/kill", "hold", control_gateway_kill},
    {"GET", "gateway/model", "", control_gateway_model},
    {"POST", "gateway/model", NULL, control_gateway_set_model},
    {"POST", "gateway/restart", "", control_gateway_restart},
    {"POST", "gateway/state", NULL, control_gateway_state},
    {"GET", "gateway/status", "", control_gateway_status},
    {"GET", "gateway/trace", "message", control_gateway_trace},
    {"GET", "model", "after method", model},
    {"GET", "report", "format", report},
    {"GET", "request", "n", request},
    {"GET", "requests", "after method", requests},
    {"POST", "reset", "", reset},
    {"GET", "settings", "", get_settings},
    {"POST", "settings", NULL, set_settings},
    {"GET", "snapshot", "", control_snapshot},
    {"POST", "snapshot", "ok snapshot", control_restore},
    {"GET", "transcript", "business guild", transcript},
    {"GET", "violations", "", violations},
    {"POST", "wait", "bot_messages contains count timeout_ms", control_wait},
    {"POST", "world", "end name", control_world},
    {"GET", "worlds", "", control_worlds},
    {NULL, NULL, NULL, NULL},
};
