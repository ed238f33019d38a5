/* MCP servers that we start, in the sandbox: what they can reach at each level, and what they say when it is
 * not there. */
#include "tools/mcp/mcp_fixture.h"

#include <arpa/inet.h>
#include <dirent.h>
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
#include "bus/message.h"
#include "config.h"
#include "net/loop.h"
#include "tools/sandbox/sandbox_fixture.h"
#include "tools/services.h"

/* Of another chat. */
#define SECRET "ws/chat/telegram%%3A2/secret" /* for printf */

static struct sandbox_fixture *place;
static enum sandbox_level level; /* of the machine that the test pretends to run on */
static int listener;
static struct address chat; /* whose the calls are; empty: the operator's */

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
	chat = (struct address){0};
	put_open("ws/file"); /* opens the workspace */
	put_open("ws/shared/file");
	put_open("ws/chat/telegram%3A1/own");
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

static struct json_object *call_from(
    struct task *t, const struct address *from, const char *tool, const char *message)
{
	struct tools *view = tools_pin_chat(w.tools, from, NULL, NULL);
	struct json_object *args = json_object_new_object(), *o;
	struct tool_call call = w.call;
	bool is_error;

	call.tools = view;
	call.chat = from;
	json_set_str(args, "message", message);
	char *text = tools_run(t, &call, tool, json_object_to_json_string(args), &is_error);
	o = json_parse_object(text, strlen(text), NULL);
	assert_non_null(o);
	json_object_put(args);
	tools_unpin(view);
	free(text);
	return o;
}

static struct address chat_of(const char *id)
{
	struct address a = {.channel = "telegram"};

	str_copy(a.chat, sizeof(a.chat), id);
	return a;
}

/* Lets the server try an act on a path below our folder, unless it is another one, or on a number. */
static char *try(struct task *t, const char *act, const char *arg)
{
	char *path = strchr("0123456789/.", *arg) ? xstrdup(arg) : tools_fixture_path(&w, arg),
	     *message = xasprintf("%s %s", act, path);
	struct json_object *o =
	    *chat.chat ? call_from(t, &chat, "s__try", message) : call_tool(t, "s__try", message);
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
		fail_msg("S%d: %s %s: %s\n%s", (int)level, act, arg, said, logged.data);
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

/* Also by way of a process outside. */
static void assert_no_way_by(struct task *t, pid_t pid)
{
	static const char *const ways[] = {"root", "cwd/../../../../../../../.."},
				 *const acts[] = {"trace", "memory", "signal"};
	char number[16], path[256];

	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		snprintf(path, sizeof(path), "/proc/%d/%s%s/" SECRET, (int)pid, ways[i], w.dir);
		assert_tried(t, "read", path, false);
		assert_tried(t, "write", path, false);
	}
	snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
	assert_tried(t, "read", path, false);
	snprintf(number, sizeof(number), "%d", (int)pid);
	for (size_t i = 0; i < ARRAY_LEN(acts) && level >= SANDBOX_S2; i++)
		assert_tried(t, acts[i], number, false);
}

/* The supervisor, outside of the boundary. */
static pid_t parent_of_server(void)
{
	struct json_object *all;
	pid_t pid = (pid_t)json_get_int(state_of(0, &all), "pid", 0);

	json_object_put(all);
	assert_true(pid > 0);
	return pid;
}

static void reaches_no_chat(struct task *t)
{
	await_state(t, "ready");
	assert_no_way_by(t, parent_of_server());
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

/* What it puts where its settings name a path is not granted at the next start. */
static void plants_a_link(struct task *t)
{
	struct json_object *o;

	await_state(t, "ready");
	assert_tried(t, "plant", "ws", true);
	o = call_tool(t, "s__crash", "");
	json_object_put(o);
	await_state(t, "down");
	await_state(t, "ready");
	assert_tried(t, "read", "ws/chat/telegram%3A2/secret", false);
	assert_tried(t, "read", "./planted/chat/telegram%3A2/secret", false);
}

static void a_link_in_its_home_grants_nothing(void **state)
{
	(void)state;
	for (int next = SANDBOX_S1; next <= SANDBOX_S3; next++) {
		if (!pretend((enum sandbox_level)next))
			continue;
		char *list = xasprintf("s: { command = [\"%%s\", \"%s/state/mcp/s/planted\"]; };", w.dir);
		with_servers(list, plants_a_link);
		free(list);
		mcp_fixture_end(NULL);
		begin(NULL);
	}
	pretend(SANDBOX_S3);
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
		list = xasprintf(
		    "s: { command = [\"%%s\", \"%s/named\", \"%s/more\"]; read = [\"%s/outside\"]; write = "
		    "[\"%s/more\"]; };",
		    w.dir, w.dir, w.dir, w.dir);
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
	with_servers_and("s: { command = [\"%s\"]; };", "", is_down_and_says_why);
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
	await_log(t, "ended in the sandbox (S");
	await_log(t, "sandbox = false gives it the gateway's rights (docs/mcp.md)");
}

static void names_what_is_missing(struct task *t)
{
	struct json_object *all;

	gets_advice(t);
	assert_holds(json_get_str(state_of(0, &all), "reason"),
	    "its program does not exist, or cannot be seen in the sandbox");
	json_object_put(all);
}

static void is_told_of_npx(struct task *t)
{
	await_state(t, "down");
	assert_holds(
	    logged.data, "npx cannot install it at this level: install it with npm install --prefix FOLDER");
	char *said = try(t, "read", "./x");
	assert_holds(
	    said, "it ended with exit status 255; npx cannot install it at sandbox level S2: the log says");
	free(said);
}

/* As npx does, for it cannot change modes; after it was written to, which would tell of its end, too. */
static void npx_at_s2_gets_advice(void **state)
{
	(void)state;
	if (pretend(SANDBOX_S2))
		with_servers_and("s: { command = [\"sh\", \"-c\", \"read x; exit 255\", \"npx\"]; };",
		    "sandbox = \"S2\";", is_told_of_npx);
	pretend(SANDBOX_S3);
}

static void one_that_ends_at_once_gets_advice(void **state)
{
	(void)state;
	with_servers("s: { command = [\"sh\", \"-c\", \"cat /nowhere/server.js\"]; };", gets_advice);
	assert_holds(logged.data, "stderr: \"cat: /nowhere/server.js: No such file or directory\"");
	mcp_fixture_end(NULL);
	begin(NULL);
	with_servers("s: { command = [\"/nowhere/server\"]; };", names_what_is_missing);
	assert_holds(logged.data, "cannot find the program");
}

/* The stub that runs in this folder below ours. */
static pid_t find_stub(const char *folder)
{
	char path[64], there[512], *wanted = tools_fixture_path(&w, folder);
	pid_t found = 0;
	DIR *dir = opendir("/proc");

	for (const struct dirent *e; (e = readdir(dir));) {
		snprintf(path, sizeof(path), "/proc/%.20s/cwd", e->d_name);
		ssize_t n = readlink(path, there, sizeof(there) - 1);
		if (n > 0 && (size_t)n == strlen(wanted) && memcmp(there, wanted, (size_t)n) == 0)
			found = (pid_t)strtol(e->d_name, NULL, 10);
	}
	closedir(dir);
	free(wanted);
	return found;
}

static int64_t processes(void)
{
	struct json_object *all;
	int64_t n = json_get_int(state_of(0, &all), "processes", -1);

	json_object_put(all);
	return n;
}

static size_t count_logged(const char *text)
{
	size_t n = 0;

	for (const char *at = logged.data; (at = strstr(at, text)); at++)
		n++;
	return n;
}

static void each_chat_has_its_own(struct task *t)
{
	await_state(t, "ready");
	assert_int_equal(processes(), 0);
	chat = chat_of("2");
	assert_tried(t, "write", "./theirs", true);
	chat = chat_of("1");
	assert_tried(t, "write", "./mine", true);
	assert_tried(t, "read", "ws/chat/telegram%3A1/mine", true);
	assert_file(&w, "ws/chat/telegram%3A1/mine", "x");
	assert_file(&w, "ws/chat/telegram%3A2/theirs", "x");
	assert_int_equal(processes(), 2);
	assert_out_of_reach(t, "ws/chat/telegram%3A2/secret");
	assert_out_of_reach(t, "ws/shared/file");
	assert_out_of_reach(t, "outside/secret");
	assert_out_of_reach(t, "state/private/secret");
	/* The homes of others, and of the process that lists the tools. */
	assert_tried(t, "list", "state/mcp/s.chat.telegram%3A2", false);
	assert_tried(t, "write", "state/mcp/s.chat.telegram%3A2/x", false);
	assert_tried(t, "write", "state/mcp/s/x", false);
	assert_tried(t, "write", "state/mcp/s.chat.telegram%3A1/x", true);
	assert_tried(t, "write", "root/new", true);
	pid_t theirs = find_stub("ws/chat/telegram%3A2"), lists = find_stub("state/mcp/s");
	assert_true(theirs > 0 && lists > 0);
	assert_no_way_by(t, theirs);
	assert_no_way_by(t, lists);
	assert_no_way_by(t, getpid());
	chat = chat_of("2");
	assert_tried(t, "read", "ws/chat/telegram%3A2/secret", true);
	assert_tried(t, "read", "ws/chat/telegram%3A1/mine", false);
	assert_int_equal(processes(), 2);
	assert_int_equal(count_logged("folder=chat.telegram%3A1 command="), 1);
	/* The operator, at a terminal. */
	chat = (struct address){0};
	assert_tried(t, "read", "ws/chat/telegram%3A2/secret", true);
}

static void a_server_with_files_sees_those_of_the_chat(void **state)
{
	(void)state;
	at_each_level("s: { command = [\"%s\"]; files = true; };", "", each_chat_has_its_own);
	at_each_level("s: { command = [\"%s\", \"modern\"]; files = true; };", "", each_chat_has_its_own);
}

static void assert_filled(struct task *t, const char *file)
{
	await_state(t, "ready");
	char *said = try(t, "fill", file);
	assert_holds(said, "its folders hold more than tools.workspace_quota");
	assert_holds(logged.data, "Its home, in mcp of the state, counts, too.");
	free(said);
}

static void fills_its_folder(struct task *t)
{
	chat = chat_of("1");
	assert_filled(t, "./big");
}

static void fills_its_home(struct task *t)
{
	chat = chat_of("1");
	assert_filled(t, "state/mcp/s.chat.telegram%3A1/big");
}

static void a_server_has_the_quota_of_the_chat(void **state)
{
	(void)state;
	with_servers_and("s: { command = [\"%s\"]; files = true; };",
	    "sandbox = \"S0\"; workspace_quota = \"8 MiB\";", fills_its_folder);
}

static void a_home_counts_to_the_quota(void **state)
{
	(void)state;
	with_servers_and("s: { command = [\"%s\"]; files = true; };",
	    "sandbox = \"S0\"; workspace_quota = \"8 MiB\";", fills_its_home);
}

static void a_server_without_files_of_chats_has_a_quota(void **state)
{
	(void)state;
	with_servers_and("s: { command = [\"%s\"]; };", "sandbox = \"S0\"; workspace_quota = \"8 MiB\";",
	    fills_its_folder);
}

static void the_process_of_a_shared_workspace_has_its_quota(void **state)
{
	(void)state;
	with_servers_and("s: { command = [\"%s\"]; files = true; };",
	    "sandbox = \"S0\"; workspace_scope = \"shared\"; workspace_quota = \"8 MiB\";", fills_its_folder);
}

static void one_has_all(struct task *t)
{
	await_state(t, "ready");
	for (int i = 1; i <= 2; i++) {
		chat = chat_of(i == 1 ? "1" : "2");
		assert_tried(t, "read", "ws/chat/telegram%3A2/secret", true);
		assert_tried(t, "read", "outside/secret", false);
		assert_tried(t, "write", "./mine", true);
	}
	assert_file(&w, "ws/mine", "xx");
	assert_int_equal(processes(), -1);
	assert_int_equal(count_logged("started pid="), 1);
}

static void a_shared_workspace_has_one_process(void **state)
{
	(void)state;
	at_each_level(
	    "s: { command = [\"%s\"]; files = true; };", "workspace_scope = \"shared\";", one_has_all);
}

static void names_its_folder(struct task *t)
{
	struct address one = chat_of("1");
	struct json_object *o;

	await_state(t, "ready");
	o = call_from(t, &one, "s__ask", "");
	assert_holds(json_get_str(o, "content"), "{\"roots\":[{\"uri\":\"file:///tmp/myna-tools-");
	assert_holds(json_get_str(o, "content"), "/ws/chat/telegram%253A1\",\"name\":\"files\"}]}");
	json_object_put(o);
	o = call_from(t, &one, "s__env", "");
	assert_holds(json_get_str(o, "content"), "/state/mcp/s.chat.telegram%3A1\nSHELL=");
	json_object_put(o);
}

static void its_root_is_the_folder(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; files = true; };", names_its_folder);
	mcp_fixture_end(NULL);
	begin(NULL);
	with_servers("s: { command = [\"%s\", \"modern\"]; files = true; };", names_its_folder);
}

static void ends_when_idle(struct task *t)
{
	await_state(t, "ready");
	chat = chat_of("1");
	assert_tried(t, "write", "./mine", true);
	await_log(t, "ended folder=chat.telegram%3A1: it was idle");
	while (processes() > 0)
		task_sleep(t, 5, NULL);
	assert_tried(t, "write", "./mine", true);
	assert_int_equal(count_logged("folder=chat.telegram%3A1 command="), 2);
}

static void a_process_that_is_idle_ends(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; files = true; idle = \"1 s\"; };", ends_when_idle);
}

struct calling {
	struct address from;
	const char *tool, *message;
	struct json_object *result;
};

static void run_call(struct task *t, void *arg)
{
	struct calling *c = arg;

	c->result = call_from(t, &c->from, c->tool, c->message);
}

static void makes_room(struct task *t)
{
	struct calling busy = {.from = chat_of("1"), .tool = "s__never"};
	struct task_group group;
	struct json_object *o;

	await_state(t, "ready");
	chat = chat_of("2");
	assert_tried(t, "write", "./mine", true);
	/* That one is idle, so it goes. */
	task_group_init(&group);
	task_start(&group, "call", run_call, &busy);
	await_log(t, "ended folder=chat.telegram%3A2: it was idle");
	while (count_logged("got tools/call") < 2)
		task_sleep(t, 5, NULL);
	assert_int_equal(processes(), 1);
	/* This one is not. */
	settings.servers[0]->start_ms = 300;
	o = call_from(t, &chat, "s__echo", "hello");
	settings.servers[0]->start_ms = 60000;
	assert_failure(o, "LIMIT_REACHED", "PROCESSES");
	json_object_put(o);
	/* A stop is told to the process of its chat, which is free then. */
	task_group_finish(t, &group);
	assert_failure(busy.result, "INTERRUPTED", "STOPPED");
	json_object_put(busy.result);
	await_log(t, "got notifications/cancelled");
	o = call_from(t, &chat, "s__echo", "hello");
	assert_str(o, "content", "hello");
	json_object_put(o);
	assert_int_equal(processes(), 1);
}

static void processes_are_bounded(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; files = true; processes = 1; };", makes_room);
}

static void waits_its_turn(struct task *t)
{
	struct calling calls[] = {{.from = chat_of("1"), .tool = "s__progress"},
	    {.from = chat_of("2"), .tool = "s__echo", .message = "hello"},
	    {.from = chat_of("3"), .tool = "s__echo", .message = "hello"}};
	struct task_group group;

	await_state(t, "ready");
	task_group_init(&group);
	for (size_t i = 0; i < ARRAY_LEN(calls); i++)
		task_start(&group, "call", run_call, &calls[i]);
	task_group_wait(t, &group, NULL);
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		assert_str(calls[i].result, "content", i == 0 ? "after all" : "hello");
		json_object_put(calls[i].result);
	}
}

static void a_call_waits_for_a_process(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; files = true; processes = 1; };", waits_its_turn);
}

static void crashes_alone(struct task *t)
{
	struct calling busy = {.from = chat_of("2"), .tool = "s__progress"};
	struct address one = chat_of("1");
	struct task_group group;
	struct json_object *o;

	await_state(t, "ready");
	task_group_init(&group);
	task_start(&group, "call", run_call, &busy);
	o = call_from(t, &one, "s__crash", "");
	assert_failure(o, "UNAVAILABLE", "SERVER_DOWN");
	json_object_put(o);
	o = call_from(t, &one, "s__echo", "again");
	assert_str(o, "content", "again");
	json_object_put(o);
	task_group_wait(t, &group, NULL);
	assert_str(busy.result, "content", "after all");
	json_object_put(busy.result);
}

static void a_crash_is_that_of_one_chat(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; files = true; };", crashes_alone);
}

/* A person in each chat, who answers with its id. */
static int answer(struct task *t, void *owner, const struct tool_call *call, const struct tool_question *q,
    struct tool_reply *out, struct error *err)
{
	(void)owner, (void)q;
	if (task_sleep(t, 200, err) < 0)
		return -1;
	out->kind = TOOL_REPLY_GIVEN;
	out->text = xstrdup(call->chat->chat);
	return 0;
}

static void asks_each_person(struct task *t)
{
	static const char form[] = "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\","
				   "\"properties\":{\"n\":{\"type\":\"string\"}},\"required\":[\"n\"]}}";
	static const struct tool_services services = {.turn_owner = &w, .ask_person = answer};
	static struct message who = {.sender_id = (char *)(uintptr_t) "77"};
	struct calling calls[] = {{.from = chat_of("1"), .tool = "s__elicit", .message = form},
	    {.from = chat_of("2"), .tool = "s__elicit", .message = form}};
	struct task_group group;

	await_state(t, "ready");
	w.call.services = &services;
	w.call.asked = &who;
	w.call.call_id = "c1";
	task_group_init(&group);
	for (size_t i = 0; i < ARRAY_LEN(calls); i++)
		task_start(&group, "call", run_call, &calls[i]);
	task_group_wait(t, &group, NULL);
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		assert_holds(
		    json_get_str(calls[i].result, "content"), i == 0 ? "{\"n\":\"1\"}" : "{\"n\":\"2\"}");
		json_object_put(calls[i].result);
	}
}

static void each_process_asks_the_person_of_its_chat(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; files = true; };", asks_each_person);
	mcp_fixture_end(NULL);
	begin(NULL);
	with_servers("s: { command = [\"%s\", \"modern\"]; files = true; };", asks_each_person);
}

static void is_gone_while_it_is_called(struct task *t)
{
	struct calling busy = {.from = chat_of("1"), .tool = "s__never"};
	struct mcp_settings none = {0};
	struct task_group group;

	await_state(t, "ready");
	task_group_init(&group);
	task_start(&group, "call", run_call, &busy);
	await_log(t, "got tools/call");
	mcp_apply(servers, w.tools, &none);
	task_group_wait(t, &group, NULL);
	assert_failure(busy.result, "UNAVAILABLE", "SERVER_DOWN");
	json_object_put(busy.result);
}

static void a_server_that_is_taken_away_ends_with_its_processes(void **state)
{
	(void)state;
	with_servers("s: { command = [\"%s\"]; files = true; };", is_gone_while_it_is_called);
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
	    {"s: {\ncommand = [\"x\"];\nread = [\"DIR/more/x\"]; }; t: { command = [\"y\"]; write = "
	     "[\"DIR/more\"]; };",
		"the server would see whatever a link of the MCP server t leads to in DIR/more/x."},
	    {"s: {\ncommand = [\"x\"];\nread = [\"DIR/more\"]; }; t: { command = [\"y\"]; write = "
	     "[\"DIR/more\"]; };",
		NULL},
	    {"s: {\ncommand = [\"x\",\n\"DIR/state/mcp/s/x\"]; files = true; };",
		"where the server would see the state"},
	    {"s: { command = [\"x\",\n\"DIR/ws\"]; };", "in the sandbox it does not get that."},
	    {"s: { command = [\"x\"];\ndirectory = \"DIR\"; };", "in the sandbox it does not get that."},
	    {"s: {\nsandbox = false; command = [\"x\"]; };",
		"The MCP server s runs with the gateway's rights, outside of the sandbox:"},
	    {"s: {\nfiles = true; sandbox = false; command = [\"x\"]; };",
		"tools.mcp_servers.s.files needs the sandbox"},
	    {"s: {\nfiles = true; url = \"https://example.com\"; };",
		"tools.mcp_servers.s.files is for servers with command"},
	    {"s: {\ncommand = [\"/usr/bin/docker\", \"run\"]; };",
		"docker does not work in the sandbox, which hides its socket."},
	    {"s: {\nfiles = true; command = [\"npx\", \"x\"]; };",
		"npx loads programs from the folder that it starts in"},
	    {"s: {\nfiles = true; command = [\"npx\", \"x\"]; directory = \"/\"; };", NULL},
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
    TEST(a_link_in_its_home_grants_nothing),
    TEST(its_home_lasts),
    TEST(its_settings_give_it_folders),
    TEST(without_the_sandbox_it_has_our_rights),
    TEST(the_network_can_be_taken_away),
    TEST(without_the_required_level_nothing_is_started),
    TEST(what_s0_cannot_do_is_told),
    TEST(one_that_ends_at_once_gets_advice),
    TEST(npx_at_s2_gets_advice),
    TEST(a_server_with_files_sees_those_of_the_chat),
    TEST(a_server_has_the_quota_of_the_chat),
    TEST(a_home_counts_to_the_quota),
    TEST(a_server_without_files_of_chats_has_a_quota),
    TEST(the_process_of_a_shared_workspace_has_its_quota),
    TEST(a_shared_workspace_has_one_process),
    TEST(its_root_is_the_folder),
    TEST(a_process_that_is_idle_ends),
    TEST(processes_are_bounded),
    TEST(a_call_waits_for_a_process),
    TEST(a_crash_is_that_of_one_chat),
    TEST(each_process_asks_the_person_of_its_chat),
    TEST(a_server_that_is_taken_away_ends_with_its_processes),
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
