/* MCP servers and external tools that die, or half die, cost the gateway nothing: it does not spin beside
 * them, and answers. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "config.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

#define WINDOW_MS 500
/* In such a window. What spins takes all that it gets, also on a machine that is busy with other things. */
#define QUIET_MS    60
#define QUIET_WAKES 120

#define ASK(server)                                                                     \
	"{\"when\": \"^ask " server "\", \"steps\": [{\"calls\": [{\"name\": \"" server \
	"__echo\", \"arguments\": {\"message\": \"" server                              \
	"\"}}]}, {\"text\": \"it said {{result.0.content|result.0.error}}\"}]},"

static const char script[] =
    "{\"skip\": \"^(\\\\[[^]\\n]*\\\\]\\n(> [^\\n]*\\n)*)+\", \"rules\": [" ASK("s0") ASK("s1") ASK("s2")
	ASK("s3") ASK("s4") "{\"when\": \"^hang\", \"steps\": [{\"calls\": [{\"name\": \"hanging\", "
			    "\"arguments\": {}}]}, {\"text\": \"{{result.0.error}}\"}]}], \"else\": "
			    "{\"steps\": [{\"text\": \"You said: {{user}}\"}]}}";

/* Servers of these names, each with the quirk of the stub. */
static const char *const quirks[] = {"killed", "shut-output", "shut-input", "leaves", "litters"};

static struct flow f;
static const char stub[] = BUILD_DIR "/tests/lib/mcp_stub";

/* It closes what it would answer on, and stays; its stderr is open. */
static void put_hanging_tool(void)
{
	assert_int_equal(chmod(f.dir, 0755), 0);
	flow_put_tool(&f, "hanging", "{}", "exec <&- >&-\nexec sleep 600\n");
}

static int begin(void **state)
{
	char *top, *all;

	(void)state;
	flow_start_script(&f, script);
	put_hanging_tool();
	top = xasprintf("tools: { sandbox = \"S0\"; external = \"%s/ext\"; mcp_servers: { ", f.dir);
	for (size_t i = 0; i < ARRAY_LEN(quirks); i++) {
		all = xasprintf("%ss%zu: { command = [\"%s\", \"%s\"]; }; ", top, i, stub, quirks[i]);
		free(top);
		top = all;
	}
	all = xasprintf("%s }; };", top);
	flow_config(&f, all, "allow = [\"77\", \"78\", \"79\"];");
	free(top);
	free(all);
	return 0;
}

static void say(const char *chat, const char *text, size_t i, const char *want)
{
	flow_say(&f, chat, chat, text, "private");
	flow_expect(&f, chat, i, want);
}

/* What a server's status says; 0 as pid: none. */
static int server(size_t i, bool *ready)
{
	struct json_object *status = flow_status(&f), *list = json_get_array(status, "mcp");
	struct json_object *o = list ? json_object_array_get_idx(list, i) : NULL;
	int pid = (int)json_get_int(o, "pid", 0);

	*ready = o && strcmp(json_get_str(o, "state"), "ready") == 0;
	json_object_put(status);
	return pid;
}

static int await_ready(size_t i, int not_pid)
{
	bool ready;
	int pid;

	for (uint64_t due = flow_deadline(); (pid = server(i, &ready)) == not_pid || !ready;)
		flow_look(&f, due, "server %s is not ready", quirks[i]);
	return pid;
}

struct effort {
	uint64_t cpu_ms;
	long wakes; /* times that the loop's thread slept and was woken */
};

static struct effort effort(void)
{
	struct effort e = {0};
	struct timespec ts;
	clockid_t clock;
	char *path = xasprintf("/proc/%d/status", f.gateway), line[256];
	FILE *in = fopen(path, "r");

	assert_int_equal(clock_getcpuclockid(f.gateway, &clock), 0);
	assert_int_equal(clock_gettime(clock, &ts), 0);
	e.cpu_ms = (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
	assert_non_null(in);
	while (fgets(line, sizeof(line), in))
		sscanf(line, "voluntary_ctxt_switches: %ld", &e.wakes);
	fclose(in);
	free(path);
	return e;
}

/* A window comes in which next to nothing is done. */
static void expect_quiet(const char *beside)
{
	struct effort before, after;

	for (uint64_t until = flow_deadline();;) {
		before = effort();
		usleep(WINDOW_MS * 1000);
		after = effort();
		if (after.cpu_ms - before.cpu_ms <= QUIET_MS && after.wakes - before.wakes <= QUIET_WAKES)
			return;
		if (flow_now_ms() > until)
			fail_msg("beside %s the gateway took %llu ms of CPU and %ld wakes in %d ms", beside,
			    (unsigned long long)(after.cpu_ms - before.cpu_ms), after.wakes - before.wakes,
			    WINDOW_MS);
	}
}

static void nothing_spins_beside_dead_servers_and_all_are_well_again(void **state)
{
	int pids[ARRAY_LEN(quirks)];

	(void)state;
	flow_gateway(&f, true);
	for (size_t i = 0; i < ARRAY_LEN(quirks); i++)
		pids[i] = await_ready(i, 0);
	for (size_t i = 0; i < ARRAY_LEN(quirks); i++) {
		char *text = xasprintf("ask s%zu", i);
		say("77", text, i, "it said s");
		free(text);
	}
	assert_int_equal(kill(pids[0], SIGKILL), 0);
	say("78", "are you there?", 0, "You said: are you there?");
	expect_quiet("dead servers");
	/* One that is dead or silent is started anew; one that only does not listen when it is spoken to. */
	await_ready(0, pids[0]);
	await_ready(1, pids[1]);
	await_ready(3, pids[3]);
	say("78", "and now?", 1, "You said: and now?");
	flow_await_log(&f, "it closed its standard output");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

static void nothing_spins_beside_a_tool_that_hangs(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	flow_say(&f, "79", "79", "hang", "private");
	flow_await_log(&f, "hanging");
	say("78", "are you there?", 0, "You said: are you there?");
	expect_quiet("a tool that hangs");
	assert_int_equal(flow_bot_messages(&f, "79"), 0);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    FLOW_TEST(nothing_spins_beside_dead_servers_and_all_are_well_again, begin, &f),
	    FLOW_TEST(nothing_spins_beside_a_tool_that_hangs, begin, &f),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
