/* Commands that the agent runs, with the real gateway and the real sandbox: what is said, asked and stopped,
 * and that nothing outlives it. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

/* What /stop may take on a machine that is busy; on one that is not it is a twentieth. */
#define STOP_MS 10000

static const char script[] =
    "{\"skip\": \"^(\\\\[[^]\\n]*\\\\]\\n(> [^\\n]*\\n)*)+\", \"rules\": ["
    "{\"when\": \"^run (.+)\", \"steps\": [{\"calls\": [{\"name\": \"exec_shell\", \"arguments\": "
    "{\"command\": \"{{1}}\"}}]}, {\"text\": \"it printed {{result.0.stdout|result.0.error}}\"}]},"
    "{\"when\": \"^behind (.+)\", \"steps\": [{\"calls\": [{\"name\": \"exec_shell\", \"arguments\": "
    "{\"command\": \"{{1}}\", \"run_in_background\": true}}]}, {\"text\": \"task "
    "{{result.0.task_id|result.0.error}}\"}]},{\"when\": \"^look (.+)\", \"steps\": [{\"calls\": [{\"name\": "
    "\"task_output\", \"arguments\": {\"task_id\": \"{{1}}\", \"wait\": true, \"timeout\": 20}}]}, "
    "{\"text\": \"{{result.0.status|result.0.error}}, {{result.0.stdout|result.0.cause}}\"}]}], \"else\": "
    "{\"steps\": [{\"text\": \"You said: {{user}}\"}]}}";

static struct flow f;
static char nap[16]; /* seconds that no other process sleeps */
static size_t said;  /* messages of the bot that were looked at */
static bool is_known, can_run;

static int begin(void **state)
{
	char *out;

	(void)state;
	said = 0;
	snprintf(nap, sizeof(nap), "8%07d", (int)getpid());
	flow_start_script(&f, script);
	/* Commands run as somebody else when we are root. */
	assert_int_equal(chmod(f.dir, 0755), 0);
	flow_config(&f, "", "allow = [\"77\"]; admins = [\"78\"];");
	if (!is_known) {
		can_run =
		    flow_myna(&f, &out, "tool", "run", "exec_shell", "{\"command\": \"true\"}", NULL) == 0;
		if (!can_run)
			print_message("nothing can run here: %s\n", out);
		free(out);
		is_known = true;
	}
	flow_gateway(&f, true);
	return 0;
}

static void say(const char *fmt, const char *arg)
{
	char *text = xasprintf("%s%s", fmt, arg);

	flow_say(&f, "78", "78", text, "private");
	free(text);
}

/* The next that the bot says: malloc'd. */
static char *hear(void)
{
	flow_await(&f, "78", said + 1);
	return flow_bot_text(&f, "78", said++);
}

static void expect(const char *want)
{
	flow_expect(&f, "78", said++, want);
}

static bool sleeps(const char *pid)
{
	char path[300], line[4096];

	snprintf(path, sizeof(path), "/proc/%s/cmdline", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	line[n] = '\0';
	return strcmp(line, "sleep") == 0 && memmem(line, (size_t)n, nap, strlen(nap));
}

static unsigned count_sleepers(void)
{
	DIR *dir = opendir("/proc");
	unsigned n = 0;

	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));)
		n += *e->d_name >= '1' && *e->d_name <= '9' && sleeps(e->d_name);
	closedir(dir);
	return n;
}

static void await_sleepers(unsigned want, uint64_t ms)
{
	for (uint64_t until = flow_now_ms() + ms; count_sleepers() != want; usleep(10000))
		if (flow_now_ms() > until)
			fail_msg("%u processes sleep, not %u", count_sleepers(), want);
}

static void say_nap(const char *before, const char *after)
{
	char *text = xasprintf("sleep %s%s", nap, after);

	say(before, text);
	free(text);
}

static void a_command_answers_in_the_chat(void **state)
{
	(void)state;
	if (!can_run)
		skip();
	say("run ", "echo hello; pwd");
	expect("it printed hello");
	say("run ", "cat /etc/passwd");
	expect("protected file");
	say("run ", "rm -rf /");
	expect("Command blocked: recursive delete on root");
}

static void stop_ends_a_running_command(void **state)
{
	(void)state;
	if (!can_run)
		skip();
	say_nap("run trap '' TERM; ", "; true");
	await_sleepers(1, FLOW_WAIT_MS);
	uint64_t began = flow_now_ms();
	say("", "/stop");
	await_sleepers(0, STOP_MS);
	print_message("gone %llu ms after /stop\n", (unsigned long long)(flow_now_ms() - began));
}

/* The id out of "task ID": malloc'd. */
static char *hear_task(void)
{
	char *text = hear();

	if (strncmp(text, "task bg-", 8) != 0)
		fail_msg("no task: %s", text);
	char *id = xstrdup(text + 5);
	free(text);
	return id;
}

static bool was_asked(const char *text)
{
	struct json_object *o = flow_get(&f, "/control/model");
	bool found = strstr(json_object_to_json_string_ext(o, JSON_C_TO_STRING_NOSLASHESCAPE), text);

	json_object_put(o);
	return found;
}

static void a_background_task_goes_on_across_turns_and_its_end_is_told(void **state)
{
	(void)state;
	if (!can_run)
		skip();
	/* What it was begun with is not in force any more when it ends. */
	assert_int_equal(flow_myna(&f, NULL, "reload", NULL), 0);
	say("behind ", "echo one; until [ -e go ]; do sleep 0.1; done; echo two");
	char *id = hear_task(), *note = xasprintf("Background task %s has ended: completed, exit code 0", id);
	assert_int_equal(flow_myna(&f, NULL, "reload", NULL), 0);
	say("run ", "touch go; echo touched");
	expect("it printed touched");
	say("look ", id);
	expect("completed, one\ntwo");
	flow_await_log(&f, "ended: exit=0");
	for (uint64_t due = flow_deadline(); !was_asked(note);
	     flow_look(&f, due, "the agent was not told: %s", note)) {
		say("", "well?");
		free(hear());
	}
	free(note);
	free(id);
}

static void stop_and_new_end_background_tasks(void **state)
{
	(void)state;
	if (!can_run)
		skip();
	say_nap("behind ", "");
	free(hear_task());
	await_sleepers(1, FLOW_WAIT_MS);
	say("", "/stop");
	expect("Stopped 1 background task.");
	await_sleepers(0, STOP_MS);
	say("", "/stop");
	expect("Nothing is running here.");
	say_nap("behind ", "");
	free(hear_task());
	await_sleepers(1, FLOW_WAIT_MS);
	say("", "/new");
	expect("A new conversation begins.");
	await_sleepers(0, STOP_MS);
}

/* However the gateway ends. */
static void nothing_outlives_the_gateway(void **state)
{
	(void)state;
	if (!can_run)
		skip();
	for (int i = 0; i < 2; i++) {
		say_nap("behind trap '' TERM; ", "; true");
		char *id = hear_task();
		await_sleepers(1, FLOW_WAIT_MS);
		if (i == 0)
			assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
		else
			flow_gateway_kill(&f);
		await_sleepers(0, FLOW_WAIT_MS);
		flow_gateway(&f, true);
		say("look ", id);
		expect("lost,");
		free(id);
	}
}

/* The message with buttons: its id, malloc'd. */
static char *await_buttons(void)
{
	for (uint64_t due = flow_deadline();; flow_look(&f, due, "nothing is asked")) {
		struct json_object *o = flow_transcript(&f, "telegram", "78"),
				   *all = json_get_array(o, "messages");
		char *id = NULL;
		for (size_t i = 0; i < json_object_array_length(all); i++) {
			struct json_object *m = json_object_array_get_idx(all, i);
			if (json_get_bool(m, "bot", false) &&
			    json_object_array_length(json_get_array(m, "buttons")) == 2) {
				free(id);
				id = xstrdup(json_get_str(m, "id"));
			}
		}
		json_object_put(o);
		if (id)
			return id;
	}
}

static void press(const char *id, const char *button)
{
	flow_press(&f, "telegram", "78", "78", id, button);
}

static void deleting_waits_for_a_button(void **state)
{
	(void)state;
	if (!can_run)
		skip();
	char *path = flow_file(&f, "telegram:78", "a"), *id;
	say("run ", "echo x > a; ls");
	expect("it printed a");
	say("run ", "rm a; ls");
	id = await_buttons();
	char *text = hear();
	assert_non_null(strstr(text, "\"command\": \"rm a; ls\""));
	assert_non_null(strstr(text, "\"rule\": \"rm\""));
	assert_int_equal(access(path, F_OK), 0);
	press(id, "Reject");
	expect("A person said no.");
	assert_int_equal(access(path, F_OK), 0);
	free(text);
	free(id);
	say("run ", "rm a; echo gone");
	id = await_buttons();
	free(hear());
	press(id, "Allow");
	expect("it printed gone");
	assert_int_equal(access(path, F_OK), -1);
	free(id);
	free(path);
}

static void at_the_terminal_confirmed_is_a_yes(void **state)
{
	char *out;

	(void)state;
	if (!can_run)
		skip();
	assert_int_equal(
	    flow_myna(&f, &out, "tool", "run", "bash", "{\"command\": \"rm -rf target/\"}", NULL), 1);
	assert_non_null(strstr(out, "\"needs_confirmation\":true"));
	free(out);
	assert_int_equal(flow_myna(&f, &out, "tool", "run", "bash",
			     "{\"command\": \"rm -rf target/\", \"confirmed\": true}", NULL),
	    0);
	assert_non_null(strstr(out, "\"exit_code\":0"));
	free(out);
}

#define FLOW(test) FLOW_TEST(test, begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(a_command_answers_in_the_chat),
	    FLOW(stop_ends_a_running_command),
	    FLOW(a_background_task_goes_on_across_turns_and_its_end_is_told),
	    FLOW(stop_and_new_end_background_tasks),
	    FLOW(nothing_outlives_the_gateway),
	    FLOW(deleting_waits_for_a_button),
	    FLOW(at_the_terminal_confirmed_is_a_yes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
