#ifndef BASE_CONFIG_VALUE_H
#define BASE_CONFIG_VALUE_H
/* Stores one value of the file, or one default, into its field by the type of its row. */
#include "base/config/config.h"

struct config_reports;

/* Returns -1 after reporting the error; the field is unchanged then. */
int config_value_read(
    struct config_reports *r, const struct config_key *key, const struct config_setting_t *s, void *field);
int config_value_strings(
    struct config_reports *r, const struct config_setting_t *s, struct config_strings *out);
/* Stores the default of a row that has one. Returns -1 with why appended when the row itself is wrong. */
int config_value_fallback(const struct config_key *key, void *field, struct buf *why);
void config_value_clear(enum config_type type, void *field);

/* Appends "a", "b" or "c", each between two quote characters. */
void config_value_choices(struct buf *out, const char *const *choices, char quote);
/* Splits a default list such as "a, b". */
void config_value_split(const char *text, struct config_strings *out);

#endif
