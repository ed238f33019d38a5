/* /budget: what it shows, what it understands, and that what it sets counts. */
#include <stdlib.h>
#include <string.h>

#include "lib/stage.h"
#include "session/commands/budget_parse.h"

static void say_as(struct task *t, struct stage *st, const char *chat, const char *person, const char *text)
{
	struct message *m = stage_message(st, chat, text);

	free(m->sender_id);
	m->sender_id = xstrdup(person);
	stage_receive(t, st, &m, 1);
}

static const char *give_as(struct task *t, struct stage *st, const char *person, const char *text)
{
	static char all[] = "*", bea[] = "78", *allow[] = {all}, *admins[] = {bea};

	st->access.allow = (struct config_strings){allow, 1};
	st->access.admins = (struct config_strings){admins, 1};
	buf_reset(&st->shown);
	say_as(t, st, "7", person, text);
	stage_settle(t, st);
	return st->shown.data;
}

static const struct {
	const char *text;
	struct budget_request request;
} rights[] = {
    {"chat 500k tokens a day", {BUDGET_SET, STORE_CHAT, "", STORE_TOKENS, STORE_DAY, 500000}},
    {"500,000 tokens", {BUDGET_SET, STORE_CHAT, "", STORE_TOKENS, STORE_DAY, 500000}},
    {"here 1.5M tokens/month", {BUDGET_SET, STORE_CHAT, "", STORE_TOKENS, STORE_MONTH, 1500000}},
    {"me 20 turns daily", {BUDGET_SET, STORE_PERSON, "", STORE_TURNS, STORE_DAY, 20}},
    {"person telegram:78 5 usd a month",
	{BUDGET_SET, STORE_PERSON, "telegram:78", STORE_MONEY, STORE_MONTH, 5000000}},
    {"person all 2.50 money per day", {BUDGET_SET, STORE_PERSON, "all", STORE_MONEY, STORE_DAY, 2500000}},
    {"all 100 USD in all", {BUDGET_SET, STORE_ALL, "", STORE_MONEY, STORE_EVER, 100000000}},
    {"set the total budget to 30 calls of the model each day",
	{BUDGET_SET, STORE_ALL, "", STORE_CALLS, STORE_DAY, 30}},
    {"chat telegram:-100/5 3 turns/day",
	{BUDGET_SET, STORE_CHAT, "telegram:-100/5", STORE_TURNS, STORE_DAY, 3}},
    {"lift slack:C1", {BUDGET_LIFT, STORE_CHAT, "slack:C1", STORE_TURNS, STORE_DAY, 0}},
    {"chat no tokens a day", {BUDGET_SET, STORE_CHAT, "", STORE_TOKENS, STORE_DAY, STORE_NO_LIMIT}},
    {"chat 0 turns", {BUDGET_SET, STORE_CHAT, "", STORE_TURNS, STORE_DAY, 0}},
    {"lift", {BUDGET_LIFT, STORE_CHAT, "", STORE_TURNS, STORE_DAY, 0}},
    {"lift all today", {BUDGET_LIFT, STORE_ALL, "", STORE_TURNS, STORE_DAY, 0}},
    {"<@99|Cy Z> 5 turns", {BUDGET_SET, STORE_PERSON, "<@99|Cy Z>", STORE_TURNS, STORE_DAY, 5}},
    {"person <@99|Cy Z> 5 turns/day", {BUDGET_SET, STORE_PERSON, "<@99|Cy Z>", STORE_TURNS, STORE_DAY, 5}},
    {"them lift", {BUDGET_LIFT, STORE_PERSON, "them", STORE_TURNS, STORE_DAY, 0}},
    {"me default", {BUDGET_RESTORE, STORE_PERSON, "", STORE_TURNS, STORE_DAY, 0}},
};

static const struct {
	const char *text, *why;
} wrongs[] = {
    {"chat", "How much? Write an amount, as in chat 500k tokens a day."},
    {"chat 500k", "Of what? Write tokens, turns, calls or USD after the amount."},
    {"chat 1.5 turns", "That is no number of times."},
    {"chat 500q tokens", "\"500q\" is no amount. Write it as 500000, 500k, 1.5m or 2.50."},
    {"chat -5 tokens", "I do not understand \"-5\"."},
    {"chat 99999999999999 tokens", "\"99999999999999\" is no amount."},
    {"chat 5 tokens 6 turns", "\"6\" is a second amount. One at a time."},
    {"chat 5 EUR", "I do not understand \"EUR\"."},
    {"chat me 5 turns", "\"me\" says a second time what was said already."},
    {"chat 5 tokens turns", "\"turns\" says a second time what was said already."},
    {"person", "Who is meant?"},
    {"me <@99> 5 turns", "\"<@99>\" says a second time what was said already."},
    {"all slack:C1 5 turns", "\"slack:C1\" says a second time what was said already."},
    {"lift 5 tokens", "An amount cannot be combined with lift."},
    {"chat no 5 tokens", "An amount cannot be combined with no limit."},
};

static void words_are_understood_as_people_write_them(void **state)
{
	struct buf why = BUF_INIT;
	struct budget_request w;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rights); i++) {
		if (!budget_parse(rights[i].text, "USD", &w, &why))
			fail_msg("%s: %s", rights[i].text, why.data);
		if (memcmp(&w, &rights[i].request, sizeof(w)) != 0)
			fail_msg("%s is misunderstood", rights[i].text);
	}
	for (size_t i = 0; i < ARRAY_LEN(wrongs); i++) {
		buf_reset(&why);
		if (budget_parse(wrongs[i].text, "USD", &w, &why))
			fail_msg("%s is understood", wrongs[i].text);
		assert_has(why.data, wrongs[i].why);
	}
	buf_clear(&why);
}

STAGE_TEST(everybody_sees_their_own_and_admins_see_all)
{
	stage_configure(t, st,
	    "budgets = ( { scope = \"chat\"; tokens = 500000; turns = 20; }, { scope = \"all\"; calls = "
	    "1000; } );");
	give_as(t, st, "77", "hello");
	const char *said = give_as(t, st, "77", "/budget");
	assert_has(said, "- you, in all chats: no limit; ");
	assert_has(said, "- this chat: 1 of 20 turns today; 107 of 500,000 tokens today\n");
	assert_lacks(said, "all chats together");
	assert_lacks(said, "To change one");
	said = give_as(t, st, "78", "/budget");
	assert_has(said, "- all chats together: 1 of 1,000 calls today\n");
	assert_has(said, "/budget chat 500k tokens a day");
	assert_has(give_as(t, st, "77", "/budget chat 5 turns"), "Budgets are for admins to change.");
}

STAGE_TEST(a_budget_is_for_the_person_who_is_answered_or_mentioned)
{
	struct message *m = stage_message(st, "7", "/budget them 5 turns a day");

	assert_has(give_as(t, st, "78", "/budget them 5 turns a day"), "Who do you mean?");
	free(m->sender_id);
	m->sender_id = xstrdup("78");
	m->reply_sender_id = xstrdup("99");
	buf_reset(&st->shown);
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
	assert_has(st->shown.data, "From now on the person chat:99: 5 turns a day");
	assert_has(give_as(t, st, "78", "/budget <@99|Cy Z> 6 turns a day"), "the person chat:99: 6 turns");
}

STAGE_TEST(what_an_admin_sets_counts_from_then_on_and_after_a_crash)
{
	stage_configure(t, st, "budgets = ( { scope = \"chat\"; turns = 20; } );");
	give_as(t, st, "77", "hello");
	assert_has(give_as(t, st, "78", "/budget chat 100 tokens a day"),
	    "From now on this chat: 100 tokens a day; used today: 107 of 100 tokens.");
	assert_has(give_as(t, st, "77", "hello"), "used up: 107 of 100 tokens today");
	stage_snapshot(st);
	stage_crash(t, st);
	assert_has(give_as(t, st, "77", "hello"), "used up: 107 of 100 tokens today");
	assert_has(give_as(t, st, "78", "/budget"),
	    "- this chat: 1 of 20 turns today (set with /budget); 107 of 100 tokens today (set with "
	    "/budget)\n");
	assert_has(give_as(t, st, "78", "/budget chat no tokens a day"), "no limit of that kind a day");
	assert_has(give_as(t, st, "77", "hello"), "re: hello");
}

STAGE_TEST(a_budget_is_lifted_for_today_and_goes_back_to_the_configuration)
{
	stage_configure(t, st, "budgets = ( { scope = \"chat\"; calls = 1; } );");
	give_as(t, st, "77", "hello");
	assert_has(give_as(t, st, "77", "hello"), "used up");
	assert_has(give_as(t, st, "78", "/budget lift"),
	    "The budgets of this chat do not count until midnight (UTC).");
	stage_snapshot(st);
	stage_crash(t, st);
	assert_has(give_as(t, st, "77", "hello"), "re: hello");
	assert_has(give_as(t, st, "77", "/budget"), " - lifted for today");
	assert_has(give_as(t, st, "78", "/budget default"),
	    "The budgets of this chat are those of the configuration again.");
	assert_has(give_as(t, st, "78", "/budget me default"),
	    ": Your budgets are those of the configuration again.");
	assert_has(give_as(t, st, "77", "hello"), "2 of 1 call today");
}

STAGE_TEST(people_and_all_have_budgets_too)
{
	give_as(t, st, "78", "/budget person 77 0 turns");
	assert_has(
	    st->shown.data, "From now on the person chat:77: 0 turns a day; used today: 0 of 0 turns.");
	assert_has(give_as(t, st, "77", "hello"), "Your own budget is used up");
	assert_has(give_as(t, st, "79", "hello"), "re: hello");
	assert_has(
	    give_as(t, st, "78", "/budget"), "- person chat:77: 0 of 0 turns today (set with /budget)\n");
	assert_has(give_as(t, st, "78", "/budget person nowhere:5 1 turn"), "There is no such channel.");
	give_as(t, st, "78", "/budget all 1 call a month");
	assert_has(give_as(t, st, "79", "hello"),
	    "The budget of all chats together is used up: 1 of 1 call this month.");
}

STAGE_TEST(an_admin_sets_the_budget_of_another_chat)
{
	assert_has(give_as(t, st, "78", "/budget chat chat:9/4 0 turns a day"),
	    "From now on the chat chat:9: 0 turns a day;");
	stage_say(t, st, "9", "hello");
	stage_settle(t, st);
	assert_has(st->shown.data, "The budget of this chat is used up: 0 of 0 turns today.");
	assert_has(give_as(t, st, "78", "/budget"), "- chat chat:9: 0 of 0 turns today (set with /budget)\n");
	assert_has(give_as(t, st, "78", "/budget lift nowhere:9"), "There is no such channel.");
	assert_has(give_as(t, st, "78", "/budget lift chat:"), "an address needs a chat");
}

STAGE_TEST(of_many_budgets_it_says_how_many_it_does_not_show)
{
	char text[64];

	for (int i = 0; i < 22; i++) {
		snprintf(text, sizeof(text), "/budget person 9%02d 5 turns a day", i);
		give_as(t, st, "78", text);
	}
	/* Of one person there are two. */
	give_as(t, st, "78", "/budget person 900 50 turns a month");
	const char *said = give_as(t, st, "78", "/budget");
	assert_int_equal(count_of(said, "- person chat:9"), 20);
	assert_has(said, "- and 2 more\n");
	give_as(t, st, "78", "/budget person 920 default");
	give_as(t, st, "78", "/budget person 921 default");
	assert_lacks(give_as(t, st, "78", "/budget"), " more\n");
}

STAGE_TEST(money_without_a_price_is_refused)
{
	assert_has(give_as(t, st, "78", "/budget chat 5 USD a day"),
	    "Nothing was changed: what the model of main costs is not known.");
	st->providers[0].price.known = true;
	assert_has(give_as(t, st, "78", "/budget chat 5 USD a day"),
	    "From now on this chat: 5.00 USD a day; used today: 0.00 of 5.00 USD.");
}

STAGE_TEST(it_works_while_no_model_answers)
{
	stage_configure(t, st, "budgets = ( { scope = \"chat\"; calls = 5; } );");
	st->llm.count = st->llm.order_count = 0;
	assert_has(give_as(t, st, "77", "/budget"), "0 of 5 calls today");
	assert_has(give_as(t, st, "78", "/budget 7 calls"), "7 calls a day");
}

STAGE_TEST(a_summary_is_not_made_where_nothing_may_be_spent)
{
	give_as(t, st, "77", "one");
	give_as(t, st, "77", "two");
	give_as(t, st, "78", "/budget 2 calls");
	assert_has(give_as(t, st, "77", "/compact"),
	    "The conversation stays as it is: The budget of this chat is used up: 2 of 2 calls today.");
	assert_int_equal(st->asked, 2);
}

/* To two admins. */
static bool to_admins(void *arg, struct address **to, size_t *count)
{
	(void)arg;
	*to = xcalloc(2, sizeof(**to));
	*count = 2;
	return address_parse("chat:78", &(*to)[0], NULL) == 0 &&
	    address_parse("chat:79", &(*to)[1], NULL) == 0;
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		n++;
	return n;
}

STAGE_TEST(admins_are_warned_once_of_the_budget_of_all_also_after_restarts)
{
	static const char *const warnings[] = {"used to 50 %: 5 of 10 calls today.",
	    "used to 80 %: 8 of 10 calls today.",
	    "used up: 10 of 10 calls today. It resets at midnight (UTC). /budget shows and changes it."};
	static const char *const admins[] = {"78", "79"};

	st->reports = to_admins;
	stage_configure(t, st, "budgets = ( { scope = \"all\"; calls = 10; } );");
	for (int i = 1; i <= 11; i++) {
		stage_say(t, st, i % 2 ? "7" : "8", "hello");
		stage_settle(t, st);
		if (i != 5 && i != 8 && i < 10)
			continue;
		stage_close(t, st);
		stage_open(t, st);
		stage_snapshot(st);
		stage_crash(t, st);
	}
	for (size_t w = 0; w < ARRAY_LEN(warnings); w++)
		for (size_t a = 0; a < ARRAY_LEN(admins); a++) {
			char *line =
			    xasprintf("%s: The budget of all chats together is %s", admins[a], warnings[w]);
			assert_int_equal(count(st->shown.data, line), 1);
			free(line);
		}
	assert_int_equal(
	    count(st->shown.data, ": The budget of all chats together is used"), 2 * ARRAY_LEN(warnings) + 1);
	assert_int_equal(st->asked, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_are_understood_as_people_write_them),
	    cmocka_unit_test(everybody_sees_their_own_and_admins_see_all),
	    cmocka_unit_test(a_budget_is_for_the_person_who_is_answered_or_mentioned),
	    cmocka_unit_test(what_an_admin_sets_counts_from_then_on_and_after_a_crash),
	    cmocka_unit_test(a_budget_is_lifted_for_today_and_goes_back_to_the_configuration),
	    cmocka_unit_test(people_and_all_have_budgets_too),
	    cmocka_unit_test(an_admin_sets_the_budget_of_another_chat),
	    cmocka_unit_test(of_many_budgets_it_says_how_many_it_does_not_show),
	    cmocka_unit_test(money_without_a_price_is_refused),
	    cmocka_unit_test(it_works_while_no_model_answers),
	    cmocka_unit_test(a_summary_is_not_made_where_nothing_may_be_spent),
	    cmocka_unit_test(admins_are_warned_once_of_the_budget_of_all_also_after_restarts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
