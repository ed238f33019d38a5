/* From events to the journal: what a RESUME may say is what is committed, and not more. The journal is a
 * double. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/channel.h"
#include "bus/journal.h"
#include "channels/discord/receive.h"
#include "channels/discord/discord_internal.h"
#include "net/http/http.h"
#include "net/loop.h"
#include "lib/until.h"

static struct discord d;
static struct discord_shard shard;
static struct channel ch;
static struct discord_settings settings;
static struct discord_limits limits;

/* The journal. */
static unsigned failing; /* so many commits still fail */
static bool held;        /* a commit waits until this is false */
static size_t begun, commits, stored;
static char *gateway, *dms;
static struct buf texts = BUF_INIT;

int channel_received(struct task *t, struct channel *c, struct message **messages, size_t count,
    const struct journal_cursor *cursor, struct error *err)
{
	int rc = 0;

	(void)c;
	begun++;
	do
		task_sleep(t, 1, NULL);
	while (held);
	if (failing > 0) {
		failing--;
		rc = error_set(err, ERROR_OURS, "the disk is full");
	}
	for (size_t i = 0; i < count; i++) {
		if (rc == 0)
			buf_addf(&texts, "%s;", messages[i]->text);
		message_free(messages[i]);
		messages[i] = NULL;
	}
	if (rc == 0 && cursor) {
		char **kept = strcmp(cursor->name, "gateway") == 0 ? &gateway : &dms;

		free(*kept);
		*kept = xstrdup(cursor->value);
	}
	commits += rc == 0;
	stored += rc == 0 ? count : 0;
	return rc;
}

int channel_read_cursor(
    struct task *t, struct channel *c, const char *account, const char *name, char **value, struct error *err)
{
	(void)t;
	(void)c;
	(void)account;
	(void)name;
	(void)err;
	*value = NULL;
	return 0;
}

void channel_set_status(struct channel *c, enum channel_status status, const char *fmt, ...)
{
	(void)fmt;
	c->status = status;
}

static void quiet(const char *line, void *arg)
{
	(void)line;
	(void)arg;
}

static int set_up(void **state)
{
	(void)state;
	limits = discord_limits;
	limits.retry_ms = 5;
	limits.retry_max_ms = 10;
	d = (struct discord){.ch = &ch,
	    .settings = &settings,
	    .limits = &limits,
	    .self = {.user = 900, .app = 901, .account = "discord:901", .channel = "main"}};
	shard = (struct discord_shard){.d = &d, .ready = true};
	d.shards = &shard;
	d.shard_count = 1;
	discord_event_queue_init(&shard.queue);
	discord_cache_init(&d.cache, 1);
	list_init(&d.interactions);
	list_init(&d.greetings);
	task_group_init(&d.connections);
	discord_gateway_session_begin(&shard.session, "abc", "wss://x");
	discord_gateway_session_commit(&shard.session, 1);
	shard.session.mark = 5;
	failing = 0;
	held = false;
	commits = stored = 0;
	buf_init(&texts);
	log_capture(quiet, NULL);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	log_capture(NULL, NULL);
	discord_event_queue_reset(&shard.queue);
	discord_cache_clear(&d.cache);
	discord_gateway_session_clear(&shard.session);
	free(shard.pending_guilds);
	free(shard.problem);
	free(gateway);
	free(dms);
	gateway = dms = NULL;
	buf_clear(&texts);
	return 0;
}

static void add(int64_t seq, const char *type, const char *data)
{
	struct json_object *o = *data != '\0' ? json_parse_object(data, strlen(data), NULL) : NULL;

	discord_event_queue_add(&shard.queue, type, o, seq, strlen(data));
}

static void say(int64_t seq, const char *text)
{
	char *data = xasprintf("{\"id\":\"%d\",\"channel_id\":\"50\",\"type\":0,\"author\":{\"id\":\"42\","
			       "\"username\":\"a\"},\"content\":\"%s\"}",
	    (int)seq * 100, text);

	add(seq, "MESSAGE_CREATE", data);
	free(data);
}

/* Each test is a task, with the committing task beside it. */
#define RECEIVE_TEST(name)                                 \
	static void name##_body(struct task *t);           \
	static void name##_task(struct task *t, void *arg) \
	{                                                  \
		(void)arg;                                 \
		discord_receive_start(&shard);             \
		name##_body(t);                            \
		task_group_finish(t, &d.connections);      \
	}                                                  \
	static void name(void **state)                     \
	{                                                  \
		(void)state;                               \
		task_run("test", name##_task, NULL);       \
	}                                                  \
	static void name##_body(struct task *t)

RECEIVE_TEST(what_waits_is_committed_together_and_in_order)
{
	say(2, "one");
	add(3, "", "");
	say(4, "two");
	task_until(t, stored == 2);
	assert_string_equal(texts.data, "one;two;");
	task_until(t, shard.session.seq == 4);
	assert_int_equal(shard.session.mark, 400);
	assert_non_null(strstr(gateway, "\"seq\":4"));
	/* The private chat was remembered before its message was committed: one commit for each. */
	assert_int_equal(commits, 2);
	assert_string_equal(dms, "50");
}

RECEIVE_TEST(what_is_not_committed_is_not_said_in_a_resume)
{
	say(2, "one");
	task_until(t, shard.session.seq == 2);
	held = true;
	size_t before = begun;
	say(3, "two");
	task_until(t, begun > before);
	task_turns(t, 10);
	assert_int_equal(shard.session.seq, 2);
	failing = 3;
	held = false;
	task_until(t, shard.session.seq == 3);
	assert_int_equal(ch.status, CHANNEL_DEGRADED);
	assert_string_equal(texts.data, "one;two;");
	assert_int_equal(stored, 2);
}

/* A full disk, and then room again. */
RECEIVE_TEST(the_channel_is_ready_again_when_events_can_be_stored)
{
	shard.online = true;
	ch.status = CHANNEL_READY;
	failing = 3;
	say(2, "one");
	task_until(t, ch.status == CHANNEL_DEGRADED);
	task_until(t, stored == 1);
	task_until(t, ch.status == CHANNEL_READY);
}

RECEIVE_TEST(a_commit_that_outlives_its_connection_does_not_move_the_next_session)
{
	say(2, "one");
	task_until(t, shard.session.seq == 2);
	held = true;
	size_t before = begun;
	say(40, "two");
	say(41, "three");
	task_until(t, begun > before);
	/* The connection ends, its session is lost, and another begins. */
	discord_event_queue_reset(&shard.queue);
	discord_gateway_session_begin(&shard.session, "def", "wss://y");
	discord_gateway_session_commit(&shard.session, 1);
	held = false;
	task_until(t, stored == 3);
	task_turns(t, 10);
	assert_int_equal(shard.session.seq, 1);
	assert_true(shard.session.dirty);
	/* What of it was committed, is: the newest message of all. */
	assert_int_equal(shard.session.mark, 4100);
	say(2, "four");
	task_until(t, shard.session.seq == 2);
	assert_non_null(strstr(gateway, "\"session\":\"def\",\"url\":\"wss://y\",\"seq\":2"));
	assert_string_equal(texts.data, "one;two;three;four;");
}

RECEIVE_TEST(a_new_session_remembers_from_where_on_messages_are_missed)
{
	settings.backfill_ms = 1000;
	shard.session.mark = 77;
	add(1, "READY",
	    "{\"session_id\":\"new\",\"resume_gateway_url\":\"wss://"
	    "z\",\"guilds\":[{\"id\":\"1\",\"unavailable\":true}]}");
	task_until(
	    t, shard.session.id && strcmp(shard.session.id, "new") == 0 && gateway && strstr(gateway, "new"));
	assert_int_equal(shard.session.gap, 77);
	assert_int_equal(shard.pending_count, 1);
	/* Nothing was said there since: nothing is asked, and nothing is missed. */
	add(2, "GUILD_CREATE",
	    "{\"id\":\"1\",\"name\":\"g\",\"channels\":[{\"id\":\"10\",\"type\":0,\"last_message_id\":\"70\"}"
	    "]}");
	task_until(t, shard.session.seq == 2 && !strstr(gateway, "gap"));
	assert_int_equal(shard.session.gap, 0);
	assert_non_null(discord_cache_channel(&d.cache, 10));
}

RECEIVE_TEST(servers_that_stay_away_are_given_up)
{
	settings.backfill_ms = 1000;
	limits.pending_ms = 30;
	add(1, "READY", "{\"session_id\":\"new\",\"guilds\":[{\"id\":\"1\",\"unavailable\":true}]}");
	task_until(t, shard.session.gap != 0);
	task_until(t, shard.session.gap == 0);
	assert_int_equal(shard.pending_count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(what_waits_is_committed_together_and_in_order),
	    TEST(what_is_not_committed_is_not_said_in_a_resume),
	    TEST(the_channel_is_ready_again_when_events_can_be_stored),
	    TEST(a_commit_that_outlives_its_connection_does_not_move_the_next_session),
	    TEST(a_new_session_remembers_from_where_on_messages_are_missed),
	    TEST(servers_that_stay_away_are_given_up),
	};

	loop_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
