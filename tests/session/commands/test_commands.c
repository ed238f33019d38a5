/* What the commands say and do, one by one. */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "bus/channel.h"
#include "lib/stage_press.h"
#include "tools/tools.h"

static void say_as(struct task *t, struct stage *st, const char *chat, const char *person, const char *text)
{
	struct message *m = stage_message(st, chat, text);

	free(m->sender_id);
	m->sender_id = xstrdup(person);
	stage_receive(t, st, &m, 1);
}

/* An admin's command, and what it is answered with. */
static const char *give(struct task *t, struct stage *st, const char *text)
{
	buf_reset(&st->shown);
	say_as(t, st, "7", "78", text);
	stage_settle(t, st);
	return st->shown.data;
}

/* The same of somebody who is none. */
static const char *give_plainly(struct task *t, struct stage *st, const char *text)
{
	buf_reset(&st->shown);
	stage_say(t, st, "7", text);
	stage_settle(t, st);
	return st->shown.data;
}

STAGE_TEST(version_says_what_runs_and_since_when)
{
	const char *said = give_plainly(t, st, "/version");

	assert_has(said, "Myna ");
	assert_has(said, "up for ");
	assert_has(said, "SQLite 3.");
}

STAGE_TEST(channels_says_how_each_is)
{
	static char everybody[] = "*", bea[] = "78", *admins[] = {everybody, bea};

	assert_has(give_plainly(t, st, "/channels"), "for admins");
	assert_has(give(t, st, "/channels"), "- chat (chat): ready for ");
	channel_set_status(st->channel, CHANNEL_DEGRADED, "the *net* is down");
	st->access.admins = (struct config_strings){admins, 2};
	const char *said = give(t, st, "/channels");
	assert_has(said, "chat (chat): degraded for ");
	assert_has(said, " s, the \\*net\\* is down. Warning: ");
}

STAGE_TEST(sessions_lists_the_last_active_first_by_pages)
{
	char chat[8];

	assert_has(give(t, st, "/sessions"), "Nobody has talked to me yet.");
	for (int i = 1; i <= 12; i++) {
		snprintf(chat, sizeof(chat), "c%d", i);
		stage_say(t, st, chat, "hello");
		stage_settle(t, st);
	}
	stage_say(t, st, "c3", "hello again");
	stage_settle(t, st);
	const char *said = give(t, st, "/sessions");
	assert_int_equal(stage_lines(&st->shown), 11);
	assert_has(said, ": - chat:c3: 4 messages, active ");
	assert_has(said, " s ago\n- chat:c12: 2 messages");
	assert_has(said, "/sessions 2 shows more.");
	assert_lacks(said, "chat:c1:");
	said = give(t, st, "/sessions 2");
	assert_has(said, ": - chat:c2: 2 messages");
	assert_has(said, "- chat:c1: 2 messages");
	assert_lacks(said, "shows more");
	assert_has(give(t, st, "/sessions 3"), "There are no more.");
	assert_has(give(t, st, "/sessions x"), "PAGE is a number.");
}

STAGE_TEST(sessions_shows_what_works_and_waits)
{
	st->held = true;
	stage_say(t, st, "5", "work");
	stage_until(t, st->asking == 1);
	stage_say(t, st, "5", "and more");
	buf_reset(&st->shown);
	say_as(t, st, "7", "78", "/sessions");
	stage_await(t, st, 1);
	assert_has(st->shown.data, "- chat:5: 1 message, active ");
	assert_has(st->shown.data, " s ago, works, 1 waiting");
	st->held = false;
	stage_settle(t, st);
}

STAGE_TEST(tools_are_listed_without_what_only_models_read)
{
	const char *said = give_plainly(t, st, "/tools");

	assert_has(said, "- look: Look.\n");
	assert_has(said, ": Read what was noted");
	assert_lacks(said, "Returns");
}

STAGE_TEST(a_chat_keeps_the_model_that_was_chosen_for_it)
{
	assert_has(give_plainly(t, st, "/model"), "This chat uses main (m-1), the default.");
	assert_has(give_plainly(t, st, "/model other"), "for admins to choose");
	assert_has(give(t, st, "/model third"), "There is no model \"third\". /models lists them.");
	stage_say(t, st, "7", "one");
	stage_settle(t, st);
	assert_has(give(t, st, "/model other"), "From the next message on this chat uses other (m-2).");
	assert_int_equal(stage_lines(&st->shown), 1);
	stage_say(t, st, "7", "two");
	stage_settle(t, st);
	stage_say(t, st, "8", "elsewhere");
	stage_settle(t, st);
	assert_string_equal(st->answered_by.data, "main other main ");
	stage_close(t, st);
	stage_open(t, st);
	assert_has(give_plainly(t, st, "/model"), "This chat uses other (m-2), chosen for it.");
	assert_has(give(t, st, "/model default"), "uses the default model.");
	stage_say(t, st, "7", "three");
	stage_settle(t, st);
	assert_string_equal(st->answered_by.data, "main other main main ");
}

STAGE_TEST(a_model_that_is_gone_is_said_and_the_default_answers)
{
	give(t, st, "/model other");
	st->llm.count = 1;
	assert_has(give_plainly(t, st, "/model"),
	    "other was chosen for this chat, and is not configured any more. This chat uses main");
	stage_say(t, st, "7", "one");
	stage_settle(t, st);
	assert_string_equal(st->answered_by.data, "main ");
}

STAGE_TEST(a_choice_is_answered_once_over_a_crash)
{
	give(t, st, "/model other");
	stage_snapshot(st);
	buf_reset(&st->shown);
	stage_crash(t, st);
	stage_settle(t, st);
	assert_lacks(st->shown.data, "From the next");
	assert_has(give_plainly(t, st, "/model"), "other (m-2), chosen for it.");
}

STAGE_TEST(models_says_how_each_is)
{
	assert_has(give_plainly(t, st, "/models"),
	    "- main: m-1, the default\n- other: m-2, used where it is chosen\n");
	st->down = LLM_ERROR_BILLING;
	stage_say(t, st, "5", "hello");
	stage_until(t, strstr(st->log.data, "the turn waits"));
	buf_reset(&st->shown);
	say_as(t, st, "8", "78", "/models");
	stage_until(t, strstr(st->shown.data, "None has answered for "));
	assert_has(st->shown.data, "it failed, and rests for ");
	assert_has(st->shown.data, " (billing: the script fails)");
	stage_say(t, st, "5", "/stop");
	stage_settle(t, st);
}

STAGE_TEST(without_a_model_people_are_told_and_commands_work)
{
	st->llm.count = st->llm.order_count = 0;
	assert_has(give_plainly(t, st, "hello"), "No language model is configured");
	assert_has(give_plainly(t, st, "/model"), "No model is configured.");
	assert_has(give_plainly(t, st, "/models"), "No model is configured: ");
	assert_int_equal(st->asked, 0);
}

STAGE_TEST(usage_adds_up_what_was_spent)
{
	stage_play(st, {.calls = "1 look {\"what\":\"a\"}", .finish = LLM_FINISH_CALLS}, {.text = "seen"});
	stage_say(t, st, "7", "look");
	stage_settle(t, st);
	stage_say(t, st, "8", "hello");
	stage_settle(t, st);
	const char *said = give_plainly(t, st, "/usage");
	assert_has(said,
	    "- this chat, today: 200 in (120 of them cached), 14 out, in 2 requests; cost: not known\n");
	assert_has(said, "- this chat, in total: 200 in");
	assert_lacks(said, "all chats");
	said = give(t, st, "/usage");
	assert_has(said,
	    "- all chats, today: 300 in (180 of them cached), 21 out, in 3 requests; cost: not known\n");
	assert_has(said, "- all chats, in total: 300 in");
}

STAGE_TEST(an_admin_of_one_group_sees_and_changes_nothing_of_other_chats)
{
	static char ann[] = "77", five[] = "5", *admins[] = {ann};
	static struct access_group_settings group = {.chat = five, .admins = {admins, 1}};

	st->access.groups = &group;
	st->access.group_count = 1;
	stage_say_in_group(t, st, "5", "77", "/whoami");
	stage_settle(t, st);
	assert_has(st->shown.data, "an admin here");
	stage_say_in_group(t, st, "5", "77", "/usage");
	stage_settle(t, st);
	assert_has(st->shown.data, "- this chat, today: ");
	assert_lacks(st->shown.data, "- all chats, today");
	stage_say_in_group(t, st, "5", "77", "/models retry");
	stage_settle(t, st);
	assert_has(st->shown.data, "/models retry reaches beyond this chat");
	st->down = LLM_ERROR_BILLING;
	stage_say(t, st, "7", "hello");
	stage_until(t, strstr(st->log.data, "the turn waits"));
	buf_reset(&st->shown);
	stage_say_in_group(t, st, "5", "77", "/models");
	stage_until(t, strstr(st->shown.data, " (billing"));
	assert_lacks(st->shown.data, "the script fails");
	stage_say(t, st, "7", "/stop");
	stage_settle(t, st);
}

STAGE_TEST(usage_counts_what_a_tool_asks_the_model)
{
	stage_play(st, {.calls = "1 ponder {\"what\":\"why\"}"}, {.text = "because"}, {.text = "done"});
	stage_say(t, st, "7", "look");
	stage_settle(t, st);
	assert_has(give_plainly(t, st, "/usage"),
	    "- this chat, today: 300 in (180 of them cached), 21 out, in 3 requests; cost: not known\n");
}

STAGE_TEST(send_goes_to_an_address_or_a_target)
{
	stage_configure(t, st, "targets: { ops = [\"chat:5\", \"chat:6\"]; };");
	assert_has(give_plainly(t, st, "/send chat:5 hi"), "/send is for admins.");
	const char *said = give(t, st, "/send chat:5 It *works*");
	assert_has(said, "5: It *works*\n");
	assert_has(said, "Sent to 1 of 1.\n\n- chat:5: sent, message 1");
	said = give(t, st, "/send ops hi");
	assert_has(said, "5: hi\n");
	assert_has(said, "6: hi\n");
	assert_has(give(t, st, "/send nobody hi"), "There is no target \"nobody\".");
	assert_has(give(t, st, "/send ops"), "TEXT is missing. Write /send TO TEXT");
}

static void note(struct task *t, struct stage *st, const char *chat)
{
	struct address where;
	const struct tool_call call = {
	    .tools = st->tools, .chat = &where, .bus = st->bus, .store = st->store};
	bool failed;

	assert_int_equal(address_set(&where, "chat", chat, NULL, NULL), 0);
	free(tools_run(t, &call, "memory_write", "{\"content\":\"Ann likes tea\"}", &failed));
	assert_false(failed);
}

static void press(struct task *t, struct stage *st, size_t i)
{
	char *id = stage_button(st, i, 2);
	struct message *m = stage_press(stage_message(st, "7", id), "1");

	free(id);
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
}

STAGE_TEST(memory_is_shown_and_cleared_after_a_question)
{
	assert_has(give_plainly(t, st, "/memory"), "I have noted nothing about this chat.");
	note(t, st, "7");
	note(t, st, "8");
	assert_has(give_plainly(t, st, "/memory"), "Ann likes tea");
	assert_has(give_plainly(t, st, "/memory clear"), "Shall I forget all my notes about this chat?");
	press(t, st, 1);
	assert_has(give_plainly(t, st, "/memory"), "Ann likes tea");
	give_plainly(t, st, "/memory clear");
	press(t, st, 0);
	assert_has(st->shown.data, "My notes about this chat are deleted.");
	assert_has(give_plainly(t, st, "/memory"), "I have noted nothing about this chat.");
	buf_reset(&st->shown);
	stage_say(t, st, "8", "/memory");
	stage_settle(t, st);
	assert_has(st->shown.data, "Ann likes tea");
	assert_has(give_plainly(t, st, "/memory --yes clear"), "My notes about this chat are deleted.");
}

STAGE_TEST(the_memory_of_a_group_is_for_admins_to_clear)
{
	struct message *m = stage_message(st, "-100", "/memory --yes clear");

	note(t, st, "-100");
	m->chat_kind = CHAT_GROUP;
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
	assert_has(st->shown.data, "In a group, that is for admins.");
}

STAGE_TEST(log_levels_change_at_once)
{
	assert_has(give_plainly(t, st, "/log debug"), "/log is for admins.");
	assert_has(give(t, st, "/log warn"),
	    "All modules without a level of their own log warn and above from now on");
	assert_has(give(t, st, "/log agent debug"), "agent logs debug and above from now on");
	assert_has(give(t, st, "/log"), "All modules log warn and above, but agent debug.");
	assert_has(give(t, st, "/log agent"), "agent logs debug and above.");
	buf_reset(&st->log);
	stage_say(t, st, "7", "hello");
	stage_settle(t, st);
	assert_has(st->log.data, " info agent: turn ended");
	give(t, st, "/log");
	assert_lacks(st->log.data, "info command");
	assert_has(give(t, st, "/log agent default"), "agent logs what the others do: warn and above.");
	assert_has(give(t, st, "/log a\xc3\xa9 debug"), "There is no module");
	assert_has(give(t, st, "/log bogus debug"),
	    "There is no module \"bogus\". Modules: access, agent, approval, ");
	assert_has(st->shown.data, ", tools, chat.");
	assert_has(give(t, st, "/log"), "All modules log warn and above.");
	assert_has(give(t, st, "/log chat debug"), "chat logs debug and above from now on");
	give(t, st, "/log chat default");
	assert_has(give(t, st, "/log agent loud"), "LEVEL is one of error, warn, info, debug, default.");
	assert_has(give(t, st, "/log agent"), "agent logs warn and above.");
	log_setup(LOG_LEVEL_DEBUG, LOG_FORMAT_TEXT);
}

static void say_in_thread(struct task *t, struct stage *st, const char *thread, const char *text)
{
	struct message *m = stage_message(st, "-5", text);

	m->chat_kind = CHAT_GROUP;
	assert_int_equal(address_set(&m->from, "chat", "-5", thread, NULL), 0);
	stage_receive(t, st, &m, 1);
}

STAGE_TEST(stop_outside_of_threads_reaches_the_answers_in_them)
{
	st->held = true;
	say_in_thread(t, st, "t1", "one");
	stage_until(t, st->asking == 1);
	say_in_thread(t, st, "", "/stop");
	stage_settle(t, st);
	assert_has(st->shown.data, ": Stopped the answer to ");
	assert_has(st->shown.data, " in the thread t1, asked ");
	buf_reset(&st->shown);
	say_in_thread(t, st, "t1", "one");
	say_in_thread(t, st, "t2", "two");
	stage_until(t, st->asking == 2);
	say_in_thread(t, st, "", "/stop");
	stage_await(t, st, 1);
	assert_has(st->shown.data, "I am answering in 2 threads here:");
	assert_has(st->shown.data, "/stop 1 stops the first");
	assert_int_equal(st->asking, 2);
	say_in_thread(t, st, "t3", "/stop");
	say_in_thread(t, st, "", "/stop 2");
	stage_until(t, st->asking == 1);
	say_in_thread(t, st, "t3", "three");
	stage_until(t, st->asking == 2);
	say_in_thread(t, st, "", "/stop all");
	stage_settle(t, st);
	assert_has(st->shown.data, "/t3 >m6: Nothing is running here.");
	assert_has(st->shown.data, "Stopped the answer to Ann in the thread t2");
	assert_has(st->shown.data, "Stopped the answer to Ann in the thread t1");
	assert_has(st->shown.data, "Stopped the answer to Ann in the thread t3");
	st->held = false;
}

STAGE_TEST(stop_all_reaches_any_number_of_threads)
{
	char thread[8];

	st->held = true;
	for (int i = 0; i < 12; i++) {
		snprintf(thread, sizeof(thread), "t%d", i);
		say_in_thread(t, st, thread, "work");
	}
	stage_until(t, st->asking == 12);
	say_in_thread(t, st, "", "/stop all");
	stage_until(t, strstr(st->shown.data, "-5 >m13: Stopped the answer to "));
	assert_int_equal(count_of(st->shown.data, "Stopped the answer to Ann in the thread t"), 12);
	stage_settle(t, st);
	st->held = false;
}

STAGE_TEST(start_says_what_it_is_and_gives_examples)
{
	const char *said = give_plainly(t, st, "/start");

	assert_has(said, "Hello, I am Tess, an AI agent. You may talk to me");
	assert_has(said, "- Remind me tomorrow");
	assert_has(said, "/help lists the commands");
	assert_has(give_plainly(t, st, "/start from_a_link"), "Hello, I am Tess");
}

STAGE_TEST(whoami_needs_no_name)
{
	struct message *m = stage_message(st, "7", "/whoami");

	assert_has(
	    give_plainly(t, st, "/whoami"), "You are Ann, id \"77\" on channel chat, and a user here.");
	free(m->sender_name);
	m->sender_name = NULL;
	buf_reset(&st->shown);
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
	assert_has(st->shown.data, "Your id is \"77\" on channel chat, and you are a user here.");
}

STAGE_TEST(where_nobody_says_start_the_first_private_message_is_welcomed_once)
{
	static struct channel_ops ops;

	ops = *st->channel->ops;
	ops.caps |= CHANNEL_WELCOME;
	st->channel->ops = &ops;
	stage_say(t, st, "5", "one");
	stage_settle(t, st);
	assert_has(st->shown.data, "5: Hello, I am Tess");
	assert_has(st->shown.data, "re: one");
	assert_int_equal(stage_lines(&st->shown), 8);
	buf_reset(&st->shown);
	stage_say(t, st, "5", "/new");
	stage_settle(t, st);
	stage_say(t, st, "5", "two");
	stage_settle(t, st);
	assert_lacks(st->shown.data, "Hello, I am");
	assert_has(st->shown.data, "re: two");
	struct message *m = stage_message(st, "-6", "in a group");
	m->chat_kind = CHAT_GROUP;
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
	assert_has(st->shown.data, "re: in a group");
	assert_lacks(st->shown.data, "Hello, I am");
}

static void open_chat(struct task *t, struct stage *st, const char *chat, const char *by)
{
	struct message *m = stage_message(st, chat, "");

	m->kind = MESSAGE_JOINED;
	free(m->message_id);
	m->message_id = NULL;
	free(m->sender_id);
	m->sender_id = xstrdup(by);
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
}

STAGE_TEST(a_person_who_opens_the_private_chat_is_welcomed_once)
{
	static struct channel_ops ops;

	ops = *st->channel->ops;
	ops.caps |= CHANNEL_WELCOME;
	st->channel->ops = &ops;
	open_chat(t, st, "9", "99");
	assert_string_equal(st->shown.data, "");
	open_chat(t, st, "5", "77");
	assert_has(st->shown.data, "5: Hello, I am Tess");
	assert_int_equal(st->asked, 0);
	buf_reset(&st->shown);
	open_chat(t, st, "5", "77");
	stage_say(t, st, "5", "one");
	stage_settle(t, st);
	stage_say(t, st, "5/1.1", "in a thread");
	stage_settle(t, st);
	assert_lacks(st->shown.data, "Hello, I am");
	assert_has(st->shown.data, "re: one");
	assert_has(st->shown.data, "re: in a thread");
}

STAGE_TEST(restart_says_so_before_and_after)
{
	assert_has(give_plainly(t, st, "/restart"), "/restart is for admins.");
	assert_int_equal(st->restarts, 0);
	buf_reset(&st->shown);
	say_as(t, st, "7", "78", "/restart");
	stage_until(t, st->restarts == 1);
	assert_string_equal(st->shown.data, "7 >m2: I restart now. What is running continues afterwards.\n");
	stage_close(t, st);
	stage_open(t, st);
	stage_settle(t, st);
	assert_int_equal(st->restarts, 1);
	assert_has(st->shown.data, "7 >m2: I have restarted, ");
	assert_int_equal(stage_lines(&st->shown), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(version_says_what_runs_and_since_when),
	    cmocka_unit_test(channels_says_how_each_is),
	    cmocka_unit_test(sessions_lists_the_last_active_first_by_pages),
	    cmocka_unit_test(sessions_shows_what_works_and_waits),
	    cmocka_unit_test(tools_are_listed_without_what_only_models_read),
	    cmocka_unit_test(a_chat_keeps_the_model_that_was_chosen_for_it),
	    cmocka_unit_test(a_model_that_is_gone_is_said_and_the_default_answers),
	    cmocka_unit_test(a_choice_is_answered_once_over_a_crash),
	    cmocka_unit_test(models_says_how_each_is),
	    cmocka_unit_test(without_a_model_people_are_told_and_commands_work),
	    cmocka_unit_test(usage_adds_up_what_was_spent),
	    cmocka_unit_test(an_admin_of_one_group_sees_and_changes_nothing_of_other_chats),
	    cmocka_unit_test(usage_counts_what_a_tool_asks_the_model),
	    cmocka_unit_test(send_goes_to_an_address_or_a_target),
	    cmocka_unit_test(memory_is_shown_and_cleared_after_a_question),
	    cmocka_unit_test(the_memory_of_a_group_is_for_admins_to_clear),
	    cmocka_unit_test(log_levels_change_at_once),
	    cmocka_unit_test(stop_outside_of_threads_reaches_the_answers_in_them),
	    cmocka_unit_test(stop_all_reaches_any_number_of_threads),
	    cmocka_unit_test(start_says_what_it_is_and_gives_examples),
	    cmocka_unit_test(whoami_needs_no_name),
	    cmocka_unit_test(where_nobody_says_start_the_first_private_message_is_welcomed_once),
	    cmocka_unit_test(a_person_who_opens_the_private_chat_is_welcomed_once),
	    cmocka_unit_test(restart_says_so_before_and_after),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
