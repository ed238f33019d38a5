#ifndef BUS_TARGETS_H
#define BUS_TARGETS_H
/* Names in the config for lists of addresses: targets: { ops = ["slack:C024", "telegram:-100123"]; }; */
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

/* Errors are reported to cfg (a malformed address, a channel that channels does not name, an empty list). */
void targets_read(struct targets *out, struct config *cfg);
void targets_clear(struct targets *ts);
const struct target *targets_find(const struct targets *ts, const char *name);
/* Is the address in any target? */
bool targets_have(const struct targets *ts, const struct address *a);
/* When the quiet hours of targets that have the address end, the last of them; 0: they are not now. */
int64_t targets_quiet_until(const struct targets *ts, const struct address *a, int64_t now_ms);
/* Expands a target's name or an address text: malloc'd array, count; NULL with a sentence that lists the
 * known names. */
struct address *targets_expand(const struct targets *ts, const char *text, size_t *count, struct error *err);

#endif
