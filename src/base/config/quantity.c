#include "base/config/quantity.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/config/report.h"

struct unit {
	const char *name;
	int64_t factor;
};

/* The first unit applies to a number without a unit. */
static const struct unit counts[] = {{"", 1}, {0}};
static const struct unit sizes[] = {
    {"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", (int64_t)1 << 40}, {0}};
static const struct unit durations[] = {
    {"s", 1000}, {"ms", 1}, {"min", 60 * 1000}, {"h", 3600 * 1000}, {"d", 24 * 3600 * 1000}, {0}};

static const struct unit *units_of(enum config_type type)
{
	return type == CONFIG_SIZE ? sizes : type == CONFIG_DURATION ? durations : counts;
}

static int put(const struct config_key *key, int64_t value, int64_t factor, int64_t *field, struct buf *why)
{
	int64_t all;
	if (__builtin_mul_overflow(value, factor, &all)) {
		buf_addstr(why, "this number is too large. Write a smaller one.");
		return -1;
	}
	bool negative = all < 0 && key->type != CONFIG_INT;
	bool limited = key->min != 0 || key->max != 0;
	bool over = key->max >= key->min && all > key->max;
	if (!negative && !(limited && (all < key->min || over))) {
		*field = all;
		return 0;
	}
	config_quantity_write(why, key->type, all);
	buf_addf(why, " is out of range. Write a value %s", limited && key->max >= key->min ? "" : "of ");
	if (limited)
		config_quantity_range(why, key);
	else
		buf_addstr(why, "at least 0");
	buf_addch(why, '.');
	return -1;
}

static int unit_unknown(const struct unit *units, const char *text, const char *name, struct buf *why)
{
	buf_addstr(why, "unknown unit ");
	config_report_quote(why, name);
	buf_addstr(why, " in ");
	config_report_quote(why, text);
	buf_addstr(why, ". Write a whole number and one of");
	for (size_t i = 0; units[i].name; i++)
		buf_addf(why, "%s %s", i > 0 ? "," : "", units[i].name);
	buf_addch(why, '.');
	return -1;
}

static int not_a_number(const struct config_key *key, const char *text, bool fraction, struct buf *why)
{
	config_report_quote(why, text);
	buf_addf(why, " is not a %snumber. Write ", fraction ? "whole " : "");
	buf_addstr(why, key->type == CONFIG_INT ? "one without quotes." : "a whole number and a unit: ");
	if (key->type != CONFIG_INT)
		buf_addstr(why, key->type == CONFIG_SIZE ? "\"64 KiB\"." : "\"30 s\".");
	return -1;
}

int config_quantity_parse(const struct config_key *key, const char *text, int64_t *field, struct buf *why)
{
	const struct unit *unit = units_of(key->type);
	char *end;
	errno = 0;
	long long value = strtoll(text, &end, 10);
	if (end == text || *end == '.' || *end == ',')
		return not_a_number(key, text, end != text, why);
	const char *name = end + strspn(end, " ");
	while (*name && unit->name && strcmp(unit->name, name) != 0)
		unit++;
	if (!unit->name)
		return unit_unknown(units_of(key->type), text, name, why);
	return put(key, value, errno == ERANGE ? INT64_MAX : unit->factor, field, why);
}

int config_quantity_put(const struct config_key *key, int64_t value, int64_t *field, struct buf *why)
{
	return put(key, value, units_of(key->type)->factor, field, why);
}

void config_quantity_write(struct buf *out, enum config_type type, int64_t value)
{
	const struct unit *units = units_of(type), *best = units;
	for (const struct unit *u = units; u->name; u++)
		if (value % u->factor == 0 &&
		    (value % best->factor != 0 || (u->factor > best->factor && value != 0)))
			best = u;
	buf_addf(out, "%lld", (long long)(value / best->factor));
	if (*best->name)
		buf_addf(out, " %s", best->name);
}

void config_quantity_range(struct buf *out, const struct config_key *key)
{
	if (key->min == 0 && key->max == 0)
		return;
	buf_addstr(out, key->max >= key->min ? "between " : "at least ");
	config_quantity_write(out, key->type, key->min);
	if (key->max < key->min)
		return;
	buf_addstr(out, " and ");
	config_quantity_write(out, key->type, key->max);
}
