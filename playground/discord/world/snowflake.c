#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "playground/discord/world/world_internal.h"

#define EPOCH_MS   1420070400000 /* 2015-01-01, Discord's epoch */
#define TIME_SHIFT 22
#define YEAR_MS    31536000000u

uint64_t cord_snowflake_at(int64_t unix_ms)
{
	return (uint64_t)(unix_ms - EPOCH_MS) << TIME_SHIFT;
}

uint64_t cord_snowflake_next(uint64_t *last)
{
	uint64_t id = cord_snowflake_at(clock_wall());

	*last = id > *last ? id : *last + 1;
	return *last;
}

static uint64_t mix(uint64_t h, const char *s) /* FNV-1a, ignoring case */
{
	for (; *s != '\0'; s++)
		h = (h ^ (unsigned char)tolower((unsigned char)*s)) * 0x100000001b3u;
	return h;
}

uint64_t cord_snowflake_of_name(const char *kind, const char *name)
{
	uint64_t h = mix(mix(0xcbf29ce484222325u, kind) ^ 0xff, name);

	h ^= h >> 32;
	h *= 0xbf58476d1ce4e5b9u;
	h ^= h >> 29;
	/* Some time from 2016 to 2019. */
	return (YEAR_MS + h % (4u * (uint64_t)YEAR_MS)) << TIME_SHIFT | h >> 42;
}

int64_t cord_snowflake_ms(uint64_t id)
{
	return (int64_t)(id >> TIME_SHIFT) + EPOCH_MS;
}

bool cord_snowflake_read(const char *s, uint64_t *out)
{
	char *end;

	if (!s || !isdigit((unsigned char)s[0]))
		return false;
	errno = 0;
	*out = strtoull(s, &end, 10);
	return *end == '\0' && errno == 0 && *out > 0 && *out <= INT64_MAX;
}

void cord_set_null(struct json_object *o, const char *key)
{
	json_object_object_add(o, key, NULL);
}

struct json_object *cord_id_json(uint64_t id)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, id);
	return json_object_new_string(text);
}

struct json_object *cord_id_or_null(uint64_t id)
{
	return id != 0 ? cord_id_json(id) : NULL;
}

void cord_set_id(struct json_object *o, const char *key, uint64_t id)
{
	json_set(o, key, cord_id_or_null(id));
}

int64_t cord_get_time(struct json_object *o, const char *key)
{
	const char *s = json_get_str(o, key), *rest;
	double fraction = 0;
	int hours, minutes;
	char sign;
	struct tm tm = {0};
	int64_t ms;

	rest = s ? strptime(s, "%Y-%m-%dT%H:%M:%S", &tm) : NULL;
	if (!rest)
		return 0;
	ms = (int64_t)timegm(&tm) * 1000;
	if (*rest == '.')
		fraction = strtod(rest, (char **)&rest);
	if (sscanf(rest, "%c%2d:%2d", &sign, &hours, &minutes) == 3)
		ms -= (sign == '-' ? -1 : 1) * (int64_t)(hours * 60 + minutes) * 60000;
	return ms + (int64_t)(fraction * 1000 + 0.5);
}

void cord_set_time(struct json_object *o, const char *key, int64_t unix_ms)
{
	time_t seconds = (time_t)(unix_ms / 1000);
	char date[32], text[64];
	struct tm tm;

	if (unix_ms == 0) {
		cord_set_null(o, key);
		return;
	}
	gmtime_r(&seconds, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text, sizeof(text), "%s.%03d000+00:00", date, (int)(unix_ms % 1000));
	json_set_str(o, key, text);
}

uint64_t cord_get_id(struct json_object *o, const char *key)
{
	struct json_object *v = json_get(o, key);
	uint64_t id = 0;

	if (json_object_is_type(v, json_type_int) && json_object_get_int64(v) > 0)
		return (uint64_t)json_object_get_int64(v);
	return cord_snowflake_read(json_get_str(o, key), &id) ? id : 0;
}
