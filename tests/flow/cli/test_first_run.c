/* From nothing to the first answer: myna init in a terminal, against the playground's platforms. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/cli/terminal.h"
#include "flow/flow.h"

#define TELEGRAM "4242424242:AAEflowTestTokenOfTheFlowTests0123456"
#define REVOKED  "4242424242:revokedTestTokenOfTheFlowTests0123456"
#define KEY      "a-key-for-tests"
/* What the documents promise. */
#define FIRST_ANSWER_MS (5 * 60 * 1000)

static struct flow f;
static struct terminal term;
static char *telegram, *slack, *model, *state_folder;

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	telegram = xasprintf("%s/telegram", f.url);
	slack = xasprintf("%s/slack/api", f.url);
	model = xasprintf("%s/v1", f.url);
	state_folder = xasprintf("%s/state", f.dir);
	return 0;
}

static int end(void **state)
{
	(void)state;
	flow_stop(&f);
	free(telegram);
	free(slack);
	free(model);
	free(state_folder);
	return 0;
}

/* Waits for the question the n-th time it is asked. */
static void answer(const char *question, size_t times, const char *text)
{
	terminal_await(&term, question, times);
	terminal_type(&term, text);
	terminal_type(&term, "\n");
}

static void answer_model(void)
{
	answer("base URL", 1, model);
	answer("its name", 1, "scripted");
	answer("API key", 1, KEY);
	terminal_await(&term, "model main (scripted): ok", 1);
}

static void say(const char *platform, const char *user, const char *text)
{
	flow_say_on(&f, platform, user, user, text, "private");
}

static bool bot_said(const char *platform, const char *chat, const char *text)
{
	return flow_count_said_on(&f, platform, chat, text) > 0;
}

static void expect_answer(const char *platform, const char *person)
{
	say(platform, person, "what is 2*21");
	flow_until(&f, bot_said(platform, person, "42"));
}

/* The number after a text that the screen shows. */
static pid_t shown_process(void)
{
	const char *at = strstr(terminal_text(&term), "as process ");

	assert_non_null(at);
	return (pid_t)strtol(at + strlen("as process "), NULL, 10);
}

static void a_token_and_five_minutes_are_enough_for_the_first_answer(void **state)
{
	uint64_t began = flow_now_ms();

	(void)state;
	terminal_run(&term, &f, NULL, "init", "--telegram-api-base", telegram, "--state", state_folder, NULL);
	answer("Platforms", 1, "");
	answer("Telegram: token", 1, REVOKED);
	terminal_await(&term, "FAILED, Telegram refuses the token", 1);
	answer("Telegram: token", 2, TELEGRAM);
	terminal_await(&term, "@myna_bot: ok", 1);
	answer("Telegram: your user id", 1, "");
	answer_model();
	terminal_await(&term, "Write anything to @myna_bot in Telegram", 1);
	say("telegram", "77", "hello");
	terminal_await(&term, "(id 77) wrote to @myna_bot, and got the code", 1);
	flow_until(&f, bot_said("telegram", "77", "tell them this code"));
	answer("Is that you? [Y/n]", 1, "Y");
	terminal_await(&term, "(id 77) is an admin now.", 1);
	flow_until(&f, bot_said("telegram", "77", "You may talk to me now."));
	expect_answer("telegram", "77");
	uint64_t took = flow_now_ms() - began;
	print_message("from nothing to the first answer: %llu ms\n", (unsigned long long)took);
	assert_true(took < FIRST_ANSWER_MS);
	terminal_await(&term, "Myna runs now", 1);
	terminal_type(&term, "\003");
	terminal_await(&term, "The gateway has stopped.", 1);
	assert_int_equal(terminal_end(&term), 0);
	/* They stay an admin, without any id in the configuration. */
	flow_gateway(&f, true);
	say("telegram", "77", "/whoami");
	flow_until(&f, bot_said("telegram", "77", "admin"));
}

static void expect_refusal(const char *body, const char *why)
{
	struct json_object *o = flow_daemon(&f, "/v1/pairings", body);

	if (!o || !json_get_str(o, "error") || !strstr(json_get_str(o, "error"), why))
		fail_msg("%s gave %s", body, o ? json_object_to_json_string(o) : "nothing");
	json_object_put(o);
}

static void strangers_are_refused_and_each_platform_has_its_first_person(void **state)
{
	(void)state;
	terminal_run(&term, &f, NULL, "init", "--telegram-api-base", telegram, "--slack-api-base", slack,
	    "--state", state_folder, NULL);
	answer("Platforms", 1, "telegram, slack");
	answer("Telegram: token", 1, TELEGRAM);
	answer("Telegram: your user id", 1, "");
	answer("Slack: bot token", 1, "xoxb-1-2-first");
	answer("Slack: app-level token", 1, "xapp-1-A1-2-first");
	answer("Slack: your member id", 1, "");
	answer_model();
	terminal_await(&term, "Write anything to @myna_bot in Telegram", 1);
	terminal_await(&term, "Write anything to @myna in Slack", 1);
	expect_refusal("{\"code\":\"AAAAAAAA\",\"role\":\"admin\"}", "There is no such code");
	expect_refusal("{\"code\":\"AAAAAAAA\",\"role\":\"owner\"}", "'role' is");
	/* Names are the strangers' choice. */
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"telegram\",\"chat\":\"E\\u009b2Jv\\u202ee\",\"user\":\"E\\u009b2Jv\\u202ee\","
	    "\"text\":\"hello\",\"kind\":\"private\"}"));
	terminal_await(&term, "\nE2Jve (id ", 1);
	answer("Is that you? [Y/n]", 1, "n");
	terminal_await(&term, "was refused.", 1);
	say("telegram", "77", "hello");
	terminal_await(&term, "(id 77) wrote to @myna_bot", 1);
	answer("Is that you? [Y/n]", 2, "y");
	terminal_await(&term, "Write anything to @myna in Slack", 2);
	expect_answer("telegram", "77");
	say("slack", "U0ANN", "hello");
	terminal_await(&term, "(id U0ANN) wrote to @myna", 1);
	answer("Is that you? [Y/n]", 3, "");
	terminal_await(&term, "Myna runs now", 1);
	expect_answer("slack", "U0ANN");
	pid_t gateway = shown_process();
	assert_int_equal(kill(gateway, SIGKILL), 0);
	terminal_await(&term, "the gateway has ended. The end of its log", 1);
	assert_int_equal(terminal_end(&term), 1);
}

/* Sends a decision to the control socket: returns the connection. */
static int decide(const char *code, const char *role)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char *body = xasprintf("{\"code\":\"%s\",\"role\":\"%s\"}", code, role);
	char *text = xasprintf("POST /v1/pairings HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
			       "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
	    strlen(body), body);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/control.sock", state_folder);
	assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	free(text);
	free(body);
	return fd;
}

/* The status of the answer; ends the connection. */
static int decided(int fd)
{
	char head[64] = "";
	int status = 0;

	assert_true(read(fd, head, sizeof(head) - 1) > 0);
	close(fd);
	assert_int_equal(sscanf(head, "HTTP/1.1 %d", &status), 1);
	return status;
}

static void of_two_who_decide_at_once_one_is_told_of_the_other(void **state)
{
	struct json_object *o;
	const char *code;

	(void)state;
	flow_config(&f, "", "admins = [\"77\"]; pairing = true;");
	flow_gateway(&f, true);
	say("telegram", "99", "hello");
	flow_until(&f, bot_said("telegram", "99", "tell them this code"));
	o = flow_daemon(&f, "/v1/pairings", NULL);
	code = json_get_str(json_object_array_get_idx(json_get_array(o, "pairings"), 0), "code");
	assert_non_null(code);
	/* It finds both when it goes on, and begins with the second before the first has ended. */
	assert_int_equal(kill(f.gateway, SIGSTOP), 0);
	int first = decide(code, "user"), second = decide(code, "none");
	assert_int_equal(kill(f.gateway, SIGCONT), 0);
	int one = decided(first), other = decided(second);
	if (one + other != 200 + 409)
		fail_msg("%d and %d", one, other);
	json_object_put(o);
}

static void who_stops_to_wait_is_told_how_to_go_on(void **state)
{
	(void)state;
	terminal_run(&term, &f, NULL, "init", "--telegram-api-base", telegram, "--telegram-token", TELEGRAM,
	    "--state", state_folder, NULL);
	answer("Platforms", 1, "telegram");
	answer("Telegram: your user id", 1, "");
	answer_model();
	terminal_await(&term, "Write anything to @myna_bot", 1);
	terminal_type(&term, "\003");
	terminal_await(&term, "The gateway has stopped.", 1);
	terminal_await(&term, "Nobody may talk to it yet", 1);
	assert_int_equal(terminal_end(&term), 1);
	char *out;
	assert_int_equal(flow_myna(&f, &out, "check", NULL), 0);
	assert_non_null(strstr(out, "only people who were let in by a command get answers"));
	free(out);
	/* Nobody watches any more. */
	flow_gateway(&f, true);
	say("telegram", "77", "hello");
	flow_await_log(&f, "id=\"77\"");
	terminal_run(&term, &f, NULL, "init", "--force", "--telegram-api-base", telegram, "--telegram-token",
	    TELEGRAM, "--state", state_folder, NULL);
	answer("Platforms", 1, "telegram");
	answer("Telegram: your user id", 1, ",");
	answer_model();
	terminal_await(&term, "a gateway runs with this state already.", 1);
	assert_int_equal(terminal_end(&term), 1);
	flow_gateway_end(&f, SIGTERM);
	assert_int_equal(flow_bot_messages(&f, "77"), 0);
}

static void who_gave_an_id_is_asked_whether_to_start(void **state)
{
	(void)state;
	terminal_run(&term, &f, NULL, "init", "--telegram-api-base", telegram, "--telegram-token", TELEGRAM,
	    "--telegram-allow", "77", "--state", state_folder, NULL);
	answer("Platforms", 1, "telegram");
	answer_model();
	answer("Start it now? [Y/n]", 1, "");
	terminal_await(&term, "Myna runs now", 1);
	expect_answer("telegram", "77");
	/* The end of the terminal is the end of the gateway. */
	pid_t gateway = shown_process();
	assert_int_equal(kill(term.pid, SIGHUP), 0);
	assert_int_equal(terminal_end(&term), 0);
	assert_int_equal(kill(gateway, 0), -1);
}

/* Who reaps it, and when, is the system's affair. */
static bool has_ended(pid_t pid)
{
	char *path = xasprintf("/proc/%d/stat", (int)pid), state = 'Z';
	FILE *stat = fopen(path, "r");

	if (stat && fscanf(stat, "%*d %*s %c", &state) != 1)
		state = 'Z';
	if (stat)
		fclose(stat);
	free(path);
	return state == 'Z' || state == 'X';
}

static void the_gateway_does_not_outlive_a_killed_init(void **state)
{
	(void)state;
	terminal_run(&term, &f, NULL, "init", "--telegram-api-base", telegram, "--telegram-token", TELEGRAM,
	    "--telegram-allow", "77", "--state", state_folder, NULL);
	answer("Platforms", 1, "telegram");
	answer_model();
	answer("Start it now? [Y/n]", 1, "maybe");
	answer("Start it now? [Y/n]", 2, "yes");
	terminal_await(&term, "Myna runs now", 1);
	pid_t gateway = shown_process();
	assert_false(has_ended(gateway));
	assert_int_equal(kill(term.pid, SIGKILL), 0);
	flow_until(&f, has_ended(gateway));
	assert_int_equal(terminal_end(&term), -SIGKILL);
}

static void root_starts_nothing_that_belongs_to_another_user(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(mkdir(state_folder, 0700), 0);
	assert_int_equal(chown(state_folder, 12345, 12345), 0);
	terminal_run(&term, &f, NULL, "init", "--telegram-api-base", telegram, "--telegram-token", TELEGRAM,
	    "--state", state_folder, NULL);
	answer("Platforms", 1, "telegram");
	answer("Telegram: your user id", 1, "");
	answer_model();
	terminal_await(&term, "belongs to the user 12345.", 1);
	assert_int_equal(terminal_end(&term), 0);
	struct json_object *none = flow_daemon(&f, "/v1/pairings", "{}");
	assert_null(none);
}

#define FIRST_TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FIRST_TEST(a_token_and_five_minutes_are_enough_for_the_first_answer),
	    FIRST_TEST(strangers_are_refused_and_each_platform_has_its_first_person),
	    FIRST_TEST(of_two_who_decide_at_once_one_is_told_of_the_other),
	    FIRST_TEST(who_stops_to_wait_is_told_how_to_go_on),
	    FIRST_TEST(who_gave_an_id_is_asked_whether_to_start),
	    FIRST_TEST(the_gateway_does_not_outlive_a_killed_init),
	    FIRST_TEST(root_starts_nothing_that_belongs_to_another_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
