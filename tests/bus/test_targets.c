#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "bus/targets.h"

#define CHANNELS "channels: { slack: { type = \"slack\"; }; telegram: { type = \"telegram\"; }; };\n"

/* Reads targets from a configuration with two channels; the errors and the warnings go to problems. */
static struct targets read_targets(const char *text, struct buf *problems)
{
	char *whole = xasprintf(CHANNELS "%s", text);
	struct error err = {0};
	struct config *cfg = config_parse("t.conf", whole, &err);
	struct targets ts;

	if (!cfg)
		fail_msg("%s", err.text);
	targets_read(&ts, cfg);
	config_errors(cfg, problems);
	config_warnings(cfg, problems);
	config_free(cfg);
	free(whole);
	return ts;
}

static struct targets good_targets(void)
{
	struct buf problems = BUF_INIT;
	struct targets ts = read_targets(
	    "targets: { ops = [\"slack:C024\", \"telegram:-100123/42\"]; one = [\"telegram:77\"]; };",
	    &problems);

	assert_string_equal(problems.data, "");
	return ts;
}

static void expect_addresses(const struct targets *ts, const char *text, const char *want)
{
	struct buf have = BUF_INIT;
	struct error err = {0};
	char where[ADDRESS_TEXT_MAX];
	size_t count;
	struct address *list = targets_expand(ts, text, &count, &err);

	if (!list)
		fail_msg("%s: %s", text, err.text);
	for (size_t i = 0; i < count; i++)
		buf_addf(&have, "%s ", address_format(&list[i], where));
	assert_string_equal(have.data, want);
	buf_clear(&have);
	free(list);
}

static void a_name_stands_for_its_addresses(void **state)
{
	struct targets ts = good_targets();

	(void)state;
	assert_int_equal(ts.count, 2);
	expect_addresses(&ts, "ops", "slack:C024 telegram:-100123/42 ");
	expect_addresses(&ts, "one", "telegram:77 ");
	assert_string_equal(targets_find(&ts, "one")->name, "one");
	assert_null(targets_find(&ts, "two"));
	targets_clear(&ts);
	assert_int_equal(ts.count, 0);
	targets_clear(&ts);
}

static void an_address_stands_for_itself(void **state)
{
	struct targets ts = good_targets();

	(void)state;
	expect_addresses(&ts, "slack:C9", "slack:C9 ");
	expect_addresses(&ts, "elsewhere:5/6", "elsewhere:5/6 ");
	targets_clear(&ts);
}

static void an_unknown_name_is_answered_with_the_known_ones(void **state)
{
	struct targets ts = good_targets(), none = {0};
	struct error err = {0};
	size_t count = 7;

	(void)state;
	assert_null(targets_expand(&ts, "opps", &count, &err));
	assert_int_equal(count, 0);
	assert_string_equal(
	    err.text, "There is no target \"opps\". Name one of these, or write CHANNEL:CHAT: ops, one.");
	assert_null(targets_expand(&none, "ops", &count, &err));
	assert_non_null(strstr(err.text, "none is configured."));
	assert_null(targets_expand(&ts, "", &count, &err));
	assert_null(targets_expand(&ts, "slack:", &count, &err));
	assert_non_null(strstr(err.text, "an address needs a chat"));
	targets_clear(&ts);
}

static void an_address_is_listed_only_exactly(void **state)
{
	static const struct {
		const char *text;
		bool listed;
	} cases[] = {
	    {"slack:C024", true},
	    {"telegram:-100123/42", true},
	    {"telegram:77", true},
	    {"slack:C02", false},
	    {"slack:C0244", false},
	    {"telegram:-100123", false},
	    {"telegram:-100123/43", false},
	    {"telegram:77/1", false},
	    {"slack:77", false},
	    {"slack:c024", false},
	};
	struct targets ts = good_targets();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct address a;
		assert_int_equal(address_parse(cases[i].text, &a, NULL), 0);
		assert_int_equal(targets_have(&ts, &a), cases[i].listed);
	}
	targets_clear(&ts);
}

static void what_is_wrong_is_told_at_its_line(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
	    {"targets: { ops = [\"slack:C1\",\n\"slack:\"]; };",
		"t.conf:3: \"slack:\": an address needs a chat"},
	    {"targets: { ops = [\"nobody\"]; };", "t.conf:2: \"nobody\": an address is written CHANNEL:CHAT"},
	    {"targets: { ops = [\"fax:1\"]; };",
		"t.conf:2: \"fax:1\" names the channel \"fax\", which is not configured."},
	    {"targets: { ops = []; };", "t.conf:2: targets.ops has no address. Give it one, or remove it."},
	    {"targets: { ops = [\"slack:C1\", \"slack:C1\"]; };",
		"t.conf:2: \"slack:C1\" stands twice in ops."},
	    {"targets: { ops = 5; };", "t.conf:2: "},
	    {"targets: { ops = [77]; };", "t.conf:2: "},
	    {"targets: { ops: { a = 1; }; };", "t.conf:2: "},
	    {"targets = \"ops\";", "t.conf:2: "},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf problems = BUF_INIT;
		struct targets ts = read_targets(cases[i].text, &problems);
		if (!strstr(problems.data, cases[i].says))
			fail_msg("%s: %s", cases[i].text, problems.data);
		assert_ptr_equal(strchr(problems.data, '\n'), problems.data + problems.len - 1);
		targets_clear(&ts);
		buf_clear(&problems);
	}
}

static void an_address_that_stands_twice_counts_once(void **state)
{
	struct buf problems = BUF_INIT;
	struct targets ts =
	    read_targets("targets: { ops = [\"slack:C1\", \"slack:C2\", \"slack:C1\"]; };", &problems);

	(void)state;
	expect_addresses(&ts, "ops", "slack:C1 slack:C2 ");
	targets_clear(&ts);
	buf_clear(&problems);
}

static void without_targets_there_are_none(void **state)
{
	struct buf problems = BUF_INIT;
	struct targets ts = read_targets("", &problems);

	(void)state;
	assert_string_equal(problems.data, "");
	assert_int_equal(ts.count, 0);
	expect_addresses(&ts, "slack:C1", "slack:C1 ");
	targets_clear(&ts);
}

static void people_are_listed_once_and_on_channels_that_there_are(void **state)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
	    {"people: { ann = [\"77\"]; };",
		"t.conf:2: \"77\" is no person: write CHANNEL:ID, as in \"telegram:77\".\n"},
	    {"people: { ann = [\"telegram:77/1\"]; };",
		"t.conf:2: \"telegram:77/1\" is no person: write CHANNEL:ID, as in \"telegram:77\".\n"},
	    {"people: { ann = [\"fax:77\"]; };",
		"t.conf:2: \"fax:77\" names the channel \"fax\", which is not configured.\n"},
	    {"people: { ann = [\"telegram:77\"];\nbob = [\"slack:U1\",\n\"telegram:77\"]; };",
		"t.conf:4: \"telegram:77\" stands twice in people. Each id is one person's.\n"},
	    {"people: { ann = \"telegram:77\"; };",
		"t.conf:2: people.ann: this is a string. Write a list of strings: ann = [\"...\"];\n"},
	};
	struct buf problems = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		buf_reset(&problems);
		struct targets ts = read_targets(bad[i].text, &problems);
		assert_string_equal(problems.data, bad[i].says);
		targets_clear(&ts);
	}
	buf_reset(&problems);
	struct targets ts = read_targets(
	    "people: { ann = [\"telegram:77\", \"slack:U1\"]; bob = [\"slack:U2\"]; };", &problems);
	assert_string_equal(problems.data, "");
	assert_string_equal(people_first(&ts.people, "slack", "U1")->chat, "77");
	assert_string_equal(people_first(&ts.people, "slack", "U2")->chat, "U2");
	assert_null(people_first(&ts.people, "telegram", "U1"));
	assert_null(people_first(&ts.people, "slack", "U"));
	targets_clear(&ts);
	buf_clear(&problems);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(people_are_listed_once_and_on_channels_that_there_are),
	    cmocka_unit_test(a_name_stands_for_its_addresses),
	    cmocka_unit_test(an_address_stands_for_itself),
	    cmocka_unit_test(an_unknown_name_is_answered_with_the_known_ones),
	    cmocka_unit_test(an_address_is_listed_only_exactly),
	    cmocka_unit_test(what_is_wrong_is_told_at_its_line),
	    cmocka_unit_test(an_address_that_stands_twice_counts_once),
	    cmocka_unit_test(without_targets_there_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
