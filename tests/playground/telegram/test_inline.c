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

/* Person 77 asks; returns the id of the query. */
static char *ask(const char *text)
{
	struct json_object *o =
	    control("inline", "{\"platform\":\"telegram\",\"user\":\"77\",\"query\":\"%s\"}", text);
	char *id = xstrdup(client_at(o, "query_id"));

	json_object_put(o);
	return id;
}

static void a_person_sends_what_the_bot_offers(void **state)
{
	struct json_object *o;
	char *id, *sent;

	(void)state;
	expect_once(bot("getMe", 200, "{}"), "result.supports_inline_queries", "true");
	id = ask("tea");
	o = bot("getUpdates", 200, "{\"offset\":-1}");
	expect_at(o, "result.0.inline_query.id", id);
	expect_at(o, "result.0.inline_query.query", "tea");
	expect_at(o, "result.0.inline_query.from.id", "77");
	json_object_put(o);
	json_object_put(bot("answerInlineQuery", 200,
	    "{\"inline_query_id\":\"%s\",\"results\":[{\"type\":\"article\",\"id\":\"a\",\"title\":\"Green\","
	    "\"input_message_content\":{\"message_text\":\"<b>green</b>\",\"parse_mode\":\"HTML\"},"
	    "\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"More\",\"callback_data\":\"m\"}]]}},"
	    "{\"type\":\"photo\",\"id\":\"b\",\"photo_url\":\"https://a.example/"
	    "b.jpg\",\"thumbnail_url\":\"x\"}]}",
	    id));
	o = control("inline", "{\"platform\":\"telegram\",\"user\":\"77\",\"query_id\":\"%s\"}", id);
	expect_at(o, "answered", "true");
	expect_at(o, "results.0.title", "Green");
	json_object_put(o);
	expect_once(
	    client_post(at("/control/inline"), 400,
		"{\"platform\":\"telegram\",\"user\":\"77\",\"query_id\":\"%s\",\"result\":\"b\"}", id),
	    "error", "results of that type are not sent here");
	o = control(
	    "inline", "{\"platform\":\"telegram\",\"user\":\"77\",\"query_id\":\"%s\",\"result\":\"a\"}", id);
	sent = xstrdup(client_at(o, "inline_message_id"));
	json_object_put(control("press",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"message_id\":\"%s\",\"button\":\"More\"}",
	    client_at(o, "message_id")));
	json_object_put(o);
	o = bot("getUpdates", 200, "{\"offset\":-3}");
	expect_at(o, "result.0.message.via_bot.username", "myna_bot");
	expect_at(o, "result.0.message.entities.0.type", "bold");
	expect_at(o, "result.1.chosen_inline_result.result_id", "a");
	expect_at(o, "result.1.chosen_inline_result.inline_message_id", sent);
	expect_at(o, "result.2.callback_query.inline_message_id", sent);
	expect_at(o, "result.2.callback_query.message.message_id", "");
	json_object_put(bot("answerCallbackQuery", 200, "{\"callback_query_id\":\"%s\"}",
	    client_at(o, "result.2.callback_query.id")));
	json_object_put(o);
	expect_once(bot("editMessageText", 200, "{\"inline_message_id\":\"%s\",\"text\":\"black\"}", sent),
	    "result", "true");
	expect_once(bot("editMessageText", 400, "{\"inline_message_id\":\"%s\",\"text\":\"x\"}", sent),
	    "description", "Bad Request: MESSAGE_ID_INVALID"); /* its keyboard is gone */
	expect_once(
	    client_get(at("/control/transcript?platform=telegram&chat=77"), 200), "messages.0.text", "black");
	free(sent);
	free(id);
}

static void places_contacts_and_known_files_are_offered(void **state)
{
	struct json_object *o;
	char *id, *file;

	(void)state;
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"files\":[{\"name\":\"a.txt\",\"base64\":\"YQ==\"}]"
	    "}"));
	o = bot("getUpdates", 200, "{\"offset\":-1}");
	file = xstrdup(client_at(o, "result.0.message.document.file_id"));
	json_object_put(o);
	id = ask("x");
	json_object_put(bot("answerInlineQuery", 200,
	    "{\"inline_query_id\":\"%s\",\"results\":[{\"type\":\"venue\",\"id\":\"v\",\"latitude\":1,"
	    "\"longitude\":2,"
	    "\"title\":\"Inn\",\"address\":\"here\"},{\"type\":\"contact\",\"id\":\"c\",\"phone_number\":"
	    "\"1\","
	    "\"first_name\":\"Bo\"},{\"type\":\"document\",\"id\":\"d\",\"title\":\"t\",\"document_file_id\":"
	    "\"%s\","
	    "\"caption\":\"read\"}]}",
	    id, file));
	for (const char *result = "vcd"; *result != '\0'; result++)
		json_object_put(control("inline",
		    "{\"platform\":\"telegram\",\"user\":\"77\",\"query_id\":\"%s\",\"result\":\"%c\"}", id,
		    *result));
	o = client_get(at("/control/transcript?platform=telegram&chat=77"), 200);
	expect_at(o, "messages.1.extra.venue.title", "Inn");
	expect_at(o, "messages.2.extra.contact.first_name", "Bo");
	expect_at(o, "messages.3.files.0.name", "a.txt");
	expect_at(o, "messages.3.text", "read");
	json_object_put(o);
	free(file);
	free(id);
}

static void wrong_answers_are_refused(void **state)
{
	static const struct {
		const char *results, *says;
	} wrong[] = {
	    {"[{\"id\":\"a\"}]", "can't parse inline query result: Can't find field \"type\""},
	    {"[{\"type\":\"tea\",\"id\":\"a\"}]",
		"can't parse inline query result: type \"tea\" is unsupported for the inline query result"},
	    {"[{\"type\":\"article\",\"id\":\"a\",\"title\":\"t\"}]",
		"can't parse inline query result: Can't find field \"message_text\""},
	    {"[{\"type\":\"article\",\"id\":\"a\",\"title\":[],\"input_message_content\":{\"message_text\":"
	     "\"x\"}}]",
		"can't parse inline query result: Field \"title\" must be of type String"},
	    {"[{\"type\":\"contact\",\"id\":\"a\",\"phone_number\":\"1\",\"first_name\":\"b\"},{\"type\":"
	     "\"contact\","
	     "\"id\":\"a\",\"phone_number\":\"1\",\"first_name\":\"b\"}]",
		"RESULT_ID_DUPLICATE"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		char *id = ask("x"), *says = xasprintf("Bad Request: %s", wrong[i].says);

		expect_once(bot("answerInlineQuery", 400, "{\"inline_query_id\":\"%s\",\"results\":%s}", id,
				wrong[i].results),
		    "description", says);
		free(says);
		free(id);
	}
	expect_once(bot("answerInlineQuery", 400, "{\"inline_query_id\":\"5\",\"results\":[]}"),
	    "description",
	    "Bad Request: query is too old and response timeout expired or query ID is invalid");
}

static void a_prepared_message_is_sent_by_its_person(void **state)
{
	struct json_object *o;

	(void)state;
	say("hi");
	o = bot("savePreparedInlineMessage", 200,
	    "{\"user_id\":77,\"result\":{\"type\":\"article\",\"id\":\"a\",\"title\":\"t\",\"input_message_"
	    "content\":{"
	    "\"message_text\":\"ready\"}}}");
	json_object_put(control("inline",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"query_id\":\"%s\",\"result\":\"a\"}",
	    client_at(o, "result.id")));
	json_object_put(o);
	expect_once(
	    client_get(at("/control/transcript?platform=telegram&chat=77"), 200), "messages.1.text", "ready");
}

static void a_guest_answers_where_it_was_summoned(void **state)
{
	struct json_object *o;
	char *id;

	(void)state;
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"chat\":\"-1005550000000\",\"user\":\"77\",\"text\":\"@myna_bot "
	    "tea?\",\"guest\":true}"));
	o = bot("getUpdates", 200, "{\"offset\":-1}");
	expect_at(o, "result.0.guest_message.text", "@myna_bot tea?");
	id = xstrdup(client_at(o, "result.0.guest_message.guest_query_id"));
	json_object_put(o);
	/* It is no member there. */
	expect_once(bot("sendMessage", 400, "{\"chat_id\":-1005550000000,\"text\":\"x\"}"), "description",
	    "Bad Request: chat not found");
	/* What is refused can be answered again. */
	expect_once(
	    bot("answerGuestQuery", 400,
		"{\"guest_query_id\":\"%s\",\"result\":{\"type\":\"photo\",\"id\":\"a\",\"photo_url\":"
		"\"https://a.example/b.jpg\",\"thumbnail_url\":\"x\"}}",
		id),
	    "description", "Bad Request: results of that type are not simulated by the playground");
	o = bot("answerGuestQuery", 200,
	    "{\"guest_query_id\":\"%s\",\"result\":{\"type\":\"article\",\"id\":\"a\",\"title\":\"t\","
	    "\"input_message_content\":{\"message_text\":\"green\"}}}",
	    id);
	expect_once(bot("editMessageText", 200, "{\"inline_message_id\":\"%s\",\"text\":\"black\"}",
			client_at(o, "result.inline_message_id")),
	    "result", "true");
	json_object_put(o);
	expect_once(
	    bot("answerGuestQuery", 400,
		"{\"guest_query_id\":\"%s\",\"result\":{\"type\":\"article\",\"id\":\"a\",\"title\":\"t\","
		"\"input_message_content\":{\"message_text\":\"green\"}}}",
		id),
	    "description",
	    "Bad Request: query is too old and response timeout expired or query ID is invalid");
	o = client_get(at("/control/transcript?platform=telegram&chat=-1005550000000"), 200);
	expect_at(o, "messages.1.text", "black");
	expect_at(o, "messages.1.reply_to", "1");
	expect_at(o, "messages.1.extra.guest_bot_caller_user.id", "77");
	json_object_put(o);
	free(id);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_person_sends_what_the_bot_offers, fixture_reset),
	    cmocka_unit_test_setup(places_contacts_and_known_files_are_offered, fixture_reset),
	    cmocka_unit_test_setup(wrong_answers_are_refused, fixture_reset),
	    cmocka_unit_test_setup(a_prepared_message_is_sent_by_its_person, fixture_reset),
	    cmocka_unit_test_setup(a_guest_answers_where_it_was_summoned, fixture_reset),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
