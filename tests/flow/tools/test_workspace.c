/* Whose files a turn gets: nothing that a chat can ask for reaches those of another one. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "tools/sandbox/sandbox_fixture.h"

/* Stands in Ann's file, and in nothing that others may see. */
#define SECRET "wombat-4711"
#define ANN    "77"
#define BEN    "78"
#define GROUP  "-1001"

/* The model does what it is told, and repeats what it got. */
static const char script[] =
    "{\"else\": {\"steps\": [{\"obey\": true, \"text\": \"did {{steps}}: {{result}}\"}]}}";

static struct flow f;
static size_t said[10]; /* messages of the bot that were looked at */
static bool is_known, can_run;

/* Prints the file that its argument names. */
static void put_tool(void)
{
	flow_put_tool(&f, "show", "{\"file\":{\"type\":\"string\",\"description\":\"Which\"}}",
	    "path=$(sed 's/.*\"file\" *: *\"\\([^\"]*\\)\".*/\\1/')\n"
	    "echo \"{\\\"n\\\":\\\"$(cat \"$path\" 2>&1 | tr -d '\"\\n')\\\"}\"\n");
}

static void write_config(const char *more)
{
	/* Not in the state folder: that is hidden as a whole, so that the kernel would not be asked. */
	char *top =
	    xasprintf("tools: { external = \"%s/ext\"; workspace = \"%s/files\"; %s };", f.dir, f.dir, more);

	flow_config(&f, top,
	    "allow = [\"" ANN "\", \"" BEN "\"]; chats = [\"*\"]; previews = false; rate_private = 0;");
	free(top);
}

static int begin(void **state)
{
	char *out;

	(void)state;
	memset(said, 0, sizeof(said));
	flow_start_script(&f, script);
	json_object_put(flow_control(&f, "settings", "{\"telegram\":{\"limits\":false}}"));
	/* Commands run as somebody else when we are root. */
	assert_int_equal(chmod(f.dir, 0755), 0);
	put_tool();
	write_config("");
	if (!is_known)
		can_run =
		    flow_myna(&f, &out, "tool", "run", "exec_shell", "{\"command\": \"true\"}", NULL) == 0;
	if (!is_known)
		free(out);
	is_known = true;
	return 0;
}

static char *path_of(const char *chat, const char *name)
{
	return xasprintf("%s/files/chat/telegram%%3A%s/%s", f.dir, chat, name);
}

/* A group is greeted a second after the bot joined, before the first answer or after it. */
static char *next_answer(const char *chat, size_t *n)
{
	for (;;) {
		char *text;

		flow_await(&f, chat, *n + 1);
		text = flow_bot_text(&f, chat, (*n)++);
		if (chat[0] != '-' || !strstr(text, "Hello, I am Myna, an assistant."))
			return text;
		free(text);
	}
}

/* Has that person say it in that chat, and returns the bot's answer; the caller's. */
static char *ask(const char *chat, const char *person, const char *text)
{
	size_t *n = &said[chat[0] == '-' ? 0 : chat[1] - '0'];
	bool group = chat[0] == '-';
	char *quoted = group ? xasprintf("@myna_bot %s", text) : xstrdup(text);
	struct json_object *o = json_object_new_object();

	json_set_str(o, "platform", "telegram");
	json_set_str(o, "chat", chat);
	json_set_str(o, "user", person);
	json_set_str(o, "text", quoted);
	json_set_str(o, "kind", group ? "group" : "private");
	json_object_put(flow_control(&f, "say", "%s", json_object_to_json_string(o)));
	json_object_put(o);
	free(quoted);
	return next_answer(chat, n);
}

static void expect(const char *chat, const char *person, const char *text, const char *want)
{
	char *got = ask(chat, person, text);

	if (!strstr(got, want))
		fail_msg("\"%s\" was answered \"%s\", which lacks \"%s\"", text, got, want);
	free(got);
}

/* "@" stands for the folder of Ann's chat. */
static char *expand(const char *text)
{
	char *folder = path_of(ANN, "");
	struct buf out = BUF_INIT;

	folder[strlen(folder) - 1] = '\0';
	for (; *text; text++)
		if (*text == '@')
			buf_addstr(&out, folder);
		else
			buf_addch(&out, *text);
	free(folder);
	return buf_take(&out);
}

static char *read_file(const char *chat, const char *name)
{
	char *path = path_of(chat, name), *text = xcalloc(1, 4096);
	FILE *in = fopen(path, "r");

	if (in) {
		text[fread(text, 1, 4095, in)] = '\0';
		fclose(in);
	}
	free(path);
	return text;
}

static const char *const without_programs[] = {
    "CALL read_file {\"path\":\"../telegram%3A77/note.txt\"}",
    "CALL read_file {\"path\":\"@/note.txt\"}",
    "CALL list_directory {\"path\":\"..\"}",
    "CALL list_directory {\"path\":\"@\"}",
    "CALL list_directory {\"path\":\"@/..\"}",
    "CALL glob {\"pattern\":\"@/**/*\"}",
    "CALL glob {\"pattern\":\"../**/*.txt\"}",
    "CALL grep {\"pattern\":\"wom.at\",\"directory\":\"@\"}",
    "CALL grep {\"pattern\":\"wom.at\",\"directory\":\"../..\"}",
    "CALL grep {\"pattern\":\"wom.at\"}",
    "CALL write_file {\"path\":\"@/note.txt\",\"content\":\"mine\"}",
    "CALL write_file {\"path\":\"../telegram%3A77/new.txt\",\"content\":\"mine\"}",
    "CALL edit_file {\"path\":\"@/note.txt\",\"old_text\":\"wom\",\"new_text\":\"bat\"}",
    "CALL send_file {\"path\":\"@/note.txt\"}",
    "CALL send_file {\"path\":\"../telegram%3A77/note.txt\"}",
    "CALL skill {\"name\":\"x\",\"file\":\"../../../telegram%3A77/note.txt\"}",
    "CALL memory_read {\"query\":\"wombat\"}",
};

static const char *const with_programs[] = {
    "CALL exec_shell {\"command\":\"cat @/note.txt ../telegram%3A77/note.txt; ls -R .. ../..\"}",
    "CALL exec_shell {\"command\":\"ln -s @/note.txt soft; ln @/note.txt hard; cat soft hard; cat < soft\"}",
    "CALL read_file {\"path\":\"soft\"}",
    "CALL read_file {\"path\":\"hard\"}",
    "CALL send_file {\"path\":\"soft\"}",
    "CALL exec_shell {\"command\":\"ln -s .. up; ln -s @ all; cat up/*/note.txt all/note.txt\"}",
    "CALL read_file {\"path\":\"all/note.txt\"}",
    "CALL list_directory {\"path\":\"up\"}",
    "CALL grep {\"pattern\":\"wom.at\",\"directory\":\"all\"}",
    "CALL write_file {\"path\":\"all/made.txt\",\"content\":\"mine\"}",
    "CALL exec_shell {\"command\":\"echo mine > @/made.txt; mv @/note.txt here; touch @/../made\"}",
    "CALL exec_shell {\"command\":\"find / -name note.txt -exec cat {} + 2>/dev/null; echo ended\"}",
    "CALL exec_shell {\"command\":\"cat note.txt\",\"working_directory\":\"@\"}",
    "CALL exec_shell {\"command\":\"cat note.txt\",\"working_directory\":\"all\"}",
    "CALL spawn {\"command\":\"cat\",\"args\":[\"@/note.txt\"]}",
    "CALL exec_shell {\"command\":\"cat /proc/*/root@/note.txt /proc/*/cwd/note.txt\"}",
    "CALL show {\"file\":\"@/note.txt\"}",
    "CALL show {\"file\":\"../telegram%3A77/note.txt\"}",
};

/* The file is whole, and nothing came to it. */
static void check_untouched(const char *text)
{
	static const char *const made[] = {"made.txt", "new.txt", "here"};
	char *note = read_file(ANN, "note.txt");

	if (strcmp(note, SECRET "\n") != 0)
		fail_msg("%s changed the file of another chat: \"%s\"", text, note);
	free(note);
	for (size_t i = 0; i < ARRAY_LEN(made); i++) {
		char *path = path_of(ANN, made[i]);
		if (access(path, F_OK) == 0)
			fail_msg("%s made a file in another chat", text);
		free(path);
	}
}

static void try_all(const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *text = expand(list[i]), *got = ask(BEN, BEN, text);
		if (strstr(got, SECRET))
			fail_msg("%s: %s", text, got);
		check_untouched(text);
		free(text);
		free(got);
	}
}

static void try_everything(void)
{
	expect(ANN, ANN, "CALL write_file {\"path\":\"note.txt\",\"content\":\"" SECRET "\\n\"}", "12");
	check_untouched("writing");
	expect(ANN, ANN, "CALL read_file {\"path\":\"note.txt\"}", SECRET);
	try_all(without_programs, ARRAY_LEN(without_programs));
	if (can_run)
		try_all(with_programs, ARRAY_LEN(with_programs));
	/* The same calls reach it where it belongs. */
	char *text = expand("CALL grep {\"pattern\":\"wom.at\",\"directory\":\"@\"}");
	expect(ANN, ANN, text, SECRET);
	free(text);
	if (can_run) {
		text = expand("CALL exec_shell {\"command\":\"cat @/note.txt; pwd; echo $HOME\"}");
		expect(ANN, ANN, text, SECRET);
		free(text);
		text = expand("CALL show {\"file\":\"@/note.txt\"}");
		expect(ANN, ANN, text, SECRET);
		free(text);
	}
}

static void another_chats_files_are_out_of_reach(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	try_everything();
}

/* As in most containers: the kernel hides nothing, and refuses. */
static void they_are_out_of_reach_without_namespaces_too(void **state)
{
	(void)state;
	if (!can_run || !machine_has_landlock())
		skip();
	const char *build = getenv("MYNA_BUILD");
	char *here = xstrdup(build ? build : "."), *folder = xasprintf("%s/programs", f.dir),
	     *make = xasprintf("mkdir '%s' && cp '%s/myna' '%s' && cp '%s/myna-sandbox' '%s/real' && "
			       "cp '%s/tests/tools/sandbox/refusing_helper' '%s/myna-sandbox' && "
			       "echo namespaces >'%s/hindrance'",
		 folder, here, folder, here, folder, here, folder, folder);

	assert_int_equal(system(make), 0);
	setenv("MYNA_BUILD", folder, 1);
	flow_run(&f);
	setenv("MYNA_BUILD", here, 1);
	free(make);
	free(folder);
	free(here);
	flow_gateway_await(&f, true);
	flow_await_log(&f, "sandbox=S2 required=S2");
	try_everything();
}

/* A folder of the chat's own is swapped with a link to the other chat's, as fast as a program can. */
static void a_race_of_renames_reaches_nothing(void **state)
{
	(void)state;
	if (!can_run)
		skip();
	flow_gateway(&f, true);
	free(ask(ANN, ANN, "CALL write_file {\"path\":\"note.txt\",\"content\":\"" SECRET "\\n\"}"));
	char *race =
	    expand("CALL exec_shell {\"command\":\"mkdir d; echo mine > d/note.txt; ln -s @ l; while "
		   "[ ! -e stop ]; do mv -T d x; mv -T l d; mv -T d l; mv -T x d; done\","
		   "\"run_in_background\":true}");
	expect(BEN, BEN, race, "running");
	free(race);
	for (int i = 0; i < 30; i++) {
		char *got = ask(BEN, BEN,
		    i % 3 == 0     ? "CALL read_file {\"path\":\"d/note.txt\"}" :
			i % 3 == 1 ? "CALL grep {\"pattern\":\"wom.at\",\"directory\":\"d\"}" :
				     "CALL write_file {\"path\":\"d/made.txt\",\"content\":\"mine\"}");
		if (strstr(got, SECRET))
			fail_msg("%s", got);
		free(got);
	}
	free(ask(BEN, BEN, "CALL write_file {\"path\":\"stop\",\"content\":\"\"}"));
	check_untouched("a race");
}

static void a_person_has_one_folder_and_a_group_its_own(void **state)
{
	(void)state;
	write_config("workspace_scope = \"person\";");
	flow_gateway(&f, true);
	free(ask(ANN, ANN, "CALL write_file {\"path\":\"note.txt\",\"content\":\"" SECRET "\\n\"}"));
	/* Ann has her files in the group, too; Ben, who asks beside her, has not. */
	expect(GROUP, ANN, "CALL read_file {\"path\":\"note.txt\"}", SECRET);
	expect(GROUP, BEN, "CALL read_file {\"path\":\"note.txt\"}", "NOT_FOUND");
	expect(BEN, BEN, "CALL read_file {\"path\":\"note.txt\"}", "NOT_FOUND");
}

static void a_shared_workspace_is_for_all(void **state)
{
	(void)state;
	write_config("workspace_scope = \"shared\";");
	flow_gateway(&f, true);
	free(ask(ANN, ANN, "CALL write_file {\"path\":\"note.txt\",\"content\":\"" SECRET "\\n\"}"));
	expect(BEN, BEN, "CALL read_file {\"path\":\"note.txt\"}", SECRET);
}

static void a_chat_that_moves_takes_its_files_along(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	free(ask("-400", ANN, "CALL write_file {\"path\":\"note.txt\",\"content\":\"" SECRET "\\n\"}"));
	struct json_object *o = flow_control(&f, "chat",
	    "{\"platform\":\"telegram\",\"chat\":\"-400\",\"user\":\"" ANN "\",\"migrate\":true}");
	char *id = xstrdup(json_get_str(o, "migrated_to"));
	json_object_put(o);
	flow_await_log(&f, "put that in place of the old one");
	memset(said, 0, sizeof(said));
	expect(id, ANN, "CALL read_file {\"path\":\"note.txt\"}", SECRET);
	char *note = read_file(id, "note.txt");
	assert_string_equal(note, SECRET "\n");
	free(note);
	free(id);
}

/* The operator's instructions are above the chats' folders: for all of them, and out of their reach. */
static void instructions_at_the_top_are_for_all_chats(void **state)
{
	char *out;

	(void)state;
	flow_put(&f, "files/AGENTS.md", "Say it in rhymes.\n");
	flow_gateway(&f, true);
	free(ask(BEN, BEN, "what is 6*7"));
	assert_int_equal(flow_myna(&f, &out, "prompt", "telegram:" BEN, NULL), 0);
	assert_non_null(strstr(out, "Say it in rhymes."));
	free(out);
	expect(BEN, BEN, "CALL read_file {\"path\":\"AGENTS.md\"}", "NOT_FOUND");
}

static char *myna(int status, const char *one, const char *two, const char *three, const char *four)
{
	char *out;

	assert_int_equal(flow_myna(&f, &out, "workspace", one, two, three, four, NULL), status);
	return out;
}

/* Runs it, and checks that what it prints holds the words. */
static void run(const char *want, const char *one, const char *two, const char *three, const char *four)
{
	char *out = myna(0, one, two, three, four);

	if (!strstr(out, want))
		fail_msg("\"%s\" is not in: %s", want, out);
	free(out);
}

/* What a version without scopes left, or one for all chats, is moved over and back. Nothing is lost. */
static void an_old_workspace_is_moved_over_and_back(void **state)
{
	(void)state;
	write_config("workspace_scope = \"shared\";");
	flow_gateway(&f, true);
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"telegram\",\"chat\":\"" ANN "\",\"user\":\"" ANN "\",\"kind\":\"private\","
	    "\"text\":\"here\",\"files\":[{\"name\":\"plan.txt\",\"base64\":\"d29tYmF0LTQ3MTEK\"}]}"));
	flow_await(&f, ANN, ++said[7]);
	expect(ANN, ANN, "CALL glob {\"pattern\":\"files/telegram-77/plan-*.txt\"}", "plan-");
	free(ask(ANN, ANN, "CALL write_file {\"path\":\"all/note.txt\",\"content\":\"for all\"}"));
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);

	write_config("");
	flow_gateway(&f, true);
	expect(ANN, ANN, "CALL glob {\"pattern\":\"**/*\"}", "\"count\":0");
	char *out;
	flow_myna(&f, &out, "doctor", NULL);
	assert_non_null(strstr(out, "myna workspace move"));
	free(out);
	run("files/telegram-77/plan-", "move", NULL, NULL, NULL);
	run("all stays: no chat sees it there", "move", NULL, NULL, NULL);
	expect(ANN, ANN, "CALL glob {\"pattern\":\"**/*\"}", "\"count\":0");
	run("all -> chat/telegram%3A77/all", "move", "--to", "telegram:" ANN, "--yes");
	run("There is nothing to move.", "move", NULL, NULL, NULL);
	run("telegram:77  2 files  20480 bytes", "list", NULL, NULL, NULL);
	expect(ANN, ANN, "CALL grep {\"pattern\":\"wom.at\"}", "files/telegram-77/plan-");
	expect(ANN, ANN, "CALL read_file {\"path\":\"all/note.txt\"}", "for all");
	expect(BEN, BEN, "CALL grep {\"pattern\":\"wom.at\"}", "\"count\":0");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);

	write_config("workspace_scope = \"shared\";");
	run("chat/telegram%3A77/all -> telegram%3A77/all", "share", "--yes", NULL, NULL);
	flow_gateway(&f, true);
	expect(BEN, BEN, "CALL grep {\"pattern\":\"wom.at\"}", "files/telegram-77/plan-");
	/* What is there already is not replaced. */
	free(ask(BEN, BEN,
	    "CALL write_file {\"path\":\"chat/telegram%3A77/all/note.txt\",\"content\":\"other\"}"));
	free(ask(BEN, BEN, "CALL write_file {\"path\":\"telegram%3A77/all/more.txt\",\"content\":\"more\"}"));
	out = myna(1, "share", "--yes", NULL, NULL);
	assert_non_null(strstr(out, "not moved: that is there already"));
	free(out);
	expect(BEN, BEN, "CALL read_file {\"path\":\"telegram%3A77/all/note.txt\"}", "for all");
	expect(BEN, BEN, "CALL read_file {\"path\":\"chat/telegram%3A77/all/note.txt\"}", "other");
}

static void each_chat_has_a_quota(void **state)
{
	static const char write[] = "CALL write_file {\"path\":\"%s\",\"content\":\"x\"}";
	char *path = xasprintf("%s/files/old.txt", f.dir), *out, *call;

	(void)state;
	flow_put(&f, "files/old.txt", "x");
	write_config("workspace_quota = \"8 KiB\";");
	flow_gateway(&f, true);
	for (int i = 0; i < 3; i++) {
		char name[2] = {(char)('a' + i), '\0'};
		call = xasprintf(write, name);
		expect(ANN, ANN, call, i < 2 ? "Wrote" : "QUOTA");
		free(call);
	}
	/* What was there before a start counts. */
	flow_gateway_kill(&f);
	flow_gateway(&f, true);
	call = xasprintf(write, "c");
	expect(ANN, ANN, call, "QUOTA");
	free(call);
	call = xasprintf(write, "a");
	expect(BEN, BEN, call, "Wrote");
	free(call);
	out = myna(1, "move", "--to", "telegram:" ANN, "--yes");
	assert_non_null(strstr(out, "not moved: the chat would have more than tools.workspace_quota"));
	free(out);
	assert_int_equal(access(path, F_OK), 0);
	run("old.txt", "move", "--to", "telegram:" BEN, "--yes");
	assert_int_equal(access(path, F_OK), -1);
	free(path);
}

#define FLOW(test) FLOW_TEST(test, begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(another_chats_files_are_out_of_reach),
	    FLOW(they_are_out_of_reach_without_namespaces_too),
	    FLOW(a_race_of_renames_reaches_nothing),
	    FLOW(a_person_has_one_folder_and_a_group_its_own),
	    FLOW(a_shared_workspace_is_for_all),
	    FLOW(a_chat_that_moves_takes_its_files_along),
	    FLOW(instructions_at_the_top_are_for_all_chats),
	    FLOW(each_chat_has_a_quota),
	    FLOW(an_old_workspace_is_moved_over_and_back),
	};

	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
