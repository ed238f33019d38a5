/* base/cron and base/zone: a line that may be times for cron, and bytes that may be the file of a time
 * zone. */
#include <stdlib.h>

#include "base/time/cron.h"
#include "base/error.h"
#include "base/time/zone.h"
#include "fuzz/fuzz.h"

/* 2026-11-21 */
#define NOW 1795219200

static void hold_times(const char *text, const struct zone *z)
{
	struct error err = {0};
	struct cron c;
	int64_t at = NOW, next;

	if (cron_parse(text, &c, &err) != 0) {
		fuzz_hold_sentence(err.text);
		return;
	}
	for (int i = 0; i < 20 && cron_next(&c, z, at, &next); i++) {
		HOLDS(next > at);
		at = next;
	}
}

static void hold_zone(const char *data, size_t len)
{
	struct error err = {0};
	struct zone *z = zone_parse(data, len, &err);

	if (!z) {
		fuzz_hold_sentence(err.text);
		return;
	}
	for (int64_t at = -5000000000; at < 10000000000; at += 999999937) {
		struct zone_span span = zone_span_at(z, at);
		HOLDS(span.from <= at && span.until > at);
		HOLDS(zone_utc(z, at) >= at - 27 * 3600);
	}
	zone_free(z);
}

void fuzz_cron(const uint8_t *data, size_t size)
{
	static struct zone *berlin;
	struct fuzz_input in = fuzz_open(data, size);
	size_t len;
	char *text = fuzz_until(&in, '\n', &len), *file = fuzz_rest(&in, &len);

	if (!berlin)
		berlin = zone_load("Europe/Berlin", NULL);
	if (!berlin)
		berlin = zone_load("UTC", NULL);
	hold_times(text, berlin);
	hold_zone(file, len);
	free(text);
	free(file);
}

FUZZ_PROGRAM(fuzz_cron)
