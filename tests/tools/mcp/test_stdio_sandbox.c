/* MCP servers that we start, in the sandbox: what they can reach at each level, and what they say when it is
 * not there. */
#include "tools/mcp/mcp_fixture.h"

#include <arpa/inet.h>
#include <grp.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/task.h"
#include "config.h"
#include "net/loop.h"
#include "tools/sandbox/sandbox_fixture.h"

static struct sandbox_fixture *place;
static enum sandbox_level level; /* of the machine that the test pretends to run on */
static int listener;

/* A file that everybody may read and write, in a folder where they may do the same. */
static void put_open(const char *path)
{
	char *file = tools_fixture_path(&w, path), *folder = xstrdup(file);

	tools_fixture_put_text(&w, path, "canary");
	*strrchr(folder, '/') = '\0';
	assert_int_equal(chmod(file, 0666), 0);
	assert_int_equal(chmod(folder, 0777), 0);
	free(folder);
	free(file);
}

static int begin(void **state)
{
	mcp_fixture_begin(state);
	helper_set_folder(place->helpers);
	put_open("ws/file");
	put_open("ws/chat/telegram%3A2/secret");
	put_open("outside/secret");
	put_open("state/private/secret");
	put_open("root/file");
	return 0;
}

static int make(void **state)
{
	(void)state;
	place = sandbox_fixture_new();
	loop_init();
	return 0;
}

static int clear(void **state)
{
	(void)state;
	sandbox_fixture_free(place);
	return 0;
}

/* Pretends that the machine can do no more than this level. */
static bool pretend(enum sandbox_level most)
{
	level = most;
	if (level == SANDBOX_S3)
		sandbox_fixture_restore(place);
	else if (level == SANDBOX_S2)
		sandbox_fixture_refuse(place, sandbox_fixture_real, "namespaces");
	else if (level == SANDBOX_S1)
		sandbox_fixture_use(place, "without_seccomp");
	else
		sandbox_fixture_refuse(place, sandbox_fixture_real, "namespaces landlock");
	return level == SANDBOX_S3 ? machine_has_namespaces() :
	    level >= SANDBOX_S1    ? machine_has_landlock() :
				     true;
}

static void at_each_level(const char *list, const char *more, body_fn *body)
{
	for (int next = SANDBOX_S1; next <= SANDBOX_S3; next++) {
		if (!pretend((enum sandbox_level)next))
			continue;
		char *all = xasprintf("sandbox = \"S%d\"; roots = [\"%s/root\"]; %s", next, w.dir, more);
		with_servers_and(list, all, body);
		free(all);
		mcp_fixture_end(NULL);
		begin(NULL);
	}
	pretend(SANDBOX_S3);
}

/* Lets the server try an act on a path below our folder, or on a number. */
static char *try(struct task *t, const char *act, const char *arg)
{
	char *path = *arg >= '0' && *arg <= '9' ? xstrdup(arg) : tools_fixture_path(&w, arg),
	     *message = xasprintf("%s %s", act, path);
	struct json_object *o = call_tool(t, "s__try", message);
	const char *content = json_get_str(o, "content");
	char *said = xstrdup(content ? content : json_object_to_json_string(o));

	json_object_put(o);
	free(message);
	free(path);
	return said;
}

static void assert_tried(struct task *t, const char *act, const char *arg, bool works)
{
	char *said = try(t, act, arg);

	if (strncmp(said, works ? "done" : "refused: ", works ? 4 : 9) != 0)
		fail_msg("S%d: %s %s: %s", (int)level, act, arg, said);
	free(said);
}

static void assert_out_of_reach(struct task *t, const char *file)
{
	static const char *const acts[] = {"read", "write", "link", "hard-link", "take"};
	char *folder = xasprintf("%.*s", (int)(strrchr(file, '/') - file), file);

	for (size_t i = 0; i < ARRAY_LEN(acts); i++)
		assert_tried(t, acts[i], file, false);
	assert_tried(t, "list", folder, false);
	assert_file(&w, file, "canary");
	free(folder);
}

/* Also by way of the processes outside. */
static void assert_no_way_by(struct task *t, pid_t pid)
{
	static const char *const ways[] = {"root", "cwd/../../../../../../../.."};
	char *number = xasprintf("%d", (int)pid);

	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		char *message = xasprintf(
			 "read /proc/%d/%s%s/ws/chat/telegram%%3A2/secret", (int)pid, ways[i], w.dir),
		     *memory = xasprintf("read /proc/%d/mem", (int)pid);
		struct json_object *o = call_tool(t, "s__try", message), *p = call_tool(t, "s__try", memory);
		assert_holds(json_get_str(o, "content"), "refused");
		assert_holds(json_get_str(p, "content"), "refused");
		json_object_put(o);
		json_object_put(p);
		free(message);
		free(memory);
	}
	for (size_t i = 0; i < 3 && level >= SANDBOX_S2; i++)
		assert_tried(t, ((const char *const[]){"trace", "memory", "signal"})[i], number, false);
	free(number);
}

static void reaches_no_chat(struct task *t)
{
	await_state(t, "ready");
	assert_out_of_reach(t, "ws/chat/telegram%3A2/secret");
	assert_out_of_reach(t, "outside/secret");
	assert_out_of_reach(t, "state/private/secret");
	assert_no_way_by(t, getpid());
	/* What it has. */
	assert_tried(t, "read", "root/file", true);
	assert_tried(t, "write", "root/new", true);
	assert_tried(t, "write", "state/mcp/s/kept", true);
	assert_tried(t, "last", "0", true);
}

static void a_server_reaches_no_file_of_a_chat(void **state)
{
	(void)state;
	at_each_level("s: { command = [\"%s\"]; };", "", reaches_no_chat);
}

static void finds_its_home_again(struct task *t)
{
	struct json_object *o;

	await_state(t, "ready");
	assert_tried(t, "write", "state/mcp/s/cache", true);
	o = call_tool(t, "s__env", "");
	assert_holds(json_get_str(o, "content"), "/state/mcp/s\nSHELL=");
	assert_holds(strstr(json_get_str(o, "content"), "cwd="), "/state/mcp/s\n");
	json_object_put(o);
	o = call_tool(t, "s__crash", "");
	json_object_put(o);
	await_state(t, "down");
	await_state(t, "ready");
	assert_tried(t, "read", "state/mcp/s/cache", true);
}

static void its_home_lasts(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; };", finds_its_home_again);
}

static void reaches_more(struct task *t)
{
	await_state(t, "ready");
	assert_tried(t, "read", "outside/secret", true);
	assert_tried(t, "write", "outside/secret", false);
	assert_tried(t, "read", "more/file", true);
	assert_tried(t, "write", "more/file", true);
	assert_tried(t, "read", "named/file", true);
	assert_tried(t, "write", "named/file", false);
	assert_tried(t, "read", "ws/chat/telegram%3A2/secret", false);
}

static void its_settings_give_it_folders(void **state)
{
	char *list;

	(void)state;
	for (int next = SANDBOX_S1; next <= SANDBOX_S3; next++) {
		if (!pretend((enum sandbox_level)next))
			continue;
		put_open("more/file");
		put_open("named/file");
		list = xasprintf("s: { command = [\"%%s\", \"%s/named\"]; read = [\"%s/outside\"]; write = "
				 "[\"%s/more\"]; };",
		    w.dir, w.dir, w.dir);
		with_servers_and(list, next == SANDBOX_S1 ? "sandbox = \"S1\";" : "", reaches_more);
		free(list);
		mcp_fixture_end(NULL);
		begin(NULL);
	}
	pretend(SANDBOX_S3);
}

static void reaches_all(struct task *t)
{
	await_state(t, "ready");
	assert_tried(t, "read", "ws/chat/telegram%3A2/secret", true);
	assert_tried(t, "write", "outside/secret", true);
}

static void without_the_sandbox_it_has_our_rights(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; sandbox = false; };", reaches_all);
}

static void reaches_the_network(struct task *t)
{
	struct sockaddr_in in;
	socklen_t len = sizeof(in);
	char port[8];

	await_state(t, "ready");
	assert_int_equal(getsockname(listener, (struct sockaddr *)&in, &len), 0);
	snprintf(port, sizeof(port), "%u", ntohs(in.sin_port));
	assert_tried(t, "reach", port, settings.servers[0]->network);
}

static void the_network_can_be_taken_away(void **state)
{
	const struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	(void)state;
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(listener, (const struct sockaddr *)&in, sizeof(in)), 0);
	assert_int_equal(listen(listener, 8), 0);
	for (int next = SANDBOX_S2; next <= SANDBOX_S3; next++) {
		if (!pretend((enum sandbox_level)next))
			continue;
		with_servers("s: { command = [\"%s\"]; };", reaches_the_network);
		mcp_fixture_end(NULL);
		begin(NULL);
		with_servers("s: { command = [\"%s\"]; network = false; };", reaches_the_network);
		mcp_fixture_end(NULL);
		begin(NULL);
	}
	close(listener);
	pretend(SANDBOX_S3);
}

static void is_down_and_says_why(struct task *t)
{
	struct json_object *all;

	await_state(t, "down");
	assert_holds(json_get_str(state_of(0, &all), "reason"), "myna check --sandbox");
	assert_holds(logged.data, "tools.sandbox requires S2, and this machine proves S0");
	json_object_put(all);
}

static void without_the_required_level_nothing_is_started(void **state)
{
	(void)state;
	assert_true(pretend(SANDBOX_S0));
	with_servers("s: { command = [\"%s\"]; };", is_down_and_says_why);
	pretend(SANDBOX_S3);
}

static void is_told_of_s0(struct task *t)
{
	await_state(t, "ready");
	await_log(t, "the sandbox has level S0, so it can reach the files of all chats");
}

static void what_s0_cannot_do_is_told(void **state)
{
	(void)state;
	assert_true(pretend(SANDBOX_S0));
	with_servers_and("s: { command = [\"%s\"]; };", "sandbox = \"S0\";", is_told_of_s0);
	pretend(SANDBOX_S3);
}

static void gets_advice(struct task *t)
{
	await_state(t, "down");
	await_log(t, "ended in the sandbox before it was ready");
	await_log(t, "sandbox = false gives it the gateway's rights (docs/mcp.md)");
}

static void one_that_ends_at_once_gets_advice(void **state)
{
	(void)state;
	with_servers("s: { command = [\"sh\", \"-c\", \"cat /nowhere/server.js\"]; };", gets_advice);
	assert_holds(logged.data, "stderr: \"cat: /nowhere/server.js: No such file or directory\"");
	mcp_fixture_end(NULL);
	begin(NULL);
	with_servers("s: { command = [\"/nowhere/server\"]; };", gets_advice);
	assert_holds(logged.data, "cannot find the program");
}

static void folders_of_all_chats_are_not_given(void **state)
{
	static const struct {
		const char *list, *problem;
	} cases[] = {
	    {"s: {\ncommand = [\"x\"];\nread = [\"DIR/ws\"]; };",
		"tools.mcp_servers.s.read[0]: the server would see files of all chats in DIR/ws."},
	    {"s: {\ncommand = [\"x\"];\nwrite = [\"DIR/ws/chat\"]; };",
		"tools.mcp_servers.s.write[0]: the server would see files of all chats in"},
	    {"s: {\ncommand = [\"x\"];\nread = [\"DIR\"]; };", "the server would see files of all chats in"},
	    {"s: {\ncommand = [\"x\"];\nread = [\"DIR/state\"]; };",
		"the server would see the state (DIR/state)"},
	    {"s: {\ncommand = [\"x\"];\nread = [\"DIR/state/mcp/t\"]; };", "the server would see the state"},
	    {"s: {\ncommand = [\"x\"];\nread = [\"notes\"]; };", "must be an absolute path."},
	    {"s: { command = [\"x\",\n\"DIR/ws\"]; };", "in the sandbox it does not get that."},
	    {"s: { command = [\"x\"];\ndirectory = \"/\"; };", "in the sandbox it does not get that."},
	    {"s: {\nsandbox = false; command = [\"x\"]; };",
		"The MCP server s runs with the gateway's rights, outside of the sandbox:"},
	    {"s: {\ncommand = [\"x\", \"DIR/state/mcp/s/index.js\"]; };", NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf list = BUF_INIT, wanted = BUF_INIT, problems = BUF_INIT;
		for (int both = 0; both < 2; both++) {
			struct buf *out = both ? &wanted : &list;
			const char *at = both ? cases[i].problem : cases[i].list, *next;
			for (; at && (next = strstr(at, "DIR")); at = next + 3) {
				buf_add(out, at, (size_t)(next - at));
				buf_addstr(out, w.dir);
			}
			buf_addstr(out, at ? at : "");
		}
		read_servers(list.data, "", &problems);
		if (cases[i].problem)
			assert_holds(problems.data, wanted.data);
		else
			assert_string_equal(problems.data, "");
		if (cases[i].problem)
			assert_holds(problems.data, "test.conf:");
		buf_clear(&list);
		buf_clear(&wanted);
		buf_clear(&problems);
		mcp_fixture_end(NULL);
		begin(NULL);
	}
}

static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, mcp_fixture_end)
    TEST(a_server_reaches_no_file_of_a_chat),
    TEST(its_home_lasts),
    TEST(its_settings_give_it_folders),
    TEST(without_the_sandbox_it_has_our_rights),
    TEST(the_network_can_be_taken_away),
    TEST(without_the_required_level_nothing_is_started),
    TEST(what_s0_cannot_do_is_told),
    TEST(one_that_ends_at_once_gets_advice),
    TEST(folders_of_all_chats_are_not_given),
};

/* As an ordinary user in a process of its own, when we are root; both must hold. */
static int run_as_nobody(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (setgroups(0, NULL) < 0 || setgid(65534) < 0 || setuid(65534) < 0)
			_exit(99);
		_exit(cmocka_run_group_tests_name("MCP servers, an ordinary user", tests, make, clear));
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 1;
	return WEXITSTATUS(status);
}

int main(void)
{
	int failed = geteuid() == 0 ? run_as_nobody() : 0;

	return failed + cmocka_run_group_tests_name("MCP servers", tests, make, clear);
}
