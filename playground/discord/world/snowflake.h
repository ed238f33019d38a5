#ifndef PLAYGROUND_DISCORD_WORLD_SNOWFLAKE_H
#define PLAYGROUND_DISCORD_WORLD_SNOWFLAKE_H
/* Ids: 64 bits, milliseconds since 2015 from bit 22 on. In JSON they are strings of decimal digits. */
#include <stdbool.h>
#include <stdint.h>

struct json_object;

/* A new id, larger than *last, which it replaces. */
uint64_t cord_snowflake_next(uint64_t *last);
/* The id of what is called so, the same on every run; kind keeps users and channels of one name apart. */
uint64_t cord_snowflake_of_name(const char *kind, const char *name);
/* Unix milliseconds. */
int64_t cord_snowflake_ms(uint64_t id);
/* The id of that instant, with nothing in its lower bits. */
uint64_t cord_snowflake_at(int64_t unix_ms);
/* Is s 1 to 20 decimal digits of a number from 1 to INT64_MAX? */
bool cord_snowflake_read(const char *s, uint64_t *out);

/* 0 is null. */
void cord_set_id(struct json_object *o, const char *key, uint64_t id);
/* As an ISO 8601 timestamp; 0 is null. */
void cord_set_time(struct json_object *o, const char *key, int64_t unix_ms);
void cord_set_null(struct json_object *o, const char *key);
/* The member as an id: 0 when it is absent or none. */
uint64_t cord_get_id(struct json_object *o, const char *key);

#endif
