#ifndef BASE_CONFIG_QUANTITY_H
#define BASE_CONFIG_QUANTITY_H
/* Numbers with a unit (sizes in bytes, durations in milliseconds, plain counts) and their limits. */
#include <stdint.h>

#include "base/config/config.h"

struct buf;

/* Parses text such as "64 KiB" or "30" by the row's type. Returns -1 with a sentence in why. */
int config_quantity_parse(const struct config_key *key, const char *text, int64_t *field, struct buf *why);
/* Stores a number without a unit: bytes, or seconds. Returns -1 with a sentence in why. */
int config_quantity_put(const struct config_key *key, int64_t value, int64_t *field, struct buf *why);

/* Appends a number with its unit: 5, 64 KiB, 30 s. */
void config_quantity_write(struct buf *out, enum config_type type, int64_t value);
/* Appends "between 1 and 5" or "at least 30 s"; nothing when the row has no limits. */
void config_quantity_range(struct buf *out, const struct config_key *key);

#endif
