/* One agent on three platforms: buttons, broadcasts and answers that go from one to the others. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

/* Where people and the agent meet on each platform: a group, the one who is an admin, the other who may talk
 * there. */
static const struct side {
	const char *platform, *chat, *kind, *mention, *admin, *user, *stranger;
} sides[] = {
    {"telegram", "-1001", "group", "", "78", "77", "99"},
    {"slack", "C0TEAM", "channel", "@bot ", "U0ADMIN", "U0ANN", "U0BOB"},
    {"discord", "200000000000000001", "group", "@myna ", "378", "377", "399"},
};

static struct flow f;

static void say(const struct side *s, const char *user, const char *text)
{
	flow_say_on(&f, s->platform, s->chat, user, text, s->kind);
}

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	flow_config_channels(&f,
	    "targets: { all = [\"telegram:-1001\", \"slack:C0TEAM\", \"discord:200000000000000001\"]; };",
	    "allow = [\"77\"]; admins = [\"78\"];", "allow = [\"U0ANN\"]; admins = [\"U0ADMIN\"];",
	    "allow = [\"377\"]; admins = [\"378\"];");
	flow_gateway(&f, true);
	for (size_t i = 0; i < ARRAY_LEN(sides); i++)
		say(&sides[i], sides[i].stranger, "hello all");
	return 0;
}

/* The last message of the bot that has the text and, where wanted, buttons: its id, malloc'd; NULL: there is
 * none. */
static char *find(const struct side *s, const char *text, bool buttons)
{
	struct json_object *o = flow_transcript(&f, s->platform, s->chat),
			   *all = json_get_array(o, "messages");
	char *id = NULL;

	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *m = json_object_array_get_idx(all, i);
		if (!json_get_bool(m, "bot", false) || !strstr(json_get_str(m, "text"), text) ||
		    (buttons && json_object_array_length(json_get_array(m, "buttons")) == 0))
			continue;
		free(id);
		id = xstrdup(json_get_str(m, "id"));
	}
	json_object_put(o);
	return id;
}

static char *await(const struct side *s, const char *text, bool buttons)
{
	char *id;

	for (uint64_t due = flow_deadline(); !(id = find(s, text, buttons));)
		flow_look(&f, due, "nobody said \"%s\" on %s", text, s->platform);
	return id;
}

static void await_text(const struct side *s, const char *text)
{
	free(await(s, text, false));
}

static size_t count_text(const struct side *s, const char *text)
{
	struct json_object *o = flow_transcript(&f, s->platform, s->chat),
			   *all = json_get_array(o, "messages");
	size_t n = 0;

	for (size_t i = 0; i < json_object_array_length(all); i++)
		n += strcmp(json_get_str(json_object_array_get_idx(all, i), "text"), text) == 0;
	json_object_put(o);
	return n;
}

static void press(const struct side *s, const char *user, const char *id, const char *button)
{
	flow_press(&f, s->platform, s->chat, user, id, button);
}

/* Waits until a request with this text was taken: what only one person sees is in no transcript. */
static void await_request(const struct side *s, const char *text)
{
	char *path = xasprintf("/control/requests?platform=%s", s->platform);

	for (uint64_t due = flow_deadline();;
	     flow_look(&f, due, "%s took no request with \"%s\"", s->platform, text)) {
		struct json_object *o = flow_get(&f, path), *all = json_get_array(o, "requests");
		bool taken = false;
		for (size_t i = 0; i < json_object_array_length(all); i++) {
			struct json_object *r = json_object_array_get_idx(all, i);
			taken |= strstr(json_object_to_json_string(r), text) &&
			    strcmp(json_get_str(r, "verdict"), "ok") == 0;
		}
		json_object_put(o);
		if (taken)
			break;
	}
	free(path);
}

static void a_broadcast_is_pressed_for_on(const struct side *s)
{
	char *text = xasprintf("from %s", s->platform),
	     *command = xasprintf("%s/broadcast --dry-run all %s", s->mention, text);

	say(s, s->admin, command);
	char *id = await(s, "This would go to 3 addresses", true);
	press(s, s->stranger, id, "Send");
	await_request(s, "You may not use this.");
	press(s, s->user, id, "Send");
	await_request(s, "This question is for someone else.");
	/* A kill changes nothing about the question. */
	flow_gateway_kill(&f);
	flow_gateway(&f, true);
	for (size_t i = 0; i < ARRAY_LEN(sides); i++)
		assert_int_equal(count_text(&sides[i], text), 0);
	press(s, s->admin, id, "Send");
	await_text(s, "Sent to 3 of 3.");
	for (size_t i = 0; i < ARRAY_LEN(sides); i++)
		assert_int_equal(count_text(&sides[i], text), 1);
	await_text(s, "Send (by ");
	assert_null(find(s, "This would go to", true));
	free(id);
	free(text);
	free(command);
}

static void a_question_on_telegram_is_answered_by_who_asked(void **state)
{
	(void)state;
	a_broadcast_is_pressed_for_on(&sides[0]);
}

static void a_question_on_slack_is_answered_by_who_asked(void **state)
{
	(void)state;
	a_broadcast_is_pressed_for_on(&sides[1]);
}

static void a_question_on_discord_is_answered_by_who_asked(void **state)
{
	(void)state;
	a_broadcast_is_pressed_for_on(&sides[2]);
}

/* A person on one platform has the agent tell all of them. */
static void the_agent_tells_everybody_once(void **state)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(sides); k++) {
		char *text = xasprintf("%s says so", sides[k].platform);
		char *words = xasprintf("%stell all that %s",
		    strcmp(sides[k].platform, "telegram") == 0 ? "@myna_bot " : sides[k].mention, text);
		say(&sides[k], sides[k].user, words);
		await_text(&sides[k], "To all: sent");
		for (size_t i = 0; i < ARRAY_LEN(sides); i++)
			assert_int_equal(count_text(&sides[i], text), 1);
		free(text);
		free(words);
	}
}

/* How many reactions of the bot stand in the chat. */
static size_t count_reactions(const struct side *s)
{
	struct json_object *o = flow_transcript(&f, s->platform, s->chat),
			   *all = json_get_array(o, "messages");
	size_t n = 0;

	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *list = json_get_array(json_object_array_get_idx(all, i), "reactions");
		for (size_t k = 0; list && k < json_object_array_length(list); k++)
			n += json_get_bool(json_object_array_get_idx(list, k), "bot", false);
	}
	json_object_put(o);
	return n;
}

static void say_to_bot(const struct side *s, const char *text)
{
	char *words =
	    xasprintf("%s%s", strcmp(s->platform, "telegram") == 0 ? "@myna_bot " : s->mention, text);

	say(s, s->user, words);
	free(words);
}

/* Slows the model, so that there is time to see what stands before an answer. */
static void slow_model(unsigned token_ms)
{
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"model\",\"method\":\"*\",\"kind\":\"slow\",\"token_ms\":%u,\"count\":-1}",
	    token_ms));
}

static void an_acknowledgement_goes_when_the_answer_comes(void **state)
{
	(void)state;
	slow_model(200);
	for (size_t k = 0; k < ARRAY_LEN(sides); k++) {
		say_to_bot(&sides[k], "count to 20");
		flow_until(&f, count_reactions(&sides[k]) == 1);
		await_text(&sides[k], "20");
		flow_until(&f, count_reactions(&sides[k]) == 0);
	}
}

/* Slack has no typing outside of threads. */
static void a_direct_message_on_slack_is_acknowledged(void **state)
{
	static const struct side private = {"slack", "U0ANN", "private", "", "U0ADMIN", "U0ANN", "U0BOB"};

	(void)state;
	json_object_put(flow_control(
	    &f, "fault", "{\"platform\":\"model\",\"method\":\"*\",\"kind\":\"stall\",\"seconds\":3}"));
	say(&private, private.user, "what is 17*23");
	flow_until(&f, count_reactions(&private) == 1);
	await_text(&private, "391");
	flow_until(&f, count_reactions(&private) == 0);
}

static void an_acknowledgement_of_a_killed_turn_goes_too(void **state)
{
	(void)state;
	slow_model(200);
	for (size_t k = 0; k < ARRAY_LEN(sides); k++)
		say_to_bot(&sides[k], "count to 20");
	for (size_t k = 0; k < ARRAY_LEN(sides); k++)
		flow_until(&f, count_reactions(&sides[k]) == 1);
	assert_int_equal(flow_gateway_end(&f, SIGKILL), -SIGKILL);
	/* The next answers come too fast to put one again. */
	slow_model(0);
	flow_gateway(&f, true);
	for (size_t k = 0; k < ARRAY_LEN(sides); k++) {
		await_text(&sides[k], "20");
		flow_until(&f, count_reactions(&sides[k]) == 0);
	}
}

/* A mention without words is answered: the model sees that it is one, not the bot's own name. */
static void a_bare_mention_is_answered(void **state)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(sides); k++) {
		say_to_bot(&sides[k], "");
		await_text(&sides[k], "(mentions you, without words)");
	}
}

static void an_edit_that_adds_a_mention_is_answered_once(void **state)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(sides); k++) {
		const struct side *s = &sides[k];
		struct json_object *o = flow_control(&f, "say",
		    "{\"platform\":\"%s\",\"chat\":\"%s\",\"user\":\"%s\",\"text\":\"what is 17*23\","
		    "\"kind\":\"%s\"}",
		    s->platform, s->chat, s->user, s->kind);
		for (int again = 0; again < 2; again++)
			json_object_put(flow_control(&f, "say",
			    "{\"platform\":\"%s\",\"chat\":\"%s\",\"user\":\"%s\",\"text\":\"%swhat is "
			    "17*2%d\",\"kind\":\"%s\",\"edit\":\"%s\"}",
			    s->platform, s->chat, s->user, *s->mention != '\0' ? s->mention : "@myna_bot ",
			    4 + again, s->kind, json_get_str(o, "message_id")));
		json_object_put(o);
		/* The later edit is merged into the waiting message or kept for the next turn. */
		for (uint64_t due = flow_deadline();;
		     flow_look(&f, due, "an edit on %s was not answered", s->platform)) {
			char *first = find(s, "408", false), *second = find(s, "425", false);
			bool once = first || second;
			assert_false(first && second);
			free(first);
			free(second);
			if (once)
				break;
		}
	}
}

/* An admin gives a command about a message: in its thread on Slack, as an answer elsewhere. */
static void command_about(const struct side *s, const char *id, const char *text)
{
	bool slack = strcmp(s->platform, "slack") == 0;

	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"%s\",\"chat\":\"%s\",\"user\":\"%s\",\"text\":\"%s%s\",\"kind\":\"%s\",\"%s\":"
	    "\"%s\"}",
	    s->platform, s->chat, s->admin, s->mention, text, s->kind, slack ? "thread" : "reply_to", id));
}

static void a_person_is_let_in_and_kept_out_without_an_id(void **state)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(sides); k++) {
		const struct side *s = &sides[k];
		struct json_object *o = flow_control(&f, "say",
		    "{\"platform\":\"%s\",\"chat\":\"%s\",\"user\":\"%s\",\"text\":\"let me "
		    "in\",\"kind\":\"%s\"}",
		    s->platform, s->chat, s->stranger, s->kind);
		const char *id = json_get_str(o, "message_id");
		char *is = xasprintf(" is a user on %s now.", s->platform),
		     *was = xasprintf(" may not talk to me on %s any more.", s->platform),
		     *named = xasprintf("%s/deny @%s", s->mention, s->stranger);

		command_about(s, id, "/allow");
		await_text(s, is);
		/* Telegram tells the ids of people without an @name alone. */
		if (strcmp(s->platform, "telegram") == 0) {
			say(s, s->admin, "/deny @somebody");
			await_text(s, "Telegram does not say whose it is.");
			command_about(s, id, "/deny");
		} else {
			say(s, s->admin, named);
		}
		await_text(s, was);
		free(is);
		free(was);
		free(named);
		json_object_put(o);
	}
}

#define FLOW(test) FLOW_TEST(test, begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(a_question_on_telegram_is_answered_by_who_asked),
	    FLOW(a_question_on_slack_is_answered_by_who_asked),
	    FLOW(a_question_on_discord_is_answered_by_who_asked),
	    FLOW(the_agent_tells_everybody_once),
	    FLOW(a_bare_mention_is_answered),
	    FLOW(an_edit_that_adds_a_mention_is_answered_once),
	    FLOW(a_person_is_let_in_and_kept_out_without_an_id),
	    FLOW(an_acknowledgement_goes_when_the_answer_comes),
	    FLOW(a_direct_message_on_slack_is_acknowledged),
	    FLOW(an_acknowledgement_of_a_killed_turn_goes_too),
	};

	return cmocka_run_group_tests_name("across", tests, NULL, NULL);
}
