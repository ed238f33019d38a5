#include "playground/control/control.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/suggest.h"
#include "net/server/server.h"
#include "playground/control/events.h"
#include "playground/control/report.h"
#include "playground/control/verbs.h"
#include "playground/server/form.h"
#include "playground/platform.h"
#include "playground/playground.h"
#include "playground/world/json_members.h"

#define NAMES_MAX 128 /* of calls */

static void answer_error(struct server_request *req, int status, const char *text)
{
	struct buf out = BUF_INIT;

	buf_addstr(&out, "{\"ok\":false,\"error\":");
	json_quote(&out, text, strlen(text));
	buf_addch(&out, '}');
	server_respond_json(req, status, &out);
	buf_clear(&out);
}

static struct json_object *read_parameters(struct server_request *req, struct error *err)
{
	const char *query = server_query(req);
	struct json_object *in;
	const char *body;
	size_t len;

	if (strcmp(server_method(req), "GET") != 0) {
		body = server_body(req, &len);
		return len > 0 ? json_parse_object(body, len, err) : json_object_new_object();
	}
	in = json_object_new_object();
	if (form_read(in, query, strlen(query), err) != 0) {
		json_object_put(in);
		return NULL;
	}
	return in;
}

static const struct control_verb *find_verb(const char *name, const char *method)
{
	for (const struct control_verb *v = control_verbs; v->name; v++)
		if (strcmp(v->name, name) == 0 && strcmp(v->method, method) == 0)
			return v;
	return NULL;
}

static const struct platform_action *find_action(const struct platform *p, const char *name)
{
	for (const struct platform_action *a = p->people_actions; a->name; a++)
		if (strcmp(a->name, name) == 0)
			return a;
	return NULL;
}

/* Refuses unknown members. A call ignores those of PLATFORM_COMMON_MEMBERS that it does not need, so that a
 * client can send the same with each. */
static int check_members(const char *members, struct json_object *in, struct error *err)
{
	char *words = xasprintf("%s " PLATFORM_COMMON_MEMBERS " thread", members);
	int ret = members_check(in, words, err);

	free(words);
	return ret;
}

/* An action on messages puts its own marks into the feed. */
static void mark_action(
    struct playground *pg, const struct platform_instance *platform_instance, const char *name)
{
	static const char *const others[] = {"chat", "member", "topic"};

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (strcmp(others[i], name) == 0)
			feed_add(&pg->feed, FEED_CHAT, platform_instance->platform->name, NULL);
}

static int run_action(
    struct playground *pg, const char *name, struct json_object *in, struct buf *out, struct error *err)
{
	struct platform_instance *platform_instance = control_platform(pg, in, err);
	const struct platform_action *action;
	struct json_object *answer;
	int ret;

	if (!platform_instance)
		return -1;
	action = find_action(platform_instance->platform, name);
	pg->person_actions++;
	if (!action) {
		error_set(
		    err, ERROR_OURS, "%s knows no /control/%s", platform_instance->platform->name, name);
		err->code = 404;
		return -1;
	}
	if (check_members(action->members, in, err) != 0)
		return -1;
	answer = json_object_new_object();
	json_set_bool(answer, "ok", true);
	json_set_int(answer, "time_us", clock_wall_us()); /* no later than anything shows it */
	ret = action->act(platform_instance->self, in, answer, err);
	if (ret == 0) {
		json_write(out, answer);
		mark_action(pg, platform_instance, name);
		playground_changed(pg);
	}
	json_object_put(answer);
	return ret;
}

static int run_verb(struct task *t, struct playground *pg, const struct control_verb *v,
    struct json_object *in, struct buf *out, struct error *err)
{
	return v->members && check_members(v->members, in, err) != 0 ? -1 : v->run(t, pg, in, out, err);
}

static bool is_action_anywhere(const char *name)
{
	for (size_t i = 0; platforms[i]; i++)
		if (find_action(platforms[i], name))
			return true;
	return false;
}

static void serve_junit(struct playground *pg, struct server_request *req)
{
	struct buf out = BUF_INIT;

	report_begin_junit(&out);
	report_write_suites(pg, &out);
	report_end_junit(&out);
	server_respond(req, 200, "application/xml", NULL, out.data, out.len);
	buf_clear(&out);
}

/* Serves answers that are no JSON: streams, and the report for a CI job. */
static bool serve_other(struct task *t, struct playground *pg, struct server_request *req, const char *name)
{
	bool gateway = strcmp(name, "gateway/events") == 0;

	if (strcmp(name, "report") == 0 && strcmp(server_query(req), "format=junit") == 0 &&
	    strcmp(server_method(req), "GET") == 0) {
		serve_junit(pg, req);
		return true;
	}
	if (!gateway && strcmp(name, "events") != 0)
		return false;
	if (strcmp(server_method(req), "GET") == 0)
		events_serve(t, pg, req, gateway);
	else
		answer_error(req, 405, "this call is a GET");
	return true;
}

static const struct control_verb *any_verb(const char *name)
{
	const struct control_verb *v = find_verb(name, "POST");

	return v ? v : find_verb(name, "GET");
}

bool control_knows(const char *name)
{
	return any_verb(name) || is_action_anywhere(name);
}

bool control_takes(const struct platform *p, const char *name, const char *member)
{
	const struct platform_action *a = find_action(p, name);

	return a && members_has_word(a->members, member);
}

int control_call(struct task *t, struct playground *pg, const char *name, struct json_object *in,
    struct buf *out, struct error *err)
{
	const struct control_verb *v = any_verb(name);

	return v ? run_verb(t, pg, v, in, out, err) : run_action(pg, name, in, out, err);
}

char *control_unknown(const char *name)
{
	const char *names[NAMES_MAX], *near;
	size_t n = 0;

	for (const struct control_verb *v = control_verbs; v->name && n < NAMES_MAX; v++)
		names[n++] = v->name;
	for (size_t i = 0; platforms[i]; i++)
		for (const struct platform_action *a = platforms[i]->people_actions; a->name && n < NAMES_MAX;
		     a++)
			names[n++] = a->name;
	near = suggest_name(name, names, n);
	return near ? xasprintf("there is no call /control/%.60s. Did you mean %s?", name, near) :
		      xasprintf("there is no call /control/%.60s", name);
}

/* Refuses a call that does not exist, or not by this method. */
static void refuse(struct server_request *req, const char *name)
{
	const struct control_verb *v = any_verb(name);
	bool known = control_knows(name);
	char *why = known ? xasprintf("this call is a %s", v ? v->method : "POST") : control_unknown(name);

	answer_error(req, known ? 405 : 404, why);
	free(why);
}

void control_serve(struct task *t, struct playground *pg, struct server_request *req)
{
	const char *name = server_path(req) + strlen("/control/"), *method = server_method(req);
	bool action = strcmp(method, "POST") == 0 && is_action_anywhere(name);
	const struct control_verb *verb = find_verb(name, method);
	struct error err = {0};
	struct buf out = BUF_INIT;
	struct json_object *in;
	int ret = -1;

	if (serve_other(t, pg, req, name))
		return;
	if (!verb && !action) {
		refuse(req, name);
		return;
	}
	in = read_parameters(req, &err);
	if (in)
		ret = verb ? run_verb(t, pg, verb, in, &out, &err) : run_action(pg, name, in, &out, &err);
	if (ret == 0)
		server_respond_json(req, 200, &out);
	else if (err.kind != ERROR_CANCELLED)
		answer_error(req, err.code != 0 ? err.code : 400, err.text);
	json_object_put(in);
	buf_clear(&out);
}
