#ifndef PLAYGROUND_DISCORD_WORLD_SNOWFLAKE_H
#define PLAYGROUND_DISCORD_WORLD_SNOWFLAKE_H
/* Snowflake ids: 64 bits, the milliseconds since 2015 from bit 22. In JSON they are decimal strings. */
#include <stdbool.h>
#include <stdint.h>

struct json_object;

/* Returns a new id above *last and stores it there. */
uint64_t cord_snowflake_next(uint64_t *last);
/* Returns an id derived from the name, equal in every run. kind separates users and channels of one name. */
uint64_t cord_snowflake_of_name(const char *kind, const char *name);
/* Unix milliseconds. */
int64_t cord_snowflake_ms(uint64_t id);
/* Returns the lowest id of that time. */
uint64_t cord_snowflake_at(int64_t unix_ms);
/* Parses 1 to 20 decimal digits of a number from 1 to INT64_MAX. */
bool cord_snowflake_read(const char *s, uint64_t *out);

struct json_object *cord_id_json(uint64_t id);
/* Writes null for 0. */
void cord_set_id(struct json_object *o, const char *key, uint64_t id);
/* Writes an ISO 8601 timestamp, null for 0. */
void cord_set_time(struct json_object *o, const char *key, int64_t unix_ms);
/* Reads one of the form that cord_set_time writes, or another of ISO 8601; 0: absent or none. */
int64_t cord_get_time(struct json_object *o, const char *key);
void cord_set_null(struct json_object *o, const char *key);
/* Reads a member as an id; returns 0 if absent or invalid. */
uint64_t cord_get_id(struct json_object *o, const char *key);

#endif
