/* Tools, from the command line and from conversations, with the real gateway. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

#define PEOPLE "allow = [\"77\", \"78\"];"

static struct flow f;

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	flow_config(&f, "", PEOPLE);
	return 0;
}

static void expect_run(int status, const char *says, const char *name, const char *arguments)
{
	char *out;
	int rc = flow_myna(&f, &out, "tool", "run", name, arguments, NULL);

	if (rc != status || !strstr(out, says))
		fail_msg("%s %s: %d: %s", name, arguments, rc, out);
	free(out);
}

static void expect_file(const char *name, const char *want)
{
	char *path = xasprintf("%s/state/%s", f.dir, name), text[256] = "";
	FILE *in = fopen(path, "r");

	if (!in)
		fail_msg("there is no %s", path);
	size_t n = fread(text, 1, sizeof(text) - 1, in);
	text[n] = '\0';
	fclose(in);
	assert_string_equal(text, want);
	free(path);
}

static void say(const char *chat, const char *user, const char *text, size_t i, const char *want)
{
	flow_say(&f, chat, user, text, "private");
	flow_expect(&f, chat, i, want);
}

static void every_tool_is_listed(void **state)
{
	static const char *const names[] = {"edit_file", "glob", "grep", "list_directory", "memory_forget",
	    "memory_read", "memory_search", "memory_write", "message", "read_file", "send_file", "web_fetch",
	    "web_search", "write_file"};
	char *plain, *json;

	(void)state;
	assert_int_equal(flow_myna(&f, &plain, "tool", "list", NULL), 0);
	assert_int_equal(flow_myna(&f, &json, "tool", "list", "--json", NULL), 0);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char *quoted = xasprintf("\"name\":\"%s\"", names[i]);
		assert_non_null(strstr(plain, names[i]));
		assert_non_null(strstr(json, quoted));
		free(quoted);
	}
	assert_int_equal(flow_myna(&f, NULL, "tool", "list", "--xml", NULL), 64);
	free(plain);
	free(json);
}

static void run_all(void)
{
	expect_run(0, "\"bytes_written\":2", "file-write", "{\"file_path\": \"a/b\", \"content\": \"hi\"}");
	expect_run(0, "\"replacements\":1", "edit",
	    "{\"path\": \"a/b\", \"old_string\": \"hi\", \"new_string\": \"ho\"}");
	expect_run(0, "\"content\":\"ho\"", "read_file", "{\"path\": \"a/b\"}");
	expect_run(0, "{\"name\":\"b\",\"is_dir\":false,\"size\":2}", "list_files", "{\"path\": \"a\"}");
	expect_run(
	    1, "\"error_code\":\"ACCESS_DENIED\"", "write_file", "{\"path\": \"/etc/x\", \"content\": \"\"}");
	expect_run(1, "\"error_code\":\"INVALID_ARGUMENT\"", "memory_write", "{}");
	expect_run(0, "(mode: append)", "memory_write", "{\"content\": \"Tea at five.\"}");
	expect_run(0, "\"count\":1", "memory-read", "{\"query\": \"TEA\"}");
}

static void every_tool_runs_without_a_gateway(void **state)
{
	(void)state;
	run_all();
	expect_run(
	    1, "\"error_code\":\"UNAVAILABLE\"", "message", "{\"target\": \"ops\", \"content\": \"x\"}");
	expect_file("workspace/a/b", "ho");
	expect_file("memory/MEMORY.md", "Tea at five.");
}

static void every_tool_runs_beside_a_gateway_and_finds_the_same(void **state)
{
	(void)state;
	expect_run(0, "(mode: append)", "memory_write", "{\"content\": \"Milk is out.\"}");
	flow_gateway(&f, true);
	run_all();
	expect_file("memory/MEMORY.md", "Milk is out.\n\nTea at five.");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	expect_run(0, "Milk is out.\\n\\nTea at five.", "memory_read", "{}");
}

static void a_conversation_uses_files_and_memories(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	say("77", "77", "write hello to sub/new.txt", 0, "Wrote 6 bytes to sub/new.txt");
	expect_file("workspace/chat/telegram%3A77/sub/new.txt", "hello\n");
	say("77", "77", "remember that the launch is on Friday", 1, "(mode: append)");
	say("77", "77", "what do you know about the LAUNCH?", 2, "the launch is on Friday");
	say("77", "77", "remember about me that I like tea", 3, "(mode: append)");
	expect_file("memory/chat/telegram%3A77/MEMORY.md", "the launch is on Friday");
	expect_file("memory/person/telegram%3A77/MEMORY.md", "I like tea");
	say("78", "78", "what do you know about the launch?", 0, "0 notes");
	say("78", "78", "what do you know about me?", 1, "No memory file found");
	/* They outlive the process. */
	flow_gateway_kill(&f);
	flow_gateway(&f, true);
	say("77", "77", "what do you know about me?", 4, "I like tea");
}

static void the_model_reacts_and_reminds(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	say("77", "77", "react with 👍", 0, "sent");
	say("77", "77", "react with 🦚", 1, "Telegram lets bots react with some emoji only");
	say("77", "77", "remind me in 1 s to stretch", 2, "Reminder 1: 20");
	flow_await(&f, "77", 4);
	say("77", "77", "remind me at 99:99 to stretch", 4, "INVALID_ARGUMENT");
}

#define FLOW(test) FLOW_TEST(test, begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(every_tool_is_listed),
	    FLOW(every_tool_runs_without_a_gateway),
	    FLOW(every_tool_runs_beside_a_gateway_and_finds_the_same),
	    FLOW(a_conversation_uses_files_and_memories),
	    FLOW(the_model_reacts_and_reminds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
