/* myna chat at a terminal and in a pipe, with the real gateway, within itself and as a daemon. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "flow/cli/terminal.h"
#include "flow/weather.h"

#define PROMPT "\n>"

static struct flow f;
static struct terminal *one, *two;

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	flow_config(&f, "", "allow = [\"77\"];");
	one = xcalloc(1, sizeof(*one));
	two = xcalloc(1, sizeof(*two));
	return 0;
}

static int end(void **state)
{
	(void)state;
	flow_stop(&f);
	free(one);
	free(two);
	return 0;
}

static int64_t queue_count(const char *name)
{
	struct json_object *status = flow_status(&f);
	int64_t n = json_get_int(json_get_object(status, "queue"), name, -1);

	json_object_put(status);
	return n;
}

static void await_count(const char *name, int64_t count)
{
	for (uint64_t due = flow_deadline(); queue_count(name) != count;)
		flow_look(&f, due, "%s is never %lld", name, (long long)count);
}

/* Types a line once there is a prompt for it. */
static void ask(struct terminal *term, const char *line)
{
	char *typed = xasprintf("%s\r", line);

	terminal_await(term, PROMPT, 1);
	terminal_type(term, typed);
	free(typed);
}

static void leave(struct terminal *term)
{
	terminal_type(term, "\004");
	assert_int_equal(terminal_end(term), 0);
}

static void an_answer_is_shown_as_it_grows(void **state)
{
	bool grew = false;

	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, NULL);
	ask(one, "count to 12");
	while (terminal_count(one, "11, 12.") == 0) {
		grew = grew || terminal_count(one, "1, 2") == 1;
		assert_true(terminal_look(one));
	}
	assert_true(grew);
	assert_int_equal(terminal_count(one, "\n1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12.\n"), 1);
	assert_int_equal(terminal_count(one, "1, 2"), 1);
	ask(one, "/whoami");
	terminal_await(one, "an admin here", 1);
	await_count("outbox_queued", 0);
	leave(one);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

/* In canonical mode a Ctrl-D that comes between two lines would be lost. */
static void the_terminal_passes_each_key_on_between_lines(void **state)
{
	struct termios mode;
	int status;

	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, NULL);
	terminal_await(one, PROMPT, 1);
	for (size_t line = 1; line <= 100; line++) {
		terminal_type(one, "\r");
		for (size_t got = one->raw.len; one->raw.len == got;) {
			for (int i = 0; i < 2000; i++) {
				assert_int_equal(tcgetattr(one->fd, &mode), 0);
				assert_int_equal(mode.c_lflag & ICANON, 0);
			}
			assert_true(terminal_look(one));
		}
	}
	/* Who stops it with Ctrl-Z has the terminal as it was. */
	terminal_type(one, "\032");
	assert_int_equal(waitpid(one->pid, &status, WUNTRACED), one->pid);
	assert_true(WIFSTOPPED(status));
	assert_int_equal(tcgetattr(one->fd, &mode), 0);
	assert_int_equal(mode.c_lflag & (ICANON | ECHO), ICANON | ECHO);
	kill(one->pid, SIGCONT);
	for (uint64_t due = flow_deadline(); mode.c_lflag & ICANON;) {
		flow_look(&f, due, "the terminal is not taken again");
		assert_int_equal(tcgetattr(one->fd, &mode), 0);
	}
	leave(one);
}

static void what_is_typed_survives_an_answer_that_grows(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, NULL);
	ask(one, "count to 8");
	terminal_await(one, "1, 2", 1);
	terminal_type(one, "what is 6*");
	terminal_await(one, "> what is 6*", 1);
	terminal_await(one, "7, 8.", 1);
	terminal_await(one, "> what is 6*", 1);
	assert_int_equal(terminal_count(one, "> what is 6*"), 1);
	terminal_type(one, "7\r");
	terminal_await(one, "6 * 7 = 42", 1);
	assert_int_equal(terminal_count(one, "> what is 6*7"), 1);
	leave(one);
}

static void a_long_answer_keeps_its_words(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, NULL);
	ask(one, "tell me a long story");
	for (int part = 2; part < 20; part++) {
		char *title = xasprintf("\nPart %d. ", part);
		terminal_await(one, title, 1);
		assert_int_equal(terminal_count(one, title), 1);
		free(title);
	}
	await_count("turns_open", 0);
	leave(one);
}

static void ctrl_c_stops_the_agent_and_twice_leaves(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	struct weather *weather = weather_new(&f);
	weather_enter(&f);
	terminal_open(one, &f, NULL, NULL);
	weather_leave();
	ask(one, "count to 900");
	terminal_await(one, "1, 2", 1);
	terminal_type(one, "\003");
	terminal_await(one, "(stopped)", 1);
	terminal_await(one, "Stopped.", 1);
	await_count("turns_open", 0);
	ask(one, "what is 2*21");
	/* Complete: while it still grows, Ctrl-C stops it. */
	terminal_await(one, "2 * 21 = 42\n\n>", 1);
	/* With nothing to stop it empties the line. */
	terminal_type(one, "half a word");
	terminal_await(one, "> half a word", 1);
	weather->mono_ms += 2100; /* later than a second Ctrl-C that leaves */
	terminal_type(one, "\003");
	for (uint64_t due = flow_deadline(); terminal_count(one, "half a word") > 0;
	     assert_true(flow_now_ms() < due))
		assert_true(terminal_look(one));
	terminal_type(one, "\003");
	size_t late = 0;
	for (uint64_t due = flow_deadline(); terminal_look(one); assert_true(flow_now_ms() < due)) {
		/* On a machine that is busy it may come too late, and be the first of two itself. */
		if (terminal_count(one, "(Ctrl-C again") > late) {
			late++;
			terminal_type(one, "\003");
		}
	}
	assert_int_equal(terminal_end(one), 0);
	weather_free(weather);
}

static void what_is_typed_after_ctrl_c_is_dropped_by_the_next_one(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, NULL);
	ask(one, "count to 900");
	terminal_await(one, "1, 2", 1);
	terminal_type(one, "\003half a word");
	terminal_await(one, "> half a word", 1);
	terminal_type(one, "\003");
	for (uint64_t due = flow_deadline(); terminal_count(one, "half a word") > 0;
	     assert_true(flow_now_ms() < due))
		assert_true(terminal_look(one));
	terminal_await(one, "(stopped)", 1);
	ask(one, "what is 2*21");
	terminal_await(one, "2 * 21 = 42", 1);
	leave(one);
}

static void stop_can_be_typed(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, NULL);
	ask(one, "count to 900");
	terminal_await(one, "1, 2", 1);
	ask(one, "/stop");
	terminal_await(one, "(stopped)", 1);
	leave(one);
}

static void what_was_typed_comes_back_with_the_arrow(void **state)
{
	char *path = xasprintf("%s/home/myna/chat_history", f.dir);
	struct stat st;

	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, NULL);
	ask(one, "what is 3*5");
	terminal_await(one, "3 * 5 = 15", 1);
	leave(one);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	terminal_open(two, &f, NULL, NULL);
	terminal_await(two, PROMPT, 1);
	terminal_type(two, "\033[A");
	terminal_await(two, "> what is 3*5", 1);
	terminal_type(two, "0\r");
	terminal_await(two, "3 * 50 = 150", 1);
	leave(two);
	free(path);
}

static void lines_that_belong_together_are_one_message(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, NULL);
	ask(one, "alpha \\");
	terminal_await(one, "\n|", 1);
	terminal_type(one, "beta\r");
	terminal_await(one, "You said: alpha\nbeta\n", 1);
	terminal_type(one, "\033[200~gamma\rdelta\r\033[201~");
	terminal_await(one, "> gamma\ndelta", 1);
	terminal_type(one, "\r");
	terminal_await(one, "You said: gamma\ndelta\n", 1);
	terminal_type(one, "eta\033\rtheta\r");
	terminal_await(one, "You said: eta\ntheta\n", 1);
	leave(one);
}

static void without_a_daemon_it_works_inside_itself(void **state)
{
	struct json_object *status;

	(void)state;
	terminal_open(one, &f, NULL, NULL);
	terminal_await(one, "No gateway runs", 1);
	ask(one, "what is 6*7");
	terminal_await(one, "6 * 7 = 42", 1);
	/* Another terminal joins; Telegram is left alone. */
	terminal_open(two, &f, NULL, NULL);
	ask(two, "what is 5*5");
	terminal_await(two, "5 * 5 = 25", 1);
	terminal_await(one, "5 * 5 = 25", 1);
	assert_int_equal(terminal_count(two, "No gateway"), 0);
	status = flow_status(&f);
	struct json_object *telegram = json_object_array_get_idx(json_get_array(status, "channels"), 0);
	assert_string_equal(json_get_str(telegram, "status"), "starting");
	json_object_put(status);
	leave(two);
	leave(one);
	/* The state is free again. */
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, NULL);
	ask(one, "what is 7*7");
	terminal_await(one, "7 * 7 = 49", 1);
	assert_int_equal(terminal_count(one, "5 * 5 = 25"), 0);
	leave(one);
}

static void work_of_other_channels_waits_for_the_daemon(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "count to 20", "private");
	await_count("turns_open", 1);
	flow_gateway_end(&f, SIGKILL);
	terminal_open(one, &f, NULL, NULL);
	ask(one, "what is 6*7");
	terminal_await(one, "6 * 7 = 42", 1);
	assert_int_equal(queue_count("turns_open"), 1);
	leave(one);
	size_t before = flow_bot_messages(&f, "77");
	flow_gateway(&f, true);
	for (size_t i = before ? before - 1 : 0;;) {
		flow_await(&f, "77", i + 1);
		char *text = flow_bot_text(&f, "77", i);
		bool whole = strstr(text, "19, 20.");
		free(text);
		if (whole)
			break;
		usleep(20000);
	}
}

static void an_answer_that_nobody_saw_is_shown_next_time(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, NULL);
	ask(one, "count to 4");
	terminal_await(one, "1, 2", 1);
	terminal_type(one, "\004");
	terminal_await(one, "the answer comes with the next", 1);
	assert_int_equal(terminal_end(one), 0);
	await_count("outbox_queued", 1);
	terminal_open(two, &f, NULL, NULL);
	terminal_await(two, "1, 2, 3, 4.", 1);
	await_count("outbox_queued", 0);
	leave(two);
	terminal_open(one, &f, NULL, NULL);
	ask(one, "/whoami");
	terminal_await(one, "an admin here", 1);
	assert_int_equal(terminal_count(one, "1, 2, 3, 4."), 0);
	leave(one);
}

static void terminals_share_a_conversation(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, "--session", "team", NULL);
	terminal_open(two, &f, NULL, "--session", "team", NULL);
	ask(one, "/whoami");
	terminal_await(one, "console:team", 1);
	ask(two, "my name is Ann");
	terminal_await(one, "my name is Ann", 1);
	terminal_await(one, "Nice to meet you, Ann", 1);
	terminal_await(two, "Nice to meet you, Ann", 1);
	ask(one, "what is my name");
	terminal_await(one, "Your name is Ann", 1);
	terminal_await(two, "Your name is Ann", 1);
	assert_int_equal(terminal_count(two, "Your name is Ann"), 1);
	assert_int_equal(terminal_count(one, "Nice to meet you, Ann"), 1);
	assert_int_equal(terminal_count(one, "may be a repeat"), 0);
	leave(one);
	leave(two);
}

static void a_killed_daemon_loses_nothing_and_doubles_nothing(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, NULL);
	ask(one, "count to 15");
	/* More than is written again at first after the start. */
	terminal_await(one, "4, 5", 1);
	flow_gateway_end(&f, SIGKILL);
	terminal_await(one, "the gateway has gone", 1);
	ask(one, "what is 6*7");
	flow_gateway(&f, true);
	terminal_await(one, "(connected again)", 1);
	terminal_await(one, "6 * 7 = 42", 1);
	await_count("outbox_queued", 0);
	await_count("inbox_pending", 0);
	assert_int_equal(terminal_count(one, "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15."), 1);
	assert_int_equal(terminal_count(one, "1, 2"), 1);
	assert_int_equal(terminal_count(one, "6 * 7 = 42"), 1);
	assert_int_equal(terminal_count(one, "may be a repeat"), 0);
	leave(one);
}

static void the_terminal_is_left_as_it_was_found(void **state)
{
	struct termios before, while_open, after;

	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, NULL);
	/* Before the program has begun to change it: the pty's own. */
	assert_int_equal(tcgetattr(one->fd, &before), 0);
	before.c_lflag |= ICANON | ECHO;
	terminal_await(one, PROMPT, 1);
	for (uint64_t until = flow_deadline();;) {
		assert_int_equal(tcgetattr(one->fd, &while_open), 0);
		if (!(while_open.c_lflag & (ICANON | ECHO)))
			break;
		assert_true(flow_now_ms() < until);
		terminal_look(one);
	}
	assert_true(while_open.c_lflag & ISIG);
	int fd = dup(one->fd);
	kill(one->pid, SIGTERM);
	assert_int_equal(terminal_end(one), 0);
	assert_int_equal(tcgetattr(fd, &after), 0);
	assert_int_equal(after.c_lflag & (ICANON | ECHO), before.c_lflag & (ICANON | ECHO));
	close(fd);
}

static void nothing_controls_the_terminal(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, "--session", "evil", NULL);
	terminal_await(one, PROMPT, 1);
	char *out, *err;
	assert_int_equal(terminal_pipe(&f,
			     "say \033[31mred\033]0;title\007 \xc2\x9b"
			     "2J please\n",
			     &out, &err, "--session", "evil", NULL),
	    0);
	assert_non_null(strstr(out, "You said: say [31mred]0;title 2J please"));
	assert_null(strpbrk(out, "\033\007"));
	terminal_await(one, "You said: say [31mred]0;title 2J please", 1);
	assert_null(strstr(one->raw.data, "\033[31m"));
	assert_null(strstr(one->raw.data, "\033]0"));
	free(out);
	free(err);
	leave(one);
}

static void markdown_is_shown_with_colours_only(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, NULL);
	ask(one, "markdown sample");
	terminal_await(one, "Escapes: 1 < 2", 1);
	assert_int_equal(terminal_count(one, "Some bold, some italic, some struck"), 1);
	assert_non_null(strstr(one->raw.data, "\033[1mbold\033[0m"));
	/* What the terminal has not confirmed comes again in the next. */
	flow_await_log(&f, "sent row=1 ");
	leave(one);
	terminal_open(two, &f, "NO_COLOR=1", NULL);
	ask(two, "markdown sample");
	terminal_await(two, "Escapes: 1 < 2", 1);
	assert_int_equal(terminal_count(two, "Some **bold**, some *italic*"), 1);
	assert_null(strstr(two->raw.data, "\033[1m"));
	leave(two);
}

static void scripts_are_answered_line_by_line(void **state)
{
	char *out, *err;

	(void)state;
	/* Inside, then through the daemon. */
	for (int daemon = 0; daemon < 2; daemon++) {
		if (daemon)
			flow_gateway(&f, true);
		assert_int_equal(terminal_pipe(&f, "what is 6*7\n\nwhat is 5*5", &out, &err, NULL), 0);
		assert_string_equal(out, "6 * 7 = 42\n5 * 5 = 25\n");
		free(out);
		free(err);
		assert_int_equal(terminal_pipe(&f, "one\ntwo\n", &out, &err, "--one", NULL), 0);
		assert_int_equal(strncmp(out, "You said: one\ntwo\n", 18), 0);
		free(out);
		free(err);
		assert_int_equal(terminal_pipe(&f, "not read\n", &out, &err, "what is 2*2", NULL), 0);
		assert_string_equal(out, "2 * 2 = 4\n");
		free(out);
		free(err);
	}
	assert_int_equal(terminal_pipe(&f, "", &out, &err, "--wrong", NULL), 64);
	free(out);
	free(err);
}

static void expect_pipe(
    const char *input, const char *text, int status, const char *out_has, const char *err_has)
{
	char *out, *err;
	int got = terminal_pipe(&f, input, &out, &err, text, NULL);

	if (got != status || !strstr(out, out_has) || !strstr(err, err_has))
		fail_msg("%d for \"%s\" and \"%s\":\n%s\n--\n%s", got, input, text ? text : "", out, err);
	free(out);
	free(err);
}

static void a_script_never_hangs_on_a_question_and_its_status_tells(void **state)
{
	(void)state;
	flow_config(&f, "approvals: { ask = [\"write_file\"]; };", "allow = [\"77\"];");
	flow_gateway(&f, true);
	expect_pipe(
	    "", "write hello to q.txt", 2, "May I run write_file?", "the agent waits for approval (y or n)");
	expect_pipe("", "/stop", 0, "Stopped.", "");
	expect_pipe("write hello to q.txt\ny\nwhat is 6*7\n", NULL, 0, "Allowed.\n", "");
	expect_pipe("write hello to p.txt\nno\nwhat is 6*7\n", NULL, 0, "6 * 7 = 42", "");
	expect_pipe("write hello to o.txt\nwhat is 6*7\n", NULL, 2, "Answer `y` or `n`, or `/approve ",
	    "the agent waits");
	expect_pipe("", "/stop", 0, "Stopped.", "");
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"model\",\"method\":\"*\",\"kind\":\"status\",\"status\":401,\"count\":1000}"));
	char *out, *err;
	assert_int_not_equal(terminal_pipe(&f, "", &out, &err, "what is 2*2", NULL), 0);
	free(out);
	free(err);
}

static void an_approval_is_given_with_one_letter(void **state)
{
	(void)state;
	flow_config(&f, "approvals: { ask = [\"write_file\"]; };", "allow = [\"77\"];");
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, NULL);
	ask(one, "write hello to q.txt");
	terminal_await(one, "Answer y or n, or /approve", 1);
	terminal_type(one, "Y\r");
	terminal_await(one, "Allowed.", 1);
	await_count("turns_open", 0);
	/* Where nothing is open it is a message. */
	ask(one, "y");
	terminal_await(one, "You said: y", 1);
	leave(one);
}

/* The program gets SIGWINCH. */
static void resize(struct terminal *term, unsigned short columns)
{
	struct winsize size = {.ws_row = TERMINAL_ROWS, .ws_col = columns};

	assert_int_equal(ioctl(term->fd, TIOCSWINSZ, &size), 0);
}

static void answers_fit_a_terminal_that_changes_its_size(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, NULL);
	terminal_await(one, PROMPT, 1);
	terminal_type(one, "count to ");
	terminal_await(one, "> count to", 1);
	resize(one, 40);
	terminal_type(one, "15\r");
	terminal_await(one, "10, 11, 12,\n13, 14, 15.\n", 1);
	resize(one, TERMINAL_COLUMNS);
	ask(one, "count to 15");
	terminal_await(one, "10, 11, 12, 13, 14, 15.\n", 1);
	leave(one);
}

static void a_script_prints_only_what_it_asked_for(void **state)
{
	char *out, *err;

	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, "--session", "s", NULL);
	ask(one, "count to 4");
	terminal_await(one, "1, 2", 1);
	leave(one);
	await_count("outbox_queued", 1);
	assert_int_equal(terminal_pipe(&f, "", &out, &err, "--session", "s", "what is 2*2", NULL), 0);
	assert_string_equal(out, "2 * 2 = 4\n");
	assert_non_null(strstr(err, "1, 2, 3, 4."));
	free(out);
	free(err);
}

static void others_reach_the_terminal(void **state)
{
	char *out;

	(void)state;
	flow_gateway(&f, true);
	terminal_open(one, &f, NULL, "--session", "team", NULL);
	terminal_await(one, PROMPT, 1);
	ask(one, "/whoami");
	terminal_await(one, "console:team", 1);
	assert_int_equal(flow_myna(&f, &out, "send", "console:team", "the build is green", NULL), 0);
	assert_non_null(strstr(out, "console:team sent "));
	free(out);
	terminal_await(one, "the build is green", 1);
	leave(one);
}

#define CHAT(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    CHAT(an_answer_is_shown_as_it_grows),
	    CHAT(the_terminal_passes_each_key_on_between_lines),
	    CHAT(what_is_typed_survives_an_answer_that_grows),
	    CHAT(a_long_answer_keeps_its_words),
	    CHAT(ctrl_c_stops_the_agent_and_twice_leaves),
	    CHAT(what_is_typed_after_ctrl_c_is_dropped_by_the_next_one),
	    CHAT(stop_can_be_typed),
	    CHAT(what_was_typed_comes_back_with_the_arrow),
	    CHAT(lines_that_belong_together_are_one_message),
	    CHAT(without_a_daemon_it_works_inside_itself),
	    CHAT(work_of_other_channels_waits_for_the_daemon),
	    CHAT(an_answer_that_nobody_saw_is_shown_next_time),
	    CHAT(terminals_share_a_conversation),
	    CHAT(a_killed_daemon_loses_nothing_and_doubles_nothing),
	    CHAT(the_terminal_is_left_as_it_was_found),
	    CHAT(nothing_controls_the_terminal),
	    CHAT(markdown_is_shown_with_colours_only),
	    CHAT(scripts_are_answered_line_by_line),
	    CHAT(a_script_never_hangs_on_a_question_and_its_status_tells),
	    CHAT(an_approval_is_given_with_one_letter),
	    CHAT(answers_fit_a_terminal_that_changes_its_size),
	    CHAT(a_script_prints_only_what_it_asked_for),
	    CHAT(others_reach_the_terminal),
	};

	/* One alone: FLOW_ONLY=terminals_share_a_conversation */
	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
