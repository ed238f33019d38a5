#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/task.h"
#include "bus/bus.h"
#include "lib/journal_memory.h"
#include "channels/telegram/settings.h"
#include "channels/telegram/telegram.h"
#include "net/http/http.h"
#include "net/loop.h"
#include "tests/channels/telegram/bot_api_server.h"
#include "tests/lib/until.h"

/* The adapter on the real bus: nothing stands between it and the journal. */

static struct bot_server *server;
static struct journal_memory *memory;
static struct bus *bus;
static struct message *received;
static size_t delivered;

static void keep(void *arg, struct message *m)
{
	(void)arg;
	message_free(received);
	received = m;
}

static void count(void *arg, const struct outbound *row)
{
	(void)arg;
	(void)row;
	delivered++;
}

static void await(struct task *t, const size_t *value, size_t at_least)
{
	task_until(t, *value >= at_least);
}

static struct outbound *answer(struct task *t, enum outbound_kind kind, const char *text)
{
	struct outbound **rows, *row;
	size_t parts, before = delivered;
	int64_t id;

	rows = bus_rows(bus, &received->from, kind, text, received->message_id, NULL, 0, &parts, NULL);
	assert_non_null(rows);
	assert_int_equal(bus_send(t, bus, rows, parts, NULL), 0);
	id = rows[parts - 1]->id;
	bus_rows_free(rows, parts);
	await(t, &delivered, before + parts);
	row = bus_await(t, bus, id, 1000, NULL);
	assert_non_null(row);
	return row;
}

static void expect_state(struct outbound *row, enum outbound_state state)
{
	assert_int_equal(row->state, state);
	outbound_free(row);
}

static void expect_text(size_t n, const char *text)
{
	char *body = bot_server_body(server, "sendMessage", n);
	struct json_object *o = json_parse_object(body, strlen(body), NULL);

	assert_string_equal(json_get_str(o, "text"), text);
	json_object_put(o);
	free(body);
}

static void converse(struct task *t)
{
	static const struct bot_answer cut = {.how = BOT_CUT};

	expect_state(answer(t, OUTBOUND_REPLY, "hello"), OUTBOUND_SENT);
	bot_server_script(server, "sendMessage", &cut);
	expect_state(answer(t, OUTBOUND_REPLY, "in doubt"), OUTBOUND_SENT);
	expect_text(2, "in doubt\n\n(may be a repeat)");
	bot_server_script(server, "sendMessage", &cut);
	expect_state(answer(t, OUTBOUND_NOTIFICATION, "held"), OUTBOUND_UNCERTAIN);
	assert_int_equal(bot_server_calls(server, "sendMessage"), 4);
	bot_server_refuse(server, "sendMessage", 429, "Too Many Requests: retry after 1", 1);
	expect_state(answer(t, OUTBOUND_REPLY, "later"), OUTBOUND_SENT);
	assert_true(
	    bot_server_time(server, "sendMessage", 5) - bot_server_time(server, "sendMessage", 4) >= 1500);
	bot_server_refuse(server, "sendMessage", 403, "Forbidden: bot was blocked by the user", 0);
	expect_state(answer(t, OUTBOUND_REPLY, "never"), OUTBOUND_FAILED);
	assert_int_equal(bot_server_calls(server, "sendMessage"), 7);
}

static void check_conversation(struct task *t, void *arg)
{
	struct telegram_settings settings = {
	    .token = "999:secret-token-of-the-test", .poll_timeout_ms = 1000};
	struct bus_handler handler = {.received = keep, .delivered = count};
	struct journal journal = journal_memory_face(memory);
	struct channel *ch;

	(void)arg;
	settings.api_base = (char *)(uintptr_t)bot_server_base(server);
	bot_server_result(server, "getUpdates",
	    "[{\"update_id\":41,\"message\":{\"message_id\":5,\"date\":1790000000,\"chat\":{\"id\":77,"
	    "\"type\":\"private\"},\"from\":{\"id\":77,\"first_name\":\"Ann\"},\"text\":\"hi\"}}]");
	bus = bus_new(&journal, &handler);
	ch = bus_add_channel(bus, "main", &telegram_ops, &settings);
	assert_int_equal(bus_resume(t, bus, NULL), 0);
	assert_int_equal(ch->ops->start(ch, &settings, NULL), 0);
	task_until(t, received);
	assert_string_equal(received->text, "hi");
	converse(t);
	bus_free(t, bus);
}

static void a_conversation_goes_both_ways_with_a_true_ledger(void **state)
{
	(void)state;
	loop_init();
	server = bot_server_new();
	memory = journal_memory_new();
	task_run("test", check_conversation, NULL);
	message_free(received);
	journal_memory_free(memory);
	http_finish();
	bot_server_free(server);
	secret_forget_all();
	loop_finish();
	assert_int_equal(task_count(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_conversation_goes_both_ways_with_a_true_ledger),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
