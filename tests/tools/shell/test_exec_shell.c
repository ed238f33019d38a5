/* Commands: what comes back of them, and that nothing of them stays. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "tools/approval.h"
#include "tools/shell/shell_fixture.h"
#include "tools/background.h"
#include "tools/sandbox/sandbox.h"
#include "llm/llm.h"
#include "net/child/child.h"

/* Where stubs are. */
#define PATH_SETTING "commands_path = \"%s/ws/bin:/usr/bin:/bin\";"

static struct tools_fixture w;
static char *root; /* an extra one */

static int begin(void **state)
{
	(void)state;
	tools_fixture_init(&w);
	char *settings = xasprintf(PATH_SETTING, w.dir);
	shell_fixture_begin(&w, settings);
	free(settings);
	return 0;
}

static int end(void **state)
{
	(void)state;
	shell_fixture_end(&w);
	return 0;
}

static const char *const names[] = {"exec_shell", "shell", "bash", "exec-shell"};

/* By every name: what it printed, and how it ended. */
static void expect(const char *command, const char *more, int exit_code, const char *out, const char *err)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct json_object *o = shell_fixture_run(&w, names[i], command, more);
		if (json_get(o, "error_code") || json_get_int(o, "exit_code", -99) != exit_code)
			fail_msg("%s: %s", command, json_object_to_json_string(o));
		if (out && strncmp(json_get_str(o, "stdout"), out, strlen(out)) != 0)
			fail_msg("%s: %s", command, json_object_to_json_string(o));
		if (err)
			assert_holds(json_get_str(o, "stderr"), err);
		assert_true(json_get_int(o, "duration_ms", -1) >= 0);
		json_object_put(o);
	}
}

static void put_stub(const char *name, const char *text)
{
	char *path = xasprintf("ws/bin/%s", name), *whole = tools_fixture_path(&w, path);

	tools_fixture_put_text(&w, path, text);
	chmod(whole, 0755);
	free(whole);
	free(path);
}

static void put_stubs(void)
{
	put_stub("cargo",
	    "#!/bin/sh\n[ -e fails ] && { echo 'error[E0308]: mismatched types' >&2; exit 101; }\necho done "
	    "$*\n");
	put_stub("npm", "#!/bin/sh\npwd\n");
}

static void a_result_is_what_the_command_did(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	expect("ls -la /tmp", "", 0, "total", NULL);
	expect("nonexistent", "", 127, "", "nonexistent");
	expect("ls /nonexistent", "", 2, "", "/nonexistent");
	expect("echo a; echo b >&2; exit 3", "", 3, "a\n", "b\n");
	expect("printf x", "", 0, "x", NULL);
	expect("cat", "", 0, "", NULL);
	struct json_object *o = shell_fixture_run(&w, "bash", "kill -s INT $$", ",\"confirmed\":true");
	assert_failure(o, "NEEDS_CONFIRMATION", NULL);
	json_object_put(o);
	w.call.operator= true;
	o = shell_fixture_run(&w, "bash", "kill -s INT $$", ",\"confirmed\":true");
	assert_int(o, "exit_code", 130);
	assert_int(o, "signal", 2);
	json_object_put(o);
}

static void programs_are_found_on_the_path(void **state)
{
	(void)state;
	put_stubs();
	shell_fixture_need(&w);
	expect("cargo build", "", 0, "done build\n", NULL);
	expect("cargo test --lib", ",\"description\":\"Run library tests\"", 0, "done test --lib\n", NULL);
	tools_fixture_put_text(&w, "ws/fails", "");
	expect("cargo build", "", 101, "", "error[E0308]: mismatched types");
}

static void a_timeout_over_the_most_is_clamped(void **state)
{
	(void)state;
	put_stubs();
	shell_fixture_need(&w);
	struct json_object *o =
	    shell_fixture_run(&w, "exec_shell", "cargo build --release", ",\"timeout\":900");
	assert_json(json_get(o, "clamped"), "{\"timeout\": 300}");
	json_object_put(o);
	o = shell_fixture_run(&w, "exec_shell", "cargo build --release", ",\"timeout_seconds\":120");
	assert_null(json_get(o, "clamped"));
	assert_int(o, "exit_code", 0);
	json_object_put(o);
}

static void it_runs_in_the_folder_that_is_named(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "ws/src/main.rs", "");
	shell_fixture_need(&w);
	expect("ls", ",\"cwd\":\"src\"", 0, "main.rs\n", NULL);
	expect("ls", ",\"working_directory\":\"src/../src\"", 0, "main.rs\n", NULL);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		tools_fixture_refused(&w, names[i],
		    "{\"command\":\"npm install\",\"working_directory\":\"/home/user/frontend\"}",
		    "ACCESS_DENIED", "OUTSIDE_ROOTS");
		tools_fixture_refused(&w, names[i], "{\"command\":\"ls\",\"cwd\":\"src/main.rs\"}",
		    "INVALID_ARGUMENT", "NOT_A_DIRECTORY");
		tools_fixture_refused(
		    &w, names[i], "{\"command\":\"ls\",\"cwd\":\"none\"}", "NOT_FOUND", "FILE_NOT_FOUND");
	}
}

static int begin_with_root(void **state)
{
	char dir[] = "/tmp/myna-root-XXXXXX", *settings;

	(void)state;
	assert_non_null(mkdtemp(dir));
	root = xstrdup(dir);
	assert_int_equal(chmod(root, 0755), 0);
	tools_fixture_init(&w);
	settings = xasprintf("roots = [\"%s\"]; " PATH_SETTING, root, w.dir);
	shell_fixture_begin(&w, settings);
	free(settings);
	return 0;
}

static int end_with_root(void **state)
{
	end(state);
	rmdir(root);
	free(root);
	return 0;
}

static void an_extra_root_is_a_folder_to_run_in(void **state)
{
	(void)state;
	put_stubs();
	shell_fixture_need(&w);
	char *more = xasprintf(",\"cwd\":\"%s\"", root), *want = xasprintf("%s\n", root);
	expect("npm install", more, 0, want, NULL);
	free(more);
	free(want);
}

static const char *asked_call;
static struct approval asked;

static void ask_in_task(struct task *t)
{
	assert_true(tools_approval(t, &w.call, "exec_shell", asked_call, &asked));
}

/* What is exchanged while a person is asked does not run. */
static void a_yes_is_for_the_folder_and_the_script_that_were_shown(void **state)
{
	static const char in_folder[] = "{\"command\":\"rm -f x\",\"working_directory\":\"lnk\"}",
			  script[] = "{\"command\":\"rm -f x; sh ./do.sh\"}";
	static const char *const calls[] = {in_folder, script};
	static const char *const exchange[] = {"rm lnk && ln -s b lnk", "echo 'echo evil' >do.sh"};

	(void)state;
	shell_fixture_need(&w);
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		char *make =
			 xasprintf("cd '%s/ws' && mkdir -p a b && ln -sfn a lnk && echo true >do.sh", w.dir),
		     *change = xasprintf("cd '%s/ws' && %s", w.dir, exchange[i]);
		struct approval a;
		assert_int_equal(system(make), 0);
		asked_call = calls[i];
		shell_fixture_in_task(ask_in_task);
		a = asked;
		w.call.approved = a.hash;
		struct json_object *o = tools_fixture_run(&w, "exec_shell", calls[i]);
		assert_int(o, "exit_code", 0);
		json_object_put(o);
		assert_int_equal(system(change), 0);
		tools_fixture_refused(&w, "exec_shell", calls[i], "BLOCKED", "CHANGED");
		w.call.approved = NULL;
		approval_clear(&asked);
		free(make);
		free(change);
	}
}

static void blank_commands_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		tools_fixture_refused(&w, names[i], "{\"command\":\"\"}", "INVALID_ARGUMENT", "RANGE");
		tools_fixture_refused(&w, names[i], "{\"command\":\" \\n\"}", "INVALID_ARGUMENT", "RANGE");
		tools_fixture_refused(&w, names[i], "{}", "INVALID_ARGUMENT", "MISSING");
		tools_fixture_refused(
		    &w, names[i], "{\"command\":\"ls\",\"timeout\":0}", "INVALID_ARGUMENT", "RANGE");
		tools_fixture_refused(&w, names[i],
		    "{\"command\":\"ls\",\"timeout\":1,\"timeout_seconds\":2}", "INVALID_ARGUMENT", NULL);
	}
}

static void rules_hold_by_every_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct json_object *o = shell_fixture_run(&w, names[i], "rm -rf target/", "");
		assert_failure(o, "NEEDS_CONFIRMATION", NULL);
		assert_true(json_get_bool(o, "needs_confirmation", false));
		json_object_put(o);
		tools_fixture_refused(&w, names[i], "{\"command\":\"rm -rf target/\",\"confirmed\":true}",
		    "NEEDS_CONFIRMATION", NULL);
		o = shell_fixture_run(&w, names[i], "rm -rf /", "");
		assert_failure(o, "BLOCKED", "RULE");
		assert_str(json_get_object(o, "context"), "rule", "rm-root");
		assert_true(
		    strncmp(json_get_str(o, "error"), "Command blocked: recursive delete on root", 41) == 0);
		json_object_put(o);
		tools_fixture_refused(&w, names[i], "{\"command\":\"cat /etc/passwd\"}", "BLOCKED", "RULE");
		tools_fixture_refused(&w, names[i], "{\"command\":\"cat ~/.ssh/id_rsa\"}", "BLOCKED", "RULE");
	}
}

static void confirmed_runs_at_the_terminal(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	w.call.operator= true;
	expect("mkdir -p target; echo x > target/a", "", 0, "", NULL);
	expect("rm -rf target/", ",\"confirmed\":true", 0, "", NULL);
	char *path = tools_fixture_path(&w, "ws/target");
	assert_int_equal(access(path, F_OK), -1);
	free(path);
}

static void a_flood_is_drained_and_its_ends_are_kept(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	struct json_object *o = shell_fixture_run(&w, "exec_shell",
	    "echo begin; head -c 50000000 /dev/zero | tr '\\0' x; echo end; echo e >&2", "");
	const char *out = json_get_str(o, "stdout");
	assert_int(o, "exit_code", 0);
	assert_true(json_get_bool(o, "truncated", false));
	assert_int(o, "stdout_bytes", 50000010);
	assert_true(strncmp(out, "begin\nxxx", 9) == 0);
	assert_string_equal(out + strlen(out) - 6, "xxend\n");
	assert_holds(out, "bytes left out ...]");
	assert_str(o, "stderr", "e\n");
	assert_null(json_get(o, "stderr_bytes"));
	json_object_put(o);
}

/* Asks in a loop what is slow to answer, and what never does. */
static void check_time(struct task *t)
{
	uint64_t began = clock_now();
	struct json_object *o =
	    shell_fixture_run_in(t, &w, "exec_shell", "echo so far; sleep NAP", ",\"timeout\":0.3");

	assert_failure(o, "TIMEOUT", NULL);
	assert_str(o, "error",
	    "Command exceeded 0.3 s and was killed. Raise timeout (at most 300) or set run_in_background.");
	assert_str(json_get_object(o, "context"), "stdout", "so far\n");
	assert_true(clock_now() - began < 20000);
	shell_fixture_none();
	json_object_put(o);
}

static void silence_ends_at_its_time(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	shell_fixture_in_task(check_time);
}

/* What goes into the background, leaves its session, ignores signals or forks on. */
static const char *const stubborn[] = {
    "trap '' TERM INT HUP; sleep NAP & sleep NAP",
    "(setsid sh -c 'trap \"\" TERM; sleep NAP' &) ; sleep NAP",
    "setsid setsid sleep NAP & sleep 0.2; (sleep NAP &) & sleep NAP",
};

static void check_stubborn(struct task *t)
{
	for (size_t i = 0; i < ARRAY_LEN(stubborn); i++) {
		struct json_object *o =
		    shell_fixture_run_in(t, &w, "exec_shell", stubborn[i], ",\"timeout\":0.5");
		assert_failure(o, "TIMEOUT", NULL);
		shell_fixture_none();
		json_object_put(o);
	}
}

static void at_its_time_everything_is_gone(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	shell_fixture_in_task(check_stubborn);
}

static void check_leftovers(struct task *t)
{
	struct json_object *o =
	    shell_fixture_run_in(t, &w, "exec_shell", "setsid sleep NAP >/dev/null 2>&1 & echo x", "");

	assert_int(o, "exit_code", 0);
	assert_str(o, "stdout", "x\n");
	shell_fixture_none();
	json_object_put(o);
}

static void what_a_command_leaves_behind_ends_with_it(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	shell_fixture_in_task(check_leftovers);
}

static void check_forks(struct task *t)
{
	struct json_object *o = shell_fixture_run_in(
	    t, &w, "exec_shell", "f() { while :; do sleep NAP & done; }; f 2>/dev/null", ",\"timeout\":1");

	/* At its limit the shell gives up, or goes on until its time. */
	shell_fixture_none();
	json_object_put(o);
}

static void a_loop_of_forks_is_bounded(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	shell_fixture_in_task(check_forks);
}

struct stopped {
	struct json_object *result;
};

static void run_stopped(struct task *t, void *arg)
{
	struct stopped *s = arg;

	s->result = shell_fixture_run_in(t, &w, "exec_shell", "sleep NAP", "");
}

static void check_stop(struct task *t)
{
	struct stopped s = {0};
	struct task_group group;

	task_group_init(&group);
	task_start(&group, "call", run_stopped, &s);
	shell_fixture_await(t, 1);
	task_group_cancel(&group);
	task_group_wait(t, &group, NULL);
	assert_failure(s.result, "INTERRUPTED", "STOPPED");
	shell_fixture_none();
	json_object_put(s.result);
}

static void a_stopped_turn_ends_its_command(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	shell_fixture_in_task(check_stop);
}

/* Where no sandbox holds, nothing is offered and nothing runs. */
static void without_a_sandbox_it_is_not_there(void **state)
{
	size_t count;
	bool offered = false;

	(void)state;
	helper_set_folder("/nowhere");
	struct json_object *o = shell_fixture_run(&w, "exec_shell", "ls", "");
	if (!json_get(o, "error_code")) {
		/* A helper stands beside this program. */
		json_object_put(o);
		skip();
	}
	assert_failure(o, "UNAVAILABLE", "SANDBOX");
	struct llm_tool *offer = tools_offer(w.tools, &w.call, &count);
	for (size_t i = 0; i < count; i++)
		offered = offered || strcmp(offer[i].name, "exec_shell") == 0 ||
		    strcmp(offer[i].name, "spawn") == 0;
	assert_false(offered);
	free(offer);
	json_object_put(o);
}

static int begin_with_quota(void **state)
{
	(void)state;
	tools_fixture_init(&w);
	shell_fixture_begin(
	    &w, "workspace_scope = \"shared\"; workspace_quota = \"8 MiB\"; rules_off = [\"rm\"];");
	return 0;
}

static struct json_object *run_command(const char *command)
{
	return shell_fixture_run(&w, "exec_shell", command, ",\"timeout\":120");
}

static void a_command_that_passes_the_quota_is_stopped(void **state)
{
	struct json_object *o;

	(void)state;
	shell_fixture_need(&w);
	o = run_command("trap '' TERM; echo begun; i=0; while :; do head -c 1000000 /dev/zero >f$i || exit; "
			"i=$((i+1)); sleep 0.05; done");
	assert_failure(o, "LIMIT_REACHED", "QUOTA");
	assert_holds(json_get_str(o, "error"), "of 8.0 MiB are used (tools.workspace_quota)");
	assert_holds(json_get_str(o, "error"), "Largest: f");
	assert_str(json_get_object(o, "context"), "stdout", "begun\n");
	json_object_put(o);
	/* From then on a command cannot write, by any way, but it can make room. */
	o = run_command("echo more >new");
	assert_failure(o, "LIMIT_REACHED", "QUOTA");
	json_object_put(o);
	o = run_command("truncate -s 0 f0 && rm f1 && ls | wc -l");
	assert_int(o, "exit_code", 0);
	assert_holds(json_get_str(o, "note"), "Commands can only remove files now: ");
	json_object_put(o);
	o = run_command("rm f*");
	assert_int(o, "exit_code", 0);
	json_object_put(o);
	o = run_command("echo more >new && cat new");
	assert_str(o, "stdout", "more\n");
	assert_null(json_get_str(o, "note"));
	json_object_put(o);
}

/* Nobody can tell what is in them, so names would not be counted. */
static void with_folders_too_deep_nothing_can_be_made(void **state)
{
	struct json_object *o;

	(void)state;
	shell_fixture_need(&w);
	if (sandbox_level(tools_sandbox(w.tools), NULL) < SANDBOX_S1 ||
	    syscall(SYS_landlock_create_ruleset, NULL, 0, 1) < 1)
		skip();
	/* A slow one is stopped at its end. */
	o = run_command("echo old >old; for i in $(seq 300); do mkdir d && cd d || exit; done");
	json_object_put(o);
	o = run_command(
	    "touch new || mkdir new || ln -s old new || ln old new || mv old new || echo refused");
	assert_str(o, "stdout", "refused\n");
	assert_holds(json_get_str(o, "note"), "Commands can only remove files now: ");
	json_object_put(o);
	o = run_command(": >old && rm old && rm -r d && echo removed");
	assert_str(o, "stdout", "removed\n");
	json_object_put(o);
	o = run_command("echo more >new && cat new");
	assert_str(o, "stdout", "more\n");
	json_object_put(o);
}

static void check_quota_behind(struct task *t)
{
	struct json_object *o = shell_fixture_run_in(t, &w, "exec_shell",
	    "i=0; while :; do head -c 1000000 /dev/zero >f$i; i=$((i+1)); sleep 0.05; done",
	    ",\"run_in_background\":true");
	char *id = xstrdup(json_get_str(o, "task_id"));

	json_object_put(o);
	o = shell_fixture_task(t, &w, "task_output", id, ",\"wait\":true,\"timeout\":120");
	assert_str(o, "limit", "quota");
	assert_holds(json_get_str(o, "stderr"), "of 8.0 MiB are used (tools.workspace_quota)");
	json_object_put(o);
	free(id);
}

static void a_background_task_that_passes_the_quota_is_stopped(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	shell_fixture_in_task(check_quota_behind);
}

static int begin_with_few(void **state)
{
	(void)state;
	tools_fixture_init(&w);
	shell_fixture_begin(&w, "commands_in_chat = 2; commands_at_once = 6;");
	return 0;
}

/* Which limit of commands is reached: the fourth thread of a chat, the seventh of all, the third of its own
 * conversation. */
static const struct {
	const char *chat, *thread; /* of the commands that run; thread: before a number */
	const char *own_thread;
	size_t count;
	const char *error;
} limits[] = {
    {"77", "t", "own", 3,
	"3 commands run already in the threads of this chat (half of tools.commands_at_once). Try again in a "
	"moment."},
    {"78", "t", "", 6,
	"6 commands run already in all chats (tools.commands_at_once). Try again in a moment."},
    {"77", "", "", 2,
	"2 commands run already in this conversation (tools.commands_in_chat). Its background tasks: none. "
	"Wait with task_output, end one with kill_shell, or try again in a moment."},
};

static void too_many_commands_are_told_their_limit(void **state)
{
	const struct background_limits none = {.in_chat = 100, .in_all = 100};
	const struct address *chat = w.call.chat;
	struct address own = *chat, other = own;
	struct background_slot slots[6];

	(void)state;
	w.call.chat = &own;
	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		snprintf(own.thread, sizeof(own.thread), "%s", limits[i].own_thread);
		snprintf(other.chat, sizeof(other.chat), "%s", limits[i].chat);
		for (size_t n = 0; n < limits[i].count; n++) {
			if (*limits[i].thread)
				snprintf(other.thread, sizeof(other.thread), "%s%zu", limits[i].thread, n);
			else
				*other.thread = '\0';
			assert_true(background_slot_take(w.call.background, &other, &none, &slots[n]));
		}
		struct json_object *o = shell_fixture_run(&w, "exec_shell", "true", "");
		assert_failure(o, "LIMIT_REACHED", "TOO_MANY_PROCESSES");
		assert_str(o, "error", limits[i].error);
		json_object_put(o);
		for (size_t n = 0; n < limits[i].count; n++)
			background_slot_release(&slots[n]);
	}
	w.call.chat = chat;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(a_result_is_what_the_command_did, begin, end),
	    cmocka_unit_test_setup_teardown(programs_are_found_on_the_path, begin, end),
	    cmocka_unit_test_setup_teardown(a_timeout_over_the_most_is_clamped, begin, end),
	    cmocka_unit_test_setup_teardown(it_runs_in_the_folder_that_is_named, begin, end),
	    cmocka_unit_test_setup_teardown(
		an_extra_root_is_a_folder_to_run_in, begin_with_root, end_with_root),
	    cmocka_unit_test_setup_teardown(
		a_yes_is_for_the_folder_and_the_script_that_were_shown, begin, end),
	    cmocka_unit_test_setup_teardown(blank_commands_are_refused, begin, end),
	    cmocka_unit_test_setup_teardown(rules_hold_by_every_name, begin, end),
	    cmocka_unit_test_setup_teardown(confirmed_runs_at_the_terminal, begin, end),
	    cmocka_unit_test_setup_teardown(a_flood_is_drained_and_its_ends_are_kept, begin, end),
	    cmocka_unit_test_setup_teardown(silence_ends_at_its_time, begin, end),
	    cmocka_unit_test_setup_teardown(at_its_time_everything_is_gone, begin, end),
	    cmocka_unit_test_setup_teardown(what_a_command_leaves_behind_ends_with_it, begin, end),
	    cmocka_unit_test_setup_teardown(a_loop_of_forks_is_bounded, begin, end),
	    cmocka_unit_test_setup_teardown(a_stopped_turn_ends_its_command, begin, end),
	    cmocka_unit_test_setup_teardown(
		a_command_that_passes_the_quota_is_stopped, begin_with_quota, end),
	    cmocka_unit_test_setup_teardown(with_folders_too_deep_nothing_can_be_made, begin_with_quota, end),
	    cmocka_unit_test_setup_teardown(
		a_background_task_that_passes_the_quota_is_stopped, begin_with_quota, end),
	    cmocka_unit_test_setup_teardown(too_many_commands_are_told_their_limit, begin_with_few, end),
	    cmocka_unit_test_setup_teardown(without_a_sandbox_it_is_not_there, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
