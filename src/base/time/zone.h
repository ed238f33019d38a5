#ifndef BASE_TIME_ZONE_H
#define BASE_TIME_ZONE_H
/*
 * Time zones of the IANA database by name, read from the system's compiled files (TZif, RFC 9636), so
 * that many can be in use at once: glibc's localtime knows the zone of the process alone. A zone is a
 * sequence of spans with a constant offset from UTC.
 */
#include <stddef.h>
#include <stdint.h>

struct error;
struct zone;

#define ZONE_NAME_SIZE 64

struct zone_span {
	/* Seconds of UTC, until excluded; INT64_MIN and INT64_MAX where there is no end. */
	int64_t from, until;
	int32_t offset; /* wall clock minus UTC, in seconds */
};

/* ERROR_REFUSED when the zone does not exist. "UTC" needs no file. May block. */
struct zone *zone_load(const char *name, struct error *err);
/* Like zone_load, from the contents of such a file. */
struct zone *zone_parse(const void *data, size_t len, struct error *err);
void zone_free(struct zone *z);
/* Gets the name of this machine's zone, "UTC" when it has none. May block. */
void zone_local_name(char out[ZONE_NAME_SIZE]);

struct zone_span zone_span_at(const struct zone *z, int64_t utc);
/* Returns when the wall clock shows that time (seconds as in base/time/civil.h): the first time where it
 * does twice, and the end of the gap where it never does. */
int64_t zone_utc(const struct zone *z, int64_t wall);

#endif
