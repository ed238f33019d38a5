#include "tests/channels/discord/discord_stage.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "net/http/http.h"
#include "net/resolve.h"
#include "tests/playground/fixture.h"

#define BOT_TOKEN "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.gatewayTestTokenOfTheUnitTests012"

struct discord_stage the_stage;

static void expect_no_token(const char *line, void *arg)
{
	(void)arg;
	assert_null(strstr(line, BOT_TOKEN));
}

static void on_received(void *arg, struct message *m)
{
	(void)arg;
	assert_true(the_stage.received_count < STAGE_RECEIVED);
	the_stage.received[the_stage.received_count++] = m;
}

static void on_delivered(void *arg, const struct outbound *row)
{
	(void)arg;
	buf_addf(
	    &the_stage.ends, "%s: %s\n", outbound_state_name(row->state), row->reason ? row->reason : "");
}

/* As the bus calls it. */
static int start_channel(struct channel *ch, const void *settings, struct error *err)
{
	return discord_start_with(ch, settings, &the_stage.limits, err);
}

void discord_stage_start(struct task *t)
{
	static struct channel_ops ops;
	struct journal journal = journal_memory_face(the_stage.memory);
	const struct bus_handler handler = {.received = on_received, .delivered = on_delivered};
	struct error err = {0};

	ops = discord_ops;
	ops.start = start_channel;
	the_stage.bus = bus_new(&journal, &handler);
	the_stage.channel = bus_add_channel(the_stage.bus, "discord", &ops, &the_stage.settings);
	assert_int_equal(bus_resume(t, the_stage.bus, &err), 0);
	if (ops.start(the_stage.channel, &the_stage.settings, &err) < 0)
		fail_msg("%s", err.text);
}

void discord_stage_start_ready(struct task *t)
{
	discord_stage_start(t);
	discord_stage_until(the_stage.channel->status == CHANNEL_READY);
}

void discord_stage_stop(struct task *t)
{
	bus_free(t, the_stage.bus);
	the_stage.channel = NULL;
}

size_t discord_stage_calls(const char *method)
{
	struct json_object *o = client_get(at("/control/requests?platform=discord"), 200),
			   *list = json_get_array(o, "requests");
	size_t count = 0;

	for (size_t i = 0; i < json_object_array_length(list); i++)
		count += strcmp(json_get_str(json_object_array_get_idx(list, i), "method"), method) == 0;
	json_object_put(o);
	return count;
}

size_t discord_stage_sockets(const char *members)
{
	struct json_object *o =
	    control("socket", "{\"platform\":\"discord\"%s%s}", *members ? "," : "", members);
	size_t count = (size_t)json_get_int(o, "connections", 0);

	json_object_put(o);
	return count;
}

void discord_stage_set(const char *members)
{
	json_object_put(control("settings", "{\"discord\":{%s}}", members));
}

void discord_stage_fault(const char *method, const char *members)
{
	json_object_put(control("fault", "{\"platform\":\"discord\",\"method\":\"%s\",%s}", method, members));
}

void discord_stage_say(const char *chat, const char *kind, const char *text)
{
	json_object_put(control("say",
	    "{\"platform\":\"discord\",\"chat\":\"%s\",\"user\":\"ann\",\"kind\":\"%s\",\"text\":\"%s\"}",
	    chat, kind, text));
}

size_t discord_stage_heard(const char *text)
{
	size_t count = 0;

	for (size_t i = 0; i < the_stage.received_count; i++)
		count += strcmp(the_stage.received[i]->text, text) == 0;
	return count;
}

void discord_stage_expect(struct task *t, const char *text)
{
	discord_stage_say("ann", "private", text);
	discord_stage_until(discord_stage_heard(text) > 0);
	assert_int_equal(discord_stage_heard(text), 1);
}

char *discord_stage_said(const char *chat, const char *thread)
{
	struct json_object *o = client_get(at("/control/transcript?platform=discord&chat=%s%s%s", chat,
					       thread ? "&thread=" : "", thread ? thread : ""),
	    200);
	struct json_object *list = json_get_array(o, "messages");
	struct buf said = BUF_INIT;

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *m = json_object_array_get_idx(list, i);

		if (json_get_bool(m, "bot", false) && !json_get_bool(m, "deleted", false))
			buf_addf(&said, "%s%s\n", json_get_str(m, "reply_to") ? "> " : "",
			    json_get_str(m, "text"));
	}
	json_object_put(o);
	return buf_take(&said);
}

static void body_task(struct task *t, void *arg)
{
	void (*body)(struct task * t) = *(void (**)(struct task *))arg;

	fixture_start(NULL);
	the_stage.settings.api_base = xasprintf("%s/discord/api/v10", at("%s", ""));
	discord_stage_set("\"limits\":false");
	body(t);
	discord_stage_stop(t);
	discord_stage_until(discord_stage_sockets("") == 0);
	fixture_end();
}

void discord_stage_run(void (*body)(struct task *t))
{
	the_stage = (struct discord_stage){
	    .memory = journal_memory_new(),
	    .settings = {.token = BOT_TOKEN, .message_content = DISCORD_CONTENT_AUTO},
	    .limits = discord_limits,
	    .ends = BUF_INIT,
	};
	the_stage.limits.retry_ms = 10;
	the_stage.limits.retry_max_ms = 40;
	the_stage.limits.identify_gap_ms = 10;
	the_stage.limits.invalid_ms = 5;
	the_stage.limits.greet_ms = 10;
	log_setup(LOG_LEVEL_DEBUG, LOG_FORMAT_TEXT);
	log_capture(expect_no_token, NULL);
	task_run("test", body_task, &body);
	log_capture(NULL, NULL);
	http_finish();
	resolve_forget_all();
	for (size_t i = 0; i < the_stage.received_count; i++)
		message_free(the_stage.received[i]);
	journal_memory_free(the_stage.memory);
	buf_clear(&the_stage.ends);
	free(the_stage.settings.api_base);
	assert_int_equal(task_count(), 0);
}
