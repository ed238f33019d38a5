#include "tests/channels/slack/slack_stage.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "channels/slack/slack.h"
#include "net/http/http.h"
#include "net/resolve.h"
#include "tests/playground/fixture.h"

static struct slack_stage stage;
static struct buf log_lines = BUF_INIT;

static void keep_line(const char *line, void *arg)
{
	(void)arg;
	buf_addf(&log_lines, "%s\n", line);
}

static void on_received(void *arg, struct message *m)
{
	struct slack_stage *st = arg;

	/* A private chat is opened before the first message there. */
	if (m->kind == MESSAGE_JOINED && m->chat_kind == CHAT_PRIVATE) {
		message_free(m);
		return;
	}
	assert_true(st->count < STAGE_RECEIVED);
	st->received[st->count++] = m;
}

static void on_delivered(void *arg, const struct outbound *row)
{
	struct slack_stage *st = arg;

	buf_addf(&st->ends, "%s %s: %s\n", outbound_state_name(row->state),
	    row->platform_id ? row->platform_id : "-", row->reason ? row->reason : "");
}

/* As the bus calls it. */
static int start_channel(struct channel *ch, const void *settings, struct error *err)
{
	return slack_start_with(ch, settings, &stage.limits, err);
}

size_t stage_logged(const char *part)
{
	size_t n = 0;

	for (const char *at = log_lines.data; at && (at = strstr(at, part)); at++)
		n++;
	return n;
}

void stage_start_only(struct task *t, struct slack_stage *st)
{
	static struct channel_ops ops;
	struct journal journal = journal_memory_face(st->memory);
	const struct bus_handler handler = {.received = on_received, .delivered = on_delivered, .arg = st};
	struct error err = {0};

	ops = slack_ops;
	ops.start = start_channel;
	st->bus = bus_new(&journal, &handler);
	st->channel = bus_add_channel(st->bus, "slack", &ops, &st->settings);
	assert_int_equal(bus_resume(t, st->bus, &err), 0);
	if (ops.start(st->channel, &st->settings, &err) < 0)
		fail_msg("%s", err.text);
}

void stage_start(struct task *t, struct slack_stage *st)
{
	stage_start_only(t, st);
	stage_until(t, st->channel->status == CHANNEL_READY);
}

void stage_restart(struct task *t, struct slack_stage *st)
{
	bus_free(t, st->bus);
	stage_start(t, st);
}

static void body_task(struct task *t, void *arg)
{
	void (*body)(struct task * t, struct slack_stage * st) =
	    *(void (**)(struct task *, struct slack_stage *))arg;
	struct slack_stage *st = &stage;

	fixture_start(NULL);
	st->settings.api_base = xasprintf("%s/slack/api", at("%s", ""));
	stage_set(st, "{\"limits\":false,\"retry_ms\":[0,100,200]}");
	body(t, st);
	bus_free(t, st->bus);
	fixture_end();
}

void slack_stage_run(void (*body)(struct task *t, struct slack_stage *st))
{
	stage = (struct slack_stage){
	    .memory = journal_memory_new(),
	    .settings = {.bot_token = "xoxb-1-2-myna",
		.app_token = "xapp-1-A2-3-myna",
		.command = (char *)(uintptr_t) "/myna",
		.thread_replies = true,
		.previews = true},
	    .limits = slack_limits,
	    .ends = BUF_INIT,
	};
	stage.limits.retry_ms = 10;
	stage.limits.retry_max_ms = 40;
	stage.limits.crowded_ms = 50;
	stage.limits.limited_extra_ms = 10;
	stage.limits.settle_ms = 10;
	log_setup(LOG_LEVEL_DEBUG, LOG_FORMAT_TEXT);
	log_capture(keep_line, NULL);
	task_run("test", body_task, &body);
	log_capture(NULL, NULL);
	http_finish();
	resolve_forget_all();
	for (size_t i = 0; i < stage.count; i++)
		message_free(stage.received[i]);
	journal_memory_free(stage.memory);
	buf_clear(&stage.ends);
	buf_clear(&log_lines);
	free(stage.settings.api_base);
	assert_int_equal(task_count(), 0);
}

static struct json_object *post(const char *verb, const char *members)
{
	return control(verb, "{\"platform\":\"slack\"%s%s}", *members ? "," : "", members);
}

char *stage_act(struct slack_stage *st, const char *verb, const char *key, const char *fmt, ...)
{
	struct buf members = BUF_INIT;
	va_list ap;
	char *text;

	(void)st;
	va_start(ap, fmt);
	buf_vaddf(&members, fmt, ap);
	va_end(ap);
	struct json_object *out = post(verb, members.data);
	text = xstrdup(key ? json_get_str(out, key) : NULL);
	json_object_put(out);
	buf_clear(&members);
	return text;
}

void stage_set(struct slack_stage *st, const char *json)
{
	(void)st;
	json_object_put(control("settings", "{\"slack\":%s}", json));
}

void stage_fault(struct slack_stage *st, const char *members)
{
	(void)st;
	json_object_put(post("fault", members));
}

static struct json_object *get(const char *path)
{
	return client_get(at("/control/%s", path), 200);
}

char *stage_said(struct slack_stage *st, const char *chat)
{
	char *path = xasprintf("transcript?platform=slack&chat=%s", chat);
	struct json_object *out = get(path), *list = json_get_array(out, "messages");
	struct buf said = BUF_INIT;

	(void)st;
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *m = json_object_array_get_idx(list, i);
		const char *thread = json_get_str(m, "thread");

		if (!json_get_bool(m, "bot", false) || json_get_bool(m, "deleted", false))
			continue;
		buf_addf(&said, "%s%s%s%s\n", thread ? "[" : "", thread ? thread : "", thread ? "] " : "",
		    json_get_str(m, "text"));
	}
	json_object_put(out);
	free(path);
	return buf_take(&said);
}

size_t stage_calls(struct slack_stage *st, const char *method, bool refused)
{
	char *path = xasprintf("requests?platform=slack&method=%s", method);
	struct json_object *out = get(path), *list = json_get_array(out, "requests");
	size_t count = 0;

	(void)st;
	for (size_t i = 0; i < json_object_array_length(list); i++)
		count += !refused ||
		    strcmp(json_get_str(json_object_array_get_idx(list, i), "verdict"), "refused") == 0;
	json_object_put(out);
	free(path);
	return count;
}

static size_t socket_count(const char *of)
{
	struct json_object *out = post("socket", "");
	size_t count = (size_t)json_get_int(out, of, 0);

	json_object_put(out);
	return count;
}

size_t stage_sockets(struct slack_stage *st)
{
	(void)st;
	return socket_count("connections");
}

size_t stage_unacknowledged(struct slack_stage *st)
{
	(void)st;
	return socket_count("unacknowledged");
}

size_t stage_faults(struct slack_stage *st)
{
	struct json_object *out = get("faults");
	size_t count = json_object_array_length(json_get_array(out, "faults"));

	(void)st;
	json_object_put(out);
	return count;
}

int64_t stage_put(struct task *t, struct slack_stage *st, struct outbound *row)
{
	struct error err = {0};

	row->part = row->parts = 1;
	row->created_ms = row->updated_ms = clock_wall();
	if (bus_send(t, st->bus, &row, 1, &err) < 0)
		fail_msg("%s", err.text);
	int64_t id = row->id;
	outbound_free(row);
	return id;
}

int64_t stage_send(
    struct task *t, struct slack_stage *st, const char *chat, const char *thread, const char *text)
{
	struct address to;

	assert_int_equal(address_set(&to, "slack", chat, thread, NULL), 0);
	return stage_put(t, st, outbound_new(&to, OUTBOUND_REPLY, text));
}

size_t stage_ended(const struct slack_stage *st)
{
	size_t lines = 0;

	for (const char *at = st->ends.data; (at = strchr(at, '\n')); at++)
		lines++;
	return lines;
}
