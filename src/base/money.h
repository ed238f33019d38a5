#ifndef BASE_MONEY_H
#define BASE_MONEY_H
/* Amounts of money, as whole millionths of the currency's unit: nothing is lost in sums. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

#define MONEY_UNIT INT64_C(1000000)
/* A thousand million units. */
#define MONEY_MAX (1000 * MONEY_UNIT * MONEY_UNIT)

/* "3", "0.25", ".5": at most six digits behind the point, at most MONEY_MAX. */
bool money_parse(const char *text, size_t len, int64_t *amount);
/* Exactly: at least two digits behind the point, more where there are more. */
void money_write(struct buf *out, int64_t amount);
/* For people: from 1 on to the hundredth, below it to the ten thousandth, but never 0.00 for something. */
void money_show(struct buf *out, int64_t amount);

#endif
