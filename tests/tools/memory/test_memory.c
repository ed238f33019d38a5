#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/address.h"
#include "tools/memory/memory.h"
#include "tools/memory/paragraph.h"
#include "tools/files/path_error.h"
#include "tools/tools_fixture.h"

#define FAMILY "state/memory/chat/telegram%3A-100123/MEMORY.md"

static struct tools_fixture w;
static const struct address family = {"telegram", "-100123", "42"}, other = {"telegram", "-100124", ""};

static int set_up(void **state)
{
	*state = &w;
	tools_fixture_init(&w);
	tools_fixture_open(&w, "", "memory_limit = 4096; memory_write_limit = 2048;", NULL);
	w.call.chat = &family;
	w.call.person = "77";
	return 0;
}

static void nothing(void) {}

static void forget(void)
{
	char *command = xasprintf("rm -rf '%s/state/memory'", w.dir);

	assert_int_equal(system(command), 0);
	free(command);
}

static void expect_read(const char *arguments, const char *result)
{
	struct json_object *o = tools_fixture_run_each(&w, "memory_read", arguments, nothing);

	assert_json(o, result);
	json_object_put(o);
}

static void write_memory(const char *arguments, const char *message)
{
	struct json_object *o = tools_fixture_run(&w, "memory_write", arguments);

	assert_str(o, "message", message);
	json_object_put(o);
}

static void without_a_memory_nothing_is_found(void **state)
{
	struct stat st;
	char *path = tools_fixture_path(&w, "state/memory");

	(void)state;
	expect_read("{}", "{\"content\": \"\", \"message\": \"No memory file found\"}");
	expect_read("{\"query\": \"x\"}",
	    "{\"query\": \"x\", \"content\": \"\", \"matches\": [], \"count\": 0, \"message\": \"No memory "
	    "file found\"}");
	/* Reading makes none. */
	assert_int_equal(stat(path, &st), -1);
	free(path);
}

static void the_examples_hold(void **state)
{
	static const char text[] = "# Project\n\nDecided to use JWT tokens for authentication in the API.\n\n"
				   "Database schema: users, orders.\nThe schema is in db/.\n \t\nThe "
				   "DATABASE SCHEMA has versions.\n";
	struct buf want = BUF_INIT;

	(void)state;
	tools_fixture_put_text(&w, FAMILY, text);
	expect_read("{\"query\": \"database schema\"}",
	    "{\"query\": \"database schema\", \"matches\": [\"Database schema: users, orders.\\nThe schema "
	    "is in db/.\", "
	    "\"The DATABASE SCHEMA has versions.\"], \"count\": 2}");
	expect_read("{\"query\": \"authentication\"}",
	    "{\"query\": \"authentication\", \"matches\": [\"Decided to use JWT tokens for authentication in "
	    "the API.\"], "
	    "\"count\": 1}");
	expect_read(
	    "{\"query\": \"none of it\"}", "{\"query\": \"none of it\", \"matches\": [], \"count\": 0}");
	buf_addstr(&want, "{\"content\":");
	json_quote(&want, text, strlen(text));
	buf_addch(&want, '}');
	expect_read("{}", want.data);
	buf_clear(&want);
	struct json_object *o = tools_fixture_run_each(&w, "memory_write",
	    "{\"content\": \"## Decision\\n\\nUse PostgreSQL for the primary datastore.\", \"mode\": "
	    "\"append\"}",
	    forget);
	assert_json(o,
	    "{\"message\": \"Successfully wrote 54 bytes to memory (mode: append)\", \"path\": "
	    "\"memory/MEMORY.md\"}");
	assert_file(&w, FAMILY, "## Decision\n\nUse PostgreSQL for the primary datastore.");
	json_object_put(o);
}

static void appending_puts_one_blank_line_between(void **state)
{
	static const struct {
		const char *before, *after;
	} cases[] = {
	    {"", "new"},
	    {"old", "old\n\nnew"},
	    {"old\n", "old\n\nnew"},
	    {"old\n\n", "old\n\nnew"},
	    {"old\n\n\n", "old\n\n\nnew"},
	    {"\n", "\n\nnew"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		tools_fixture_put_text(&w, FAMILY, cases[i].before);
		write_memory("{\"content\": \"new\"}", "Successfully wrote 3 bytes to memory (mode: append)");
		assert_file(&w, FAMILY, cases[i].after);
	}
	write_memory("{\"content\": \"only\", \"mode\": \"overwrite\"}",
	    "Successfully wrote 4 bytes to memory (mode: overwrite)");
	assert_file(&w, FAMILY, "only");
}

static void one_person_on_several_channels_has_one_memory(void **state)
{
	static const struct address slack = {"slack", "D1", ""};

	(void)state;
	tools_fixture_clear(&w);
	tools_fixture_init(&w);
	tools_fixture_open(&w,
	    "channels: { telegram: { }; slack: { }; }; people: { ann = [\"telegram:77\", \"slack:U1\"]; };",
	    "", NULL);
	w.call.chat = &slack;
	w.call.person = "U1";
	json_object_put(
	    tools_fixture_run(&w, "memory_write", "{\"content\": \"of ann\", \"scope\": \"person\"}"));
	w.call.chat = &family;
	w.call.person = "77";
	expect_read("{\"scope\": \"person\"}", "{\"content\": \"of ann\"}");
	/* The same words on another channel are somebody else. */
	w.call.person = "U1";
	expect_read("{\"scope\": \"person\"}", "{\"content\": \"\", \"message\": \"No memory file found\"}");
	/* What belongs to a chat stays there. */
	w.call.person = "77";
	write_memory(
	    "{\"content\": \"of the family\"}", "Successfully wrote 13 bytes to memory (mode: append)");
	w.call.chat = &slack;
	w.call.person = "U1";
	expect_read("{}", "{\"content\": \"\", \"message\": \"No memory file found\"}");
}

static void each_chat_and_person_has_its_own_and_all_share_one(void **state)
{
	struct json_object *o;

	(void)state;
	write_memory(
	    "{\"content\": \"of the family\"}", "Successfully wrote 13 bytes to memory (mode: append)");
	o = tools_fixture_run(&w, "memory_write", "{\"content\": \"of 77\", \"scope\": \"person\"}");
	assert_str(o, "path", "memory/person/MEMORY.md");
	json_object_put(o);
	w.call.admin = true;
	o = tools_fixture_run(&w, "memory_write", "{\"content\": \"of all\", \"scope\": \"shared\"}");
	w.call.admin = false;
	assert_str(o, "path", "memory/shared/MEMORY.md");
	json_object_put(o);
	w.call.chat = &other;
	expect_read("{}", "{\"content\": \"\", \"message\": \"No memory file found\"}");
	expect_read("{\"scope\": \"person\"}", "{\"content\": \"of 77\"}");
	expect_read("{\"scope\": \"shared\"}", "{\"content\": \"of all\"}");
	w.call.person = "78";
	expect_read("{\"scope\": \"person\"}", "{\"content\": \"\", \"message\": \"No memory file found\"}");
	/* Nor does a file tool come there. */
	char *arguments = xasprintf("{\"path\": \"%s/%s\"}", w.dir, FAMILY);
	tools_fixture_refused(&w, "read_file", arguments, "ACCESS_DENIED", "OUTSIDE_ROOTS");
	free(arguments);
}

static const struct {
	const char *setting;
	bool admin, reads, writes;
} shared[] = {
    {"", false, true, false},
    {"", true, true, true},
    {"memory_shared = \"off\";", true, false, false},
    {"memory_shared = \"admins\";", false, true, false},
    {"memory_shared = \"all\";", false, true, true},
};

static void the_shared_memory_is_changed_only_by_whom_the_settings_let(void **state)
{
	static const char write[] = "{\"content\": \"x\", \"scope\": \"shared\"}",
			  drop[] = "{\"text\": \"x\", \"scope\": \"shared\"}";

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(shared); i++) {
		tools_fixture_clear(&w);
		tools_fixture_init(&w);
		tools_fixture_open(&w, "", shared[i].setting, NULL);
		w.call.chat = &family;
		w.call.person = "77";
		w.call.admin = shared[i].admin;
		if (shared[i].writes) {
			write_memory(write, "Successfully wrote 1 bytes to memory (mode: append)");
			json_object_put(tools_fixture_run(&w, "memory_forget", drop));
		} else {
			tools_fixture_refused(&w, "memory_write", write, "ACCESS_DENIED", "ROLE");
			tools_fixture_refused(&w, "memory_forget", drop, "ACCESS_DENIED", "ROLE");
		}
		if (shared[i].reads)
			json_object_put(tools_fixture_run(&w, "memory_read", "{\"scope\": \"shared\"}"));
		else
			tools_fixture_refused(
			    &w, "memory_read", "{\"scope\": \"shared\"}", "ACCESS_DENIED", "ROLE");
		if (!shared[i].reads)
			tools_fixture_refused(&w, "memory_search",
			    "{\"query\": \"x\", \"scope\": \"shared\"}", "ACCESS_DENIED", "ROLE");
		json_object_put(tools_fixture_run(&w, "memory_search", "{\"query\": \"x\"}"));
	}
}

/* Who calls from where; each writes notes of their own, which say whose they are. */
static const struct {
	struct address chat;
	const char *person;
} callers[] = {
    {{"telegram", "-100123", ""}, "77"},
    {{"telegram", "-100123", ""}, "78"},
    {{"telegram", "-100124", ""}, "77"},
    {{"telegram", "77", ""}, "77"},
    {{"slack", "-100123", ""}, "77"},
    {{"slack", "C1", ""}, "U77"},
    {{"telegram", "..", ""}, ".."},
    {{"telegram", "", ""}, ""},
};

static void call_as(size_t i)
{
	w.call.chat = &callers[i].chat;
	w.call.person = callers[i].person;
}

static bool same_chat(size_t a, size_t b)
{
	return strcmp(callers[a].chat.channel, callers[b].chat.channel) == 0 &&
	    strcmp(callers[a].chat.chat, callers[b].chat.chat) == 0;
}

static bool same_person(size_t a, size_t b)
{
	return strcmp(callers[a].chat.channel, callers[b].chat.channel) == 0 &&
	    strcmp(callers[a].person, callers[b].person) == 0;
}

static bool says(const char *tool, const char *arguments, const char *word)
{
	struct json_object *o = tools_fixture_run(&w, tool, arguments);
	bool found = strstr(
	    json_object_to_json_string(json_get(o, strcmp(tool, "memory_read") == 0 ? "content" : "matches")),
	    word);

	json_object_put(o);
	return found;
}

static void no_chat_and_no_person_reaches_the_notes_of_another(void **state)
{
	size_t crossings = 0, seen = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(callers); i++) {
		call_as(i);
		char *of_chat = xasprintf("{\"content\": \"note chatmark%zu.\"}", i);
		char *of_person =
		    xasprintf("{\"content\": \"note personmark%zu.\", \"scope\": \"person\"}", i);
		json_object_put(tools_fixture_run(&w, "memory_write", of_chat));
		json_object_put(tools_fixture_run(&w, "memory_write", of_person));
		free(of_chat);
		free(of_person);
	}
	for (size_t i = 0; i < ARRAY_LEN(callers); i++) {
		for (size_t k = 0; k < ARRAY_LEN(callers); k++) {
			char *chat = xasprintf("chatmark%zu.", k), *person = xasprintf("personmark%zu.", k);
			bool mine = same_chat(i, k), me = same_person(i, k);
			call_as(i);
			const bool got[][2] = {
			    {says("memory_read", "{}", chat), mine},
			    {says("memory_read", "{\"scope\": \"chat\"}", person), false},
			    {says("memory_read", "{\"scope\": \"person\"}", person), me},
			    {says("memory_read", "{\"scope\": \"person\"}", chat), false},
			    {says("memory_read", "{\"scope\": \"shared\"}", "mark"), false},
			    {says("memory_search", "{\"query\": \"note\", \"limit\": 50}", chat), mine},
			    {says("memory_search", "{\"query\": \"note\", \"limit\": 50}", person), me},
			    {says("memory_search", "{\"query\": \"note\", \"scope\": \"person\"}", chat),
				false},
			    {says("memory_search", "{\"query\": \"note\", \"scope\": \"shared\"}", "mark"),
				false},
			};
			for (size_t n = 0; n < ARRAY_LEN(got); n++) {
				crossings += got[n][0] && !got[n][1];
				seen += got[n][0] && got[n][1];
				if (got[n][0] != got[n][1])
					print_error("caller %zu, notes of %zu, case %zu\n", i, k, n);
			}
			if (!mine) {
				char *drop = xasprintf("{\"text\": \"%s\"}", chat);
				tools_fixture_refused(
				    &w, "memory_forget", drop, "NOT_FOUND", "STRING_NOT_FOUND");
				free(drop);
			}
			free(chat);
			free(person);
		}
	}
	assert_int_equal(crossings, 0);
	assert_true(seen >= 4 * ARRAY_LEN(callers));
}

static void what_is_forgotten_is_gone_whole_and_nothing_else(void **state)
{
	struct json_object *o;

	(void)state;
	tools_fixture_put_text(
	    &w, FAMILY, "# Tea\n\nAnn likes \xc3\x84pfel\nand tea.\n \nBen likes tea.\n\nCarl does not.\n");
	o = tools_fixture_run_each(&w, "memory_forget", "{\"text\": \"nothing of this\"}", nothing);
	assert_failure(o, "NOT_FOUND", "STRING_NOT_FOUND");
	json_object_put(o);
	o = tools_fixture_run(&w, "memory_forget", "{\"text\": \"LIKES\"}");
	assert_failure(o, "NOT_UNIQUE", NULL);
	assert_int(json_get_object(o, "context"), "count", 2);
	json_object_put(o);
	o = tools_fixture_run(&w, "memory_forget", "{\"text\": \"\u00e4PFEL\"}");
	assert_json(o, "{\"removed\": 1}");
	json_object_put(o);
	assert_file(&w, FAMILY, "# Tea\n\nBen likes tea.\n\nCarl does not.\n");
	o = tools_fixture_run(&w, "memory_forget", "{\"text\": \"tea\", \"all\": true}");
	assert_json(o, "{\"removed\": 2}");
	json_object_put(o);
	assert_file(&w, FAMILY, "Carl does not.\n");
	tools_fixture_refused(&w, "memory_forget", "{\"text\": \" \"}", "INVALID_ARGUMENT", "RANGE");
	tools_fixture_refused(&w, "memory_forget", "{}", "INVALID_ARGUMENT", "MISSING");
	assert_file(&w, FAMILY, "Carl does not.\n");
	json_object_put(tools_fixture_run(&w, "memory_forget", "{\"text\": \"Carl\"}"));
	assert_file(&w, FAMILY, "");
}

static void notes_are_found_by_all_their_words(void **state)
{
	(void)state;
	tools_fixture_put_text(&w, FAMILY,
	    "The database is PostgreSQL.\n\nThe \xc3\x9c"
	    "bung is on Monday.\n\nThe database has backups.\n");
	struct json_object *o =
	    tools_fixture_run_each(&w, "memory_search", "{\"query\": \"postgresql DATABASE\"}", nothing);
	struct json_object *match = json_object_array_get_idx(json_get_array(o, "matches"), 0);
	assert_str(o, "query", "postgresql DATABASE");
	assert_int(o, "count", 1);
	assert_str(match, "text", "The database is PostgreSQL.");
	assert_str(match, "origin", "memory/MEMORY.md");
	assert_str(match, "scope", "chat");
	assert_int_equal(strlen(json_get_str(match, "date")), strlen("2026-11-21T10:11:12Z"));
	json_object_put(o);
	o = tools_fixture_run(&w, "memory_search", "{\"query\": \"\u00fcbung\"}");
	assert_int(o, "count", 1);
	json_object_put(o);
	o = tools_fixture_run(&w, "memory_search", "{\"query\": \"the\", \"limit\": 2}");
	assert_int(o, "count", 2);
	json_object_put(o);
	o = tools_fixture_run(&w, "memory_search", "{\"query\": \"mysql\"}");
	assert_json(o, "{\"query\": \"mysql\", \"matches\": [], \"count\": 0}");
	json_object_put(o);
	tools_fixture_refused(&w, "memory_search", "{\"query\": \" \"}", "INVALID_ARGUMENT", "RANGE");
	tools_fixture_refused(
	    &w, "memory_search", "{\"query\": \"x\", \"limit\": 0}", "INVALID_ARGUMENT", "RANGE");
	tools_fixture_refused(
	    &w, "memory_search", "{\"query\": \"x\", \"scope\": \"all\"}", "INVALID_ARGUMENT", "RANGE");
}

static void an_id_cannot_name_another_folder(void **state)
{
	static const struct address strange = {"telegram", "../../x.y%", ""};

	(void)state;
	w.call.chat = &strange;
	write_memory("{\"content\": \"x\"}", "Successfully wrote 1 bytes to memory (mode: append)");
	assert_file(&w, "state/memory/chat/telegram%3A%2E%2E%2F%2E%2E%2Fx%2Ey%25/MEMORY.md", "x");
}

static void the_operator_has_a_memory_and_a_call_of_nobody_has_none(void **state)
{
	(void)state;
	w.call.chat = NULL;
	w.call.person = NULL;
	tools_fixture_refused(&w, "memory_read", "{}", "UNAVAILABLE", "NO_CHAT");
	tools_fixture_refused(
	    &w, "memory_write", "{\"content\": \"x\", \"scope\": \"person\"}", "UNAVAILABLE", "NO_CHAT");
	expect_read("{\"scope\": \"shared\"}", "{\"content\": \"\", \"message\": \"No memory file found\"}");
	w.call.operator= true;
	write_memory("{\"content\": \"x\"}", "Successfully wrote 1 bytes to memory (mode: append)");
	write_memory("{\"content\": \"yy\", \"scope\": \"person\"}",
	    "Successfully wrote 2 bytes to memory (mode: append)");
	assert_file(&w, "state/memory/MEMORY.md", "x");
	assert_file(&w, "state/memory/person/operator/MEMORY.md", "yy");
}

static void arguments_are_checked_by_name(void **state)
{
	static const struct {
		const char *tool, *arguments, *cause, *says;
	} cases[] = {
	    {"memory_write", "{}", "MISSING",
		"missing 'content'. memory_write takes content (string), mode?, scope?."},
	    {"memory_write", "{\"content\": \"x\", \"mode\": \"prepend\"}", "RANGE",
		"'mode' must be one of [\"append\",\"overwrite\"]"},
	    {"memory_write", "{\"content\": \"x\", \"scope\": \"telegram:1\"}", "RANGE",
		"'scope' must be one of"},
	    {"memory_write", "{\"content\": 5}", "TYPE", "'content' must be a string"},
	    {"memory_read", "{\"query\": {}}", "TYPE", "'query' must be a string"},
	    {"memory_read", "{\"path\": \"x\"}", "UNKNOWN",
		"unknown 'path'. memory_read takes query?, scope?."},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct json_object *o = tools_fixture_run(&w, cases[i].tool, cases[i].arguments);
		assert_failure(o, "INVALID_ARGUMENT", cases[i].cause);
		assert_holds(json_get_str(o, "error"), cases[i].says);
		json_object_put(o);
	}
}

static char *arguments_of(size_t len)
{
	struct buf out = BUF_INIT;

	buf_addstr(&out, "{\"content\": \"");
	for (size_t i = 0; i < len; i++)
		buf_addch(&out, 'x');
	buf_addstr(&out, "\"}");
	return buf_take(&out);
}

static void expect_too_large(size_t len, const char *says)
{
	char *arguments = arguments_of(len), *text = tools_fixture_error(&w, "memory_write", arguments);

	tools_fixture_refused(&w, "memory_write", arguments, "LIMIT_REACHED", "TOO_LARGE");
	assert_holds(text, says);
	free(text);
	free(arguments);
}

static void one_write_and_one_memory_have_a_limit(void **state)
{
	char *arguments = arguments_of(2048);

	(void)state;
	expect_too_large(2049, "content has 2049 bytes, the limit is 2048. Note less, or in several calls.");
	write_memory(arguments, "Successfully wrote 2048 bytes to memory (mode: append)");
	expect_too_large(2047,
	    "memory/MEMORY.md would have more than 4096 bytes, its limit. Overwrite it with what is worth "
	    "keeping.");
	free(arguments);
	arguments = arguments_of(2046);
	write_memory(arguments, "Successfully wrote 2046 bytes to memory (mode: append)");
	expect_too_large(1, "memory/MEMORY.md would have more than");
	write_memory("{\"content\": \"x\", \"mode\": \"overwrite\"}",
	    "Successfully wrote 1 bytes to memory (mode: overwrite)");
	free(arguments);
}

static void a_link_among_the_memories_is_not_followed(void **state)
{
	char *path = tools_fixture_path(&w, FAMILY);

	(void)state;
	tools_fixture_put_text(&w, "secret.txt", "OUT");
	tools_fixture_put_text(&w, FAMILY, "x");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("../../../../secret.txt", path), 0);
	tools_fixture_refused(&w, "memory_read", "{}", "ACCESS_DENIED", "SYMLINK");
	tools_fixture_refused(&w, "memory_write", "{\"content\": \"x\"}", "ACCESS_DENIED", "SYMLINK");
	assert_file(&w, "secret.txt", "OUT");
	free(path);
}

static void find_in_any_case(void **state)
{
	static const struct {
		const char *text, *query;
		bool found;
	} cases[] = {
	    {"Ärger mit dem Drucker", "ärger", true},
	    {"ÄRGER", "ärger", true},
	    {"ВЧЕРА", "вчера", true},
	    {"JWT Tokens", "jwt tokens", true},
	    {"abc", "abd", false},
	    {"a\nb", "A\nB", true},
	    {"\377Abc", "abc", true},
	    {"abc", "", true},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf folded = BUF_INIT;
		paragraph_fold(&folded, cases[i].query, strlen(cases[i].query));
		if (paragraph_holds(cases[i].text, strlen(cases[i].text), &folded) != cases[i].found)
			fail_msg("%s in %s", cases[i].query, cases[i].text);
		buf_clear(&folded);
	}
}

static void paragraphs_are_parted_by_blank_lines(void **state)
{
	const char *text = "\n\n one\ntwo\r\n\r\n\t\nthree\n\n", *paragraph;
	size_t len;

	(void)state;
	paragraph = paragraph_next(&text, &len);
	assert_int_equal(len, 8);
	assert_memory_equal(paragraph, " one\ntwo", 8);
	paragraph = paragraph_next(&text, &len);
	assert_int_equal(len, 5);
	assert_memory_equal(paragraph, "three", 5);
	assert_null(paragraph_next(&text, &len));
}

/* Several processes, as the daemon and a command line are. */
static void writers_at_the_same_time_lose_nothing(void **state)
{
	char *root = tools_fixture_path(&w, "state/memory"), *path = xstrdup("shared/MEMORY.md");
	const struct memory memory = {.root = root, .path = path, .shown = "memory", .most = 65536};
	struct buf all = BUF_INIT;
	struct path_error why;
	pid_t children[4];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(children); i++) {
		children[i] = fork();
		for (int k = 0; children[i] == 0 && k < 25; k++)
			if (memory_store(&memory, "line", 4, true, &why) < 0)
				_exit(1);
		if (children[i] == 0)
			_exit(0);
	}
	for (size_t i = 0; i < ARRAY_LEN(children); i++) {
		int status;
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(memory_load(&memory, &all, &why), 1);
	assert_int_equal(all.len, 100 * 6 - 2);
	buf_clear(&all);
	free(root);
	free(path);
}

#define MEMORY_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tools_fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    MEMORY_TEST(without_a_memory_nothing_is_found),
	    MEMORY_TEST(the_examples_hold),
	    MEMORY_TEST(appending_puts_one_blank_line_between),
	    MEMORY_TEST(each_chat_and_person_has_its_own_and_all_share_one),
	    MEMORY_TEST(one_person_on_several_channels_has_one_memory),
	    MEMORY_TEST(the_shared_memory_is_changed_only_by_whom_the_settings_let),
	    MEMORY_TEST(no_chat_and_no_person_reaches_the_notes_of_another),
	    MEMORY_TEST(what_is_forgotten_is_gone_whole_and_nothing_else),
	    MEMORY_TEST(notes_are_found_by_all_their_words),
	    MEMORY_TEST(an_id_cannot_name_another_folder),
	    MEMORY_TEST(the_operator_has_a_memory_and_a_call_of_nobody_has_none),
	    MEMORY_TEST(arguments_are_checked_by_name),
	    MEMORY_TEST(one_write_and_one_memory_have_a_limit),
	    MEMORY_TEST(a_link_among_the_memories_is_not_followed),
	    cmocka_unit_test(find_in_any_case),
	    cmocka_unit_test(paragraphs_are_parted_by_blank_lines),
	    MEMORY_TEST(writers_at_the_same_time_lose_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
