#include "flow/weather.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/mem.h"
#include "flow/flow.h"

static char *weather_path(const struct flow *f)
{
	return xasprintf("%s/weather", f->dir);
}

struct weather *weather_new(struct flow *f)
{
	char *path = weather_path(f);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, sizeof(struct weather)), 0);
	struct weather *w = mmap(NULL, sizeof(*w), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(w, MAP_FAILED);
	close(fd);
	free(path);
	return w;
}

void weather_free(struct weather *w)
{
	munmap(w, sizeof(*w));
}

void weather_enter(struct flow *f)
{
	char *path = weather_path(f), *state = xasprintf("%s/state", f->dir);

	flow_preload("tests/flow/weather_shim.so");
	setenv(WEATHER_FILE, path, 1);
	setenv(WEATHER_STATE, state, 1);
	free(path);
	free(state);
}

void weather_leave(void)
{
	flow_preload(NULL);
}

void weather_gateway(struct flow *f, bool ready)
{
	weather_run(f);
	flow_gateway_await(f, ready);
}

void weather_run(struct flow *f)
{
	weather_enter(f);
	flow_run(f);
	weather_leave();
}
