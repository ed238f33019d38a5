#ifndef BASE_TIME_ZONE_H
#define BASE_TIME_ZONE_H
/*
 * Time zones of the IANA database, by name, read from the system's compiled files (TZif, RFC 9636), so that
 * many can be used at once. A zone is a row of spans in which the clocks on the wall keep one offset from
 * UTC.
 */
#include <stddef.h>
#include <stdint.h>

struct error;
struct zone;

#define ZONE_NAME_SIZE 64

struct zone_span {
	int64_t from,
	    until; /* seconds of UTC, until not included; INT64_MIN and INT64_MAX where there is no end */
	int32_t offset; /* what the clocks on the wall are ahead of UTC, in seconds */
};

/* ERROR_REFUSED when there is no such zone. "UTC" needs no file. May block. */
struct zone *zone_load(const char *name, struct error *err);
/* The same from what such a file holds. */
struct zone *zone_parse(const void *data, size_t len, struct error *err);
void zone_free(struct zone *z);
/* The name of the zone that this machine has, "UTC" when it has none. May block. */
void zone_local_name(char out[ZONE_NAME_SIZE]);

struct zone_span zone_span_at(const struct zone *z, int64_t utc);
/* When the clocks on the wall show that (seconds as in base/time/civil.h): the first time where they do
 * twice, and the end of the gap where they never do. */
int64_t zone_utc(const struct zone *z, int64_t wall);

#endif
