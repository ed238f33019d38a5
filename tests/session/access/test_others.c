/* What people may do to others: admins of one group, guests in a group, and who was thrown out. */
#include <stdlib.h>
#include <string.h>

#include "lib/stage_press.h"
#include "session/access/access.h"

/* 78 is an admin everywhere, 77 a user, 90 a guest, 79 an admin of the group -100 alone. */
static void let_in(struct stage *st)
{
	static char ann[] = "77", bea[] = "78", gil[] = "90", dan[] = "79", group[] = "-100";
	static char *users[] = {ann}, *admins[] = {bea}, *guests[] = {gil}, *here[] = {dan};
	static struct access_group_settings places[] = {{.chat = group, .admins = {here, 1}}};

	st->access.allow = (struct config_strings){users, 1};
	st->access.admins = (struct config_strings){admins, 1};
	st->access.guests = (struct config_strings){guests, 1};
	st->access.groups = places;
	st->access.group_count = 1;
}

static void say(struct task *t, struct stage *st, const char *chat, const char *person, const char *text)
{
	if (*chat == '-')
		stage_say_in_group(t, st, chat, person, text);
	else
		stage_say_by(t, st, chat, person, text);
}

/* What is answered to a command in the group. */
static const char *give(struct task *t, struct stage *st, const char *person, const char *text)
{
	buf_reset(&st->shown);
	say(t, st, "-100", person, text);
	stage_settle(t, st);
	return st->shown.data;
}

STAGE_TEST(admins_of_one_group_reach_no_further)
{
	static const char *const beyond[] = {"/broadcast chat:7 x", "/channels", "/doctor", "/log debug",
	    "/reload", "/restart", "/send chat:7 x", "/sessions"};

	let_in(st);
	for (size_t i = 0; i < sizeof(beyond) / sizeof(*beyond); i++) {
		assert_has(give(t, st, "79", beyond[i]),
		    " reaches beyond this chat: it is for admins of the channel");
		assert_lacks(st->shown.data, "7: x");
		if (strcmp(beyond[i], "/restart") != 0)
			assert_lacks(give(t, st, "78", beyond[i]), " reaches beyond this chat");
	}
	assert_has(give(t, st, "79", "/budget all 5 tokens a day"), "That reaches beyond this chat");
	assert_has(give(t, st, "79", "/budget me no tokens a day"), "That reaches beyond this chat");
	assert_has(give(t, st, "79", "/budget all lift"), "That reaches beyond this chat");
	assert_lacks(give(t, st, "79", "/budget"), "all chats together");
	assert_has(
	    give(t, st, "79", "/budget chat 5k tokens a day"), "From now on this chat: 5,000 tokens a day");
	assert_has(give(t, st, "79", "/queue steer"), "Mode steer: ");
	assert_has(give(t, st, "79", "/instructions Be brief."), "From the next message on");
	assert_has(give(t, st, "78", "/budget all 5k tokens a day"), "From now on all chats together");
}

/* The first button of the last message that has two. */
static const char *press(struct task *t, struct stage *st, const char *person)
{
	char *id = stage_button(st, 0, 2);
	struct message *m = stage_press(stage_group_message(st, "-100", person, id), "1");

	free(id);
	buf_reset(&st->pressed);
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
	return st->pressed.data;
}

STAGE_TEST(buttons_ask_for_what_their_commands_ask_for)
{
	static char dan[] = "79", *admins[] = {dan};

	let_in(st);
	st->access.admins = (struct config_strings){admins, 1};
	assert_has(
	    give(t, st, "79", "/broadcast --dry-run chat:5 all is well"), "This would go to 1 address");
	let_in(st); /* an admin of the group is left */
	assert_string_equal(press(t, st, "79"), "You may no longer do this.\n");
	assert_lacks(st->shown.data, "all is well");
	st->access.admins = (struct config_strings){admins, 1};
	assert_string_equal(press(t, st, "79"), "-\n");
	assert_has(st->shown.data, "5: all is well");
	assert_has(give(t, st, "79", "/memory clear"), "Shall I forget all my notes about this chat?");
	st->access.group_count = 0;
	st->access.admins = (struct config_strings){0};
	st->access.allow = (struct config_strings){admins, 1};
	assert_string_equal(press(t, st, "79"), "You may no longer do this.\n");
	let_in(st);
	assert_string_equal(press(t, st, "79"), "-\n");
	assert_has(st->shown.data, "My notes about this chat are deleted.");
}

STAGE_TEST(what_all_chats_read_is_not_for_admins_of_one_group_to_write)
{
	static const char note[] = "a memory_write {\"content\":\"x\",\"scope\":\"shared\"}";

	let_in(st);
	stage_play(st, {.calls = note}, {.text = "no"}, {.calls = note}, {.text = "yes"});
	give(t, st, "79", "note it");
	char *said = stage_transcript(t, st, "-100");
	assert_has(said, "Only admins may have the shared memory changed");
	free(said);
	give(t, st, "78", "note it");
	said = stage_transcript(t, st, "-100");
	assert_has(said, "Successfully wrote");
	free(said);
}

STAGE_TEST(guests_stop_only_their_own_answers_in_a_group)
{
	let_in(st);
	st->held = true;
	say(t, st, "-100", "77", "work");
	stage_until(t, st->asking == 1);
	say(t, st, "-100", "77", "more");
	say(t, st, "-100", "90", "mine");
	/* Their own that waits; then nothing is left that is theirs. */
	say(t, st, "-100", "90", "/stop");
	stage_await(t, st, 1);
	say(t, st, "-100", "90", "/stop");
	say(t, st, "-100", "90", "/new");
	stage_await(t, st, 3);
	assert_has(st->shown.data, "No answer to you is running.");
	assert_has(st->shown.data, "In a group that is not for guests");
	assert_int_equal(st->asking, 1);
	st->held = false;
	stage_settle(t, st);
	assert_has(st->shown.data, "re: work");
	assert_has(st->shown.data, "re: more");
	assert_lacks(st->shown.data, "re: mine");
	/* Users stop anybody's, and guests their own. */
	st->held = true;
	say(t, st, "-100", "90", "guest");
	stage_until(t, st->asking == 1);
	say(t, st, "-100", "90", "/stop");
	stage_until(t, st->asking == 0);
	say(t, st, "-100", "78", "admin");
	stage_until(t, st->asking == 1);
	say(t, st, "-100", "77", "/stop");
	stage_until(t, st->asking == 0);
	st->held = false;
	stage_settle(t, st);
}

/* Who writes has chosen the name Ann, like the admin. */
STAGE_TEST(in_a_group_the_model_is_told_who_is_a_guest)
{
	let_in(st);
	give(t, st, "78", "mine");
	assert_has(st->told.data, ", Ann]\nmine");
	give(t, st, "90", "yours");
	assert_has(st->told.data, ", Ann, a guest]\nyours");
	st->held = true;
	say(t, st, "-100", "90", "a lot");
	stage_until(t, st->asking == 1);
	say(t, st, "-100", "90", "more of it");
	st->held = false;
	stage_settle(t, st);
	assert_has(st->told.data, ", Ann, a guest]\nmore of it");
	/* In private everybody speaks of themselves. */
	say(t, st, "7", "90", "alone");
	stage_settle(t, st);
	assert_has(st->told.data, ", Ann]\nalone");
}

STAGE_TEST(guests_are_collected_apart_from_others)
{
	let_in(st);
	give(t, st, "78", "/queue collect");
	st->held = true;
	say(t, st, "-100", "77", "first");
	stage_until(t, st->asking == 1);
	say(t, st, "-100", "77", "one");
	say(t, st, "-100", "78", "two");
	say(t, st, "-100", "90", "three");
	buf_reset(&st->shown);
	st->held = false;
	stage_settle(t, st);
	assert_int_equal(st->asked, 3);
	assert_has(st->shown.data, "re: three\n");
	assert_lacks(st->shown.data, "two\nthree");
}

STAGE_TEST(guests_interrupt_no_answer_to_others)
{
	let_in(st);
	give(t, st, "78", "/queue interrupt");
	st->held = true;
	say(t, st, "-100", "77", "work");
	stage_until(t, st->asking == 1);
	say(t, st, "-100", "90", "me first");
	stage_calm(t, st);
	st->held = false;
	stage_settle(t, st);
	assert_has(st->shown.data, "re: work");
	assert_has(st->shown.data, "re: me first");
}

STAGE_TEST(who_is_thrown_out_is_not_answered_any_more)
{
	let_in(st);
	give(t, st, "78", "/allow 99");
	st->held = true;
	say(t, st, "7", "99", "work");
	stage_until(t, st->asking == 1);
	say(t, st, "7", "99", "one");
	say(t, st, "7", "77", "two");
	say(t, st, "7", "99", "three");
	stage_calm(t, st);
	st->asked = 0;
	say(t, st, "-100", "78", "/deny 99");
	stage_until(t, strstr(st->shown.data, "99 may not talk to me"));
	st->held = false;
	stage_settle(t, st);
	assert_lacks(st->shown.data, "re: work");
	assert_lacks(st->shown.data, "re: one");
	assert_lacks(st->shown.data, "re: three");
	assert_has(st->shown.data, "re: two");
	assert_int_equal(st->asked, 1);
}

STAGE_TEST(who_is_thrown_out_while_nothing_runs_is_not_answered)
{
	let_in(st);
	st->held = true;
	say(t, st, "7", "77", "work");
	stage_until(t, st->asking == 1);
	stage_snapshot(st);
	st->access.allow.count = 0;
	st->asked = 0;
	stage_crash(t, st);
	st->held = false;
	stage_settle(t, st);
	assert_int_equal(st->asked, 0);
	assert_lacks(st->shown.data, "re: work");
	assert_int_equal(stage_counts(t, st).turns_open, 0);
}

/* More than fit into memory, and after a start. */
STAGE_TEST(who_is_thrown_out_gets_nothing_of_what_waits_on_disk)
{
	let_in(st);
	give(t, st, "78", "/allow 99");
	st->held = true;
	say(t, st, "7", "99", "work");
	stage_until(t, st->asking == 1);
	for (int i = 0; i < 100; i++)
		say(t, st, "7", "99", "again");
	say(t, st, "-100", "78", "/deny 99");
	stage_until(t, strstr(st->shown.data, "99 may not talk to me"));
	st->asked = 0;
	st->held = false;
	stage_settle(t, st);
	assert_int_equal(st->asked, 0);
	assert_lacks(st->shown.data, "re: ");
}

STAGE_TEST(a_guest_who_floods_a_group_leaves_room_for_others)
{
	let_in(st);
	for (int i = 0; i < 40; i++)
		say(t, st, "-100", "90", "/whoami");
	say(t, st, "-100", "77", "/whoami");
	stage_settle(t, st);
	assert_int_equal(count_of(st->shown.data, "You are "), 21);
	assert_int_equal(count_of(st->shown.data, "So many commands at once"), 1);
	buf_reset(&st->shown);
	st->held = true;
	say(t, st, "-100", "77", "work");
	stage_until(t, st->asking == 1);
	for (int i = 0; i < 40; i++)
		say(t, st, "-100", "90", "me");
	say(t, st, "-100", "77", "more");
	say(t, st, "7", "90", "in private");
	say(t, st, "-100", "90", "/stop");
	stage_until(t, strstr(st->shown.data, "Stopped."));
	st->held = false;
	stage_settle(t, st);
	assert_int_equal(count_of(st->shown.data, "re: me"), 15);
	assert_has(st->shown.data, "re: more");
	assert_has(st->shown.data, "re: in private");
}

/* Of nobody are messages lost without a word, unless a word would be one of many. */
STAGE_TEST(a_guest_whose_messages_are_refused_is_told_once)
{
	let_in(st);
	st->held = true;
	say(t, st, "-100", "90", "work");
	stage_until(t, st->asking == 1);
	for (int i = 0; i < 40; i++)
		say(t, st, "-100", "90", "me");
	stage_await(t, st, 1);
	st->held = false;
	stage_settle(t, st);
	assert_int_equal(count_of(st->shown.data, "Several messages of yours wait here already"), 1);
	assert_int_equal(count_of(st->shown.data, "re: me"), 16);
}

static void demote(struct stage *st, const char *what)
{
	static char ann[] = "77", *guests[] = {ann};

	if (strcmp(what, "first") != 0)
		return;
	st->access.allow = (struct config_strings){0};
	st->access.guests = (struct config_strings){guests, 1};
}

STAGE_TEST(a_right_that_is_lost_during_a_turn_counts_from_the_next_call_on)
{
	st->hook = demote;
	stage_play(st, {.calls = "a touch {\"what\":\"first\"}\nb touch {\"what\":\"second\"}"},
	    {.calls = "c touch {\"what\":\"third\"}"}, {.text = "done"});
	stage_say(t, st, "7", "work");
	stage_settle(t, st);
	assert_has(st->ran.data, "+first");
	assert_lacks(st->ran.data, "second");
	assert_lacks(st->ran.data, "third");
}

static void throw_out(struct stage *st, const char *what)
{
	if (strcmp(what, "first") == 0)
		st->access.allow = (struct config_strings){0};
}

STAGE_TEST(a_task_in_the_background_has_no_more_rights_than_its_person)
{
	st->hook = throw_out;
	stage_play(st, {.calls = "a task {\"prompt\":\"Touch all\",\"background\":true}"},
	    {.calls = "x touch {\"what\":\"first\"}\ny touch {\"what\":\"second\"}"}, {.text = "Begun."},
	    {.calls = "z touch {\"what\":\"third\"}"}, {.text = "All touched."});
	stage_say(t, st, "7", "work");
	stage_await(t, st, 2);
	stage_settle(t, st);
	assert_has(st->ran.data, "+first");
	assert_lacks(st->ran.data, "second");
	assert_lacks(st->ran.data, "third");
	assert_has(st->shown.data, "the person who asked for it may not use me any more");
}

STAGE_TEST(a_task_in_the_background_ends_when_its_person_is_thrown_out)
{
	let_in(st);
	give(t, st, "78", "/allow 99");
	stage_play(st, {.calls = "a task {\"prompt\":\"Look long\",\"background\":true}"},
	    {.calls = "x look {\"what\":\"long\",\"ms\":60000}"}, {.text = "Begun."});
	say(t, st, "7", "99", "work");
	stage_until(t, strstr(st->ran.data, "+long"));
	say(t, st, "-100", "78", "/deny 99");
	stage_until(t, strstr(st->ran.data, "!long"));
	stage_settle(t, st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(admins_of_one_group_reach_no_further),
	    cmocka_unit_test(buttons_ask_for_what_their_commands_ask_for),
	    cmocka_unit_test(what_all_chats_read_is_not_for_admins_of_one_group_to_write),
	    cmocka_unit_test(guests_stop_only_their_own_answers_in_a_group),
	    cmocka_unit_test(in_a_group_the_model_is_told_who_is_a_guest),
	    cmocka_unit_test(guests_are_collected_apart_from_others),
	    cmocka_unit_test(guests_interrupt_no_answer_to_others),
	    cmocka_unit_test(who_is_thrown_out_is_not_answered_any_more),
	    cmocka_unit_test(who_is_thrown_out_while_nothing_runs_is_not_answered),
	    cmocka_unit_test(who_is_thrown_out_gets_nothing_of_what_waits_on_disk),
	    cmocka_unit_test(a_guest_who_floods_a_group_leaves_room_for_others),
	    cmocka_unit_test(a_guest_whose_messages_are_refused_is_told_once),
	    cmocka_unit_test(a_right_that_is_lost_during_a_turn_counts_from_the_next_call_on),
	    cmocka_unit_test(a_task_in_the_background_has_no_more_rights_than_its_person),
	    cmocka_unit_test(a_task_in_the_background_ends_when_its_person_is_thrown_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
