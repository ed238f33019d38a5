#include "net/loop_busy.h"

#include <uv.h>

#include "base/time/clock.h"

struct histogram loop_busy_time = {.name = "myna_loop_busy_seconds",
    .help = "How long the event loop was busy at a stretch; so long, everything else waited."};

static uv_prepare_t before;
static uv_check_t after;
static uint64_t woken_us;

static void on_before(uv_prepare_t *handle)
{
	(void)handle;
	if (woken_us)
		histogram_observe(&loop_busy_time, (int64_t)(clock_measure_us() - woken_us));
}

static void on_after(uv_check_t *handle)
{
	(void)handle;
	woken_us = clock_measure_us();
}

void loop_busy_begin(void)
{
	woken_us = 0;
	uv_prepare_init(uv_default_loop(), &before);
	uv_check_init(uv_default_loop(), &after);
	uv_prepare_start(&before, on_before);
	uv_check_start(&after, on_after);
	uv_unref((uv_handle_t *)&before);
	uv_unref((uv_handle_t *)&after);
}

void loop_busy_end(void)
{
	uv_close((uv_handle_t *)&before, NULL);
	uv_close((uv_handle_t *)&after, NULL);
}
