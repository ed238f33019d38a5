#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/metric.h"

static void a_time_counts_in_its_bucket_and_in_all_longer_ones(void **state)
{
	struct histogram m = {.name = "x_seconds", .help = "Help."};
	struct buf out = BUF_INIT;

	(void)state;
	histogram_observe(&m, 500);
	histogram_observe(&m, 501);
	histogram_observe(&m, 9 * 1000 * 1000);
	histogram_observe(&m, INT64_C(301) * 1000 * 1000);
	histogram_observe(&m, -5);
	histogram_write(&out, &m);
	assert_non_null(strstr(out.data, "# HELP x_seconds Help.\n# TYPE x_seconds histogram\n"));
	assert_non_null(strstr(out.data, "x_seconds_bucket{le=\"0.0005\"} 2\n"));
	assert_non_null(strstr(out.data, "x_seconds_bucket{le=\"0.001\"} 3\n"));
	assert_non_null(strstr(out.data, "x_seconds_bucket{le=\"5\"} 3\n"));
	assert_non_null(strstr(out.data, "x_seconds_bucket{le=\"10\"} 4\n"));
	assert_non_null(strstr(out.data, "x_seconds_bucket{le=\"300\"} 4\n"));
	assert_non_null(strstr(out.data, "x_seconds_bucket{le=\"+Inf\"} 5\n"));
	assert_non_null(strstr(out.data, "x_seconds_sum 310.001001\nx_seconds_count 5\n"));
	buf_clear(&out);
}

static void each_outcome_has_its_number(void **state)
{
	struct counter counter = {
	    .name = "x_total", .help = "Help.", .label = "end", .outcomes = {"good", "bad"}};
	struct buf out = BUF_INIT;

	(void)state;
	counter_add(&counter, 1, 2);
	counter_add(&counter, 1, 1);
	counter_write(&out, &counter);
	assert_string_equal(out.data,
	    "# HELP x_total Help.\n# TYPE x_total counter\nx_total{end=\"good\"} 0\nx_total{end=\"bad\"} "
	    "3\n");
	buf_clear(&out);
}

static void a_label_cannot_end_its_quotes(void **state)
{
	struct buf out = BUF_INIT;

	(void)state;
	metric_escape_label(&out, "a\"} 1\nb\\");
	assert_string_equal(out.data, "a\\\"} 1\\nb\\\\");
	buf_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_time_counts_in_its_bucket_and_in_all_longer_ones),
	    cmocka_unit_test(each_outcome_has_its_number),
	    cmocka_unit_test(a_label_cannot_end_its_quotes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
