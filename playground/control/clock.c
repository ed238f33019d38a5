#include <inttypes.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/time/clock.h"
#include "base/time/clock_skip.h"
#include "playground/control/verbs.h"
#include "playground/platform.h"
#include "playground/playground.h"
#include "playground/world/timer.h"

#define ADVANCE_MAX_S (400.0 * 86400)

int control_clock(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	(void)t;
	(void)pg;
	(void)in;
	(void)err;
	buf_addf(out, "{\"ok\":true,\"time_ms\":%" PRId64 ",\"ahead_ms\":%" PRIu64 "}", clock_wall(),
	    clock_skipped());
	return 0;
}

int control_advance(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err)
{
	double seconds = json_get_double(in, "advance", -1);

	if (!(seconds >= 0 && seconds <= ADVANCE_MAX_S))
		return error_set(
		    err, ERROR_OURS, "say how far: \"advance\", seconds from 0 to %.0f", ADVANCE_MAX_S);
	if (world_pass(t, (uint64_t)(seconds * 1000), err) != 0)
		return -1;
	for (struct platform_instance *s = pg->platform_instances; s->platform; s++)
		if (s->platform->time_moved)
			s->platform->time_moved(s->self);
	feed_add(&pg->feed, FEED_RESET, NULL, NULL); /* a page shows everything anew */
	playground_changed(pg);
	return control_clock(t, pg, in, out, err);
}
