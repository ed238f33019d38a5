/* Tools that are programs in a folder: real scripts, asked, checked and run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "llm/llm.h"
#include "net/child/child.h"
#include "net/loop.h"
#include "tools/sandbox/sandbox.h"
#include "tools/source.h"
#include "tools/tools_fixture.h"

/* What a program says of itself, but for its name. */
#define ABOUT                                                                    \
	",\"description\":\"It does one "                                        \
	"thing.\",\"parameters\":{\"type\":\"object\",\"properties\":{\"arg1\":" \
	"{\"type\":\"string\",\"description\":\"What to say\"}},\"required\":[\"arg1\"]}}"

static struct tools_fixture w;

/* A program that answers --schema as NAME, and a call by what body does. */
static char *program(const char *name, const char *body)
{
	return xasprintf("#!/bin/sh\nif [ \"$1\" = --schema ]; then\n  echo '{\"name\":\"%s\"" ABOUT
			 "'\n  exit\nfi\n%s\n",
	    name, body);
}

/* Written beside, then put in its place, as a careful person would. */
static void put_text(const char *file, const char *text, mode_t mode)
{
	char *path = xasprintf("ext/%s", file), *whole = tools_fixture_path(&w, path),
	     *beside = tools_fixture_path(&w, "beside");

	tools_fixture_put_text(&w, "beside", text);
	assert_int_equal(chmod(beside, mode), 0);
	assert_int_equal(rename(beside, whole), 0);
	free(beside);
	free(whole);
	free(path);
}

static void put(const char *file, const char *name, const char *body)
{
	char *text = program(name, body);

	put_text(file, text, 0755);
	free(text);
}

static void drop(const char *file)
{
	char *path = xasprintf("ext/%s", file), *whole = tools_fixture_path(&w, path);

	assert_int_equal(unlink(whole), 0);
	free(whole);
	free(path);
}

static void refresh_task(struct task *t, void *arg)
{
	(void)arg;
	tools_refresh(t, w.tools);
}

static void refresh(void)
{
	task_run("refresh", refresh_task, NULL);
}

static void open_with(const char *settings)
{
	char *folder, *whole, *workspace;

	tools_fixture_init(&w);
	/* Programs of root's tests run as nobody. */
	assert_int_equal(chmod(w.dir, 0755), 0);
	tools_fixture_put_text(&w, "ext/.keep", "");
	tools_fixture_put_text(&w, "ws/.keep", "");
	folder = tools_fixture_path(&w, "ext");
	workspace = tools_fixture_path(&w, "ws");
	assert_int_equal(chmod(workspace, 0777), 0);
	whole = xasprintf("sandbox = \"S0\"; external = \"%s\"; %s", folder, settings);
	tools_fixture_open(&w, "", whole, NULL);
	free(whole);
	free(workspace);
	free(folder);
}

static int set_up(void **state)
{
	*state = &w;
	open_with("external_schema_time = \"60 s\"; external_time = \"60 s\"; external_limit = \"100 KiB\";");
	return 0;
}

struct run {
	const char *name, *arguments;
	char *text;
	bool is_error;
};

static void run_task(struct task *t, void *arg)
{
	struct run *r = arg;

	r->text = tools_run(t, &w.call, r->name, r->arguments, &r->is_error);
}

/* The result as it is, and whether the model is told that it failed. */
static struct json_object *run(const char *name, const char *arguments, bool failed)
{
	struct run r = {.name = name, .arguments = arguments};

	task_run("run", run_task, &r);
	if (r.is_error != failed)
		fail_msg("%s: %s", name, r.text);
	struct json_object *o = json_parse_object(r.text, strlen(r.text), NULL);
	assert_non_null(o);
	assert_int_equal(tools_result_failed(o), failed);
	free(r.text);
	return o;
}

static void expect(const char *name, const char *arguments, bool failed, const char *want)
{
	struct json_object *o = run(name, arguments, failed);

	assert_json(o, want);
	json_object_put(o);
}

/* "name: reason" of what is not offered, a line each. */
static void assert_absent(const char *want)
{
	size_t count;
	struct tool_absent *absent = tools_absent(w.tools, NULL, &count);
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < count; i++)
		buf_addf(&text, "%s: %s\n", absent[i].name ? absent[i].name : "-", absent[i].reason);
	assert_string_equal(text.data, want);
	buf_clear(&text);
	free(absent);
}

static void a_program_is_offered_with_what_it_says_and_run(void **state)
{
	size_t count, found = 0;

	(void)state;
	put("my-tool", "my_tool", "printf '{\"said\":%s}' \"$(cat)\"");
	refresh();
	assert_absent("");
	struct llm_tool *offer = tools_offer(w.tools, &w.call, &count);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(offer[i].name, "my_tool") != 0)
			continue;
		found++;
		assert_string_equal(offer[i].summary, "It does one thing.");
		assert_holds(offer[i].schema, "\"required\":[\"arg1\"]");
	}
	free(offer);
	assert_int_equal(found, 1);
	expect("my_tool", "{\"arg1\": \"value\"}", false,
	    "{\"tool_success\":true,\"result\":{\"said\":{\"arg1\":\"value\"}}}");
	expect("my-tool", "{\"arg1\": 5.0, \"arg1\": \"x\"}", false,
	    "{\"tool_success\":true,\"result\":{\"said\":{\"arg1\":\"x\"}}}");
	assert_int_equal(tools_find(w.tools, "my_tool")->flags, TOOL_WRITES | TOOL_TIMED);
}

static void bad_arguments_start_nothing(void **state)
{
	(void)state;
	put("my_tool", "my_tool", "touch ran; echo '{}'");
	refresh();
	tools_fixture_refused(&w, "my_tool", "{}", "INVALID_ARGUMENT", "MISSING");
	tools_fixture_refused(&w, "my_tool", "{\"arg1\":\"a\",\"b\":1}", "INVALID_ARGUMENT", "UNKNOWN");
	tools_fixture_refused(&w, "my_tool", "{\"arg1\":[]}", "INVALID_ARGUMENT", "TYPE");
	char *trace = tools_fixture_path(&w, "ws/ran");
	assert_int_equal(access(trace, F_OK), -1);
	json_object_put(run("my_tool", "{\"arg1\":\"a\"}", false));
	assert_int_equal(access(trace, F_OK), 0);
	free(trace);
}

static const struct {
	const char *file, *body, *code, *error;
	int exit_code; /* -1: none */
} failures[] = {
    {"dies", "kill -SEGV $$", "TOOL_CRASHED", "Tool 'dies' crashed with exit code 139", 139},
    {"exits", "echo '{\"a\":1}'; echo why >&2; exit 3", "TOOL_CRASHED",
	"Tool 'exits' crashed with exit code 3", 3},
    {"talks", "echo hello", "INVALID_OUTPUT", "Tool 'talks' did not print one JSON object: not JSON", 0},
    {"silent", "cat >/dev/null", "INVALID_OUTPUT", "Tool 'silent' did not print one JSON object: ", 0},
    {"lists", "echo '[1]'", "INVALID_OUTPUT", "is of type array", 0},
    {"twice", "echo '{}'; echo '{}'", "INVALID_OUTPUT", "Tool 'twice' did not print one JSON object: ", 0},
    {"floods", "cat >/dev/null; yes 0123456789", "INVALID_OUTPUT",
	"Tool 'floods' printed more than 102400 bytes", -1},
};

static void a_program_that_fails_is_told_from_one_that_answers(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(failures); i++)
		put(failures[i].file, failures[i].file, failures[i].body);
	refresh();
	assert_absent("");
	for (size_t i = 0; i < ARRAY_LEN(failures); i++) {
		struct json_object *o = run(failures[i].file, "{\"arg1\":\"x\"}", true);
		assert_false(json_get_bool(o, "tool_success", true));
		assert_str(o, "error_code", failures[i].code);
		assert_holds(json_get_str(o, "error"), failures[i].error);
		assert_int_equal(json_get_int(o, "exit_code", -1), failures[i].exit_code);
		json_object_put(o);
	}
	struct json_object *o = run("exits", "{\"arg1\":\"x\"}", true);
	assert_str(o, "stdout", "{\"a\":1}\n");
	assert_str(o, "stderr", "why\n");
	json_object_put(o);
	o = run("floods", "{\"arg1\":\"x\"}", true);
	assert_int_equal(strlen(json_get_str(o, "stdout")), 4096);
	json_object_put(o);
}

static void a_program_that_takes_too_long_is_stopped(void **state)
{
	(void)state;
	tools_fixture_clear(&w);
	open_with("external_schema_time = \"60 s\"; external_time = \"100 ms\";");
	put("sleeps", "sleeps", "echo begun; exec sleep 3600");
	refresh();
	struct json_object *o = run("sleeps", "{\"arg1\":\"x\"}", true);
	assert_str(o, "error_code", "TOOL_TIMEOUT");
	assert_holds(json_get_str(o, "error"), "Tool 'sleeps' did not end within 0.1 s and was stopped.");
	assert_null(json_get(o, "exit_code"));
	json_object_put(o);
}

static void a_failure_in_the_programs_own_words_is_passed_on(void **state)
{
	(void)state;
	put("full", "full",
	    "echo '{\"error\": \"No space left on device: /tmp/test.txt\", \"error_code\": \"NO_SPACE\"}'");
	put("odd", "odd", "echo '{\"error_code\": 5, \"tool_success\": false}'");
	refresh();
	expect("full", "{\"arg1\":\"x\"}", true,
	    "{\"tool_success\":true,\"result\":{\"error\":\"No space left on device: "
	    "/tmp/test.txt\",\"error_code\":\"NO_SPACE\"}}");
	expect("odd", "{\"arg1\":\"x\"}", false,
	    "{\"tool_success\":true,\"result\":{\"error_code\":5,\"tool_success\":false}}");
}

static void a_program_that_leaves_its_arguments_unread_may_answer(void **state)
{
	struct buf args = BUF_INIT;

	(void)state;
	put("deaf", "deaf", "exec 0</dev/null; echo '{\"heard\":false}'");
	put("mute", "mute", "exec 0</dev/null");
	refresh();
	buf_addstr(&args, "{\"arg1\":\"");
	while (args.len < 1000000)
		buf_addstr(&args, "xxxxxxxxxxxxxxxx");
	buf_addstr(&args, "\"}");
	expect("deaf", args.data, false, "{\"tool_success\":true,\"result\":{\"heard\":false}}");
	struct json_object *o = run("mute", args.data, true);
	assert_str(o, "error_code", "INVALID_PARAMS");
	json_object_put(o);
	buf_clear(&args);
}

static void a_long_answer_is_cut_inside_of_its_envelope(void **state)
{
	(void)state;
	put("long", "long",
	    "printf '{\"output\":\"'; head -c 90000 /dev/zero | tr '\\0' x; printf '\",\"n\":1}\\n'");
	refresh();
	struct json_object *o = run("long", "{\"arg1\":\"x\"}", false),
			   *result = json_get_object(o, "result");
	assert_true(json_get_bool(o, "tool_success", false));
	assert_true(json_get_bool(result, "truncated", false));
	assert_int(result, "n", 1);
	assert_in_range(strlen(json_get_str(result, "output")), 65000, 65536);
	json_object_put(o);
}

static void a_program_that_passes_the_quota_is_stopped(void **state)
{
	(void)state;
	tools_fixture_clear(&w);
	open_with("external_schema_time = \"60 s\"; external_time = \"60 s\"; workspace_scope = \"shared\"; "
		  "workspace_quota = \"8 MiB\";");
	put("greedy", "greedy",
	    "trap '' TERM; i=0; while :; do head -c 1000000 /dev/zero >f$i; i=$((i+1)); sleep 0.05; done");
	refresh();
	struct json_object *o = run("greedy", "{\"arg1\":\"x\"}", true);
	assert_str(o, "error_code", "TOOL_CRASHED");
	assert_holds(json_get_str(o, "error"), "its limit of quota was reached. ");
	assert_holds(json_get_str(o, "error"), "Largest: f");
	json_object_put(o);
}

static const struct {
	const char *file, *text, *reason;
	mode_t mode;
} refused[] = {
    {"a__b", "#!/bin/sh\necho '{\"name\":\"a__b\"" ABOUT "'\n", "a__b: A name must not hold __,", 0755},
    {"array",
	"#!/bin/sh\necho '{\"name\":\"array\",\"description\":\"d\",\"parameters\":{\"type\":\"array\"}}'\n",
	"array: The schema's root is not of type object.", 0755},
    {"bash", "#!/bin/sh\necho '{\"name\":\"file_read\"" ABOUT "'\n", "bash: It calls itself \"file_read\".",
	0755},
    {"file-read", "#!/bin/sh\necho '{\"name\":\"file_read\"" ABOUT "'\n",
	"file_read: The name is taken by a built-in tool.", 0755},
    {"group", "#!/bin/sh\necho '{\"name\":\"group\"" ABOUT "'\n",
	"group: It can be written by others: chmod go-w.", 0775},
    {"mute", "#!/bin/sh\n", "mute: What it printed for --schema is no JSON object: ", 0755},
    {"nameless", "#!/bin/sh\necho '{\"description\":\"d\"}'\n",
	"nameless: Its --schema lacks a name or a description.", 0755},
    {"no.sh", "#!/bin/sh\necho '{\"name\":\"no.sh\"" ABOUT "'\n",
	"no.sh: A name has 1 to 64 letters, digits, _ or -.", 0755},
    {"plain", "#!/bin/sh\necho '{\"name\":\"plain\",\"description\":\"d\"}'\n",
	"plain: Its --schema lacks parameters", 0755},
    {"untyped",
	"#!/bin/sh\necho "
	"'{\"name\":\"untyped\",\"description\":\"d\",\"parameters\":{\"type\":\"object\",\"properties\":{"
	"\"x\":{}}}}'\n",
	"untyped: The parameter 'x' has no type that is known.", 0755},
    {"text", "\1\2\3", "text: ", 0755},
    {"world", "#!/bin/sh\necho '{\"name\":\"world\"" ABOUT "'\n",
	"world: It can be written by others: chmod go-w.", 0757},
    {"wrong", "#!/bin/sh\necho usage: none >&2\nexit 64\n",
	"wrong: Asked with --schema it ended with exit code 64 (usage: none).", 0755},
    {"zz", "#!/no/such/interpreter\n",
	"zz: It cannot be started: it, or what its first line names, is not there.", 0755},
};

static void what_cannot_be_trusted_or_understood_is_quarantined_with_the_reason(void **state)
{
	size_t count;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(refused); i++)
		put_text(refused[i].file, refused[i].text, refused[i].mode);
	put_text("README", "no program", 0644);
	put_text(".hidden", "#!/bin/sh\n", 0755);
	put("good", "good", "echo '{}'");
	char *link = tools_fixture_path(&w, "ext/link"), *good = tools_fixture_path(&w, "ext/good");
	assert_int_equal(symlink(good, link), 0);
	refresh();
	struct tool_absent *absent = tools_absent(w.tools, NULL, &count);
	struct buf text = BUF_INIT;
	for (size_t i = 0; i < count; i++)
		buf_addf(&text, "%s: %s\n", absent[i].name, absent[i].reason);
	for (size_t i = 0; i < ARRAY_LEN(refused); i++)
		assert_holds(text.data, refused[i].reason);
	assert_holds(text.data, "link: It is a link.");
	assert_int_equal(count, ARRAY_LEN(refused) + 1);
	assert_null(strstr(text.data, w.dir));
	expect("good", "{\"arg1\":\"x\"}", false, "{\"tool_success\":true,\"result\":{}}");
	tools_fixture_refused(&w, "world", "{}", "TOOL_NOT_FOUND", NULL);
	buf_clear(&text);
	free(absent);
	free(link);
	free(good);
}

static void a_program_that_does_not_answer_in_time_is_not_waited_for(void **state)
{
	(void)state;
	tools_fixture_clear(&w);
	open_with("external_schema_time = \"100 ms\";");
	put_text("hangs", "#!/bin/sh\nsleep 3600\n", 0755);
	refresh();
	assert_absent("hangs: It did not answer --schema within 0.1 s.\n");
}

static void changes_are_seen_at_the_next_look(void **state)
{
	(void)state;
	put("tool", "tool", "echo '{\"v\":1}'");
	refresh();
	expect("tool", "{\"arg1\":\"x\"}", false, "{\"tool_success\":true,\"result\":{\"v\":1}}");
	const struct tool *first = tools_find(w.tools, "tool");
	refresh();
	assert_ptr_equal(tools_find(w.tools, "tool"), first);
	put("tool", "tool", "echo '{\"v\":2}'");
	put("other", "other", "echo '{\"v\":3}'");
	refresh();
	expect("tool", "{\"arg1\":\"x\"}", false, "{\"tool_success\":true,\"result\":{\"v\":2}}");
	expect("other", "{\"arg1\":\"x\"}", false, "{\"tool_success\":true,\"result\":{\"v\":3}}");
	put("tool", "liar", "echo '{\"v\":2}'");
	drop("other");
	refresh();
	assert_absent(
	    "tool: It calls itself \"liar\". The file and the name in its --schema must be the same.\n");
	tools_fixture_refused(&w, "other", "{\"arg1\":\"x\"}", "TOOL_NOT_FOUND", NULL);
	put("tool", "tool", "echo '{\"v\":4}'");
	refresh();
	assert_absent("");
	expect("tool", "{\"arg1\":\"x\"}", false, "{\"tool_success\":true,\"result\":{\"v\":4}}");
}

static void a_program_that_is_gone_meanwhile_is_told(void **state)
{
	(void)state;
	put("tool", "tool", "echo '{}'");
	refresh();
	drop("tool");
	struct json_object *o = run("tool", "{\"arg1\":\"x\"}", true);
	assert_str(o, "error_code", "TOOL_NOT_FOUND");
	assert_holds(json_get_str(o, "error"), "The program of 'tool' is gone.");
	json_object_put(o);
}

/* A program that is asked takes a line, or waits for one. Returns the pipe that gives so many. */
#define TAKE_A_LINE "#!/bin/sh\nread -r line <\"$(dirname \"$0\")/.lines\"\n"
static int give_lines(size_t count)
{
	char *path = tools_fixture_path(&w, "ext/.lines");
	int fd = mkfifo(path, 0644) == 0 ? open(path, O_RDWR | O_CLOEXEC) : -1;

	assert_true(fd >= 0);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(write(fd, "x\n", 2), 2);
	free(path);
	return fd;
}

static void asking_costs_nothing_when_nothing_has_changed(void **state)
{
	int lines = give_lines(2);

	(void)state;
	put_text("counts", TAKE_A_LINE "echo '{\"name\":\"counts\"" ABOUT "'\n", 0755);
	put_text("fails", TAKE_A_LINE "exit 1\n", 0755);
	for (int i = 0; i < 3; i++)
		refresh();
	assert_non_null(tools_find(w.tools, "counts"));
	assert_absent("fails: Asked with --schema it ended with exit code 1.\n");
	close(lines);
}

/* The answer is the same for all chats. */
static void asked_for_its_schema_a_program_has_no_files(void **state)
{
	(void)state;
	put_text("where",
	    "#!/bin/sh\necho '{\"name\":\"where\",\"description\":\"'$(pwd; cat \"$(dirname "
	    "\"$0\")/../ws/note\" || "
	    "echo no note)'\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}'\n",
	    0755);
	tools_fixture_put_text(&w, "ws/note", "seen");
	refresh();
	assert_non_null(tools_find(w.tools, "where"));
	/* At S0 there is no boundary. */
	if (sandbox_level(tools_sandbox(w.tools), NULL) >= SANDBOX_S1)
		assert_string_equal(tools_find(w.tools, "where")->summary, "/ no note");
}

/* Interpreters load modules and settings from their home, and a model writes in the chat's folder. */
static void the_home_of_a_program_is_no_folder_of_a_chat(void **state)
{
	char *folder = tools_fixture_path(&w, "ext"),
	     *want = xasprintf("{\"tool_success\":true,\"result\":{\"home\":\"%s\"}}", folder);

	(void)state;
	put("home", "home", "printf '{\"home\":\"%s\"}' \"$HOME\"");
	refresh();
	expect("home", "{\"arg1\":\"x\"}", false, want);
	free(want);
	free(folder);
}

static void a_folder_that_others_can_change_or_tools_can_write_is_not_used(void **state)
{
	(void)state;
	put("tool", "tool", "echo '{}'");
	char *folder = tools_fixture_path(&w, "ext");
	refresh();
	assert_non_null(tools_find(w.tools, "tool"));
	assert_int_equal(chmod(folder, 0777), 0);
	refresh();
	assert_absent("-: It, or a folder above it, can be written by others: chmod go-w.\n");
	assert_null(tools_find(w.tools, "tool"));
	assert_int_equal(chmod(folder, 0755), 0);
	assert_int_equal(chmod(w.dir, 0777), 0);
	refresh();
	assert_absent("-: It, or a folder above it, can be written by others: chmod go-w.\n");
	assert_int_equal(chmod(w.dir, 0755), 0);
	refresh();
	assert_absent("");
	assert_non_null(tools_find(w.tools, "tool"));
	char *away = tools_fixture_path(&w, "away");
	assert_int_equal(rename(folder, away), 0);
	refresh();
	assert_absent("-: The folder cannot be opened: No such file or directory.\n");
	tools_fixture_clear(&w);
	tools_fixture_init(&w);
	tools_fixture_put_text(&w, "ws/ext/.keep", "");
	char *settings = xasprintf("sandbox = \"S0\"; external = \"%s/ws/ext\";", w.dir);
	tools_fixture_open(&w, "", settings, NULL);
	refresh();
	assert_absent("-: It is in the workspace or a root, where tools write. Name a folder elsewhere.\n");
	free(settings);
	free(away);
	free(folder);
}

static void many_who_come_at_once_wait_for_one_look(void **state)
{
	struct task_group group;

	(void)state;
	int lines = give_lines(1);
	put_text("counts", TAKE_A_LINE "sleep 0.2\necho '{\"name\":\"counts\"" ABOUT "'\n", 0755);
	task_group_init(&group);
	struct task *second = NULL;
	for (int i = 0; i < 5; i++) {
		struct task *t = task_start(&group, "refresh", refresh_task, NULL);
		second = i == 1 ? t : second;
	}
	task_cancel(second);
	refresh();
	assert_non_null(tools_find(w.tools, "counts"));
	close(lines);
}

static void without_a_proved_sandbox_no_program_is_started(void **state)
{
	(void)state;
	tools_fixture_clear(&w);
	open_with("");
	char *helpers = tools_fixture_path(&w, "helpers"),
	     *helper = tools_fixture_path(&w, "helpers/myna-sandbox");
	tools_fixture_put_text(&w, "helpers/myna-sandbox", "#!/bin/sh\nexit 1\n");
	assert_int_equal(chmod(helper, 0755), 0);
	helper_set_folder(helpers);
	put("tool", "tool", "touch ran; echo '{}'");
	refresh();
	helper_set_folder(BUILD_DIR);
	size_t count;
	struct tool_absent *absent = tools_absent(w.tools, NULL, &count);
	assert_int_equal(count, 1);
	assert_null(absent[0].name);
	assert_holds(absent[0].reason, "Programs cannot be run: ");
	assert_null(strstr(absent[0].reason, w.dir));
	assert_null(tools_find(w.tools, "tool"));
	free(absent);
	free(helper);
	free(helpers);
}

static void safety_rules_look_at_what_a_program_is_given(void **state)
{
	(void)state;
	tools_fixture_clear(&w);
	open_with("rules = ( { name = \"no_secrets\"; patterns = [\"top secret\"]; } );");
	put("tool", "tool", "echo '{}'");
	refresh();
	tools_fixture_refused(&w, "tool", "{\"arg1\":\"a Top Secret thing\"}", "BLOCKED", "RULE");
	expect("tool", "{\"arg1\":\"x\"}", false, "{\"tool_success\":true,\"result\":{}}");
}

static void what_only_reads_and_who_may_network_is_known(void **state)
{
	(void)state;
	tools_fixture_clear(&w);
	open_with("external_network = [\"net_*\"];");
	put_text("peek", "#!/bin/sh\necho '{\"read_only\":true,\"name\":\"peek\"" ABOUT "'\n", 0755);
	put_text("net-get", "#!/bin/sh\necho '{\"name\":\"net-get\"" ABOUT "'\n", 0755);
	refresh();
	assert_absent("");
	assert_int_equal(tools_find(w.tools, "peek")->flags, TOOL_TIMED);
	assert_int_equal(tools_find(w.tools, "net_get")->flags, TOOL_TIMED | TOOL_WRITES | TOOL_NETWORK);
}

/* Puts the first block of this language of the page into a program. */
static void put_example(const char *language, const char *file)
{
	char *fence = xasprintf("```%s\n", language), page[16384];
	FILE *in = fopen(SOURCE_DIR "/docs/external-tools.md", "r");

	assert_non_null(in);
	page[fread(page, 1, sizeof(page) - 1, in)] = '\0';
	fclose(in);
	char *begin = strstr(page, fence);
	assert_non_null(begin);
	begin += strlen(fence);
	char *end = strstr(begin, "```\n");
	assert_non_null(end);
	*end = '\0';
	put_text(file, begin, 0755);
	free(fence);
}

static void the_examples_of_the_page_work(void **state)
{
	(void)state;
	tools_fixture_clear(&w);
	open_with("");
	put_example("bash", "week");
	put_example("python", "text-stats");
	refresh();
	assert_absent("");
	expect("week", "{\"day\": \"2026-11-21\"}", false,
	    "{\"tool_success\":true,\"result\":{\"week\":\"2026-W47\"}}");
	expect("week", "{\"day\": \"never\"}", true,
	    "{\"tool_success\":true,\"result\":{\"error\":\"This is no day.\",\"error_code\":\"NO_DAY\"}}");
	expect("text_stats", "{\"text\": \"one two\\nthree\"}", false,
	    "{\"tool_success\":true,\"result\":{\"lines\":2,\"words\":3,\"characters\":13}}");
	w.call.guest = true;
	tools_fixture_refused(&w, "text_stats", "{\"text\": \"x\"}", "ACCESS_DENIED", "ROLE");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tools_fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(a_program_is_offered_with_what_it_says_and_run),
	    CASE(bad_arguments_start_nothing),
	    CASE(a_program_that_fails_is_told_from_one_that_answers),
	    CASE(a_program_that_takes_too_long_is_stopped),
	    CASE(a_failure_in_the_programs_own_words_is_passed_on),
	    CASE(a_program_that_leaves_its_arguments_unread_may_answer),
	    CASE(a_long_answer_is_cut_inside_of_its_envelope),
	    CASE(a_program_that_passes_the_quota_is_stopped),
	    CASE(asked_for_its_schema_a_program_has_no_files),
	    CASE(the_home_of_a_program_is_no_folder_of_a_chat),
	    CASE(what_cannot_be_trusted_or_understood_is_quarantined_with_the_reason),
	    CASE(a_program_that_does_not_answer_in_time_is_not_waited_for),
	    CASE(changes_are_seen_at_the_next_look),
	    CASE(a_program_that_is_gone_meanwhile_is_told),
	    CASE(asking_costs_nothing_when_nothing_has_changed),
	    CASE(a_folder_that_others_can_change_or_tools_can_write_is_not_used),
	    CASE(many_who_come_at_once_wait_for_one_look),
	    CASE(the_examples_of_the_page_work),
	    CASE(without_a_proved_sandbox_no_program_is_started),
	    CASE(safety_rules_look_at_what_a_program_is_given),
	    CASE(what_only_reads_and_who_may_network_is_known),
	};

	loop_init();
	helper_set_folder(BUILD_DIR);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
