/* The command line: options, usage errors, colours, progress, JSON. */
#include <fcntl.h>
#include <linux/capability.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
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

static void how_to_start_it_names_the_configuration(void **state)
{
	char *status = xasprintf("Start it with 'myna -c %s/myna.conf run'.\n", f.dir),
	     *doctor = xasprintf("Start it with `myna -c %s/myna.conf run`.\n", f.dir), *out;

	(void)state;
	assert_int_equal(flow_myna(&f, &out, "status", NULL), NO_GATEWAY);
	if (!strstr(out, status))
		fail_msg("%s", out);
	free(out);
	flow_myna(&f, &out, "doctor", NULL);
	if (!strstr(out, doctor))
		fail_msg("%s", out);
	free(out);
	free(status);
	free(doctor);
}

static void expect_without_gateway(const char *wanted, const char *const *w)
{
	char *out;
	int status = flow_myna(&f, &out, w[0], w[1], NULL);

	if (status != 0 || !strstr(out, wanted) || strstr(out, "no gateway answers"))
		fail_msg("myna %s: %d, %s", w[0], status, out);
	free(out);
}

static void the_socket_of_a_killed_gateway_is_no_gateway(void **state)
{
	char *copy = xasprintf("%s/copy", f.dir), *socket = xasprintf("%s/state/control.sock", f.dir);

	(void)state;
	flow_gateway(&f, true);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_await(&f, "77", 1);
	flow_gateway_kill(&f);
	assert_int_equal(access(socket, F_OK), 0);
	expect_without_gateway("complete, and checked", (const char *const[2]){"backup", copy});
	expect_without_gateway("received", (const char *const[2]){"trace", "1"});
	expect_without_gateway("gateway: It does not run", (const char *const[2]){"doctor"});
	free(copy);
	free(socket);
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
	assert_int_equal(flow_myna(&f, &out, "chat", "hello", NULL), 1);
	assert_non_null(strstr(out, "run this as nobody (sudo -u nobody ...)"));
	free(out);
	free(path);
	free(workspace);
}

struct closed_case {
	const char *words[3], *answer;
};

/* Runs them like a user who is neither root nor the owner of the files: without root's power over files. */
static void expect_closed(const struct closed_case *cases, size_t count)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		bool good = prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) == 0 &&
		    prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH, 0, 0, 0) == 0;
		for (size_t i = 0; good && i < count; i++) {
			const char *const *w = cases[i].words;
			char *out;
			int got = flow_myna(&f, &out, w[0], w[1], w[2], NULL);
			good = got == 1 && strstr(out, cases[i].answer) && !strstr(out, "does not run");
			if (!good)
				fprintf(stderr, "myna %s: %d, %s\n", w[0], got, out);
			free(out);
		}
		_exit(good ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void another_user_is_told_who_may_ask(void **state)
{
	static const char only[] =
	    "myna: only nobody may ask the gateway: run this as nobody (sudo -u nobody "
	    "myna ...)\n",
			  file[] =
			      "myna.conf:1: the configuration cannot be read: Permission denied. Let this "
			      "user read it, or run this as the gateway's user";
	char *path = xasprintf("%s/state", f.dir), *conf = xasprintf("%s/myna.conf", f.dir),
	     *copy = xasprintf("%s/copy", f.dir);
	const struct closed_case closed[] = {
	    {{"status"}, only},
	    {{"send", "telegram:77", "hello"}, only},
	    {{"reload"}, only},
	    {{"dead"}, only},
	    {{"doctor"}, only},
	    {{"trace", "1"}, only},
	    {{"backup", copy}, only},
	    {{"compact"}, "myna.db is closed to you: run this as the gateway's user"},
	};
	const struct closed_case unreadable[] = {
	    {{"status"}, file}, {{"trace", "1"}, file}, {{"doctor"}, "Whether it runs is unknown"}};

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(f.dir, 0755), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(chown(path, 65534, 65534), 0);
	expect_closed(closed, ARRAY_LEN(closed));
	assert_int_equal(chmod(conf, 0600), 0);
	assert_int_equal(chown(conf, 65534, 65534), 0);
	expect_closed(unreadable, ARRAY_LEN(unreadable));
	free(path);
	free(conf);
	free(copy);
}

static void root_reads_a_password_that_the_owner_of_the_state_cannot(void **state)
{
	char *path = xasprintf("%s/state", f.dir), *password = xasprintf("%s/password", f.dir), *out;

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(f.dir, 0755), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(chown(path, 65534, 65534), 0);
	flow_put(&f, "password", "secret\n");
	assert_int_equal(chmod(password, 0600), 0);
	flow_myna(&f, &out, "store", "copy", "--to", "postgresql://myna@127.0.0.1:1/myna", "--password-file",
	    password, NULL);
	if (strstr(out, password) || !strstr(out, "This runs as the user nobody, to whom"))
		fail_msg("%s", out);
	free(out);
	free(path);
	free(password);
}

#define LINE_TEST(test) FLOW_TEST(test, begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    LINE_TEST(mistakes_are_told_with_what_was_meant),
	    LINE_TEST(options_stand_where_people_put_them),
	    LINE_TEST(a_terminal_has_colours_unless_they_are_unwanted),
	    LINE_TEST(what_takes_long_is_shown_on_a_terminal),
	    LINE_TEST(what_takes_long_is_not_shown_elsewhere),
	    LINE_TEST(every_answer_can_be_json),
	    LINE_TEST(how_to_start_it_names_the_configuration),
	    LINE_TEST(the_socket_of_a_killed_gateway_is_no_gateway),
	    LINE_TEST(root_leaves_nothing_in_the_state_of_another),
	    LINE_TEST(another_user_is_told_who_may_ask),
	    LINE_TEST(root_reads_a_password_that_the_owner_of_the_state_cannot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
