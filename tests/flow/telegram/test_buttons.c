/* Buttons over the simulated Telegram, with the real gateway: who may press which, once, and what is left of
 * them. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

#define GROUP "-1001"

static struct flow f;

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	flow_config(&f, "targets: { ops = [\"telegram:5\", \"telegram:6\"]; };",
	    "allow = [\"77\", \"79\"]; admins = [\"78\"]; pairing = false; preview_after = \"0 s\";");
	flow_gateway(&f, true);
	flow_say(&f, "5", "5", "hello", "private");
	flow_say(&f, "6", "6", "hello", "private");
	return 0;
}

/* The bot's messages in the group that have buttons. *id: of the last of them, malloc'd. */
static size_t with_buttons(char **id)
{
	struct json_object *o = flow_transcript(&f, "telegram", GROUP), *all = json_get_array(o, "messages");
	size_t n = 0;

	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *m = json_object_array_get_idx(all, i);
		if (json_object_array_length(json_get_array(m, "buttons")) == 0)
			continue;
		n++;
		free(*id);
		*id = xstrdup(json_get_str(m, "id"));
	}
	json_object_put(o);
	return n;
}

/* Waits for a message with buttons; its id, malloc'd. */
static char *await_buttons(void)
{
	char *id = NULL;

	flow_until(&f, with_buttons(&id) > 0);
	return id;
}

static void await_none(void)
{
	char *id = NULL;

	flow_until(&f, with_buttons(&id) == 0);
	free(id);
}

static void press(const char *user, const char *id, const char *button)
{
	flow_press(&f, "telegram", GROUP, user, id, button);
}

/* What the last press was answered with, waited for; malloc'd. */
static char *await_answer(size_t count)
{
	for (uint64_t due = flow_deadline();; flow_look(&f, due, "press %zu was not answered", count)) {
		struct json_object *o =
		    flow_get(&f, "/control/requests?platform=telegram&method=answerCallbackQuery");
		struct json_object *all = json_get_array(o, "requests");
		size_t n = json_object_array_length(all);
		char *body = n >= count ?
		    xstrdup(json_object_to_json_string(json_object_array_get_idx(all, n - 1))) :
		    NULL;
		json_object_put(o);
		if (body)
			return body;
	}
}

static void expect_answer(size_t count, const char *text)
{
	char *answer = await_answer(count);

	if (!strstr(answer, text) || !strstr(answer, "\"ok\""))
		fail_msg("the press was answered %s", answer);
	free(answer);
}

static void a_broadcast_is_shown_and_sent_by_a_press_of_who_asked(void **state)
{
	(void)state;
	flow_say(&f, GROUP, "78", "/broadcast --dry-run ops It *works*", "group");
	char *id = await_buttons();
	press("99", id, "Send");
	expect_answer(1, "You may not use this.");
	press("77", id, "Send");
	expect_answer(2, "This question is for someone else.");
	assert_int_equal(flow_bot_messages(&f, "5"), 0);
	/* Over a kill: the question stands. */
	flow_gateway_kill(&f);
	flow_gateway(&f, true);
	press("78", id, "Send");
	flow_await(&f, "5", 1);
	flow_await(&f, "6", 1);
	await_none();
	flow_await(&f, GROUP, 2);
	char *shown = flow_bot_text(&f, GROUP, 0), *results = flow_bot_text(&f, GROUP, 1),
	     *got = flow_bot_text(&f, "5", 0);
	assert_non_null(strstr(shown, "Send (by "));
	assert_non_null(strstr(results, "Sent to 2 of 2."));
	assert_non_null(strstr(results, "telegram:5: sent, message "));
	assert_string_equal(got, "It works");
	free(shown);
	free(results);
	free(got);
	free(id);
}

static void an_answer_that_grows_can_be_stopped_by_who_asked(void **state)
{
	(void)state;
	flow_say(&f, GROUP, "77", "@myna_bot count to 900", "group");
	char *id = await_buttons();
	press("79", id, "Stop");
	expect_answer(1, "Only the person who asked, or an admin, can stop this.");
	press("77", id, "Stop");
	await_none();
	for (uint64_t due = flow_deadline();; flow_look(&f, due, "the answer is not marked as stopped")) {
		char *text = flow_bot_text(&f, GROUP, 0);
		bool stopped = text && strstr(text, "(stopped)");
		assert_true(!text || !strstr(text, "900."));
		free(text);
		if (stopped)
			break;
	}
	free(id);
}

static void broadcasts_of_admins_go_at_once_with_results(void **state)
{
	(void)state;
	flow_say(&f, "78", "78", "/broadcast ops The build is green.", "private");
	flow_await(&f, "5", 1);
	flow_await(&f, "6", 1);
	flow_await(&f, "78", 1);
	flow_say(&f, "77", "77", "/broadcast ops I may not", "private");
	flow_await(&f, "77", 1);
	char *results = flow_bot_text(&f, "78", 0), *refused = flow_bot_text(&f, "77", 0);
	assert_non_null(strstr(results, "Sent to 2 of 2."));
	assert_non_null(strstr(refused, "for admins"));
	assert_int_equal(flow_bot_messages(&f, "5"), 1);
	free(results);
	free(refused);
}

#define FLOW(test) FLOW_TEST(test, begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(a_broadcast_is_shown_and_sent_by_a_press_of_who_asked),
	    FLOW(an_answer_that_grows_can_be_stopped_by_who_asked),
	    FLOW(broadcasts_of_admins_go_at_once_with_results),
	};

	return cmocka_run_group_tests_name("buttons", tests, NULL, NULL);
}
