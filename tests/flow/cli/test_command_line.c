/* The command line: options, usage errors, colours. No gateway runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/cli/terminal.h"
#include "flow/flow.h"

#define USAGE      64
#define NO_GATEWAY 3

static struct flow f;

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	flow_config(&f, "", "allow = [\"77\"];");
	return 0;
}

static int end(void **state)
{
	(void)state;
	flow_stop(&f);
	return 0;
}

static void mistakes_are_told_with_what_was_meant(void **state)
{
	static const struct {
		const char *words[5], *answer;
	} cases[] = {
	    {{"statsu"}, "there is no command 'statsu'. Did you mean 'status'?"},
	    {{"--verison"}, "there is no command '--verison'. Did you mean '--version'?"},
	    {{"status", "--jsno"}, "status has no option '--jsno'. Did you mean '--json'?"},
	    {{"reload", "--now"}, "reload has no option '--now'\n"},
	    {{"status", "now"}, "usage: myna status [--json]\n"},
	    {{"compact", "now"}, "compact takes no argument 'now'"},
	    {{"check", "--json", "--json"}, "--json is given twice"},
	    {{"check", "--json=yes"}, "--json takes no value"},
	    {{"send", "telegram:77", "hello", "--key"}, "--key needs KEY after it"},
	    {{"send", "telegram:77"}, "send takes a target or address, and a text in quotes"},
	    {{"prompt"}, "usage: myna prompt CHANNEL:CHAT\n"},
	    {{"dead", "remove", "7"}, "usage: myna dead [list [--json] | retry ID | drop ID]\n"},
	    {{"dead", "retry", "all"}, "dead takes 'list', 'list --json', 'retry ID' or 'drop ID'"},
	    {{"workspace", "list", "--yes"}, "workspace takes 'list', 'move"},
	    {{"workspace", "move", "--to", "nowhere"}, "--to: an address is written CHANNEL:CHAT"},
	    {{"tool", "list", "--json", "--markdown"}, "tool takes 'list'"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *const *w = cases[i].words;
		char *out;
		int status = flow_myna(&f, &out, w[0], w[1], w[2], w[3], w[4], NULL);

		if (status != USAGE || !strstr(out, cases[i].answer))
			fail_msg("myna %s %s: %d, %s", w[0], w[1] ? w[1] : "", status, out);
		free(out);
	}
}

static void options_stand_where_people_put_them(void **state)
{
	char *first, *last, *out;

	(void)state;
	assert_int_equal(flow_myna(&f, &first, "tool", "list", "--json", NULL), 0);
	assert_int_equal(flow_myna(&f, &last, "tool", "--json", "list", NULL), 0);
	assert_string_equal(first, last);
	free(first);
	free(last);
	/* Both get as far as to ask the gateway. */
	assert_int_equal(
	    flow_myna(&f, NULL, "send", "telegram:77", "--key=a", "hello", "--json", NULL), NO_GATEWAY);
	assert_int_equal(
	    flow_myna(&f, NULL, "send", "--key", "a", "telegram:77", "--", "--hello", NULL), NO_GATEWAY);
	assert_int_equal(flow_myna(&f, NULL, "send", "telegram:77", "--hello", NULL), USAGE);
	assert_int_equal(flow_myna(&f, &out, "send", "telegram:77", "--help", NULL), 0);
	assert_non_null(strstr(out, "usage: myna send "));
	free(out);
}

/* The bytes that doctor writes to a terminal, and what is seen of them. */
static char *diagnose(const char *env)
{
	static struct terminal term;

	terminal_run(&term, &f, env, "doctor", NULL);
	while (terminal_look(&term))
		;
	char *bytes = xstrdup(term.raw.data);
	assert_true(strstr(terminal_text(&term), "warning  gateway: It does not run"));
	terminal_end(&term);
	return bytes;
}

static void a_terminal_has_colours_unless_they_are_unwanted(void **state)
{
	char *with = diagnose(NULL), *without = diagnose("NO_COLOR=1"), *dumb = diagnose("TERM=dumb"), *piped;

	(void)state;
	assert_non_null(strstr(with, "\033[33mwarning\033[0m  gateway: It does not run"));
	assert_non_null(strstr(with, "\033[32mok\033[0m       configuration: no mistakes"));
	assert_null(strstr(without, "\033["));
	assert_null(strstr(dumb, "\033["));
	flow_myna(&f, &piped, "doctor", NULL);
	assert_non_null(strstr(piped, "warning  gateway: It does not run"));
	assert_null(strstr(piped, "\033["));
	free(with);
	free(without);
	free(dumb);
	free(piped);
}

#define LINE_TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    LINE_TEST(mistakes_are_told_with_what_was_meant),
	    LINE_TEST(options_stand_where_people_put_them),
	    LINE_TEST(a_terminal_has_colours_unless_they_are_unwanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
