#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <unistd.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "playground/fixture.h"

#define CONFLICT \
	"Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"

static struct client_async *poll_async(long long offset, int timeout)
{
	char body[96];

	snprintf(body, sizeof(body), "{\"offset\":%lld,\"timeout\":%d}", offset, timeout);
	return client_send_async(
	    &(struct client_request){.url = at("/telegram/bot" TOKEN "/getUpdates"), .body = body});
}

/* Asks again as long as the answer is "too many". */
static void await_ok(const char *method, const char *body)
{
	char *url = xasprintf("%s/%s", at("/telegram/bot" TOKEN), method);
	struct client_reply r = {.status = 429};

	for (int tries = 0; r.status == 429; tries++) {
		assert_true(tries < 600);
		usleep(tries > 0 ? 100000 : 0);
		client_reply_clear(&r);
		client_send(&(struct client_request){.url = url, .body = body}, &r);
	}
	assert_int_equal(r.status, 200);
	client_reply_clear(&r);
	free(url);
}

/* The id after the last of the waiting updates, which must be count. */
static long long next_offset(size_t count)
{
	struct json_object *o = bot("getUpdates", 200, "{\"timeout\":0,\"offset\":%d}", (int)-count);
	struct json_object *array = json_get_array(o, "result");
	long long id;

	assert_int_equal(json_object_array_length(array), count);
	id = json_get_int(json_object_array_get_idx(array, count - 1), "update_id", 0) + 1;
	json_object_put(o);
	return id;
}

static void expect_reply(struct client_async *a, int status, const char *path, const char *text)
{
	struct client_reply r;

	client_await(a, &r);
	if (r.status != status)
		fail_msg("status %d: %s", r.status, r.body);
	expect_at(r.json, path, text);
	client_reply_clear(&r);
}

static void a_long_poll_ends_when_something_is_said(void **state)
{
	struct client_async *poll = poll_async(0, 30);

	(void)state;
	client_arrive(poll, at("/control/chats"));
	assert_false(client_is_done(poll));
	say("hello");
	expect_reply(poll, 200, "result.0.message.text", "hello");
}

static void a_long_poll_ends_with_nothing_when_its_time_is_up(void **state)
{
	struct client_reply r;

	(void)state;
	client_await(
	    poll_async(4711, 1), &r); /* another offset than before, so that the time stays as asked */
	assert_int_equal(r.status, 200);
	assert_string_equal(r.body, "{\"ok\":true,\"result\":[]}");
	assert_in_range(r.ms, 900, 25000);
	client_reply_clear(&r);
}

static void updates_come_again_until_they_are_confirmed(void **state)
{
	struct json_object *o;
	long long next;

	(void)state;
	say("one");
	say("two");
	say("three");
	o = bot("getUpdates", 200, "{\"limit\":2}");
	expect_at(o, "result.0.message.text", "one");
	expect_at(o, "result.1.message.text", "two");
	expect_at(o, "result.2", "");
	next = json_get_int(client_object_at(o, "result.1"), "update_id", 0) + 1;
	json_object_put(o);
	expect_once(bot("getUpdates", 200, "{\"offset\":%lld}", next), "result.0.message.text", "three");
	o = bot("getUpdates", 200, "{\"offset\":%lld,\"timeout\":0}", next + 1);
	assert_int_equal(json_object_array_length(json_get_array(o, "result")), 0);
	json_object_put(o);
}

static void a_negative_offset_forgets_what_came_before(void **state)
{
	(void)state;
	say("one");
	say("two");
	say("three");
	expect_once(bot("getUpdates", 200, "{\"offset\":-1}"), "result.0.message.text", "three");
	expect_once(bot("getUpdates", 200, "{}"), "result.0.message.text", "three");
}

static void an_offset_far_ahead_is_not_believed(void **state)
{
	(void)state;
	say("one");
	expect_once(bot("getUpdates", 200, "{\"offset\":2000000000}"), "result.0.message.text", "one");
}

static void the_same_offset_again_at_once_gets_one_update(void **state)
{
	struct json_object *o;
	size_t count = 2;

	(void)state;
	say("one");
	say("two");
	/* A machine that stands still between two of them gives both. */
	json_object_put(bot("getUpdates", 200, "{\"offset\":7}"));
	for (int tries = 0; count == 2 && tries < 50; tries++) {
		o = bot("getUpdates", 200, "{\"offset\":7}");
		count = json_object_array_length(json_get_array(o, "result"));
		json_object_put(o);
	}
	assert_int_equal(count, 1);
	usleep(600000); /* longer than what is at once */
	o = bot("getUpdates", 200, "{\"offset\":7}");
	assert_int_equal(json_object_array_length(json_get_array(o, "result")), 2);
	json_object_put(o);
}

static void the_older_of_two_polls_ends_with_409(void **state)
{
	struct client_async *older = poll_async(0, 20), *newer;

	(void)state;
	client_arrive(older, at("/control/chats"));
	newer = poll_async(1, 20);
	expect_reply(older, 409, "description", CONFLICT);
	client_arrive(newer, at("/control/chats"));
	assert_false(client_is_done(newer));
	say("for the newer");
	expect_reply(newer, 200, "result.0.message.text", "for the newer");
	expect_verdict("telegram", "ok");
}

static void a_409_soon_after_another_takes_three_seconds(void **state)
{
	struct client_reply r;

	(void)state;
	json_object_put(bot("setWebhook", 200, "{\"url\":\"https://a.example/hook\"}"));
	usleep(3100000); /* the pause after the conflict of an earlier test */
	json_object_put(bot("getUpdates", 409, "{}"));
	client_await(poll_async(0, 0), &r);
	assert_int_equal(r.status, 409);
	assert_in_range(r.ms, 2900, 25000);
	client_reply_clear(&r);
}

static void a_webhook_is_in_the_way_of_polls(void **state)
{
	struct client_async *poll = poll_async(0, 20);
	struct client_reply r = {.status = 200};

	(void)state;
	client_arrive(poll, at("/control/chats"));
	/* setWebhook at most once a second */
	await_ok("setWebhook", "{\"url\":\"https://a.example/hook\"}");
	/* A machine that stands still between two of them may be allowed the second. */
	for (int i = 0; i < 10 && r.status == 200; i++) {
		client_reply_clear(&r);
		client_send(&(struct client_request){.url = at("/telegram/bot" TOKEN "/setWebhook"),
				.body = "{\"url\":\"https://a.example/hook\"}"},
		    &r);
	}
	assert_int_equal(r.status, 429);
	expect_at(r.json, "parameters.retry_after", "1");
	client_reply_clear(&r);
	expect_reply(poll, 409, "description", "Conflict: terminated by setWebhook request");
	expect_once(bot("getUpdates", 409, "{}"), "description",
	    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the "
	    "webhook first");
	expect_once(bot("getWebhookInfo", 200, "{}"), "result.url", "https://a.example/hook");
	expect_once(bot("deleteWebhook", 200, "{}"), "description", "Webhook was deleted");
	expect_once(bot("deleteWebhook", 200, "{}"), "description", "Webhook is already deleted");
}

static void what_a_poll_allows_stays_allowed(void **state)
{
	struct json_object *o;

	(void)state;
	json_object_put(bot("getUpdates", 200, "{\"allowed_updates\":[\"edited_message\"],\"offset\":1}"));
	say("not wanted");
	json_object_put(control(
	    "say", "{\"platform\":\"telegram\",\"user\":\"77\",\"edit\":%d,\"text\":\"edited\"}", say("x")));
	o = bot("getUpdates", 200, "{\"offset\":2}");
	expect_at(o, "result.0.edited_message.text", "edited");
	assert_int_equal(json_object_array_length(json_get_array(o, "result")), 1);
	json_object_put(o);
	json_object_put(bot("getUpdates", 200, "{\"allowed_updates\":[],\"offset\":3}"));
}

static void tokens_and_paths_are_judged(void **state)
{
	(void)state;
	expect_once(client_post(at("/telegram/bot1:AAAAAAAAAAAAAAAAAAAAArevokedAAAAAAAAAA/getMe"), 401, "{}"),
	    "description", "Unauthorized");
	expect_once(client_post(at("/telegram/bot1:short/getMe"), 401, "{}"), "error_code", "401");
	expect_verdict("telegram", "refused");
	expect_once(client_post(at("/telegram/botnonsense/getMe"), 404, "{}"), "description", "Not Found");
	expect_once(client_post(at("/telegram/bot" TOKEN "/"), 404, "{}"), "description", "Not Found");
	expect_once(client_post(at("/telegram/nothing"), 404, "{}"), "description", "Not Found");
	expect_once(bot("frobnicate", 404, "{}"), "description", "Not Found: method not found");
	expect_verdict("telegram", "refused");
	expect_once(bot("poststory", 400, "{}"), "description",
	    "Bad Request: postStory is not simulated by the playground");
	expect_verdict("telegram", "refused");
	expect_once(bot("GETME", 200, "{}"), "result.id", "123456");
}

static void parameters_are_taken_from_wherever_they_stand(void **state)
{
	static const char part[] =
	    "--x\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n77\r\n"
	    "--x\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nin parts\r\n--x--\r\n";
	struct client_request req = {.url = at("/telegram/bot" TOKEN "/sendMessage"),
	    .body = "chat_id=77&text=in+a+form",
	    .content_type = "application/x-www-form-urlencoded"};
	struct client_reply r;

	(void)state;
	say("hi");
	expect_once(
	    client_get(at("/telegram/bot" TOKEN "/sendMessage?chat_id=77&text=in%%20the%%20query"), 200),
	    "result.text", "in the query");
	client_send(&req, &r);
	expect_at(r.json, "result.text", "in a form");
	client_reply_clear(&r);
	req.body = part;
	req.content_type = "multipart/form-data; boundary=x";
	client_send(&req, &r);
	expect_at(r.json, "result.text", "in parts");
	client_reply_clear(&r);
	req.content_type = "text/plain";
	client_send(&req, &r);
	assert_int_equal(r.status, 400);
	client_reply_clear(&r);
	expect_verdict("telegram", "refused");
}

static void wrong_messages_are_refused(void **state)
{
	static const struct {
		const char *body, *says;
	} wrong[] = {
	    {"{\"text\":\"x\"}", "Bad Request: chat_id is empty"},
	    {"{\"chat_id\":77}", "Bad Request: message text is empty"},
	    {"{\"chat_id\":77,\"text\":\"\"}", "Bad Request: message text is empty"},
	    {"{\"chat_id\":77,\"text\":\" \\n\"}", "Bad Request: text must be non-empty"},
	    {"{\"chat_id\":77,\"text\":{}}", "Bad Request: message text is empty"},
	    {"{\"chat_id\":77,\"text\":\"x\",\"reply_markup\":\"nonsense\"}",
		"Bad Request: can't parse reply keyboard markup JSON object"},
	    {"{\"chat_id\":77,\"text\":\"x\",\"parse_mode\":\"BBCode\"}",
		"Bad Request: unsupported parse_mode"},
	    {"{\"chat_id\":77,\"text\":\"<b>x\",\"parse_mode\":\"HTML\"}",
		"Bad Request: can't parse entities: Can't find end tag corresponding to start tag \"b\""},
	    {"{\"chat_id\":77,\"text\":\"x\",\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"a\"}]]}}",
		"Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline "
		"keyboard"},
	    {"{\"chat_id\":77,\"text\":\"x\",\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"a\","
	     "\"callback_data\":\"1234567890123456789012345678901234567890123456789012345678901234x\"}]]}}",
		"Bad Request: BUTTON_DATA_INVALID"},
	    {"{\"chat_id\":77,\"text\":\"x\",\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"a\","
	     "\"copy_text\":{\"text\":\"\"}}]]}}",
		"Bad Request: BUTTON_COPY_TEXT_INVALID"},
	    {"{\"chat_id\":77,\"text\":\"x\",\"reply_markup\":{\"keyboard\":[[\"Yes\",\"No\",\"Perhaps\",{"
	     "\"text\":\"\"}]]}}",
		"Bad Request: keyboard button text must be non-empty"},
	    {"{\"chat_id\":77,\"text\":\"x\",\"reply_parameters\":{\"allow_sending_without_reply\":true}}",
		"Bad Request: can't find field \"message_id\""},
	    {"{\"chat_id\":77,\"text\":\"x\",\"direct_messages_topic_id\":5}",
		"Bad Request: parameter \"direct_messages_topic_id\" is not simulated by the playground"},
	    {"{\"chat_id\":77,\"text\":\"x\",\"business_connection_id\":\"b\"}",
		"Bad Request: business connection not found"},
	    {"{\"chat_id\":77,\"text\":\"x\",\"ephemeral_message_parameters\":{\"receiver_user_id\":4711}}",
		"Bad Request: user not found"},
	    {"{\"chat_id\":77,\"text\":\"x\",\"reply_markup\":{\"inline_keyboard\":5}}",
		"Bad Request: field \"inline_keyboard\" must be of type Array"},
	    {"{\"chat_id\":77,\"text\":\"x\",\"reply_markup\":{\"inline_keyboard\":[5]}}",
		"Bad Request: field \"inline_keyboard\" of the InlineKeyboardMarkup must be an Array of "
		"Arrays"},
	    {"{\"chat_id\":77,\"text\":\"x\",\"reply_markup\":{\"inline_keyboard\":[[{\"text\":[]}]]}}",
		"Bad Request: can't parse inline keyboard button: Field \"text\" must be of type String"},
	    {"{\"chat_id\":77,\"text\":\"x\",\"reply_parameters\":{\"message_id\":\"one\"}}",
		"Bad Request: field \"message_id\" must be a valid Number"},
	};

	(void)state;
	say("hi");
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		expect_once(bot("sendMessage", 400, "%s", wrong[i].body), "description", wrong[i].says);
		expect_verdict("telegram", "refused");
	}
	/* An object is not nothing. */
	expect_once(bot("sendPoll", 400,
			"{\"chat_id\":77,\"question\":\"x\",\"options\":[\"a\",\"b\"],\"media\":{\"type\":"
			"\"photo\"}}"),
	    "description", "Bad Request: parameter \"media\" is not simulated by the playground");
}

/* The platform reads what it knows: each is sent as if the rest were not there. */
static void what_the_platform_ignores_is_accepted_with_a_remark(void **state)
{
	static const struct {
		const char *method, *body, *remark;
	} calls[] = {
	    {"sendMessage",
		"{\"chat_id\":77,\"text\":\"x\",\"reply_markup\":{\"force_reply\":true,\"input_field_"
		"placeholder\":"
		"\"1234567890123456789012345678901234567890123456789012345678901234x\"}}",
		"/reply_markup/input_field_placeholder: must have at most 64 characters"},
	    {"getMe", "{\"suppress\":1}", "getMe has no parameter \"suppress\": it is ignored"},
	    {"sendMessage", "{\"chat_id\":77,\"text\":\"x\",\"txt\":1}",
		"sendMessage has no parameter \"txt\": it is ignored"},
	    {"sendMessage",
		"{\"chat_id\":77,\"text\":\"x\",\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"a\","
		"\"hide\":false,\"callback_data\":\"a\"}]]}}",
		"the platform does not read /reply_markup/inline_keyboard/0/0/hide: it is ignored"},
	    {"sendMessage",
		"{\"chat_id\":77,\"text\":\"x\",\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"a\","
		"\"url\":\"https://a.example/\",\"callback_data\":\"a\"}]]}}",
		"of url and callback_data of a button, the platform does not read the second"},
	    {"sendMessage", "{\"chat_id\":77,\"text\":\"x\",\"link_preview_options\":{\"disabled\":true}}",
		"the platform does not read /link_preview_options/disabled: it is ignored"},
	    {"sendMessage", "{\"chat_id\":77,\"text\":\"x\",\"disable_notification\":\"perhaps\"}",
		"parameter \"disable_notification\" is not a boolean: it counts as absent"},
	    {"sendMessage", "{\"chat_id\":77,\"text\":5}", NULL},
	    {"sendMessage",
		"{\"chat_id\":77,\"text\":\"x\",\"reply_markup\":{\"keyboard\":[[\"Yes\",\"No\",\"Perhaps\"]]"
		"}}",
		NULL},
	    {"sendMessage", "{\"chat_id\":77,\"text\":\"x\",\"message_effect_id\":\"5\"}",
		"parameter \"message_effect_id\" is not simulated by the playground: it has no effect"},
	    {"sendMessage", "{\"chat_id\":77,\"text\":\"x\",\"allow_paid_broadcast\":false}", NULL},
	    {"sendMessage", "{\"chat_id\":77,\"text\":\"x\",\"ephemeral_message_parameters\":{}}", NULL},
	    {"sendMessage", "{\"chat_id\":77,\"text\":\"x\",\"reply_markup\":\"\",\"entities\":\"\"}", NULL},
	    {"getMyCommands", "{\"scope\":\"\"}", NULL},
	    {"sendMessage",
		"{\"chat_id\":77,\"text\":\"x\",\"reply_to_message_id\":4711,"
		"\"allow_sending_without_reply\":true}",
		NULL},
	    {"getUpdates", "{\"offset\":9,\"allowed_updates\":[\"message\",\"nonsense\"]}",
		"there are no updates called \"nonsense\": the name is ignored"},
	};

	(void)state;
	say("hi");
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		json_object_put(bot(calls[i].method, 200, "%s", calls[i].body));
		expect_remark("telegram", calls[i].remark);
	}
	json_object_put(bot("getUpdates", 200, "{\"offset\":10,\"allowed_updates\":[]}"));
}

static void old_names_are_read(void **state)
{
	struct json_object *o;

	(void)state;
	say("hi");
	o = bot("sendMessage", 200,
	    "{\"chat_id\":77,\"text\":\"https://a.example\",\"disable_web_page_preview\":true}");
	expect_at(o, "result.link_preview_options.is_disabled", "true");
	json_object_put(o);
	expect_remark("telegram", NULL);
}

static void a_text_may_have_4096_utf16_units(void **state)
{
	char text[2048 * 4 + 2] = "";

	(void)state;
	say("hi");
	for (int i = 0; i < 2048; i++)
		memcpy(text + (size_t)i * 4, "😀", 5);
	json_object_put(bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"%s\"}", text));
	text[2048 * 4] = 'x';
	expect_once(bot("sendMessage", 400, "{\"chat_id\":77,\"text\":\"%s\"}", text), "description",
	    "Bad Request: message is too long");
	json_object_put(bot("sendMessage", 200,
	    "{\"chat_id\":77,\"parse_mode\":\"HTML\",\"text\":\"<b>%.8188s</b>&lt;\"}", text));
}

static void the_state_of_things_may_forbid_a_message(void **state)
{
	(void)state;
	say("hi");
	expect_once(bot("sendMessage", 400, "{\"chat_id\":78,\"text\":\"x\"}"), "description",
	    "Bad Request: chat not found");
	expect_verdict("telegram", "ok");
	expect_once(bot("sendMessage", 400,
			"{\"chat_id\":77,\"text\":\"x\",\"reply_parameters\":{\"message_id\":999}}"),
	    "description", "Bad Request: message to be replied not found");
	json_object_put(bot("sendMessage", 200,
	    "{\"chat_id\":\"77\",\"text\":\"x\",\"reply_parameters\":{\"message_id\":999,\"allow_sending_"
	    "without_reply\":true}}"));
	expect_once(bot("sendMessage", 400, "{\"chat_id\":77,\"text\":\"x\",\"message_thread_id\":5}"),
	    "description", "Bad Request: message thread not found");
	json_object_put(control("chat", "{\"platform\":\"telegram\",\"chat\":77,\"blocked\":true}"));
	expect_once(bot("sendMessage", 403, "{\"chat_id\":77,\"text\":\"x\"}"), "description",
	    "Forbidden: bot was blocked by the user");
	json_object_put(control("chat", "{\"platform\":\"telegram\",\"chat\":77,\"blocked\":false}"));
	json_object_put(bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"x\"}"));
}

static void a_reply_shows_what_it_replies_to(void **state)
{
	struct json_object *o;
	int id = say("question");

	(void)state;
	o = bot("sendMessage", 200,
	    "{\"chat_id\":77,\"text\":\"answer\",\"reply_parameters\":{\"message_id\":%d}}", id);
	expect_at(o, "result.reply_to_message.text", "question");
	expect_at(o, "result.from.username", "myna_bot");
	json_object_put(o);
	o = client_get(at("/control/transcript?platform=telegram&chat=77"), 200);
	expect_at(o, "messages.0.from", "77");
	expect_at(o, "messages.0.bot", "false");
	expect_at(o, "messages.1.text", "answer");
	assert_int_equal(strtol(client_at(o, "messages.1.reply_to"), NULL, 10), id);
	json_object_put(o);
}

static int send(const char *text)
{
	struct json_object *o = bot("sendMessage", 200,
	    "{\"chat_id\":77,\"text\":\"%s\",\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"Yes\","
	    "\"callback_data\":\"y:1\",\"style\":\"success\"},{\"text\":\"No\",\"callback_data\":\"n:1\"}]]}"
	    "}",
	    text);
	int id = (int)json_get_int(json_get_object(o, "result"), "message_id", 0);

	json_object_put(o);
	return id;
}

static void messages_are_edited_and_deleted(void **state)
{
	int mine = (say("hi"), send("one")), theirs = say("theirs");
	struct json_object *o;

	(void)state;
	o = bot("editMessageText", 200, "{\"chat_id\":77,\"message_id\":%d,\"text\":\"two\"}", mine);
	expect_at(o, "result.text", "two");
	expect_at(o, "result.reply_markup", "");
	assert_true(json_get_int(json_get_object(o, "result"), "edit_date", 0) > 0);
	json_object_put(o);
	o = bot("editMessageText", 400, "{\"chat_id\":77,\"message_id\":%d,\"text\":\"two\"}", mine);
	assert_ptr_equal(strstr(client_at(o, "description"), "Bad Request: message is not modified"),
	    client_at(o, "description"));
	json_object_put(o);
	expect_once(bot("editMessageText", 400, "{\"chat_id\":77,\"message_id\":%d,\"text\":\"x\"}", theirs),
	    "description", "Bad Request: message can't be edited");
	expect_once(bot("editMessageText", 400, "{\"chat_id\":77,\"message_id\":999,\"text\":\"x\"}"),
	    "description", "Bad Request: message to edit not found");
	expect_once(bot("editMessageText", 400, "{\"chat_id\":77,\"text\":\"x\"}"), "description",
	    "Bad Request: message identifier is not specified");
	json_object_put(bot("deleteMessage", 200, "{\"chat_id\":77,\"message_id\":%d}", mine));
	expect_once(bot("deleteMessage", 400, "{\"chat_id\":77,\"message_id\":%d}", mine), "description",
	    "Bad Request: message to delete not found");
	o = client_get(at("/control/transcript?platform=telegram&chat=77"), 200);
	expect_at(o, "messages.1.deleted", "true");
	expect_at(o, "messages.1.edits", "1");
	json_object_put(o);
}

static void a_pressed_button_is_a_callback_query(void **state)
{
	int id = (say("hi"), send("Sure?"));
	struct json_object *o;

	(void)state;
	o = client_get(at("/control/transcript?platform=telegram&chat=77"), 200);
	expect_at(o, "messages.1.buttons.0.id", "y:1");
	expect_at(o, "messages.1.buttons.1.label", "No");
	json_object_put(o);
	json_object_put(client_post(at("/control/press"), 400,
	    "{\"platform\":\"telegram\",\"chat\":\"77\",\"user\":\"77\",\"message_id\":\"%d\",\"button\":"
	    "\"Perhaps\"}",
	    id));
	json_object_put(control("press",
	    "{\"platform\":\"telegram\",\"chat\":\"77\",\"user\":\"77\",\"message_id\":\"%d\",\"button\":\"y:"
	    "1\"}",
	    id));
	o = bot("getUpdates", 200, "{\"offset\":%lld}", next_offset(2) - 1);
	expect_at(o, "result.0.callback_query.data", "y:1");
	expect_at(o, "result.0.callback_query.from.id", "77");
	expect_at(o, "result.0.callback_query.message.text", "Sure?");
	json_object_put(bot("answerCallbackQuery", 200, "{\"callback_query_id\":\"%s\",\"text\":\"done\"}",
	    client_at(o, "result.0.callback_query.id")));
	expect_once(bot("answerCallbackQuery", 400, "{\"callback_query_id\":\"%s\"}",
			client_at(o, "result.0.callback_query.id")),
	    "description",
	    "Bad Request: query is too old and response timeout expired or query ID is invalid");
	json_object_put(o);
	expect_once(bot("editMessageReplyMarkup", 200,
			"{\"chat_id\":77,\"message_id\":%d,\"reply_markup\":{\"inline_keyboard\":[]}}", id),
	    "result.reply_markup", "");
}

static void drafts_show_until_a_message_comes(void **state)
{
	struct json_object *o;

	(void)state;
	say("hi");
	expect_once(bot("sendMessageDraft", 400, "{\"chat_id\":77,\"draft_id\":0,\"text\":\"x\"}"),
	    "error_code", "400");
	json_object_put(bot("sendMessageDraft", 200, "{\"chat_id\":77,\"draft_id\":5,\"text\":\"par\"}"));
	json_object_put(bot("sendMessageDraft", 200,
	    "{\"chat_id\":77,\"draft_id\":5,\"text\":\"partial\",\"can_stop\":true}"));
	o = client_get(at("/control/transcript?platform=telegram&chat=77"), 200);
	expect_at(o, "drafts.0.id", "draft:5");
	expect_at(o, "drafts.0.text", "partial");
	expect_at(o, "messages.1", "");
	json_object_put(o);
	json_object_put(control("press",
	    "{\"platform\":\"telegram\",\"chat\":77,\"message_id\":\"draft:5\",\"button\":\"stop\"}"));
	o = bot("getUpdates", 200, "{\"offset\":%lld}", next_offset(2) - 1);
	expect_at(o, "result.0.stopped_message_generation.draft_id", "5");
	expect_at(o, "result.0.stopped_message_generation.chat.id", "77");
	json_object_put(o);
	json_object_put(bot("sendMessageDraft", 200, "{\"chat_id\":77,\"draft_id\":6}"));
	json_object_put(bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"done\"}"));
	o = client_get(at("/control/transcript?platform=telegram&chat=77"), 200);
	expect_at(o, "messages.1.text", "done");
	expect_at(o, "messages.2", "");
	expect_at(o, "drafts.0", "");
	json_object_put(o);
}

static void typing_shows_until_a_message_comes(void **state)
{
	(void)state;
	say("hi");
	expect_once(bot("sendChatAction", 400, "{\"chat_id\":77,\"action\":\"dance\"}"), "description",
	    "Bad Request: wrong parameter action in request");
	json_object_put(bot("sendChatAction", 200, "{\"chat_id\":77,\"action\":\"typing\"}"));
	expect_once(client_get(at("/control/transcript?platform=telegram&chat=77"), 200), "typing", "true");
	json_object_put(bot("sendMessage", 200, "{\"chat_id\":77,\"text\":\"x\"}"));
	expect_once(client_get(at("/control/transcript?platform=telegram&chat=77"), 200), "typing", "false");
}

static void in_groups_a_bot_sees_only_what_is_meant_for_it(void **state)
{
	static const char *const texts[] = {
	    "just talk", "hello @other_bot", "/other@other_bot", "hello @myna_bot", "/help", "more talk"};
	struct json_object *o;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		json_object_put(control("say",
		    "{\"platform\":\"telegram\",\"chat\":\"-1001234\",\"user\":\"ann\",\"text\":\"%s\"}",
		    texts[i]));
	o = bot("getUpdates", 200, "{\"offset\":11}");
	expect_at(o, "result.0.my_chat_member.new_chat_member.status", "member");
	expect_at(o, "result.1.message.text", "hello @myna_bot");
	expect_at(o, "result.1.message.chat.type", "group");
	expect_at(o, "result.2.message.text", "/help");
	expect_at(o, "result.3", "");
	json_object_put(o);
	json_object_put(control("settings", "{\"telegram\":{\"privacy\":false}}"));
	expect_once(bot("getMe", 200, "{}"), "result.can_read_all_group_messages", "true");
	json_object_put(control(
	    "say", "{\"platform\":\"telegram\",\"chat\":\"-1001234\",\"user\":\"ann\",\"text\":\"now\"}"));
	expect_once(bot("getUpdates", 200, "{\"offset\":12}"), "result.3.message.text", "now");
	expect_once(client_get(at("/control/transcript?platform=telegram&chat=-1001234"), 200),
	    "messages.5.text", "more talk");
}

static void a_reply_to_the_bot_is_meant_for_it(void **state)
{
	struct json_object *o;

	(void)state;
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"chat\":\"team\",\"kind\":\"group\",\"user\":\"ann\",\"text\":\"/"
	    "hi\"}"));
	o = client_get(at("/control/chats"), 200);
	expect_at(o, "chats.0.kind", "group");
	expect_at(o, "chats.0.title", "team");
	json_object_put(
	    bot("sendMessage", 200, "{\"chat_id\":%s,\"text\":\"hello\"}", client_at(o, "chats.0.chat")));
	json_object_put(o);
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"chat\":\"team\",\"user\":\"ann\",\"text\":\"thanks\",\"reply_to\":"
	    "2}"));
	o = bot("getUpdates", 200, "{\"offset\":21}");
	expect_at(o, "result.2.message.text", "thanks");
	expect_at(o, "result.2.message.chat.type", "supergroup");
	expect_at(o, "result.2.message.reply_to_message.from.is_bot", "true");
	/* A plain thread of a supergroup has an id that must not be sent back. */
	expect_at(o, "result.2.message.message_thread_id", "2");
	expect_at(o, "result.2.message.is_topic_message", "");
	expect_once(bot("sendMessage", 400, "{\"chat_id\":%s,\"text\":\"x\",\"message_thread_id\":2}",
			client_at(o, "result.2.message.chat.id")),
	    "description", "Bad Request: message thread not found");
	json_object_put(o);
}

static void topics_are_threads_of_forums(void **state)
{
	struct json_object *o = control("say",
	    "{\"platform\":\"telegram\",\"chat\":\"forum\",\"kind\":\"group\",\"user\":\"ann\",\"text\":\"/"
	    "hi\",\"thread\":42}");
	char chat[24];

	(void)state;
	str_copy(chat, sizeof(chat), client_at(o, "chat_id"));
	json_object_put(o);
	o = bot("getUpdates", 200, "{\"offset\":31}");
	expect_at(o, "result.1.message.message_thread_id", "42");
	expect_at(o, "result.1.message.is_topic_message", "true");
	expect_at(o, "result.1.message.chat.is_forum", "true");
	json_object_put(o);
	expect_once(bot("sendMessage", 200, "{\"chat_id\":%s,\"text\":\"x\",\"message_thread_id\":42}", chat),
	    "result.is_topic_message", "true");
	expect_once(bot("sendMessage", 400, "{\"chat_id\":%s,\"text\":\"x\",\"message_thread_id\":1}", chat),
	    "description", "Bad Request: message thread not found");
	json_object_put(bot("sendMessage", 200, "{\"chat_id\":%s,\"text\":\"general\"}", chat));
	json_object_put(bot(
	    "sendChatAction", 200, "{\"chat_id\":%s,\"action\":\"typing\",\"message_thread_id\":1}", chat));
	expect_once(bot("sendMessageDraft", 400, "{\"chat_id\":%s,\"draft_id\":1,\"text\":\"x\"}", chat),
	    "description", "Bad Request: TEXTDRAFT_PEER_INVALID");
	o = client_get(at("/control/transcript?platform=telegram&chat=forum&thread=42"), 200);
	assert_int_equal(json_object_array_length(json_get_array(o, "messages")), 2);
	json_object_put(o);
}

static void a_group_moves_when_it_is_upgraded(void **state)
{
	struct json_object *o;

	(void)state;
	json_object_put(
	    control("say", "{\"platform\":\"telegram\",\"chat\":\"-55\",\"user\":\"ann\",\"text\":\"/hi\"}"));
	json_object_put(control(
	    "chat", "{\"platform\":\"telegram\",\"chat\":\"-55\",\"user\":\"ann\",\"migrate\":true}"));
	o = bot("sendMessage", 400, "{\"chat_id\":-55,\"text\":\"x\"}");
	expect_at(o, "description", "Bad Request: group chat was upgraded to a supergroup chat");
	expect_at(o, "parameters.migrate_to_chat_id", "-1000000000055");
	json_object_put(o);
	json_object_put(bot("sendMessage", 200, "{\"chat_id\":-1000000000055,\"text\":\"x\"}"));
}

static void people_react_and_so_does_the_bot(void **state)
{
	int id = say("hi");
	struct json_object *o;

	(void)state;
	json_object_put(bot("setMessageReaction", 200,
	    "{\"chat_id\":77,\"message_id\":%d,\"reaction\":[{\"type\":\"emoji\",\"emoji\":\"👀\"}]}", id));
	expect_once(
	    bot("setMessageReaction", 400,
		"{\"chat_id\":77,\"message_id\":%d,\"reaction\":[{\"type\":\"emoji\",\"emoji\":\"🦊\"}]}",
		id),
	    "description", "Bad Request: REACTION_INVALID");
	expect_once(client_get(at("/control/transcript?platform=telegram&chat=77"), 200),
	    "messages.0.reactions.0.emoji", "👀");
	json_object_put(
	    bot("setMessageReaction", 200, "{\"chat_id\":77,\"message_id\":%d,\"reaction\":[]}", id));
	json_object_put(bot("getUpdates", 200, "{\"allowed_updates\":[\"message_reaction\"],\"offset\":41}"));
	json_object_put(control(
	    "react", "{\"platform\":\"telegram\",\"chat\":77,\"message_id\":%d,\"emoji\":\"👍\"}", id));
	o = bot("getUpdates", 200, "{\"allowed_updates\":[],\"offset\":-1}");
	expect_at(o, "result.0.message_reaction.new_reaction.0.emoji", "👍");
	expect_at(o, "result.0.message_reaction.user.id", "77");
	json_object_put(o);
}

static void commands_are_kept_by_scope(void **state)
{
	(void)state;
	json_object_put(bot("setMyCommands", 200,
	    "{\"commands\":[{\"command\":\"stop\",\"description\":\"Stop\"}],\"scope\":{\"type\":\"all_"
	    "private_chats\"}}"));
	expect_once(bot("getMyCommands", 200, "{\"scope\":{\"type\":\"all_private_chats\"}}"),
	    "result.0.command", "stop");
	expect_once(bot("getMyCommands", 200, "{}"), "result.0", "");
	json_object_put(bot("deleteMyCommands", 200, "{\"scope\":{\"type\":\"all_private_chats\"}}"));
	expect_once(
	    bot("getMyCommands", 200, "{\"scope\":{\"type\":\"all_private_chats\"}}"), "result.0", "");
	expect_once(
	    bot("setMyCommands", 400, "{\"commands\":[{\"command\":\"Stop-it\",\"description\":\"x\"}]}"),
	    "description", "Bad Request: BOT_COMMAND_INVALID");
	expect_once(bot("setMyCommands", 400, "{\"commands\":[],\"scope\":{\"type\":\"chat\"}}"),
	    "error_code", "400");
}

static void floods_are_limited(void **state)
{
	struct client_request req = {
	    .url = at("/telegram/bot" TOKEN "/sendMessage"), .body = "{\"chat_id\":77,\"text\":\"x\"}"};
	struct client_reply r;
	int sent = 0;

	(void)state;
	say("hi");
	json_object_put(control("settings", "{\"telegram\":{\"limits\":true}}"));
	for (client_send(&req, &r); r.status == 200 && sent < 100; sent++) {
		client_reply_clear(&r);
		client_send(&req, &r);
	}
	assert_in_range(sent, 15, 25);
	assert_int_equal(r.status, 429);
	expect_at(r.json, "parameters.retry_after", "1");
	expect_at(r.json, "description", "Too Many Requests: retry after 1");
	assert_non_null(strcasestr(r.head, "\r\nretry-after: 1\r\n"));
	client_reply_clear(&r);
	expect_verdict("telegram", "ok");
	await_ok("sendMessage", "{\"chat_id\":77,\"text\":\"x\"}");
}

static void files_can_be_fetched(void **state)
{
	struct json_object *o;
	struct client_reply r;

	(void)state;
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"user\":\"77\",\"text\":\"two "
	    "files\",\"files\":[{\"name\":\"a.txt\",\"base64\":\"aGVsbG8=\"},{\"name\":\"b.txt\",\"base64\":"
	    "\"AAE=\"}]}"));
	o = bot("getUpdates", 200, "{\"offset\":51}");
	expect_at(o, "result.0.message.caption", "two files");
	expect_at(o, "result.0.message.document.file_name", "a.txt");
	assert_string_equal(
	    client_at(o, "result.0.message.media_group_id"), client_at(o, "result.1.message.media_group_id"));
	json_object_put(o);
	o = bot("getFile", 200, "{\"file_id\":\"%s\"}", "document-1");
	client_send(&(struct client_request){.url = at("/telegram/file/bot" TOKEN "/%s",
						 client_at(o, "result.file_path"))},
	    &r);
	assert_int_equal(r.status, 200);
	assert_string_equal(r.body, "hello");
	client_reply_clear(&r);
	json_object_put(o);
	json_object_put(client_get(at("/telegram/file/bot" TOKEN "/documents/file_99"), 404));
}

static void what_is_said_before_a_bot_comes_waits_for_it(void **state)
{
	struct json_object *o;

	(void)state;
	fixture_end();
	fixture_start(NULL);
	say("early");
	json_object_put(control("say",
	    "{\"platform\":\"telegram\",\"chat\":\"team\",\"kind\":\"group\",\"user\":\"ann\",\"text\":\"@"
	    "myna_bot!\"}"));
	o = bot("getUpdates", 200, "{}");
	expect_at(o, "result.0.message.text", "early");
	expect_at(o, "result.1.message.text", "@myna_bot!");
	expect_at(o, "result.2.my_chat_member.new_chat_member.user.id", "123456");
	json_object_put(o);
}

static void several_bots_live_side_by_side(void **state)
{
	static const char other[] = "/telegram/bot999:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB/";

	(void)state;
	expect_once(client_post(at("%sgetMe", other), 200, "{}"), "result.username", "myna_999_bot");
	json_object_put(
	    control("say", "{\"platform\":\"telegram\",\"user\":\"77\",\"text\":\"to the newest\"}"));
	json_object_put(control(
	    "say", "{\"platform\":\"telegram\",\"user\":\"77\",\"bot\":123456,\"text\":\"to the first\"}"));
	expect_once(
	    client_post(at("%sgetUpdates", other), 200, "{}"), "result.0.message.text", "to the newest");
	expect_once(bot("getUpdates", 200, "{\"offset\":61}"), "result.0.message.text", "to the first");
	expect_once(client_get(at("/control/transcript?platform=telegram&chat=77&bot=123456"), 200),
	    "messages.0.text", "to the first");
}

#define CROWD 200

/* Counts the texts "n" of an answer in seen; the offset that confirms it, or 0 when it is empty. */
static long long count_texts(struct json_object *o, int *seen, int *total)
{
	struct json_object *array = json_get_array(o, "result"), *update = NULL;

	for (size_t i = 0; i < json_object_array_length(array); i++, ++*total) {
		long n = strtol(client_at(json_object_array_get_idx(array, i), "message.text"), NULL, 10);

		update = json_object_array_get_idx(array, i);
		assert_in_range(n, 0, CROWD - 1);
		seen[n]++;
	}
	return update ? json_get_int(update, "update_id", 0) + 1 : 0;
}

static void nothing_is_lost_or_doubled_in_a_crowd(void **state)
{
	struct client_async *all[CROWD];
	int seen[CROWD] = {0}, total = 0;
	long long offset = 71, next;
	struct json_object *o;
	char body[96];

	(void)state;
	for (int i = 0; i < CROWD; i++) {
		snprintf(body, sizeof(body), "{\"platform\":\"telegram\",\"user\":\"%d\",\"text\":\"%d\"}",
		    100 + i % 7, i);
		all[i] = client_send_async(&(struct client_request){.url = at("/control/say"), .body = body});
	}
	while (total < CROWD) {
		o = bot("getUpdates", 200, "{\"offset\":%lld,\"timeout\":10,\"limit\":37}", offset);
		next = count_texts(o, seen, &total);
		offset = next != 0 ? next : offset;
		json_object_put(o);
	}
	for (int i = 0; i < CROWD; i++) {
		expect_reply(all[i], 200, "ok", "true");
		assert_int_equal(seen[i], 1);
	}
	o = bot("getUpdates", 200, "{\"offset\":%lld}", offset);
	assert_int_equal(count_texts(o, seen, &total), 0);
	json_object_put(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_long_poll_ends_when_something_is_said, fixture_reset),
	    cmocka_unit_test_setup(a_long_poll_ends_with_nothing_when_its_time_is_up, fixture_reset),
	    cmocka_unit_test_setup(updates_come_again_until_they_are_confirmed, fixture_reset),
	    cmocka_unit_test_setup(a_negative_offset_forgets_what_came_before, fixture_reset),
	    cmocka_unit_test_setup(an_offset_far_ahead_is_not_believed, fixture_reset),
	    cmocka_unit_test_setup(the_same_offset_again_at_once_gets_one_update, fixture_reset),
	    cmocka_unit_test_setup(the_older_of_two_polls_ends_with_409, fixture_reset),
	    cmocka_unit_test_setup(a_409_soon_after_another_takes_three_seconds, fixture_reset),
	    cmocka_unit_test_setup(a_webhook_is_in_the_way_of_polls, fixture_reset),
	    cmocka_unit_test_setup(what_a_poll_allows_stays_allowed, fixture_reset),
	    cmocka_unit_test_setup(tokens_and_paths_are_judged, fixture_reset),
	    cmocka_unit_test_setup(parameters_are_taken_from_wherever_they_stand, fixture_reset),
	    cmocka_unit_test_setup(wrong_messages_are_refused, fixture_reset),
	    cmocka_unit_test_setup(what_the_platform_ignores_is_accepted_with_a_remark, fixture_reset),
	    cmocka_unit_test_setup(old_names_are_read, fixture_reset),
	    cmocka_unit_test_setup(a_text_may_have_4096_utf16_units, fixture_reset),
	    cmocka_unit_test_setup(the_state_of_things_may_forbid_a_message, fixture_reset),
	    cmocka_unit_test_setup(a_reply_shows_what_it_replies_to, fixture_reset),
	    cmocka_unit_test_setup(messages_are_edited_and_deleted, fixture_reset),
	    cmocka_unit_test_setup(a_pressed_button_is_a_callback_query, fixture_reset),
	    cmocka_unit_test_setup(drafts_show_until_a_message_comes, fixture_reset),
	    cmocka_unit_test_setup(typing_shows_until_a_message_comes, fixture_reset),
	    cmocka_unit_test_setup(in_groups_a_bot_sees_only_what_is_meant_for_it, fixture_reset),
	    cmocka_unit_test_setup(a_reply_to_the_bot_is_meant_for_it, fixture_reset),
	    cmocka_unit_test_setup(topics_are_threads_of_forums, fixture_reset),
	    cmocka_unit_test_setup(a_group_moves_when_it_is_upgraded, fixture_reset),
	    cmocka_unit_test_setup(people_react_and_so_does_the_bot, fixture_reset),
	    cmocka_unit_test_setup(commands_are_kept_by_scope, fixture_reset),
	    cmocka_unit_test_setup(floods_are_limited, fixture_reset),
	    cmocka_unit_test_setup(files_can_be_fetched, fixture_reset),
	    cmocka_unit_test_setup(what_is_said_before_a_bot_comes_waits_for_it, fixture_reset),
	    cmocka_unit_test_setup(nothing_is_lost_or_doubled_in_a_crowd, fixture_reset),
	    cmocka_unit_test_setup(several_bots_live_side_by_side, fixture_reset),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
