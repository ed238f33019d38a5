/* The connection to the playground's Discord, from its opening to its end: made again whatever happens to it,
 * closed when it is over, and the session goes on where it can. */
#include "tests/channels/discord/discord_stage.h"

#include <stdlib.h>
#include <string.h>

#include "bus/command_menu.h"
#include "channels/discord/discord_internal.h"
#include "tests/playground/fixture.h"

STAGE_TEST(what_is_said_arrives)
{
	discord_stage_start_ready(t);
	discord_stage_expect(t, "hello");
	discord_stage_say("general", "group", "to nobody");
	discord_stage_until(discord_stage_heard("to nobody") == 1);
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 1);
	assert_int_equal(discord_stage_sockets(""), 1);
}

/* The server would leave them open. */
STAGE_TEST(a_connection_that_ended_is_closed)
{
	the_stage.limits.hello_ms = 50;
	discord_stage_set("\"hello\":false");
	discord_stage_start(t);
	discord_stage_until(strstr(the_stage.channel->status_text, "sent no HELLO"));
	the_stage.limits.hello_ms = 20000;
	discord_stage_set("\"hello\":true");
	discord_stage_until(the_stage.channel->status == CHANNEL_READY);
	discord_stage_until(discord_stage_sockets("") == 1);
	discord_stage_sockets("\"action\":\"invalid_session\",\"resumable\":false");
	discord_stage_until(discord_stage_calls("gateway IDENTIFY") == 2);
	discord_stage_until(discord_stage_sockets("") == 1);
	discord_stage_expect(t, "hello");
	assert_int_equal(discord_stage_calls("gateway RESUME"), 0);
}

/* A close that said 1000 would end it. */
STAGE_TEST(a_close_of_ours_keeps_the_session)
{
	static const char *const ways[] = {
	    "\"action\":\"reconnect\"",
	    "\"action\":\"post\",\"text\":\"no JSON\"",
	    "\"action\":\"invalid_session\",\"resumable\":true",
	};

	discord_stage_start_ready(t);
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		char *text = xasprintf("number %zu", i);

		discord_stage_sockets(ways[i]);
		discord_stage_expect(t, text);
		discord_stage_until(discord_stage_calls("gateway RESUME") == i + 1);
		discord_stage_until(discord_stage_sockets("") == 1);
		free(text);
	}
	discord_stage_stop(t);
	discord_stage_until(discord_stage_sockets("") == 0);
	discord_stage_say("ann", "private", "while it was away");
	discord_stage_start_ready(t);
	discord_stage_until(discord_stage_heard("while it was away") == 1);
	assert_int_equal(discord_stage_calls("gateway RESUME"), ARRAY_LEN(ways) + 1);
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 1);
}

STAGE_TEST(only_a_frame_that_stays_unreadable_is_skipped)
{
	discord_stage_start_ready(t);
	for (size_t i = 0; i < 3; i++) {
		char *text = xasprintf("number %zu", i);

		discord_stage_sockets("\"action\":\"post\",\"text\":\"no JSON\"");
		discord_stage_until(discord_stage_calls("gateway RESUME") == i + 1);
		discord_stage_until(discord_stage_sockets("") == 1);
		discord_stage_expect(t, text);
		free(text);
	}
	/* The event, and twice more when the bot resumes, after the first of which RESUMED is, too. */
	discord_stage_fault("event", "\"kind\":\"garbage\",\"text\":\"no JSON\",\"count\":4");
	discord_stage_say("ann", "private", "unreadable");
	discord_stage_until(discord_stage_calls("gateway RESUME") == 5);
	discord_stage_expect(t, "behind it");
	assert_int_equal(discord_stage_heard("unreadable"), 0);
	assert_int_equal(discord_stage_calls("gateway RESUME"), 5);
}

STAGE_TEST(a_connection_that_breaks_is_made_again)
{
	static const char *const ways[] = {
	    "\"action\":\"abort\"",
	    "\"action\":\"close\",\"code\":4000",
	    "\"action\":\"close\",\"code\":1001,\"resumable\":true",
	};

	discord_stage_start_ready(t);
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		char *text = xasprintf("number %zu", i);

		discord_stage_sockets(ways[i]);
		discord_stage_expect(t, text);
		free(text);
	}
	assert_int_equal(discord_stage_calls("gateway RESUME"), ARRAY_LEN(ways));
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 1);
}

STAGE_TEST(a_connection_that_answers_no_heartbeat_is_closed)
{
	/* Those of the first connection; its server ends it only after two of them. */
	discord_stage_set("\"heartbeat_ms\":2000");
	discord_stage_start_ready(t);
	discord_stage_set("\"heartbeat_ms\":40000");
	discord_stage_sockets("\"action\":\"drop_acks\"");
	discord_stage_until(discord_stage_calls("gateway RESUME") == 1);
	discord_stage_until(discord_stage_sockets("") == 1);
	discord_stage_expect(t, "hello");
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 1);
}

STAGE_TEST(a_gateway_that_cannot_be_opened_is_tried_again)
{
	static const char *const faults[] = {
	    "\"kind\":\"close\",\"count\":3",
	    "\"kind\":\"status\",\"status\":404,\"count\":3",
	    "\"kind\":\"status\",\"status\":503,\"count\":3",
	};

	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		char *text = xasprintf("number %zu", i);

		discord_stage_fault("gateway", faults[i]);
		discord_stage_start(t);
		discord_stage_until(the_stage.channel->status == CHANNEL_DEGRADED);
		assert_non_null(strstr(the_stage.channel->status_text, "trying again"));
		discord_stage_until(the_stage.channel->status == CHANNEL_READY);
		discord_stage_expect(t, text);
		if (i + 1 < ARRAY_LEN(faults))
			discord_stage_stop(t);
		free(text);
	}
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 1);
}

static unsigned calls_before;

static void one_call_of_the_journal_fails(struct task *t)
{
	struct error full = {0};

	error_set(&full, ERROR_OURS, "the disk is full");
	discord_stage_start(t);
	journal_memory_fail_after(the_stage.memory, calls_before, &full);
	discord_stage_until(
	    the_stage.channel->status == CHANNEL_DEGRADED || discord_stage_calls("gateway IDENTIFY") > 0);
	bool was_before = discord_stage_calls("gateway IDENTIFY") == 0;
	discord_stage_until(the_stage.channel->status == CHANNEL_READY);
	if (was_before)
		assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 1);
}

/* One of the first calls writes it down. */
static void an_identify_that_cannot_be_written_down_is_not_sent(void **state)
{
	(void)state;
	for (calls_before = 0; calls_before < 6; calls_before++)
		discord_stage_run(one_call_of_the_journal_fails);
}

STAGE_TEST(heartbeats_that_are_answered_keep_the_connection)
{
	uint64_t began = clock_now();

	discord_stage_set("\"heartbeat_ms\":1000");
	discord_stage_start_ready(t);
	/* One or two of them. */
	discord_stage_until(clock_now() - began > 2200);
	discord_stage_expect(t, "hello");
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 1);
	assert_int_equal(discord_stage_calls("gateway RESUME"), 0);
	discord_stage_set("\"heartbeat_ms\":40000");
}

STAGE_TEST(a_pause_that_the_gateway_asks_for_is_kept)
{
	uint64_t began = clock_now();

	discord_stage_fault("gateway", "\"kind\":\"retry_after\",\"seconds\":1,\"count\":1");
	discord_stage_start_ready(t);
	assert_true(clock_now() - began >= 1000);
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 1);
}

/* The server that held the session is gone: another may know of it. */
STAGE_TEST(a_session_is_resumed_elsewhere_when_its_server_is_not_reached)
{
	discord_stage_start_ready(t);
	discord_stage_expect(t, "before");
	assert_int_equal(discord_stage_calls("GET /gateway/bot"), 1);
	discord_stage_fault("gateway", "\"kind\":\"close\",\"count\":3");
	discord_stage_sockets("\"action\":\"abort\"");
	discord_stage_expect(t, "after");
	assert_int_equal(discord_stage_calls("GET /gateway/bot"), 2);
	assert_int_equal(discord_stage_calls("gateway RESUME"), 1);
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 1);
}

/* The last of them would cost the token. */
STAGE_TEST(no_session_is_begun_when_few_are_left)
{
	discord_stage_set("\"session_starts\":20");
	discord_stage_start(t);
	discord_stage_until(the_stage.channel->status == CHANNEL_DEGRADED);
	assert_non_null(strstr(the_stage.channel->status_text, "too many sessions"));
	assert_int_equal(discord_stage_calls("gateway"), 0);
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 0);
}

/* Switched off while we run. */
STAGE_TEST(without_the_intent_it_is_known_that_not_all_is_heard)
{
	discord_stage_start_ready(t);
	assert_null(strstr(the_stage.channel->status_text, "without the Message Content Intent"));
	discord_stage_set("\"message_content\":false");
	discord_stage_sockets("\"action\":\"invalid_session\",\"resumable\":false");
	discord_stage_until(strstr(the_stage.channel->status_text, "without the Message Content Intent"));
	assert_int_equal(the_stage.channel->status, CHANNEL_READY);
	/* The old session's, the one that was refused for its intents, the one without. */
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 3);
	discord_stage_expect(t, "hello");
	/* Who invites the bot now is told. */
	json_object_put(control("member",
	    "{\"platform\":\"discord\",\"chat\":\"elsewhere\",\"kind\":\"group\",\"guild\":\"other\","
	    "\"action\":\"add\"}"));
	discord_stage_until(the_stage.received_count > 1 &&
	    the_stage.received[the_stage.received_count - 1]->kind == MESSAGE_JOINED);
	assert_non_null(the_stage.received[the_stage.received_count - 1]->reply_text);
	assert_non_null(
	    strstr(the_stage.received[the_stage.received_count - 1]->reply_text, "Message Content Intent"));
}

STAGE_TEST(an_intent_that_is_required_and_refused_stops_the_channel)
{
	the_stage.settings.message_content = DISCORD_CONTENT_REQUIRED;
	discord_stage_set("\"message_content\":false");
	discord_stage_start(t);
	discord_stage_until(the_stage.channel->status == CHANNEL_STOPPED);
	assert_non_null(strstr(the_stage.channel->status_text, "Message Content Intent is off"));
	discord_stage_until(discord_stage_sockets("") == 0);
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 1);
}

STAGE_TEST(a_token_that_is_refused_stops_the_channel)
{
	discord_stage_start_ready(t);
	discord_stage_sockets("\"action\":\"close\",\"code\":4004");
	discord_stage_until(the_stage.channel->status == CHANNEL_STOPPED);
	assert_non_null(strstr(the_stage.channel->status_text, "token was refused"));
	discord_stage_until(discord_stage_sockets("") == 0);
	assert_int_equal(discord_stage_calls("gateway"), 1);
}

/* Four in a row: none is a failure, so no wait grows. */
STAGE_TEST(a_polite_reconnect_is_done_at_once)
{
	static const char *const ways[] = {
	    "\"action\":\"reconnect\"",
	    "\"action\":\"close\",\"code\":4000",
	    "\"action\":\"reconnect\"",
	    "\"action\":\"abort\"",
	    "\"action\":\"reconnect\"",
	};
	const struct discord *d;

	/* Longer than anything is waited for. */
	the_stage.limits.retry_ms = the_stage.limits.retry_max_ms = 600000;
	discord_stage_start_ready(t);
	d = the_stage.channel->state;
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		discord_stage_sockets(ways[i]);
		discord_stage_until(discord_stage_calls("gateway RESUME") == i + 1);
		/* What ends before RESUMED has come is a failure. */
		discord_stage_until(d->shards[0].resumes == 0);
		discord_stage_until(discord_stage_sockets("") == 1);
		assert_int_equal(the_stage.channel->status, CHANNEL_READY);
	}
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 1);
}

STAGE_TEST(it_is_ready_when_its_servers_are_there)
{
	const struct discord *d;
	uint64_t began;

	discord_stage_start_ready(t);
	discord_stage_say("general", "group", "so that there is a server");
	discord_stage_until(the_stage.received_count == 1);
	discord_stage_stop(t);
	journal_memory_free(the_stage.memory);
	the_stage.memory = journal_memory_new();
	discord_stage_start_ready(t);
	d = the_stage.channel->state;
	assert_int_equal(d->shards[0].pending_count, 0);
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 2);
	discord_stage_stop(t);
	/* One that stays unavailable is not waited for long. */
	journal_memory_free(the_stage.memory);
	the_stage.memory = journal_memory_new();
	the_stage.limits.guilds_ms = 300;
	discord_stage_set("\"guild_create\":false");
	began = clock_now();
	discord_stage_start_ready(t);
	assert_true(clock_now() - began >= 300);
	d = the_stage.channel->state;
	assert_int_equal(d->shards[0].pending_count, 1);
	discord_stage_expect(t, "hello");
}

/* A name that Discord does not take, among the others. */
STAGE_TEST(a_command_that_is_refused_costs_no_other)
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
	the_stage.settings.commands = true;
	discord_stage_start(t);
	the_stage.channel->menu = menu;
	discord_stage_until(
	    the_stage.channel->status == CHANNEL_READY && strstr(the_stage.channel->status_text, "refused"));
	assert_non_null(strstr(the_stage.channel->status_text, "refused the slash commands /two"));
	assert_int_equal(discord_stage_calls("PUT /applications/commands"), 2);
	discord_stage_expect(t, "hello");
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
STAGE_TEST(commands_that_nobody_answers_do_not_think_for_ever)
{
	static const struct channel_command menu[] = {{.name = "whoami", .help = "Who"}, {.name = NULL}};

	the_stage.settings.commands = true;
	the_stage.limits.thinking_ms = 50;
	discord_stage_start(t);
	the_stage.channel->menu = menu;
	discord_stage_until(the_stage.channel->status == CHANNEL_READY);
	discord_stage_say("general", "group", "hello");
	discord_stage_until(discord_stage_calls("PUT /applications/commands") == 1);
	discord_stage_fault(
	    "DELETE /webhooks/messages/@original", "\"kind\":\"status\",\"status\":500,\"count\":3");
	discord_stage_fault(
	    "DELETE /webhooks/messages/@original", "\"kind\":\"retry_after\",\"seconds\":1,\"count\":2");
	for (int i = 0; i < 6; i++)
		json_object_put(control("command",
		    "{\"platform\":\"discord\",\"chat\":\"general\",\"user\":\"ann\",\"command\":"
		    "\"whoami\"}"));
	discord_stage_until(has_state("general", "taken back") == 6);
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
STAGE_TEST(the_memory_of_a_large_frame_is_given_back)
{
#ifdef __SANITIZE_ADDRESS__
	(void)resident; /* AddressSanitizer keeps what is freed */
	discord_stage_start_ready(t);
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
	discord_stage_start_ready(t);
	discord_stage_expect(t, "before");
	before = resident();
	json_object_put(client_post(at("/control/socket"), 200, "%s", body));
	free(body);
	discord_stage_expect(t, "after");
	discord_stage_until(resident() < before + (16 << 20));
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_said_arrives),
	    cmocka_unit_test(a_connection_that_ended_is_closed),
	    cmocka_unit_test(a_close_of_ours_keeps_the_session),
	    cmocka_unit_test(only_a_frame_that_stays_unreadable_is_skipped),
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
	    cmocka_unit_test(a_command_that_is_refused_costs_no_other),
	    cmocka_unit_test(commands_that_nobody_answers_do_not_think_for_ever),
	    cmocka_unit_test(the_memory_of_a_large_frame_is_given_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
