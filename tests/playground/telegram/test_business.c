#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "playground/fixture.h"

static char *connection;

static struct json_object *last_update(void)
{
	return bot("getUpdates", 200, "{\"offset\":-1}");
}

/* Person 500 lets the bot work, with these rights. */
static void connect_with(const char *rights)
{
	struct json_object *o =
	    control("business", "{\"platform\":\"telegram\",\"user\":\"500\",\"rights\":[%s]}", rights);

	free(connection);
	connection = xstrdup(client_at(o, "business"));
	json_object_put(o);
}

/* Person 600 writes to 500, or the other way; returns the id. */
static int write_as(const char *user, const char *text)
{
	struct json_object *o = control("say",
	    "{\"platform\":\"telegram\",\"business\":\"%s\",\"chat\":\"600\",\"user\":\"%s\",\"text\":\"%"
	    "s\"}",
	    connection, user, text);
	int id = (int)strtol(client_at(o, "message_id"), NULL, 10);

	json_object_put(o);
	return id;
}

static struct json_object *transcript(void)
{
	return client_get(at("/control/transcript?platform=telegram&business=%s&chat=600", connection), 200);
}

static void a_bot_answers_for_the_account(void **state)
{
	struct json_object *o;
	int id;

	(void)state;
	connect_with("\"can_reply\",\"can_read_messages\"");
	o = last_update();
	expect_at(o, "result.0.business_connection.id", connection);
	expect_at(o, "result.0.business_connection.user.id", "500");
	expect_at(o, "result.0.business_connection.rights.can_reply", "true");
	json_object_put(o);
	id = write_as("600", "are you open?");
	o = last_update();
	expect_at(o, "result.0.business_message.business_connection_id", connection);
	expect_at(o, "result.0.business_message.chat.id", "600");
	expect_at(o, "result.0.business_message.from.id", "600");
	json_object_put(o);
	o = bot("sendMessage", 200, "{\"business_connection_id\":\"%s\",\"chat_id\":600,\"text\":\"yes\"}",
	    connection);
	expect_at(o, "result.from.id", "500");
	expect_at(o, "result.sender_business_bot.username", "myna_bot");
	json_object_put(bot("editMessageText", 200,
	    "{\"business_connection_id\":\"%s\",\"chat_id\":600,\"message_id\":%s,\"text\":\"yes!\"}",
	    connection, client_at(o, "result.message_id")));
	json_object_put(o);
	json_object_put(bot("readBusinessMessage", 200,
	    "{\"business_connection_id\":\"%s\",\"chat_id\":600,\"message_id\":%d}", connection, id));
	o = transcript();
	expect_at(o, "messages.0.read", "true");
	expect_at(o, "messages.1.text", "yes!");
	json_object_put(o);
	write_as("500", "the owner says so too");
	expect_once(last_update(), "result.0.business_message.from.id", "500");
	json_object_put(control("delete",
	    "{\"platform\":\"telegram\",\"business\":\"%s\",\"chat\":\"600\",\"message_id\":%d}", connection,
	    id));
	o = last_update();
	expect_at(o, "result.0.deleted_business_messages.chat.id", "600");
	json_object_put(o);
	/* The bot's own chat with that person is another. */
	expect_once(bot("sendMessage", 403, "{\"chat_id\":600,\"text\":\"x\"}"), "description",
	    "Forbidden: bot can't initiate conversation with a user");
}

static void a_snapshot_keeps_what_people_let_the_bot_do(void **state)
{
	struct json_object *snapshot, *o, *chats;
	bool found = false;

	(void)state;
	connect_with("\"can_reply\"");
	write_as("600", "hi");
	snapshot = client_get(at("/control/snapshot"), 200);
	json_object_put(client_post(at("/control/snapshot"), 200, "{\"snapshot\":%s}",
	    json_object_get_string(json_get(snapshot, "snapshot"))));
	json_object_put(snapshot);
	expect_once(transcript(), "messages.0.text", "hi");
	o = client_get(at("/control/chats?platform=telegram"), 200);
	chats = json_get_array(o, "chats");
	json_each(chats, chat)
		found |= json_get_str(chat, "business") && json_count(json_get_array(chat, "people")) == 2;
	assert_true(found);
	json_object_put(o);
}

static void a_bot_has_the_rights_that_it_was_given(void **state)
{
	int id;

	(void)state;
	connect_with("");
	id = write_as("600", "hi");
	expect_once(bot("sendMessage", 400,
			"{\"business_connection_id\":\"%s\",\"chat_id\":600,\"text\":\"x\"}", connection),
	    "description", "Bad Request: BUSINESS_CONNECTION_NOT_ALLOWED");
	expect_once(
	    bot("readBusinessMessage", 400,
		"{\"business_connection_id\":\"%s\",\"chat_id\":600,\"message_id\":%d}", connection, id),
	    "description", "Bad Request: BUSINESS_CONNECTION_NOT_ALLOWED");
	expect_once(bot("getBusinessConnection", 200, "{\"business_connection_id\":\"%s\"}", connection),
	    "result.is_enabled", "true");
	expect_once(bot("getBusinessConnection", 400, "{\"business_connection_id\":\"x\"}"), "description",
	    "Bad Request: business connection not found");
	connect_with("\"can_delete_all_messages\"");
	json_object_put(bot("deleteBusinessMessages", 200,
	    "{\"business_connection_id\":\"%s\",\"message_ids\":[%d]}", connection, id));
	expect_once(transcript(), "messages.0.deleted", "true");
}

static void tasks_of_a_checklist_are_ticked(void **state)
{
	struct json_object *o;

	(void)state;
	connect_with("\"can_reply\"");
	write_as("600", "hi");
	expect_once(bot("sendChecklist", 400,
			"{\"business_connection_id\":\"%s\",\"chat_id\":600,\"checklist\":{\"title\":\"a\","
			"\"tasks\":[]}}",
			connection),
	    "description", "Bad Request: checklist must have at least 1 task");
	o = bot("sendChecklist", 200,
	    "{\"business_connection_id\":\"%s\",\"chat_id\":600,\"checklist\":{\"title\":\"Tea\",\"tasks\":[{"
	    "\"id\":1,"
	    "\"text\":\"water\"},{\"id\":2,\"text\":\"leaves\"}]}}",
	    connection);
	expect_at(o, "result.checklist.tasks.1.text", "leaves");
	json_object_put(control("tick",
	    "{\"platform\":\"telegram\",\"business\":\"%s\",\"chat\":\"600\",\"message_id\":\"%s\",\"task\":"
	    "2}",
	    connection, client_at(o, "result.message_id")));
	expect_once(
	    last_update(), "result.0.business_message.checklist_tasks_done.marked_as_done_task_ids.0", "2");
	expect_once(transcript(), "messages.1.extra.checklist.tasks.1.completed_by_user.id", "600");
	expect_once(bot("editMessageChecklist", 200,
			"{\"business_connection_id\":\"%s\",\"chat_id\":600,\"message_id\":%s,\"checklist\":{"
			"\"title\":"
			"\"Coffee\",\"tasks\":[{\"id\":1,\"text\":\"beans\"}]}}",
			connection, client_at(o, "result.message_id")),
	    "result.checklist.title", "Coffee");
	json_object_put(o);
}

static int finish(void **state)
{
	free(connection);
	return fixture_teardown(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_bot_answers_for_the_account, fixture_reset),
	    cmocka_unit_test_setup(a_snapshot_keeps_what_people_let_the_bot_do, fixture_reset),
	    cmocka_unit_test_setup(a_bot_has_the_rights_that_it_was_given, fixture_reset),
	    cmocka_unit_test_setup(tasks_of_a_checklist_are_ticked, fixture_reset),
	};

	return cmocka_run_group_tests(tests, fixture_setup, finish);
}
