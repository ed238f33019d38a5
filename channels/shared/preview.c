#include "channels/shared/preview.h"

#include "base/time/clock.h"
#include "base/mem.h"
#include "bus/channel.h"

void preview_frame_shown(struct preview *p, size_t len)
{
	p->frames++;
	p->failures = 0;
	p->shown_len = len;
}

int preview_frame_failed(struct preview *p, int every_ms)
{
	return ++p->failures < PREVIEW_FAILURES_MAX ? every_ms : -1;
}

int preview_frame_paused(uint64_t ms)
{
	return ms < INT32_MAX ? (int)ms : INT32_MAX;
}

int preview_too_early(const struct preview *p, uint64_t after_ms)
{
	uint64_t age_ms = clock_now() - p->since_ms;

	return age_ms < after_ms ? (int)(after_ms - age_ms) : 0;
}

char *preview_beginning(const struct preview *p, size_t units, enum utf8_unit unit)
{
	return xstrndup(p->text.data, utf8_cut(p->text.data, p->text.len, units, unit));
}
