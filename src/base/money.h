#ifndef BASE_MONEY_H
#define BASE_MONEY_H
/* Amounts of money in millionths of the currency's unit, so that sums are exact. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

#define MONEY_UNIT INT64_C(1000000)
/* A billion units. */
#define MONEY_MAX (1000 * MONEY_UNIT * MONEY_UNIT)

/* Parses "3", "0.25" or ".5": at most six decimals, at most MONEY_MAX. Returns false otherwise. */
bool money_parse(const char *text, size_t len, int64_t *amount);
/* Appends the exact amount with at least two decimals. */
void money_write(struct buf *out, int64_t amount);
/* Appends the amount for people: two decimals from 1 on, four below, but never 0.00 for a nonzero amount. */
void money_show(struct buf *out, int64_t amount);

#endif
