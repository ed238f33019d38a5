#ifndef BUS_TARGETS_H
#define BUS_TARGETS_H
/*
 * Names for lists of addresses in the configuration:
 * targets: { ops = ["slack:C024", "telegram:-100123"]; };
 */
#include <stdbool.h>
#include <stddef.h>

#include "bus/address.h"
#include "bus/people.h"
#include "bus/quiet_hours.h"

struct config;
struct error;

struct target {
	char *name;
	struct address *addresses;
	size_t count;
	struct quiet_hours quiet; /* quiet_hours.NAME */
};

struct targets {
	struct target *items;
	size_t count;
	struct people people;
};

/* Reports errors to cfg: a malformed address, an unknown channel, an empty list. */
void targets_read(struct targets *out, struct config *cfg);
void targets_clear(struct targets *ts);
const struct target *targets_find(const struct targets *ts, const char *name);
/* Is the address in any target? */
bool targets_have(const struct targets *ts, const struct address *a);
/* Returns the latest end of the current quiet hours of all targets with the address; 0 outside them. */
int64_t targets_quiet_until(const struct targets *ts, const struct address *a, int64_t now_ms);
/* Expands a target's name or an address text into a malloc'd array of *count addresses. Returns NULL with
 * an error that lists the known names. */
struct address *targets_expand(const struct targets *ts, const char *text, size_t *count, struct error *err);

#endif
