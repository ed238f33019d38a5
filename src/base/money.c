#include "base/money.h"

#include "base/buf.h"

#define DIGITS         6
#define HUNDREDTH      (MONEY_UNIT / 100)
#define TEN_THOUSANDTH (MONEY_UNIT / 10000)

static bool take_digits(const char **at, const char *end, int max, int64_t *value, int *count)
{
	for (*count = 0; *at < end && **at >= '0' && **at <= '9'; ++*at, ++*count) {
		if (*count == max)
			return false;
		*value = *value * 10 + (**at - '0');
	}
	return true;
}

bool money_parse(const char *text, size_t len, int64_t *amount)
{
	const char *end = text + len;
	int64_t units = 0, rest = 0;
	int whole, part = 0;

	if (!take_digits(&text, end, 10, &units, &whole))
		return false;
	if (text < end && *text == '.' &&
	    (++text == end || !take_digits(&text, end, DIGITS, &rest, &part) || part == 0))
		return false;
	if (text != end || whole + part == 0)
		return false;
	for (; part < DIGITS; part++)
		rest *= 10;
	*amount = units * MONEY_UNIT + rest;
	return *amount <= MONEY_MAX;
}

void money_write(struct buf *out, int64_t amount)
{
	int64_t rest = amount % MONEY_UNIT;
	int digits = DIGITS;

	for (; digits > 2 && rest % 10 == 0; digits--)
		rest /= 10;
	buf_addf(out, "%lld.%0*lld", (long long)(amount / MONEY_UNIT), digits, (long long)rest);
}

void money_show(struct buf *out, int64_t amount)
{
	int64_t step = amount < MONEY_UNIT ? TEN_THOUSANDTH : HUNDREDTH;
	int64_t shown = (amount + step / 2) / step * step;

	money_write(out, amount > 0 && shown == 0 ? step : shown);
}
