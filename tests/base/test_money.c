#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/money.h"

static const struct {
	const char *text;
	int64_t amount; /* -1: it is none */
	const char *exact, *shown;
} rows[] = {
    {"0", 0, "0.00", "0.00"},
    {"3", 3000000, "3.00", "3.00"},
    {"3.75", 3750000, "3.75", "3.75"},
    {"0.3", 300000, "0.30", "0.30"},
    {".5", 500000, "0.50", "0.50"},
    {"0.075", 75000, "0.075", "0.075"},
    {"0.000001", 1, "0.000001", "0.0001"},
    {"0.00005", 50, "0.00005", "0.0001"},
    {"0.99996", 999960, "0.99996", "1.00"},
    {"12.345678", 12345678, "12.345678", "12.35"},
    {"1000000000", MONEY_MAX, "1000000000.00", "1000000000.00"},
    {"1000000000.000001", -1, NULL, NULL},
    {"12345678901", -1, NULL, NULL},
    {"0.0000001", -1, NULL, NULL},
    {"", -1, NULL, NULL},
    {".", -1, NULL, NULL},
    {"3.", -1, NULL, NULL},
    {"-3", -1, NULL, NULL},
    {"3,5", -1, NULL, NULL},
    {"1e3", -1, NULL, NULL},
    {" 3", -1, NULL, NULL},
};

static void amounts_are_read_and_written_exactly(void **state)
{
	struct buf out = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int64_t amount = 0;
		if (money_parse(rows[i].text, strlen(rows[i].text), &amount) != (rows[i].amount >= 0))
			fail_msg("\"%s\"", rows[i].text);
		if (rows[i].amount < 0)
			continue;
		assert_int_equal(amount, rows[i].amount);
		buf_reset(&out);
		money_write(&out, amount);
		assert_string_equal(out.data, rows[i].exact);
		buf_reset(&out);
		money_show(&out, amount);
		assert_string_equal(out.data, rows[i].shown);
	}
	buf_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(amounts_are_read_and_written_exactly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
