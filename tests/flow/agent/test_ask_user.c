/* The agent asks whom it answers, and shows its plan, on three platforms; and both outlive a kill. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

#define STEP(text, state) \
	"{\"content\": \"" text "\", \"activeForm\": \"" text "ing\", \"status\": \"" state "\"}"

static const char script[] =
    "{\"rules\": ["
    "{\"when\": \"which database\", \"steps\": [{\"calls\": [{\"name\": \"ask_user\", \"arguments\": "
    "{\"question\": \"Which one?\", \"options\": [\"PostgreSQL\", \"MySQL\", \"SQLite\"]}}]}, {\"text\": "
    "\"You chose {{result.0.answer|result.0.error}}.\"}]},{\"when\": \"make a plan\", \"steps\": ["
    "{\"calls\": [{\"name\": \"todo_write\", \"arguments\": {\"todos\": [" STEP(
	"Read", "in_progress") ", " STEP("Build",
	"pending") "]}}]},{\"calls\": [{\"name\": \"todo_write\", \"arguments\": {\"todos\": [" STEP("Read",
	"completed") ", " STEP("Build",
	"completed") "]}}]},{\"text\": \"It is done: {{result.0.count|result}}.\"}]}"
		     "], \"else\": {\"steps\": [{\"text\": \"Another turn.\"}]}}";

static const struct side {
	const char *platform, *chat, *kind, *user, *other;
} sides[] = {
    {"telegram", "78", "private", "78", "77"},
    {"slack", "C0TEAM", "channel", "U0ADMIN", "U0ANN"},
    {"discord", "200000000000000001", "group", "378", "377"},
};

static struct flow f;

static void say(const struct side *s, const char *user, const char *text)
{
	flow_say_on(&f, s->platform, s->chat, user, text, s->kind);
}

static int begin(void **state)
{
	(void)state;
	flow_start_script(&f, script);
	flow_config_channels(&f, "", "allow = [\"77\"]; admins = [\"78\"]; group = \"all\";",
	    "allow = [\"U0ANN\"]; admins = [\"U0ADMIN\"]; group = \"all\";",
	    "allow = [\"377\"]; admins = [\"378\"]; group = \"all\";");
	flow_gateway(&f, true);
	return 0;
}

struct found {
	size_t count;
	char *id, *text; /* of the last */
	int64_t edits;
	size_t buttons;
};

static void found_clear(struct found *found)
{
	free(found->id);
	free(found->text);
	*found = (struct found){0};
}

/* The bot's messages that have the text. */
static struct found find(const struct side *s, const char *text)
{
	struct json_object *said = flow_said(&f, s->platform, s->chat, text), *m;
	struct found found = {.count = json_object_array_length(said)};

	if (found.count > 0) {
		m = json_object_array_get_idx(said, found.count - 1);
		found.id = xstrdup(json_get_str(m, "id"));
		found.text = xstrdup(json_get_str(m, "text"));
		found.edits = json_get_int(m, "edits", 0);
		found.buttons = json_object_array_length(json_get_array(m, "buttons"));
	}
	json_object_put(said);
	return found;
}

/* Waits until so many messages have the text. */
static struct found await(const struct side *s, const char *text, size_t count)
{
	for (uint64_t due = flow_deadline();; flow_look(&f, due, "%s: no \"%s\"", s->platform, text)) {
		struct found found = find(s, text);
		if (found.count >= count)
			return found;
		found_clear(&found);
	}
}

static void expect(const struct side *s, const char *text, size_t count)
{
	struct found found = await(s, text, count);

	assert_int_equal(found.count, count);
	found_clear(&found);
}

static void press(const struct side *s, const char *user, const char *id, const char *button)
{
	flow_press(&f, s->platform, s->chat, user, id, button);
}

static void a_question_is_answered_by_a_button_and_by_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		const struct side *s = &sides[i];
		say(s, s->user, "which database");
		struct found asked = await(s, "Which one?", 1);
		assert_int_equal(asked.buttons, 3);
		if (strcmp(s->kind, "private") != 0)
			press(s, s->other, asked.id, "MySQL");
		press(s, s->user, asked.id, "PostgreSQL");
		found_clear(&asked);
		expect(s, "You chose PostgreSQL.", 1);
		asked = await(s, "PostgreSQL (by ", 1);
		assert_int_equal(asked.buttons, 0);
		found_clear(&asked);
		say(s, s->user, "which database again");
		asked = await(s, "Which one?", 2);
		found_clear(&asked);
		say(s, s->user, "MariaDB");
		expect(s, "You chose MariaDB.", 1);
	}
}

static void a_question_stands_over_a_kill_and_words_meanwhile_answer_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		say(&sides[i], sides[i].user, "which database");
		struct found asked = await(&sides[i], "Which one?", 1);
		found_clear(&asked);
	}
	flow_gateway_kill(&f);
	say(&sides[0], sides[0].user, "SQLite");
	flow_gateway(&f, true);
	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		if (i > 0) {
			struct found asked = await(&sides[i], "Which one?", 1);
			press(&sides[i], sides[i].user, asked.id, "SQLite");
			found_clear(&asked);
		}
		expect(&sides[i], "You chose SQLite.", 1);
		expect(&sides[i], "Which one?", 1);
	}
}

static void a_plan_is_one_message_that_changes(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sides); i++)
		say(&sides[i], sides[i].user, "make a plan");
	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		expect(&sides[i], "It is done: 2.", 1);
		struct found plan = await(&sides[i], "☑ Build", 1);
		assert_non_null(strstr(plan.text, "☑ Read"));
		assert_true(plan.edits >= 1);
		found_clear(&plan);
		expect(&sides[i], "Plan", 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW_TEST(a_question_is_answered_by_a_button_and_by_words, begin, &f),
	    FLOW_TEST(a_question_stands_over_a_kill_and_words_meanwhile_answer_it, begin, &f),
	    FLOW_TEST(a_plan_is_one_message_that_changes, begin, &f),
	};

	return cmocka_run_group_tests_name("asking", tests, NULL, NULL);
}
