/* Programs of the external folder in conversations, with the real gateway. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

/* A person asks for a call, and the model tells what it got. */
static const char script[] =
    "{\"skip\": \"^(\\\\[[^]\\n]*\\\\]\\n(> [^\\n]*\\n)*)+\", \"rules\": ["
    "{\"when\": \"^call first\", \"steps\": [{\"calls\": [{\"name\": \"first\", \"arguments\": {\"arg1\": "
    "\"x\"}}]}, {\"text\": \"got {{result.0.result.n|result.0.error}}\"}]}"
    "], \"else\": {\"steps\": [{\"text\": \"You said: {{user}}\"}]}}";

/* What the model says of a tool that it would call and does not have. */
#define NOT_OFFERED "the tool first now, but it is not offered to me here."

static struct flow f;

static char *in_folder(const char *name)
{
	return xasprintf("%s/ext%s%s", f.dir, *name ? "/" : "", name);
}

/* Beside, and then moved into its place. */
static void put(const char *name, const char *answer)
{
	char *path = in_folder(name), *beside = xasprintf("%s/beside", f.dir);
	FILE *out = fopen(beside, "w");

	assert_non_null(out);
	fprintf(out,
	    "#!/bin/sh\nif [ \"$1\" = --schema ]; then echo '{\"name\":\"%s\",\"description\":\"Does "
	    "it.\",\"parameters\":{\"type\":\"object\",\"properties\":{\"arg1\":{\"type\":\"string\","
	    "\"description\":\"What\"}}}}'; exit; fi\n"
	    "echo '%s'\n",
	    name, answer);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(chmod(beside, 0755), 0);
	assert_int_equal(rename(beside, path), 0);
	free(beside);
	free(path);
}

static void write_config(const char *more)
{
	char *folder = in_folder(""),
	     *top = xasprintf("tools: { sandbox = \"S0\"; external = \"%s\"; %s };", folder, more);

	flow_config(&f, top, "allow = [\"77\"]; guests = [\"78\"];");
	free(top);
	free(folder);
}

static int begin(void **state)
{
	(void)state;
	flow_start_script(&f, script);
	/* The programs of root's tests run as nobody. */
	assert_int_equal(chmod(f.dir, 0755), 0);
	char *folder = in_folder("");
	assert_int_equal(mkdir(folder, 0755), 0);
	free(folder);
	write_config("");
	return 0;
}

static void say(const char *user, const char *text, size_t i, const char *want)
{
	flow_say(&f, user, user, text, "private");
	flow_expect(&f, user, i, want);
}

static void a_program_that_is_put_there_is_used_by_the_next_turn(void **state)
{
	(void)state;
	flow_gateway(&f, true);
	say("77", "call first", 0, NOT_OFFERED);
	put("first", "{\"n\":1}");
	say("77", "call first", 1, "got 1");
	put("first", "{\"n\":2}");
	put("glob", "{}");
	say("77", "call first", 2, "got 2");
	say("77", "/tools", 3, "first: Does it.");
	say("77", "/tools", 4, "glob of external: The name is taken by a built-in tool.");
	char *path = in_folder("first");
	assert_int_equal(unlink(path), 0);
	free(path);
	say("77", "call first", 5, NOT_OFFERED);
}

static void neither_guests_nor_whom_a_rule_shuts_out_are_offered_it(void **state)
{
	(void)state;
	put("first", "{\"n\":1}");
	flow_gateway(&f, true);
	say("78", "call first", 0, NOT_OFFERED);
	write_config(
	    "policy = ( { role = \"guest\"; allow = [\"*\", \"first\"]; }, { deny = [\"first\"]; } );");
	assert_int_equal(flow_myna(&f, NULL, "reload", NULL), 0);
	say("78", "call first", 1, NOT_OFFERED);
	say("77", "call first", 0, NOT_OFFERED);
	say("77", "/tools", 1, "glob: ");
	char *shown = flow_bot_text(&f, "77", 1);
	assert_null(strstr(shown, "first: "));
	free(shown);
}

static void the_command_line_lists_and_runs_it_with_and_without_a_gateway(void **state)
{
	char *out;

	(void)state;
	put("first", "{\"n\":1}");
	put("other-name", "{}");
	char *path = in_folder("other-name"), *wrong = in_folder("wrong");
	assert_int_equal(rename(path, wrong), 0);
	for (int with = 0; with < 2; with++) {
		assert_int_equal(flow_myna(&f, &out, "tool", "list", NULL), 0);
		assert_non_null(strstr(out, "\nfirst            Does it\n"));
		assert_non_null(strstr(out, "\nwrong            external: It calls itself \"other-name\"."));
		free(out);
		assert_int_equal(flow_myna(&f, &out, "tool", "run", "first", "{\"arg1\":\"x\"}", NULL), 0);
		assert_non_null(strstr(out, "{\"tool_success\":true,\"result\":{\"n\":1}}"));
		free(out);
		assert_int_equal(flow_myna(&f, NULL, "tool", "run", "first", "{\"arg2\":\"x\"}", NULL), 1);
		if (!with)
			flow_gateway(&f, true);
	}
	free(wrong);
	free(path);
}

#define FLOW(test) FLOW_TEST(test, begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(a_program_that_is_put_there_is_used_by_the_next_turn),
	    FLOW(neither_guests_nor_whom_a_rule_shuts_out_are_offered_it),
	    FLOW(the_command_line_lists_and_runs_it_with_and_without_a_gateway),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
