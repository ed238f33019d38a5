#include "base/time/duration.h"

#include <stddef.h>

#include "base/buf.h"
#include "base/mem.h"

static const struct {
	int64_t s;
	const char *name;
} units[] = {{24 * 3600, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};

void duration_add(struct buf *out, int64_t ms)
{
	int64_t s = ms > 0 ? ms / 1000 : 0;
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(units) && s < units[i].s)
		i++;
	buf_addf(out, "%lld %s", (long long)(s / units[i].s), units[i].name);
	s %= units[i].s;
	if (i < 2 && s >= units[i + 1].s)
		buf_addf(out, " %lld %s", (long long)(s / units[i + 1].s), units[i + 1].name);
}
