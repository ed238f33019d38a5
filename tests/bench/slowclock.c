/*
 * Preloaded: lets the monotonic clock go slower, so that what takes long under a program that counts is not
 * taken for a wait. BENCH_CLOCK names the file with struct slow_clock.
 */
#include "bench/slowclock.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const struct slow_clock *clock_file;
static int (*real_gettime)(clockid_t id, struct timespec *ts);
static int (*real_timedwait)(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until);

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("BENCH_CLOCK");
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	void *map = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof(*clock_file), PROT_READ, MAP_SHARED, fd, 0);

	if (fd >= 0)
		close(fd);
	if (map != MAP_FAILED)
		clock_file = map;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
	int rc;

	if (!real_gettime)
		*(void **)&real_gettime = dlsym(RTLD_NEXT, "clock_gettime");
	rc = real_gettime(id, ts);
	if (rc == 0 && clock_file && clock_file->factor > 0 &&
	    (id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_COARSE)) {
		int64_t ns = (int64_t)ts->tv_sec * 1000000000 + ts->tv_nsec;

		ns = clock_file->since_ns + (ns - clock_file->since_ns) / clock_file->factor;
		ts->tv_sec = (time_t)(ns / 1000000000);
		ts->tv_nsec = (long)(ns % 1000000000);
	}
	return rc;
}

/* libuv counts until on the monotonic clock, which goes on as usual in the kernel. */
int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until)
{
	struct timespec later = *until;

	if (!real_timedwait)
		*(void **)&real_timedwait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
	if (clock_file && clock_file->factor > 0) {
		int64_t ns = (int64_t)until->tv_sec * 1000000000 + until->tv_nsec;

		ns = clock_file->since_ns + (ns - clock_file->since_ns) * clock_file->factor;
		later.tv_sec = (time_t)(ns / 1000000000);
		later.tv_nsec = (long)(ns % 1000000000);
	}
	return real_timedwait(cond, mutex, &later);
}
