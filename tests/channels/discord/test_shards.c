/* A bot with several connections to the playground's Discord: each has its guilds and its session, and what
 * concerns all of them is counted once. */
#include "tests/channels/discord/discord_stage.h"

#include <stdlib.h>
#include <string.h>

#include "bus/command_menu.h"
#include "channels/discord/discord_internal.h"
#include "tests/playground/fixture.h"

#define HOUR_MS 3600000

/* Ann writes in a guild of that number: the shard n of m has those whose number is n modulo m. */
static void say_in(int guild, const char *text)
{
	json_object_put(control("say",
	    "{\"platform\":\"discord\",\"guild\":\"%lld\",\"chat\":\"room\",\"user\":\"ann\",\"kind\":"
	    "\"group\","
	    "\"text\":\"%s\"}",
	    (6000LL + guild) << 22, text));
}

static void expect_in(struct task *t, int guild, const char *text)
{
	say_in(guild, text);
	discord_stage_until(discord_stage_heard(text) > 0);
	assert_int_equal(discord_stage_heard(text), 1);
}

static void start_ready(struct task *t, int shards)
{
	char *set = xasprintf("\"shards\":%d", shards);

	discord_stage_set(set);
	free(set);
	discord_stage_start_ready(t);
	assert_int_equal(the_stage.channel->shards, shards > 1 ? shards : 0);
	assert_int_equal(discord_stage_sockets(""), shards);
}

static void say_while_away(void)
{
	for (int i = 0; i < 3; i++) {
		char *text = xasprintf("away %d", i);

		say_in(i, text);
		free(text);
	}
}

static void expect_said_while_away(struct task *t)
{
	for (int i = 0; i < 3; i++) {
		char *text = xasprintf("away %d", i);

		discord_stage_until(discord_stage_heard(text) == 1);
		free(text);
	}
}

STAGE_TEST(as_many_shards_as_discord_recommends_hear_all_guilds)
{
	struct buf said = BUF_INIT;

	start_ready(t, 3);
	for (int i = 0; i < 3; i++) {
		char *text = xasprintf("in guild %d", i);

		expect_in(t, i, text);
		free(text);
	}
	discord_stage_expect(t, "in private");
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 3);
	assert_int_equal(the_stage.channel->shards_ready, 3);
	channel_describe(the_stage.channel, &said);
	assert_non_null(strstr(said.data, "3 of 3 shards ready; connected as"));
	buf_clear(&said);
}

STAGE_TEST(the_setting_says_how_many)
{
	the_stage.settings.shards = 2;
	discord_stage_set("\"shards\":5");
	discord_stage_start_ready(t);
	assert_int_equal(discord_stage_sockets(""), 2);
	expect_in(t, 0, "even");
	expect_in(t, 1, "odd");
}

STAGE_TEST(each_shard_resumes_alone)
{
	the_stage.settings.backfill_ms = HOUR_MS;
	start_ready(t, 3);
	expect_in(t, 1, "before");
	assert_int_equal(discord_stage_sockets("\"action\":\"abort\",\"shard\":1"), 1);
	expect_in(t, 1, "after");
	expect_in(t, 0, "elsewhere");
	assert_int_equal(discord_stage_calls("gateway RESUME"), 1);
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 3);
	assert_int_equal(discord_stage_calls("gateway"), 1); /* that has ended */
	assert_int_equal(the_stage.channel->status, CHANNEL_READY);
	/* One loses its session, and fetches what was said meanwhile. */
	discord_stage_fault("gateway", "\"kind\":\"close\",\"count\":2");
	discord_stage_sockets("\"action\":\"invalid_session\",\"resumable\":false,\"shard\":1");
	expect_in(t, 1, "meanwhile");
	discord_stage_until(discord_stage_calls("gateway IDENTIFY") == 4);
	assert_int_equal(discord_stage_calls("gateway RESUME"), 1);
}

STAGE_TEST(a_restart_resumes_every_session)
{
	start_ready(t, 3);
	for (int i = 0; i < 3; i++) {
		char *text = xasprintf("first %d", i);

		expect_in(t, i, text);
		free(text);
	}
	discord_stage_stop(t);
	discord_stage_until(discord_stage_sockets("") == 0);
	say_while_away();
	discord_stage_start_ready(t);
	expect_said_while_away(t);
	assert_int_equal(discord_stage_calls("gateway RESUME"), 3);
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 3);
}

/* Up and down: nobody can resume, and what was said meanwhile is fetched. */
STAGE_TEST(another_number_of_shards_loses_no_message)
{
	static const int numbers[] = {1, 4, 2};
	int sum = 0;

	the_stage.settings.backfill_ms = HOUR_MS;
	for (size_t n = 0; n < ARRAY_LEN(numbers); n++) {
		start_ready(t, numbers[n]);
		sum += numbers[n];
		for (int i = 0; i < 4; i++) {
			char *away = xasprintf("away %zu %d", n, i), *here = xasprintf("here %zu %d", n, i);

			discord_stage_until(n == 0 || discord_stage_heard(away) == 1);
			expect_in(t, i, here);
			free(away);
			free(here);
		}
		assert_int_equal(discord_stage_calls("gateway IDENTIFY"), sum);
		discord_stage_stop(t);
		discord_stage_until(discord_stage_sockets("") == 0);
		for (int i = 0; i < 4; i++) {
			char *away = xasprintf("away %zu %d", n + 1, i);

			say_in(i, away);
			free(away);
		}
	}
	discord_stage_start_ready(t);
	discord_stage_until(discord_stage_heard("away 3 3") == 1);
	assert_int_equal(discord_stage_calls("gateway RESUME"), 2);
}

/* A crash while the number changes: what the journal has of the new number is not taken for all. */
STAGE_TEST(a_change_that_was_cut_off_is_done_again)
{
	struct error full = {0};

	the_stage.settings.backfill_ms = HOUR_MS;
	start_ready(t, 2);
	expect_in(t, 0, "zero");
	expect_in(t, 1, "one");
	discord_stage_stop(t);
	discord_stage_until(discord_stage_sockets("") == 0);
	say_while_away();
	discord_stage_set("\"shards\":3");
	the_stage.limits.retry_ms = the_stage.limits.retry_max_ms = 60000;
	discord_stage_start(t);
	error_set(&full, ERROR_OURS, "the disk is full");
	/* Five cursors are read; of the three that are written the last one fails, which has the number. */
	journal_memory_fail_after(the_stage.memory, 7, &full);
	discord_stage_until(the_stage.channel->status == CHANNEL_DEGRADED);
	assert_non_null(strstr(the_stage.channel->status_text, "the disk is full"));
	assert_int_equal(the_stage.channel->shards, 0);
	discord_stage_stop(t);
	the_stage.limits.retry_ms = the_stage.limits.retry_max_ms = 10;
	discord_stage_start_ready(t);
	expect_said_while_away(t);
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 2 + 3);
}

/* Discord answers one that comes too early with an invalid session, and it would come once more. The second
 * start begins all sessions anew, right after those of the first. */
STAGE_TEST(identifies_keep_their_distance_in_each_bucket_also_over_restarts)
{
	uint64_t began = clock_now();

	/* More than it needs, as a busy playground may read the first one late. */
	the_stage.limits.identify_gap_ms = 6000;
	discord_stage_set("\"limits\":true,\"max_concurrency\":2");
	the_stage.settings.shards = 2;
	discord_stage_start_ready(t);
	discord_stage_stop(t);
	the_stage.settings.shards = 4;
	discord_stage_start_ready(t);
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 2 + 4);
	assert_true(clock_now() - began >= 12000);
	assert_int_equal(discord_stage_sockets(""), 4);
}

STAGE_TEST(shards_that_lost_their_sessions_wait_for_their_turn)
{
	start_ready(t, 3);
	the_stage.limits.identify_gap_ms = 1500;
	discord_stage_sockets("\"action\":\"invalid_session\",\"resumable\":false");
	discord_stage_until(strstr(the_stage.channel->status_text, "begins after those of other shards"));
	assert_int_equal(the_stage.channel->status, CHANNEL_DEGRADED);
	discord_stage_until(the_stage.channel->status == CHANNEL_READY);
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 3 + 3);
	expect_in(t, 2, "hello");
}

STAGE_TEST(shards_that_begin_leave_some_sessions_of_the_day)
{
	discord_stage_set("\"shards\":3,\"session_starts\":22");
	discord_stage_start(t);
	discord_stage_until(strstr(the_stage.channel->status_text, "too many sessions were started today"));
	discord_stage_until(the_stage.channel->shards_ready == 2);
	assert_int_equal(the_stage.channel->status, CHANNEL_DEGRADED);
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 2);
	/* Those that are ready work. */
	expect_in(t, 0, "hello");
	expect_in(t, 1, "hello to you");
}

STAGE_TEST(a_shard_that_is_down_is_told_and_the_others_go_on)
{
	start_ready(t, 3);
	discord_stage_fault("gateway", "\"kind\":\"close\",\"count\":-1");
	discord_stage_sockets("\"action\":\"abort\",\"shard\":2");
	discord_stage_until(the_stage.channel->status == CHANNEL_DEGRADED);
	assert_non_null(strstr(the_stage.channel->status_text, "shard 2: "));
	assert_int_equal(the_stage.channel->shards_ready, 2);
	expect_in(t, 0, "zero");
	expect_in(t, 1, "one");
	say_in(2, "two");
	/* The others, too. */
	discord_stage_sockets("\"action\":\"abort\"");
	discord_stage_until(the_stage.channel->shards_ready == 0);
	json_object_put(control("faults/clear", "{}"));
	discord_stage_until(the_stage.channel->status == CHANNEL_READY);
	discord_stage_until(discord_stage_heard("two") == 1);
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 3);
}

STAGE_TEST(too_few_shards_become_more)
{
	start_ready(t, 1);
	expect_in(t, 0, "zero");
	expect_in(t, 1, "one");
	discord_stage_set("\"shards\":2,\"shard_guilds\":1");
	discord_stage_sockets("\"action\":\"invalid_session\",\"resumable\":false");
	discord_stage_until(the_stage.channel->shards == 2 && the_stage.channel->status == CHANNEL_READY);
	expect_in(t, 0, "zero again");
	expect_in(t, 1, "one again");
	/* The first, the one that was refused, and the new ones. */
	assert_int_equal(discord_stage_calls("gateway IDENTIFY"), 1 + 1 + 2);
	/* Discord recommends no more than these. */
	discord_stage_sockets("\"action\":\"close\",\"code\":4011,\"shard\":1");
	discord_stage_until(the_stage.channel->status == CHANNEL_STOPPED);
	assert_non_null(strstr(the_stage.channel->status_text, "too many servers"));
	discord_stage_until(discord_stage_sockets("") == 0);
	assert_int_equal(the_stage.channel->shards_ready, 0);
}

STAGE_TEST(a_setting_that_discord_refuses_stops_all_shards)
{
	static const struct {
		const char *action, *words;
	} rows[] = {
	    {"\"action\":\"close\",\"code\":4010,\"shard\":0", "refuses the number of connections (shards)"},
	    {"\"action\":\"close\",\"code\":4011,\"shard\":1",
		"too many servers for its connections (shards)"},
	};

	the_stage.settings.shards = 2;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		discord_stage_start_ready(t);
		discord_stage_sockets(rows[i].action);
		discord_stage_until(the_stage.channel->status == CHANNEL_STOPPED);
		assert_non_null(strstr(the_stage.channel->status_text, rows[i].words));
		discord_stage_until(discord_stage_sockets("") == 0);
		if (i + 1 < ARRAY_LEN(rows))
			discord_stage_stop(t);
	}
}

/* Each is refused for its intents, and none stops the channel. */
STAGE_TEST(all_shards_go_on_without_the_intent)
{
	start_ready(t, 3);
	discord_stage_set("\"message_content\":false");
	discord_stage_sockets("\"action\":\"invalid_session\",\"resumable\":false");
	discord_stage_until(strstr(the_stage.channel->status_text, "without the Message Content Intent"));
	discord_stage_until(the_stage.channel->status == CHANNEL_READY);
	discord_stage_expect(t, "hello");
}

STAGE_TEST(slash_commands_are_set_once_and_work_on_every_shard)
{
	static const struct channel_argument words[] = {
	    {.name = "text", .kind = CHANNEL_ARGUMENT_TEXT, .help = "Words"}, {.name = NULL}};
	static const struct channel_command menu[] = {
	    {.name = "one", .help = "First", .arguments = words}, {.name = NULL}};

	discord_stage_set("\"shards\":2");
	the_stage.settings.commands = true;
	discord_stage_start(t);
	the_stage.channel->menu = menu;
	discord_stage_until(the_stage.channel->status == CHANNEL_READY);
	discord_stage_until(discord_stage_calls("PUT /applications/commands") == 1);
	for (int i = 0; i < 2; i++) {
		char *text = xasprintf("/one of %d", i), *said = xasprintf("first %d", i);

		expect_in(t, i, said);
		json_object_put(control("command",
		    "{\"platform\":\"discord\",\"guild\":\"%lld\",\"chat\":\"room\",\"user\":\"ann\","
		    "\"command\":\"one\",\"options\":{\"text\":\"of %d\"}}",
		    (6000LL + i) << 22, i));
		discord_stage_until(discord_stage_heard(text) == 1);
		free(text);
		free(said);
	}
	assert_int_equal(discord_stage_calls("PUT /applications/commands"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(as_many_shards_as_discord_recommends_hear_all_guilds),
	    cmocka_unit_test(the_setting_says_how_many),
	    cmocka_unit_test(each_shard_resumes_alone),
	    cmocka_unit_test(a_restart_resumes_every_session),
	    cmocka_unit_test(another_number_of_shards_loses_no_message),
	    cmocka_unit_test(a_change_that_was_cut_off_is_done_again),
	    cmocka_unit_test(identifies_keep_their_distance_in_each_bucket_also_over_restarts),
	    cmocka_unit_test(shards_that_lost_their_sessions_wait_for_their_turn),
	    cmocka_unit_test(shards_that_begin_leave_some_sessions_of_the_day),
	    cmocka_unit_test(a_shard_that_is_down_is_told_and_the_others_go_on),
	    cmocka_unit_test(too_few_shards_become_more),
	    cmocka_unit_test(a_setting_that_discord_refuses_stops_all_shards),
	    cmocka_unit_test(all_shards_go_on_without_the_intent),
	    cmocka_unit_test(slash_commands_are_set_once_and_work_on_every_shard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
