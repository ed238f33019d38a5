#ifndef BASE_CONFIG_VALUE_H
#define BASE_CONFIG_VALUE_H
/* One value of the file, or one default, put into its field by the type of its row. */
#include "base/config/config.h"

struct config_reports;

/* -1: what is wrong is reported, and the field is as it was. */
int config_value_read(
    struct config_reports *r, const struct config_key *key, const struct config_setting_t *s, void *field);
int config_value_strings(
    struct config_reports *r, const struct config_setting_t *s, struct config_strings *out);
/* The default of a row that has one. -1 with why appended when the row itself is wrong. */
int config_value_fallback(const struct config_key *key, void *field, struct buf *why);
void config_value_clear(enum config_type type, void *field);

/* "a", "b" or "c", each between two quote characters. */
void config_value_choices(struct buf *out, const char *const *choices, char quote);
/* The pieces of a default list, "a, b". */
void config_value_split(const char *text, struct config_strings *out);

#endif
