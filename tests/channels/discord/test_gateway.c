/* The connection to the playground's Discord, from its opening to its end: made again whatever happens to it,
 * closed when it is over, and the session goes on where it can. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/bus.h"
#include "bus/command_menu.h"
#include "lib/journal_memory.h"
#include "channels/discord/discord.h"
#include "channels/discord/discord_internal.h"
#include "channels/discord/settings.h"
#include "net/http/http.h"
#include "net/resolve.h"
#include "tests/playground/fixture.h"

#define BOT_TOKEN "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.gatewayTestTokenOfTheUnitTests012"
#define RECEIVED  64

static struct journal_memory *memory;
static struct bus *bus;
static struct channel *channel;
static struct discord_settings settings;
static struct discord_limits limits;
static struct message *received[RECEIVED];
static size_t received_count;

static void quiet(const char *line, void *arg)
{
	(void)arg;
	assert_null(strstr(line, BOT_TOKEN));
}

static void on_received(void *arg, struct message *m)
{
	(void)arg;
	assert_true(received_count < RECEIVED);
	received[received_count++] = m;
}

/* As the bus calls it. */
static int start_channel(struct channel *ch, const void *s, struct error *err)
{
	return discord_start_with(ch, s, &limits, err);
}

static void start(struct task *t)
{
	static struct channel_ops ops;
	struct journal journal = journal_memory_face(memory);
	const struct bus_handler handler = {.received = on_received};
	struct error err = {0};

	ops = discord_ops;
	ops.start = start_channel;
	bus = bus_new(&journal, &handler);
	channel = bus_add_channel(bus, "discord", &ops, &settings);
	assert_int_equal(bus_resume(t, bus, &err), 0);
	if (ops.start(channel, &settings, &err) < 0)
		fail_msg("%s", err.text);
}

/* Waits until the condition holds, at most 20 s. */
#define until(condition)                                                               \
	do {                                                                           \
		for (int until_n = 0; !(condition); until_n++) {                       \
			if (until_n == 10000)                                          \
				fail_msg("%s never came true; status: %s", #condition, \
				    channel ? channel->status_text : "stopped");       \
			task_sleep(t, 2, NULL);                                        \
		}                                                                      \
	} while (0)

static void stop(struct task *t)
{
	bus_free(t, bus);
	channel = NULL;
}

static void start_ready(struct task *t)
{
	start(t);
	until(channel->status == CHANNEL_READY);
}

/* How often it was asked; of the gateway: "gateway" (the opening), "gateway IDENTIFY", "gateway RESUME". */
static size_t calls(const char *method)
{
	struct json_object *o = client_get(at("/control/requests?platform=discord"), 200),
			   *list = json_get_array(o, "requests");
	size_t count = 0;

	for (size_t i = 0; i < json_object_array_length(list); i++)
		count += strcmp(json_get_str(json_object_array_get_idx(list, i), "method"), method) == 0;
	json_object_put(o);
	return count;
}

/* An action on every connection, as members of JSON, "" for none; how many there are. */
static size_t on_sockets(const char *members)
{
	struct json_object *o =
	    control("socket", "{\"platform\":\"discord\"%s%s}", *members ? "," : "", members);
	size_t count = (size_t)json_get_int(o, "connections", 0);

	json_object_put(o);
	return count;
}

static void set(const char *members)
{
	json_object_put(control("settings", "{\"discord\":{%s}}", members));
}

static void fault(const char *method, const char *members)
{
	json_object_put(control("fault", "{\"platform\":\"discord\",\"method\":\"%s\",%s}", method, members));
}

static void people_say(const char *chat, const char *kind, const char *text)
{
	json_object_put(control("say",
	    "{\"platform\":\"discord\",\"chat\":\"%s\",\"user\":\"ann\",\"kind\":\"%s\",\"text\":\"%s\"}",
	    chat, kind, text));
}

static size_t heard(const char *text)
{
	size_t count = 0;

	for (size_t i = 0; i < received_count; i++)
		count += strcmp(received[i]->text, text) == 0;
	return count;
}

/* What is said now comes, and comes once. */
static void expect_hears(struct task *t, const char *text)
{
	people_say("ann", "private", text);
	until(heard(text) > 0);
	assert_int_equal(heard(text), 1);
}

struct body {
	void (*run)(struct task *t);
};

static void body_task(struct task *t, void *arg)
{
	fixture_start(NULL);
	settings.api_base = xasprintf("%s/discord/api/v10", at("%s", ""));
	set("\"limits\":false");
	((const struct body *)arg)->run(t);
	stop(t);
	until(on_sockets("") == 0);
	fixture_end();
}

static void run(const struct body *body)
{
	memory = journal_memory_new();
	settings = (struct discord_settings){.token = BOT_TOKEN, .message_content = DISCORD_CONTENT_AUTO};
	limits = discord_limits;
	limits.retry_ms = 10;
	limits.retry_max_ms = 40;
	limits.identify_gap_ms = 10;
	limits.invalid_ms = 5;
	limits.greet_ms = 10;
	received_count = 0;
	log_setup(LOG_LEVEL_DEBUG, LOG_FORMAT_TEXT);
	log_capture(quiet, NULL);
	task_run("test", body_task, (void *)(uintptr_t)body);
	log_capture(NULL, NULL);
	http_finish();
	resolve_forget_all();
	for (size_t i = 0; i < received_count; i++)
		message_free(received[i]);
	journal_memory_free(memory);
	free(settings.api_base);
	assert_int_equal(task_count(), 0);
}

#define GATEWAY_TEST(name)                              \
	static void name##_body(struct task *t);        \
	static void name(void **state)                  \
	{                                               \
		(void)state;                            \
		run(&(const struct body){name##_body}); \
	}                                               \
	static void name##_body(struct task *t)

GATEWAY_TEST(what_is_said_arrives)
{
	start_ready(t);
	expect_hears(t, "hello");
	people_say("general", "group", "to nobody");
	until(heard("to nobody") == 1);
	assert_int_equal(calls("gateway IDENTIFY"), 1);
	assert_int_equal(on_sockets(""), 1);
}

/* The server would leave them open. */
GATEWAY_TEST(a_connection_that_ended_is_closed)
{
	limits.hello_ms = 50;
	set("\"hello\":false");
	start(t);
	until(strstr(channel->status_text, "sent no HELLO"));
	limits.hello_ms = 20000;
	set("\"hello\":true");
	until(channel->status == CHANNEL_READY);
	until(on_sockets("") == 1);
	on_sockets("\"action\":\"invalid_session\",\"resumable\":false");
	until(calls("gateway IDENTIFY") == 2);
	until(on_sockets("") == 1);
	expect_hears(t, "hello");
	assert_int_equal(calls("gateway RESUME"), 0);
}

/* A close that said 1000 would end it. */
GATEWAY_TEST(a_close_of_ours_keeps_the_session)
{
	static const char *const ways[] = {
	    "\"action\":\"reconnect\"",
	    "\"action\":\"post\",\"text\":\"no JSON\"",
	    "\"action\":\"invalid_session\",\"resumable\":true",
	};

	start_ready(t);
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		char *text = xasprintf("number %zu", i);

		on_sockets(ways[i]);
		expect_hears(t, text);
		until(calls("gateway RESUME") == i + 1);
		until(on_sockets("") == 1);
		free(text);
	}
	stop(t);
	until(on_sockets("") == 0);
	people_say("ann", "private", "while it was away");
	start_ready(t);
	until(heard("while it was away") == 1);
	assert_int_equal(calls("gateway RESUME"), ARRAY_LEN(ways) + 1);
	assert_int_equal(calls("gateway IDENTIFY"), 1);
}

GATEWAY_TEST(a_connection_that_breaks_is_made_again)
{
	static const char *const ways[] = {
	    "\"action\":\"abort\"",
	    "\"action\":\"close\",\"code\":4000",
	    "\"action\":\"close\",\"code\":1001,\"resumable\":true",
	};

	start_ready(t);
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		char *text = xasprintf("number %zu", i);

		on_sockets(ways[i]);
		expect_hears(t, text);
		free(text);
	}
	assert_int_equal(calls("gateway RESUME"), ARRAY_LEN(ways));
	assert_int_equal(calls("gateway IDENTIFY"), 1);
}

GATEWAY_TEST(a_connection_that_answers_no_heartbeat_is_closed)
{
	/* Those of the first connection; its server ends it only after two of them. */
	set("\"heartbeat_ms\":2000");
	start_ready(t);
	set("\"heartbeat_ms\":40000");
	on_sockets("\"action\":\"drop_acks\"");
	until(calls("gateway RESUME") == 1);
	until(on_sockets("") == 1);
	expect_hears(t, "hello");
	assert_int_equal(calls("gateway IDENTIFY"), 1);
}

GATEWAY_TEST(a_gateway_that_cannot_be_opened_is_tried_again)
{
	static const char *const faults[] = {
	    "\"kind\":\"close\",\"count\":3",
	    "\"kind\":\"status\",\"status\":404,\"count\":3",
	    "\"kind\":\"status\",\"status\":503,\"count\":3",
	};

	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		char *text = xasprintf("number %zu", i);

		fault("gateway", faults[i]);
		start(t);
		until(channel->status == CHANNEL_DEGRADED);
		assert_non_null(strstr(channel->status_text, "trying again"));
		until(channel->status == CHANNEL_READY);
		expect_hears(t, text);
		if (i + 1 < ARRAY_LEN(faults))
			stop(t);
		free(text);
	}
	assert_int_equal(calls("gateway IDENTIFY"), 1);
}

GATEWAY_TEST(an_identify_that_cannot_be_written_down_is_not_sent)
{
	struct error full = {0};

	error_set(&full, ERROR_OURS, "the disk is full");
	start(t);
	journal_memory_fail_next(memory, &full);
	until(channel->status == CHANNEL_DEGRADED);
	assert_int_equal(calls("gateway IDENTIFY"), 0);
	until(channel->status == CHANNEL_READY);
	assert_int_equal(calls("gateway IDENTIFY"), 1);
}

GATEWAY_TEST(heartbeats_that_are_answered_keep_the_connection)
{
	uint64_t began = clock_now();

	set("\"heartbeat_ms\":1000");
	start_ready(t);
	/* One or two of them. */
	until(clock_now() - began > 2200);
	expect_hears(t, "hello");
	assert_int_equal(calls("gateway IDENTIFY"), 1);
	assert_int_equal(calls("gateway RESUME"), 0);
	set("\"heartbeat_ms\":40000");
}

GATEWAY_TEST(a_pause_that_the_gateway_asks_for_is_kept)
{
	uint64_t began = clock_now();

	fault("gateway", "\"kind\":\"retry_after\",\"seconds\":1,\"count\":1");
	start_ready(t);
	assert_true(clock_now() - began >= 1000);
	assert_int_equal(calls("gateway IDENTIFY"), 1);
}

/* The server that held the session is gone: another may know of it. */
GATEWAY_TEST(a_session_is_resumed_elsewhere_when_its_server_is_not_reached)
{
	start_ready(t);
	expect_hears(t, "before");
	assert_int_equal(calls("GET /gateway/bot"), 1);
	fault("gateway", "\"kind\":\"close\",\"count\":3");
	on_sockets("\"action\":\"abort\"");
	expect_hears(t, "after");
	assert_int_equal(calls("GET /gateway/bot"), 2);
	assert_int_equal(calls("gateway RESUME"), 1);
	assert_int_equal(calls("gateway IDENTIFY"), 1);
}

/* The last of them would cost the token. */
GATEWAY_TEST(no_session_is_begun_when_few_are_left)
{
	set("\"session_starts\":20");
	start(t);
	until(channel->status == CHANNEL_DEGRADED);
	assert_non_null(strstr(channel->status_text, "too many sessions"));
	assert_int_equal(calls("gateway"), 0);
	assert_int_equal(calls("gateway IDENTIFY"), 0);
}

/* Switched off while we run. */
GATEWAY_TEST(without_the_intent_it_is_known_that_not_all_is_heard)
{
	start_ready(t);
	assert_null(strstr(channel->status_text, "without the Message Content Intent"));
	set("\"message_content\":false");
	on_sockets("\"action\":\"invalid_session\",\"resumable\":false");
	until(strstr(channel->status_text, "without the Message Content Intent"));
	assert_int_equal(channel->status, CHANNEL_READY);
	/* The old session's, the one that was refused for its intents, the one without. */
	assert_int_equal(calls("gateway IDENTIFY"), 3);
	expect_hears(t, "hello");
	/* Who invites the bot now is told. */
	json_object_put(control("member",
	    "{\"platform\":\"discord\",\"chat\":\"elsewhere\",\"kind\":\"group\",\"guild\":\"other\","
	    "\"action\":\"add\"}"));
	until(received_count > 1 && received[received_count - 1]->kind == MESSAGE_JOINED);
	assert_non_null(received[received_count - 1]->reply_text);
	assert_non_null(strstr(received[received_count - 1]->reply_text, "Message Content Intent"));
}

GATEWAY_TEST(an_intent_that_is_required_and_refused_stops_the_channel)
{
	settings.message_content = DISCORD_CONTENT_REQUIRED;
	set("\"message_content\":false");
	start(t);
	until(channel->status == CHANNEL_STOPPED);
	assert_non_null(strstr(channel->status_text, "Message Content Intent is off"));
	until(on_sockets("") == 0);
	assert_int_equal(calls("gateway IDENTIFY"), 1);
}

GATEWAY_TEST(a_token_that_is_refused_stops_the_channel)
{
	start_ready(t);
	on_sockets("\"action\":\"close\",\"code\":4004");
	until(channel->status == CHANNEL_STOPPED);
	assert_non_null(strstr(channel->status_text, "token was refused"));
	until(on_sockets("") == 0);
	assert_int_equal(calls("gateway"), 1);
}

/* Four in a row: none is a failure, so no wait grows. */
GATEWAY_TEST(a_polite_reconnect_is_done_at_once)
{
	static const char *const ways[] = {
	    "\"action\":\"reconnect\"",
	    "\"action\":\"close\",\"code\":4000",
	    "\"action\":\"reconnect\"",
	    "\"action\":\"abort\"",
	    "\"action\":\"reconnect\"",
	};

	limits.retry_ms = discord_limits.retry_ms;
	limits.retry_max_ms = discord_limits.retry_max_ms;
	start_ready(t);
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		uint64_t began = clock_now();

		on_sockets(ways[i]);
		until(calls("gateway RESUME") == i + 1);
		assert_in_range(clock_now() - began, 0, 2900);
		until(on_sockets("") == 1);
		assert_int_equal(channel->status, CHANNEL_READY);
	}
	assert_int_equal(calls("gateway IDENTIFY"), 1);
}

GATEWAY_TEST(it_is_ready_when_its_servers_are_there)
{
	const struct discord *d;
	uint64_t began;

	start_ready(t);
	people_say("general", "group", "so that there is a server");
	until(received_count == 1);
	stop(t);
	journal_memory_free(memory);
	memory = journal_memory_new();
	start_ready(t);
	d = channel->state;
	assert_int_equal(d->pending_count, 0);
	assert_int_equal(calls("gateway IDENTIFY"), 2);
	stop(t);
	/* One that stays unavailable is not waited for long. */
	journal_memory_free(memory);
	memory = journal_memory_new();
	limits.guilds_ms = 300;
	set("\"guild_create\":false");
	began = clock_now();
	start_ready(t);
	assert_true(clock_now() - began >= 300);
	d = channel->state;
	assert_int_equal(d->pending_count, 1);
	expect_hears(t, "hello");
}

GATEWAY_TEST(that_discord_wants_more_connections_is_told)
{
	set("\"shards\":3");
	start_ready(t);
	assert_non_null(strstr(channel->status_text, "recommends 3 connections"));
	on_sockets("\"action\":\"close\",\"code\":4011");
	until(channel->status == CHANNEL_STOPPED);
	assert_non_null(strstr(channel->status_text, "fewer than 2,500"));
}

/* A name that Discord does not take, among the others. */
GATEWAY_TEST(a_command_that_is_refused_costs_no_other)
{
	static const struct channel_argument good[] = {
	    {.name = "text", .kind = CHANNEL_ARGUMENT_TEXT, .help = "Words"}, {.name = NULL}};
	static const struct channel_argument bad[] = {
	    {.name = "Bad Name", .kind = CHANNEL_ARGUMENT_TEXT, .help = "Words"}, {.name = NULL}};
	static const struct channel_command menu[] = {
	    {.name = "one", .help = "First", .arguments = good},
	    {.name = "two", .help = "Second", .arguments = bad},
	    {.name = "three", .help = "Third", .arguments = good},
	    {.name = NULL},
	};
	settings.commands = true;
	start(t);
	channel->menu = menu;
	until(channel->status == CHANNEL_READY && strstr(channel->status_text, "refused"));
	assert_non_null(strstr(channel->status_text, "refused the slash commands /two"));
	assert_int_equal(calls("PUT /applications/commands"), 2);
	expect_hears(t, "hello");
}

static size_t has_state(const char *chat, const char *state)
{
	struct json_object *o = client_get(at("/control/transcript?platform=discord&chat=%s", chat), 200);
	char *text = json_text(o), *wanted = xasprintf("\"state\":\"%s\"", state);
	size_t count = 0;

	for (const char *s = text; (s = strstr(s, wanted)); s++)
		count++;
	free(wanted);
	free(text);
	json_object_put(o);
	return count;
}

/* As those of a stranger; in a burst Discord asks for pauses, and it has its troubles. */
GATEWAY_TEST(commands_that_nobody_answers_do_not_think_for_ever)
{
	static const struct channel_command menu[] = {{.name = "whoami", .help = "Who"}, {.name = NULL}};

	settings.commands = true;
	limits.thinking_ms = 50;
	start(t);
	channel->menu = menu;
	until(channel->status == CHANNEL_READY);
	people_say("general", "group", "hello");
	until(calls("PUT /applications/commands") == 1);
	fault("DELETE /webhooks/messages/@original", "\"kind\":\"status\",\"status\":500,\"count\":3");
	fault("DELETE /webhooks/messages/@original", "\"kind\":\"retry_after\",\"seconds\":1,\"count\":2");
	for (int i = 0; i < 6; i++)
		json_object_put(control("command",
		    "{\"platform\":\"discord\",\"chat\":\"general\",\"user\":\"ann\",\"command\":"
		    "\"whoami\"}"));
	until(has_state("general", "taken back") == 6);
}

static size_t resident(void)
{
	FILE *in = fopen("/proc/self/statm", "r");
	size_t size = 0, pages = 0;

	assert_non_null(in);
	assert_int_equal(fscanf(in, "%zu %zu", &size, &pages), 2);
	fclose(in);
	return pages * 4096;
}

/* A frame of 8 MB is read into a tree of 400, and what is kept of it lies above. */
GATEWAY_TEST(the_memory_of_a_large_frame_is_given_back)
{
#ifdef __SANITIZE_ADDRESS__
	(void)resident; /* AddressSanitizer keeps what is freed */
	start_ready(t);
#else
	struct buf big = BUF_INIT;
	struct json_object *o;
	size_t before;

	buf_addstr(
	    &big, "{\"op\":0,\"t\":\"GUILD_CREATE\",\"s\":90,\"d\":{\"id\":\"1000000000000\",\"channels\":[");
	for (int i = 0; i < 3000; i++) {
		buf_addf(&big, "%s{\"id\":\"%d\",\"type\":0,\"name\":\"c\",\"x\":[", i > 0 ? "," : "",
		    1000000 + i);
		for (int n = 0; n < 150; n++)
			buf_addf(&big, "%s{\"id\":\"%d\"}", n > 0 ? "," : "", 1000000 + n);
		buf_addstr(&big, "]}");
	}
	buf_addstr(&big, "]}}");
	o = json_object_new_object();
	json_set_str(o, "platform", "discord");
	json_set_str(o, "action", "post");
	json_set_str(o, "text", big.data);
	buf_clear(&big);
	char *body = json_text(o);
	json_object_put(o);
	start_ready(t);
	expect_hears(t, "before");
	before = resident();
	json_object_put(client_post(at("/control/socket"), 200, "%s", body));
	free(body);
	expect_hears(t, "after");
	until(resident() < before + (16 << 20));
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_said_arrives),
	    cmocka_unit_test(a_connection_that_ended_is_closed),
	    cmocka_unit_test(a_close_of_ours_keeps_the_session),
	    cmocka_unit_test(a_connection_that_breaks_is_made_again),
	    cmocka_unit_test(a_connection_that_answers_no_heartbeat_is_closed),
	    cmocka_unit_test(a_gateway_that_cannot_be_opened_is_tried_again),
	    cmocka_unit_test(an_identify_that_cannot_be_written_down_is_not_sent),
	    cmocka_unit_test(heartbeats_that_are_answered_keep_the_connection),
	    cmocka_unit_test(a_pause_that_the_gateway_asks_for_is_kept),
	    cmocka_unit_test(a_session_is_resumed_elsewhere_when_its_server_is_not_reached),
	    cmocka_unit_test(no_session_is_begun_when_few_are_left),
	    cmocka_unit_test(without_the_intent_it_is_known_that_not_all_is_heard),
	    cmocka_unit_test(an_intent_that_is_required_and_refused_stops_the_channel),
	    cmocka_unit_test(a_token_that_is_refused_stops_the_channel),
	    cmocka_unit_test(a_polite_reconnect_is_done_at_once),
	    cmocka_unit_test(it_is_ready_when_its_servers_are_there),
	    cmocka_unit_test(that_discord_wants_more_connections_is_told),
	    cmocka_unit_test(a_command_that_is_refused_costs_no_other),
	    cmocka_unit_test(commands_that_nobody_answers_do_not_think_for_ever),
	    cmocka_unit_test(the_memory_of_a_large_frame_is_given_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
