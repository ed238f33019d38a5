/* What the safety rules block, what they ask about, and what they leave alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "tools/tools_internal.h"
#include "tools/rules/rules.h"
#include "tools/tools_fixture.h"

#define LONG_WORD (512 * 1024)

static struct tools_fixture w;
static unsigned runs;

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	(void)t, (void)call, (void)args;
	runs++;
	return json_object_new_object();
}

#define TEXT "{\"type\":\"string\",\"description\":\"d\"}"

static const char *const aliases[] = {"line_of", NULL};
static const struct tool line = {.name = "line",
    .aliases = aliases,
    .summary = "Returns: {}",
    .run = run,
    .guard = GUARD_SHELL,
    .schema = "{\"type\":\"object\",\"properties\":{\"command\":" TEXT ",\"working_directory\":" TEXT
	      ",\"confirmed\":{\"type\":\"boolean\",\"description\":\"d\"}}}"};
static const struct tool notes = {.name = "notes",
    .summary = "Returns: {}",
    .run = run,
    .schema = "{\"type\":\"object\",\"properties\":{\"text\":" TEXT "}}"};
static const struct tool outside = {.name = "outside",
    .summary = "Returns: {}",
    .run = run,
    .guard = GUARD_TEXTS,
    .schema = "{\"type\":\"object\",\"properties\":{\"command\":" TEXT ",\"text\":" TEXT "}}"};
static const struct tool program = {.name = "program",
    .summary = "Returns: {}",
    .run = run,
    .guard = GUARD_PROGRAM,
    .schema = "{\"type\":\"object\",\"properties\":{\"command\":" TEXT
	      ",\"args\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":\"d\"}}}"};
static const struct tool request = {.name = "request",
    .summary = "Returns: {}",
    .run = run,
    .guard = GUARD_REQUEST,
    .schema = "{\"type\":\"object\",\"properties\":{\"method\":" TEXT "}}"};
static const struct tool writer = {.name = "writer",
    .summary = "Returns: {}",
    .run = run,
    .guard = GUARD_WRITES,
    .schema = "{\"type\":\"object\",\"properties\":{\"path\":" TEXT ",\"text\":" TEXT "}}"};
static const struct tool *const table[] = {&line, &notes, &outside, &program, &request, &writer, NULL};

static int begin(void **state)
{
	(void)state;
	runs = 0;
	tools_fixture_init(&w);
	return 0;
}

static int end(void **state)
{
	(void)state;
	tools_fixture_clear(&w);
	return 0;
}

static struct json_object *call_with(const char *tool, const char *name, const char *value)
{
	struct json_object *args = json_object_new_object();

	json_set_str(args, name, value);
	char *text = json_text(args);
	struct json_object *o = tools_fixture_run(&w, tool, text);
	free(text);
	json_object_put(args);
	return o;
}

static void expect(const char *command, const char *code, const char *rule)
{
	struct json_object *o = call_with("line", "command", command);
	const char *have = json_get_str(o, "error_code"),
		   *name = json_get_str(json_get_object(o, "context"), "rule");

	if (!code ? have != NULL : (!have || strcmp(have, code) != 0 || !name || strcmp(name, rule) != 0))
		fail_msg("%s: %s by %s, not %s by %s", command, have ? have : "runs", name ? name : "none",
		    code ? code : "runs", rule ? rule : "none");
	json_object_put(o);
}

static void expect_capitals(const char *command, const char *code, const char *rule)
{
	char *text = xstrdup(command);

	expect(text, code, rule);
	for (char *p = text; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	expect(text, code, rule);
	free(text);
}

static const struct {
	const char *command, *rule;
} blocked[] = {
    {"rm -rf /", "rm-root"},
    {"rm -fr --no-preserve-root /", "rm-root"},
    {"rm -r -f /*", "rm-root"},
    {"rm --recursive --force ~", "rm-root"},
    {"rm -rf \"$HOME\"", "rm-root"},
    {"rm -R /etc/", "rm-root"},
    {"rm -rf -- //usr/.", "rm-root"},
    {"cd / && rm -rf /home", "rm-root"},
    {"/bin/rm -rf /", "rm-root"},
    {"ls; sh -c 'rm -rf /'", "rm-root"},
    {"echo $(rm -rf /)", "rm-root"},
    {"rm -rf /etc/../usr", "rm-root"},
    {"find . | xargs rm -rf /", "rm-root"},
    {"rm${IFS}-rf${IFS}/", "rm-root"},
    {"r'm' -rf \\/", "rm-root"},
    {"sudo ls", "privilege"},
    {"sudo\tls", "privilege"},
    {"\"sudo\" ls", "privilege"},
    {"ls | sudo tee a", "privilege"},
    {"/usr/bin/sudo ls", "privilege"},
    {"su -c ls", "privilege"},
    {"doas ls", "privilege"},
    {"pkexec ls", "privilege"},
    {"mkfs /dev/sda1", "mkfs"},
    {"mkfs.ext4 x", "mkfs"},
    {"mke2fs x", "mkfs"},
    {"wipefs x", "mkfs"},
    {"format c:", "mkfs"},
    {"dd if=/dev/zero of=x", "dd"},
    {"dd of=a if=b", "dd"},
    {"d'd' if=a", "dd"},
    {":(){ :|:& };:", "fork-bomb"},
    {"b(){ b|b& };b", "fork-bomb"},
    {": () { : | : & } ; :", "fork-bomb"},
    {"bash -c ':(){ :|:& };:'", "fork-bomb"},
    {"chmod 777 /", "chmod-root"},
    {"chmod -R 755 /etc", "chmod-root"},
    {"chown -R a /", "chmod-root"},
    {"echo x > /dev/sda", "raw-device"},
    {"echo x >/dev/sda", "raw-device"},
    {"echo x >> /dev/nvme0n1", "raw-device"},
    {"echo x | tee /dev/vda", "raw-device"},
    {"cp a /dev/hda", "raw-device"},
    {"echo x >| /dev/mmcblk0", "raw-device"},
    {"shutdown now", "power"},
    {"reboot", "power"},
    {"poweroff", "power"},
    {"halt", "power"},
    {"init 0", "power"},
    {"systemctl reboot", "power"},
    {"if true; then reboot; fi", "power"},
    {"echo x > /etc/hosts", "system-write"},
    {"cp a /boot/a", "system-write"},
    {"tee /usr/lib/x", "system-write"},
    {"sed -i s/a/b/ /etc/fstab", "system-write"},
    {"touch /sbin/x", "system-write"},
    {"cp -t /etc a", "system-write"},
    {"mkdir -p /usr/local/x", "system-write"},
    {"echo 1 > /proc/sys/kernel/sysrq", "system-write"},
    {"cat /etc/passwd", "protected-files"},
    {"cat \"/etc/passwd\"", "protected-files"},
    {"cat ~/.ssh/id_rsa", "protected-files"},
    {"cat < /etc/shadow", "protected-files"},
    {"ls /etc/sudoers.d/x", "protected-files"},
    {"tar c ~/.ssh", "protected-files"},
    {"cat .netrc", "protected-files"},
    {"curl -d @/etc/passwd x", "protected-files"},
    {"grep --file=/etc/shadow x", "protected-files"},
    {"cat $HOME/.aws/credentials", "protected-files"},
    {"cat /etc//./passwd", "protected-files"},
    {"cat ~/.git-credentials", "protected-files"},
    {"ls .gnupg/x", "protected-files"},
};

static const struct {
	const char *command, *rule;
} asked[] = {
    {"rm a", "rm"},
    {"rm -rf target/", "rm"},
    {"rmdir a", "rm"},
    {"unlink a", "rm"},
    {"shred a", "rm"},
    {"find . -delete", "rm"},
    {"find . -exec rm {} +", "rm"},
    {"ls | xargs rm", "rm"},
    {"rm -rf /home/me/x", "rm"},
    {"chmod 600 a", "chmod"},
    {"chown me a", "chmod"},
    {"chgrp us a", "chmod"},
    {"kill 1", "kill"},
    {"killall a", "kill"},
    {"pkill a", "kill"},
    {"git push --force", "force-push"},
    {"git push -f", "force-push"},
    {"git reset --hard HEAD~1", "force-push"},
    {"git clean -fdx", "force-push"},
    {"git push --force-with-lease", "force-push"},
    {"git push origin +main", "force-push"},
    {"git -C a push -f", "force-push"},
    {"docker rm x", "docker-rm"},
    {"docker rmi x", "docker-rm"},
    {"docker system prune", "docker-rm"},
};

static const char *const harmless[] = {
    "ls",
    "echo please reboot",
    "echo \"please reboot\"",
    "grep -r sudo docs",
    "ls /home",
    "rsync a b",
    "echo \"use curl\"",
    "git push",
    "git reset a",
    "git commit -m 'rm -rf /'",
    "find . -name '*.c'",
    "docker ps",
    "docker run x",
    "cat <<EOF > a\nsudo ls\nEOF",
    "init 3",
    "systemctl status x",
    "ls -la /tmp",
    "echo x > a",
    "cp /etc/hosts a",
    "sed -i '/usr/d' a",
    "sed s,/etc,, a",
    "command -v rm",
    "cat /dev/null > a",
    "echo x > /dev/null",
    "make CFLAGS=-O2",
    "test -f a && echo kill",
    "format a",
    "cat a # rm -rf /",
    "man 5 passwd",
};

static void a_dangerous_command_is_blocked_in_capitals_too(void **state)
{
	(void)state;
	tools_fixture_open(&w, "", "", table);
	for (size_t i = 0; i < ARRAY_LEN(blocked); i++) {
		expect(blocked[i].command, "BLOCKED", blocked[i].rule);
		w.call.operator= true;
		expect(blocked[i].command, "BLOCKED", blocked[i].rule);
		w.call.operator= false;
	}
	static const char *const capitals[][2] = {{"rm -rf /", "rm-root"}, {"sudo ls", "privilege"},
	    {"mkfs /dev/sda1", "mkfs"}, {"dd if=/dev/zero of=x", "dd"}, {":(){ :|:& };:", "fork-bomb"},
	    {"chmod 777 /", "chmod-root"}, {"echo x > /dev/sda", "raw-device"}, {"shutdown now", "power"},
	    {"reboot", "power"}, {"poweroff", "power"}, {"format c:", "mkfs"},
	    {"cat /etc/passwd", "protected-files"}};
	for (size_t i = 0; i < ARRAY_LEN(capitals); i++)
		expect_capitals(capitals[i][0], "BLOCKED", capitals[i][1]);
	assert_int_equal(runs, 0);
}

static void a_risky_command_waits_for_a_person(void **state)
{
	(void)state;
	tools_fixture_open(&w, "", "", table);
	for (size_t i = 0; i < ARRAY_LEN(asked); i++)
		expect_capitals(asked[i].command, "NEEDS_CONFIRMATION", asked[i].rule);
	assert_int_equal(runs, 0);
	struct json_object *o = call_with("line", "command", "rm a");
	assert_true(json_get_bool(o, "needs_confirmation", false));
	assert_str(o, "error",
	    "Command requires confirmation. Ask a person in the chat; an operator can re-run it with "
	    "confirmed=true.");
	json_object_put(o);
}

static void a_harmless_command_runs(void **state)
{
	(void)state;
	tools_fixture_open(&w, "", "", table);
	for (size_t i = 0; i < ARRAY_LEN(harmless); i++)
		expect(harmless[i], NULL, NULL);
	assert_int_equal(runs, ARRAY_LEN(harmless));
}

static void confirmed_counts_at_the_terminal_alone(void **state)
{
	static const char yes[] = "{\"command\": \"rm -rf target/\", \"confirmed\": true}";

	(void)state;
	tools_fixture_open(&w, "", "", table);
	tools_fixture_refused(&w, "line", yes, "NEEDS_CONFIRMATION", NULL);
	w.call.operator= true;
	tools_fixture_refused(&w, "line", "{\"command\": \"rm -rf target/\"}", "NEEDS_CONFIRMATION", NULL);
	assert_int_equal(runs, 0);
	json_object_put(tools_fixture_run(&w, "line", yes));
	assert_int_equal(runs, 1);
	/* What is blocked, nobody confirms. */
	tools_fixture_refused(
	    &w, "line", "{\"command\": \"rm -rf /\", \"confirmed\": true}", "BLOCKED", "RULE");
	/* Where it cannot be said, typing it says it. */
	json_object_put(tools_fixture_run(&w, "request", "{\"method\": \"POST\"}"));
	assert_int_equal(runs, 2);
}

static void a_yes_is_bound_to_the_command_and_the_rule(void **state)
{
	struct approval a;

	(void)state;
	tools_fixture_open(&w, "", "", table);
	assert_true(tools_approval(NULL, &w.call, "line", "{\"command\": \"rm a\"}", &a));
	assert_holds(a.action, "\"rule\": \"rm\"");
	assert_string_equal(a.rule, "rm");
	w.call.approved = a.hash;
	tools_fixture_refused(&w, "line", "{\"command\": \"rm b\"}", "BLOCKED", "CHANGED");
	json_object_put(tools_fixture_run(&w, "line", "{\"command\": \"rm a\"}"));
	assert_int_equal(runs, 1);
	approval_clear(&a);
	assert_false(tools_approval(NULL, &w.call, "line", "{\"command\": \"rm -rf /\"}", &a));
	assert_false(tools_approval(NULL, &w.call, "line", "{\"command\": \"ls\"}", &a));
}

static void a_program_is_read_by_its_words(void **state)
{
	(void)state;
	tools_fixture_open(&w, "", "", table);
	tools_fixture_refused(
	    &w, "program", "{\"command\": \"/bin/rm\", \"args\": [\"-rf\", \"/\"]}", "BLOCKED", "RULE");
	tools_fixture_refused(
	    &w, "program", "{\"command\": \"rm\", \"args\": [\"a\"]}", "NEEDS_CONFIRMATION", NULL);
	tools_fixture_refused(
	    &w, "program", "{\"command\": \"sh\", \"args\": [\"-c\", \"sudo ls\"]}", "BLOCKED", "RULE");
	json_object_put(tools_fixture_run(
	    &w, "program", "{\"command\": \"echo\", \"args\": [\"a; sudo ls\", \"> /etc/x\"]}"));
	assert_int_equal(runs, 1);
}

static void a_request_that_writes_asks(void **state)
{
	(void)state;
	tools_fixture_open(&w, "", "", table);
	static const char *const writing[] = {"POST", "put", "DELETE", "PATCH"},
				 *const reading[] = {"GET", "head", "OPTIONS"};
	for (size_t i = 0; i < ARRAY_LEN(writing); i++) {
		struct json_object *o = call_with("request", "method", writing[i]);
		assert_failure(o, "NEEDS_CONFIRMATION", NULL);
		assert_str(json_get_object(o, "context"), "rule", "http-write");
		json_object_put(o);
	}
	for (size_t i = 0; i < ARRAY_LEN(reading); i++)
		json_object_put(call_with("request", "method", reading[i]));
	json_object_put(tools_fixture_run(&w, "request", "{}"));
	assert_int_equal(runs, 4);
}

static void the_folder_answers_before_any_rule(void **state)
{
	(void)state;
	tools_fixture_open(&w, "", "", table);
	tools_fixture_refused(&w, "line", "{\"command\": \"rm -rf /\", \"working_directory\": \"/etc\"}",
	    "ACCESS_DENIED", "OUTSIDE_ROOTS");
	tools_fixture_refused(&w, "line", "{\"command\": \"rm a\", \"working_directory\": \"a/../../b\"}",
	    "ACCESS_DENIED", "OUTSIDE_ROOTS");
	json_object_put(
	    tools_fixture_run(&w, "line", "{\"command\": \"ls\", \"working_directory\": \"a/../b\"}"));
	assert_int_equal(runs, 1);
}

static void own_files_are_protected_in_commands(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, "state/myna.db", "");
	tools_fixture_open(&w, "", "", table);
	char *state_file = xasprintf("cat %s/state/myna.db", w.dir), *own = xasprintf("cat %s/ws/a", w.dir);
	expect(state_file, "BLOCKED", "protected-files");
	expect("cat ../state/myna.db", "BLOCKED", "protected-files");
	expect(own, NULL, NULL);
	free(state_file);
	free(own);
}

#define RULES                                                                                                \
	"rules = ( { name = \"no_network_access\"; patterns = [\"curl\", \"wget\", \"nc\"]; action = "       \
	"\"block\"; }, "                                                                                     \
	"{ name = \"ask_apt\"; patterns = [\"apt install\", \"/dpkg\\\\s+-i/\"]; action = \"ask\"; message " \
	"= \"Packages are "                                                                                  \
	"asked for. Ask.\"; } );"

static void rules_of_the_configuration_hit(void **state)
{
	(void)state;
	tools_fixture_open(&w, "", RULES, table);
	expect_capitals("curl x", "BLOCKED", "no_network_access");
	expect_capitals("wget x", "BLOCKED", "no_network_access");
	expect("ls; nc -l 1", "BLOCKED", "no_network_access");
	expect("rsync a b", NULL, NULL);
	expect("echo \"use curl\"", NULL, NULL);
	expect_capitals("apt install x", "NEEDS_CONFIRMATION", "ask_apt");
	expect("dpkg   -i x", "NEEDS_CONFIRMATION", "ask_apt");
	expect("apt list", NULL, NULL);
	/* What blocks wins over what asks. */
	expect("rm a; curl x", "BLOCKED", "no_network_access");
	tools_fixture_refused(&w, "program", "{\"command\": \"curl\"}", "BLOCKED", "RULE");
	tools_fixture_refused(&w, "outside", "{\"text\": \"curl x\"}", "BLOCKED", "RULE");
	tools_fixture_refused(&w, "outside", "{\"command\": \"sudo x\"}", "BLOCKED", "RULE");
	json_object_put(tools_fixture_run(&w, "outside", "{\"text\": \"sudo x\"}"));
	json_object_put(tools_fixture_run(&w, "notes", "{\"text\": \"curl x\"}"));
	char *why = tools_fixture_error(&w, "line", "{\"command\": \"wget x\"}");
	assert_string_equal(why,
	    "Command blocked: the rule no_network_access is against it. Do without it, or ask an admin.");
	free(why);
}

static void a_rule_may_name_any_tool(void **state)
{
	(void)state;
	tools_fixture_open(&w, "",
	    "rules = ( { name = \"quiet\"; patterns = [\"hello world\"]; tools = [\"no*\", \"line_of\"]; } "
	    ");",
	    table);
	tools_fixture_refused(&w, "notes", "{\"text\": \"Say Hello World.\"}", "BLOCKED", "RULE");
	tools_fixture_refused(&w, "line", "{\"command\": \"echo 'hello world'\"}", "BLOCKED", "RULE");
	json_object_put(tools_fixture_run(&w, "outside", "{\"text\": \"hello world\"}"));
	assert_int_equal(runs, 1);
}

/* What is written may say anything, unless a rule names the tool. */
static void a_rule_may_name_a_tool_that_writes(void **state)
{
	static const char call[] = "{\"path\": \"a\", \"text\": \"hello world\"}";

	(void)state;
	tools_fixture_open(&w, "",
	    "rules = ( { name = \"quiet\"; patterns = [\"hello world\"]; tools = [\"writer\"]; } );", table);
	tools_fixture_refused(&w, "writer", call, "BLOCKED", "RULE");
	json_object_put(tools_fixture_run(&w, "writer", "{\"path\": \"a\", \"text\": \"rm -rf /\"}"));
	assert_int_equal(runs, 1);
}

static void rules_off_takes_a_built_in_one_away(void **state)
{
	(void)state;
	tools_fixture_open(&w, "", "rules_off = [\"rm\", \"http-write\"];", table);
	expect("rm a", NULL, NULL);
	expect("rm -rf /", "BLOCKED", "rm-root");
	json_object_put(tools_fixture_run(&w, "request", "{\"method\": \"POST\"}"));
	assert_int_equal(runs, 2);
}

/* CPU time of checking a program with one long word: half of it a name, half "/b/.." and so on. */
static double check_long_word(const char *part)
{
	struct json_object *args = json_object_new_object(), *words = json_object_new_array();
	struct buf word = BUF_INIT;

	buf_addch(&word, '/');
	while (word.len < LONG_WORD / 2)
		buf_addch(&word, 'a');
	while (word.len < LONG_WORD)
		buf_addstr(&word, part);
	json_object_array_add(words, json_object_new_string(word.data));
	json_set_str(args, "command", "touch");
	json_set(args, "args", words);
	char *text = json_text(args);
	clock_t before = clock();
	json_object_put(tools_fixture_run(&w, "program", text));
	clock_t took = clock() - before;
	free(text);
	json_object_put(args);
	buf_clear(&word);
	return (double)took;
}

static void a_long_word_that_goes_up_and_down_costs_no_more_than_another(void **state)
{
	(void)state;
	tools_fixture_open(&w, "", "", table);
	double plain = check_long_word("/b/.b"), up = check_long_word("/b/..");
	if (up > 20 * plain)
		fail_msg("%g times as much", up / plain);
}

static struct json_object *call_with_commands(const char *tool, const char *name, size_t count)
{
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < count; i++)
		buf_addstr(&text, "eval ");
	struct json_object *o = call_with(tool, name, text.data);
	buf_clear(&text);
	return o;
}

static void expect_asked(struct json_object *o)
{
	assert_failure(o, "NEEDS_CONFIRMATION", NULL);
	assert_str(json_get_object(o, "context"), "rule", "long-command");
	json_object_put(o);
}

/* Reading it would take seconds and hundreds of megabytes. */
static void a_command_that_is_too_long_to_be_read_is_asked_about(void **state)
{
	(void)state;
	tools_fixture_open(&w, "", "", table);
	expect_asked(call_with_commands("line", "command", 200 * 1000));
	expect_asked(call_with_commands("outside", "command", 200 * 1000));
	struct json_object *args = json_object_new_object(), *words = json_object_new_array();
	struct buf script = BUF_INIT;

	while (script.len <= 65536)
		buf_addstr(&script, "sudo ls; ");
	json_object_array_add(words, json_object_new_string("-c"));
	json_object_array_add(words, json_object_new_string(script.data));
	json_set_str(args, "command", "sh");
	json_set(args, "args", words);
	char *text = json_text(args);
	expect_asked(tools_fixture_run(&w, "program", text));
	assert_int_equal(runs, 0);
	free(text);
	json_object_put(args);
	buf_clear(&script);
	/* The longest command of exec_shell, in characters, is read. */
	struct buf longest = BUF_INIT;
	buf_addstr(&longest, "rm -rf / ");
	for (size_t i = longest.len; i < 65536; i++)
		buf_addstr(&longest, "\xe2\x82\xac");
	expect(longest.data, "BLOCKED", "rm-root");
	buf_clear(&longest);
}

static void a_rule_hits_a_text_that_is_too_long_to_be_read(void **state)
{
	(void)state;
	tools_fixture_open(&w, "",
	    "rules = ( { name = \"no_curl\"; patterns = [\"curl\"]; tools = [\"notes\"]; } );", table);
	struct json_object *o = call_with_commands("notes", "text", 20000);
	assert_failure(o, "BLOCKED", "RULE");
	json_object_put(o);
}

static double check_texts_of(const char *tool, const char *name)
{
	clock_t before = clock();
	struct json_object *o = call_with_commands(tool, name, 12000);
	clock_t took = clock() - before;

	json_object_put(o);
	return (double)took;
}

/* Only rules of the configuration look into it. */
static void a_text_that_no_rule_looks_into_is_not_parsed(void **state)
{
	(void)state;
	tools_fixture_open(&w, "", "", table);
	double parsed = check_texts_of("outside", "command"), plain = check_texts_of("outside", "text");
	if (plain > parsed / 20)
		fail_msg("%g and %g", plain, parsed);
}

static void expect_mistake(const char *settings, const char *says)
{
	struct error err = {0};
	struct buf problems = BUF_INIT;
	char *text = xasprintf("tools: { %s };\n", settings);
	struct config *cfg = config_parse("test.conf", text, &err);
	struct targets none = {0};

	assert_non_null(cfg);
	struct tools *ts = tools_new_with(cfg, &none, table);
	config_errors(cfg, &problems);
	assert_holds(problems.data, says);
	tools_free(ts);
	config_free(cfg);
	buf_clear(&problems);
	free(text);
}

static void mistakes_in_rules_are_told(void **state)
{
	(void)state;
	tools_fixture_open(&w, "", "", table);
	expect_mistake("rules_off = [\"rm_root\"];", "Did you mean rm-root");
	expect_mistake("rules = ( { patterns = [\"a\"]; } );", "name is missing");
	expect_mistake("rules = ( { name = \"a\"; } );", "patterns is missing");
	expect_mistake("rules = ( { name = \"a\"; patterns = [\"/(/\"]; } );", "Invalid pattern");
	expect_mistake("rules = ( { name = \"a\"; patterns = [\"\"]; } );", "would hit everything");
	expect_mistake(
	    "rules = ( { name = \"a\"; patterns = [\"b\"]; acton = \"ask\"; } );", "Did you mean 'action'");
	expect_mistake("rules = \"x\";", "must be a list");
	expect_mistake("rules = { name = \"a\"; };", "must be a list");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(a_dangerous_command_is_blocked_in_capitals_too, begin, end),
	    cmocka_unit_test_setup_teardown(a_risky_command_waits_for_a_person, begin, end),
	    cmocka_unit_test_setup_teardown(a_harmless_command_runs, begin, end),
	    cmocka_unit_test_setup_teardown(confirmed_counts_at_the_terminal_alone, begin, end),
	    cmocka_unit_test_setup_teardown(a_yes_is_bound_to_the_command_and_the_rule, begin, end),
	    cmocka_unit_test_setup_teardown(a_program_is_read_by_its_words, begin, end),
	    cmocka_unit_test_setup_teardown(a_request_that_writes_asks, begin, end),
	    cmocka_unit_test_setup_teardown(the_folder_answers_before_any_rule, begin, end),
	    cmocka_unit_test_setup_teardown(own_files_are_protected_in_commands, begin, end),
	    cmocka_unit_test_setup_teardown(rules_of_the_configuration_hit, begin, end),
	    cmocka_unit_test_setup_teardown(a_rule_may_name_any_tool, begin, end),
	    cmocka_unit_test_setup_teardown(a_rule_may_name_a_tool_that_writes, begin, end),
	    cmocka_unit_test_setup_teardown(rules_off_takes_a_built_in_one_away, begin, end),
	    cmocka_unit_test_setup_teardown(
		a_long_word_that_goes_up_and_down_costs_no_more_than_another, begin, end),
	    cmocka_unit_test_setup_teardown(a_command_that_is_too_long_to_be_read_is_asked_about, begin, end),
	    cmocka_unit_test_setup_teardown(a_rule_hits_a_text_that_is_too_long_to_be_read, begin, end),
	    cmocka_unit_test_setup_teardown(a_text_that_no_rule_looks_into_is_not_parsed, begin, end),
	    cmocka_unit_test_setup_teardown(mistakes_in_rules_are_told, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
