/* What models cost: which row counts, what a request costs, and what is not known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "llm/llm.h"
#include "llm/providers.h"

#define PROVIDER(name, model) \
#name ": { api = \"openai-chat\"; base_url = \"http://127.0.0.1:1/v1\"; model = \"" model "\"; };"

static struct llm *read(const char *prices)
{
	struct error err = {0};
	char *text = xasprintf("llm: { default = \"big\"; fallbacks = [\"small\"]; currency = "
			       "\"EUR\";\n%s\nproviders: { " PROVIDER(big, "claude-big-4") PROVIDER(small,
				   "claude-small-4") PROVIDER(local, "qwen") PROVIDER(other, "x") " }; };",
	    prices);
	struct config *cfg = config_parse("test.conf", text, &err);

	assert_non_null(cfg);
	struct llm *l = llm_new(cfg);
	struct buf errors = BUF_INIT;
	config_errors(cfg, &errors);
	assert_string_equal(errors.data, "");
	buf_clear(&errors);
	config_free(cfg);
	free(text);
	return l;
}

#define PRICES                                                                                               \
	"prices = ( { model = \"claude-big-*\"; input = 3.0; output = 15; cached = 0.3; cache_write = "      \
	"\"3.75\"; },\n"                                                                                     \
	" { model = \"claude-*\"; input = 1; output = 2; }, { provider = \"local\"; input = 0; output = 0; " \
	"} );"

static const struct {
	const char *provider;
	struct llm_usage usage;
	bool priced;
	int64_t cost;
} rows[] = {
    {"big", {.input_tokens = 1000000, .output_tokens = 100000}, true, 4500000},
    {"big", {.input_tokens = 1000, .cached_tokens = 600, .written_tokens = 300, .output_tokens = 10}, true,
	300 + 180 + 1125 + 150},
    {"small", {.input_tokens = 1000, .cached_tokens = 600, .written_tokens = 300, .output_tokens = 10}, true,
	1020},
    {"small", {0}, true, 0},
    {"local", {.input_tokens = 1000000, .output_tokens = 1000000}, true, 0},
    {"other", {.input_tokens = 1000000, .output_tokens = 1000000}, false, 0},
    /* What a provider reports wrongly costs nothing below 0, and does not overflow. */
    {"big", {.input_tokens = 10, .cached_tokens = 500, .output_tokens = -5}, true, 150},
    {"big", {.input_tokens = INT64_MAX, .output_tokens = INT64_MAX}, true, INT64_C(1000000000000000)},
};

static void the_first_row_that_fits_counts_and_costs_are_exact(void **state)
{
	struct llm *l = read(PRICES);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct llm_usage u = rows[i].usage;
		llm_price_apply(&llm_find(l, rows[i].provider)->price, &u);
		assert_int_equal(u.priced, rows[i].priced);
		assert_int_equal(u.cost, rows[i].cost);
	}
	assert_string_equal(llm_currency(l), "EUR");
	llm_free(l);
}

static void what_costs_less_than_a_millionth_is_rounded_up(void **state)
{
	struct llm *l = read("prices = ( { input = 0.05; output = 0.4; } );");
	struct llm_usage u = {.input_tokens = 1};

	(void)state;
	llm_price_apply(&llm_find(l, "big")->price, &u);
	assert_int_equal(u.cost, 1);
	llm_free(l);
}

static void the_most_is_of_the_dearest_that_may_answer(void **state)
{
	const struct llm_provider *unpriced = NULL;
	struct llm *l = read(PRICES);
	int64_t cost;

	(void)state;
	assert_true(llm_price_max(l, NULL, 1000000, 1000000, &cost, &unpriced));
	assert_int_equal(cost, 3750000 + 15000000);
	assert_true(llm_price_max(l, "local", 1000000, 0, &cost, &unpriced));
	assert_int_equal(cost, 3750000);
	assert_false(llm_price_max(l, "other", 1, 1, &cost, &unpriced));
	assert_string_equal(unpriced->name, "other");
	llm_free(l);
	l = read("");
	assert_false(llm_price_max(l, NULL, 1, 1, &cost, &unpriced));
	assert_string_equal(unpriced->name, "big");
	llm_free(l);
}

static void a_row_without_a_price_is_a_mistake(void **state)
{
	static const char *const bad[][2] = {
	    {"{ model = \"x\"; }", "input and output are missing."},
	    {"{ input = 1; }", "output is missing."},
	    {"{ output = 1; minute = 0.006; }", "input is missing."},
	    {"{ provider = \"nobody\"; minute = 0.006; }", "llm.providers has no \"nobody\"."},
	    {"{ minute = 0.006; }", ""},
	    {"{ provider = \"transcribe\"; request = 0.006; }", ""},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		char *text = xasprintf("llm: { default = \"a\"; prices = ( %s ); providers: { a: { api = "
				       "\"openai-chat\"; model = \"m\"; }; }; };",
		    bad[i][0]);
		struct error err = {0};
		struct config *cfg = config_parse("test", text, &err);
		struct buf errors = BUF_INIT;
		struct llm *l = llm_new(cfg);

		config_errors(cfg, &errors);
		if (*bad[i][1] ? !strstr(errors.data, bad[i][1]) : *errors.data)
			fail_msg("%s: %s", bad[i][0], errors.data);
		/* A price of speech is none of what models read. */
		assert_false(llm_default(l)->price.known);
		buf_clear(&errors);
		llm_free(l);
		config_free(cfg);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_first_row_that_fits_counts_and_costs_are_exact),
	    cmocka_unit_test(what_costs_less_than_a_millionth_is_rounded_up),
	    cmocka_unit_test(a_row_without_a_price_is_a_mistake),
	    cmocka_unit_test(the_most_is_of_the_dearest_that_may_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
