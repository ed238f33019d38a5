/* The command line: options, usage errors, colours, progress, JSON. */
#include <fcntl.h>
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
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/cli/terminal.h"
#include "flow/flow.h"

#define USAGE      64
#define NO_GATEWAY 3

static struct flow f;

static int begin(void **state)
{
	(void)state;
	setenv("TERM", "xterm", 1);
	flow_start(&f);
	flow_config(&f, "", "allow = [\"77\"];");
	return 0;
}

static int end(void **state)
{
	(void)state;
	flow_stop(&f);
	return 0;
}

static void mistakes_are_told_with_what_was_meant(void **state)
{
	static const struct {
		const char *words[5], *answer;
	} cases[] = {
	    {{"statsu"}, "there is no command 'statsu'. Did you mean 'status'?"},
	    {{"--verison"}, "there is no command '--verison'. Did you mean '--version'?"},
	    {{"status", "--jsno"}, "status has no option '--jsno'. Did you mean '--json'?"},
	    {{"reload", "--now"}, "reload has no option '--now'\n"},
	    {{"status", "now"}, "status takes no argument 'now'"},
	    {{"compact", "now"}, "compact takes no argument 'now'"},
	    {{"check", "--json", "--json"}, "--json is given twice"},
	    {{"check", "--json=yes"}, "--json takes no value"},
	    {{"send", "telegram:77", "hello", "--key"}, "--key needs KEY after it"},
	    {{"send", "telegram:77"}, "send takes a target or address, and a text in quotes"},
	    {{"prompt"}, "usage: myna prompt [--json] CHANNEL:CHAT\n"},
	    {{"dead", "remove", "7"}, "usage: myna dead [--json] [list | retry ID | drop ID]\n"},
	    {{"dead", "retry", "all"}, "dead takes 'list', 'retry ID' or 'drop ID'"},
	    {{"workspace", "list", "--yes"}, "workspace takes 'list', 'move"},
	    {{"workspace", "move", "--to", "nowhere"}, "--to: an address is written CHANNEL:CHAT"},
	    {{"tool", "list", "--json", "--markdown"}, "tool takes 'list'"},
	    {{"init", "--telegram-tokn=7"},
		"init has no option '--telegram-tokn'. Did you mean '--telegram-token'?"},
	    {{"init", "--model"}, "--model needs ANSWER after it"},
	    {{"init", "--telegram-allow=Ann"}, "--telegram-allow: an id, not a name"},
	    {{"init", "telegram"}, "init takes no argument 'telegram'"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *const *w = cases[i].words;
		char *out;
		int status = flow_myna(&f, &out, w[0], w[1], w[2], w[3], w[4], NULL);

		if (status != USAGE || !strstr(out, cases[i].answer))
			fail_msg("myna %s %s: %d, %s", w[0], w[1] ? w[1] : "", status, out);
		free(out);
	}
}

static void options_stand_where_people_put_them(void **state)
{
	char *first, *last, *out;

	(void)state;
	assert_int_equal(flow_myna(&f, &first, "tool", "list", "--json", NULL), 0);
	assert_int_equal(flow_myna(&f, &last, "tool", "--json", "list", NULL), 0);
	assert_string_equal(first, last);
	free(first);
	free(last);
	/* Both get as far as to ask the gateway. */
	assert_int_equal(
	    flow_myna(&f, NULL, "send", "telegram:77", "--key=a", "hello", "--json", NULL), NO_GATEWAY);
	assert_int_equal(
	    flow_myna(&f, NULL, "send", "--key", "a", "telegram:77", "--", "--hello", NULL), NO_GATEWAY);
	assert_int_equal(flow_myna(&f, NULL, "send", "telegram:77", "--hello", NULL), USAGE);
	assert_int_equal(flow_myna(&f, &out, "send", "telegram:77", "--help", NULL), 0);
	assert_non_null(strstr(out, "usage: myna send "));
	free(out);
}

/* The bytes that doctor writes to a terminal, and what is seen of them. */
static char *diagnose(const char *env)
{
	static struct terminal term;

	terminal_run(&term, &f, env, "doctor", NULL);
	while (terminal_look(&term))
		;
	char *bytes = xstrdup(term.raw.data);
	assert_true(strstr(terminal_text(&term), "warning  gateway: It does not run"));
	terminal_end(&term);
	return bytes;
}

static void a_terminal_has_colours_unless_they_are_unwanted(void **state)
{
	char *with = diagnose(NULL), *without = diagnose("NO_COLOR=1"), *dumb = diagnose("TERM=dumb"), *piped;

	(void)state;
	assert_non_null(strstr(with, "\033[33mwarning\033[0m  gateway: It does not run"));
	assert_non_null(strstr(with, "\033[32mok\033[0m       configuration: no mistakes"));
	assert_null(strstr(without, "\033["));
	assert_null(strstr(dumb, "\033["));
	flow_myna(&f, &piped, "doctor", NULL);
	assert_non_null(strstr(piped, "warning  gateway: It does not run"));
	assert_null(strstr(piped, "\033["));
	free(with);
	free(without);
	free(dumb);
	free(piped);
}

/* A gateway that accepts requests when it is told to. */
static int slow_gateway(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char *folder = xasprintf("%s/state", f.dir);

	mkdir(folder, 0700);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/control.sock", folder);
	assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(fd, 8), 0);
	free(folder);
	return fd;
}

static void answer_request(int gateway)
{
	static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
	char request[4096];
	int peer = accept(gateway, NULL, NULL);

	if (read(peer, request, sizeof(request)) > 0)
		(void)!write(peer, answer, sizeof(answer) - 1);
	close(peer);
}

static void make_file(const char *name, off_t size)
{
	char *path = xasprintf("%s/%s", f.dir, name);
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	assert_int_equal(ftruncate(fd, size), 0);
	close(fd);
	free(path);
}

static void what_takes_long_is_shown_on_a_terminal(void **state)
{
	static struct terminal term;
	int gateway = slow_gateway();
	char *copy = xasprintf("%s/copy", f.dir);

	(void)state;
	make_file("state/myna.db", 5 << 20);
	make_file("copy.part-7", 3 << 20);
	terminal_run(&term, &f, NULL, "backup", copy, NULL);
	terminal_await(&term, "copying and checking the database: 3 of 5 MiB, 1 s", 1);
	answer_request(gateway);
	terminal_await(&term, "copy: complete, and checked", 1);
	assert_int_equal(terminal_end(&term), 0);
	assert_int_equal(terminal_count(&term, "copying"), 0);
	close(gateway);
	free(copy);
}

static void what_takes_long_is_not_shown_elsewhere(void **state)
{
	int gateway = slow_gateway(), status;
	char *copy = xasprintf("%s/copy", f.dir), *whole = xasprintf("%s: complete, and checked\n", copy),
	     *out;
	pid_t child = fork();

	(void)state;
	if (child == 0) {
		usleep(1500000); /* longer than until a terminal would show it */
		answer_request(gateway);
		_exit(0);
	}
	assert_int_equal(flow_myna(&f, &out, "backup", copy, NULL), 0);
	assert_string_equal(out, whole);
	assert_int_equal(waitpid(child, &status, 0), child);
	close(gateway);
	free(out);
	free(copy);
	free(whole);
}

static void expect_json(const char *const *w)
{
	char *out;
	int status = flow_myna(&f, &out, w[0], w[1], w[2], w[3], w[4], NULL);
	struct json_object *o = json_parse(out, strlen(out), NULL);

	if (status != 0 || !o)
		fail_msg("myna %s %s: %d, %s", w[0], w[1], status, out);
	json_object_put(o);
	free(out);
}

static void every_answer_can_be_json(void **state)
{
	char *copy = xasprintf("%s/copy", f.dir);
	const char *const cases[][5] = {
	    {"backup", "--json", copy},
	    {"check", "--json"},
	    {"check", "--json", "--probe"},
	    {"dead", "--json"},
	    {"doctor", "--json"},
	    {"prompt", "--json", "telegram:77"},
	    {"reload", "--json"},
	    {"send", "--json", "--dry-run", "telegram:77", "hello"},
	    {"status", "--json"},
	    {"tool", "--json", "list"},
	    {"tool", "--json", "run", "list_directory", "{\"path\":\".\"}"},
	    {"trace", "--json", "1"},
	    {"workspace", "--json"},
	    {"workspace", "--json", "move"},
	};

	(void)state;
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_await(&f, "77", 1);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		expect_json(cases[i]);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	expect_json((const char *const[5]){"compact", "--json"});
	free(copy);
}

/* What root writes in a state folder of another user would be closed to that user, such as the service's. */
static void root_leaves_nothing_in_the_state_of_another(void **state)
{
	char *path = xasprintf("%s/state", f.dir), *workspace = xasprintf("%s/workspace", path), *out;
	struct stat st;

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(f.dir, 0755), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(chown(path, 65534, 65534), 0);
	flow_myna(&f, &out, "workspace", "list", NULL);
	assert_non_null(strstr(out, "This runs as the user nobody, to whom"));
	free(out);
	assert_int_equal(stat(workspace, &st), 0);
	assert_int_equal(st.st_uid, 65534);
	flow_myna(&f, &out, "check", "--sandbox", NULL);
	assert_non_null(strstr(out, "This runs as the user nobody, to whom"));
	free(out);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(flow_myna(&f, &out, "run", NULL), 1);
	assert_non_null(strstr(out, "run this as nobody (sudo -u nobody ...)"));
	free(out);
	free(path);
	free(workspace);
}

#define LINE_TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    LINE_TEST(mistakes_are_told_with_what_was_meant),
	    LINE_TEST(options_stand_where_people_put_them),
	    LINE_TEST(a_terminal_has_colours_unless_they_are_unwanted),
	    LINE_TEST(what_takes_long_is_shown_on_a_terminal),
	    LINE_TEST(what_takes_long_is_not_shown_elsewhere),
	    LINE_TEST(every_answer_can_be_json),
	    LINE_TEST(root_leaves_nothing_in_the_state_of_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
