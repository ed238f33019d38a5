#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "flow/weather.h"

/* The next definition of a function, that of the C library or of a sanitizer before it. */
#define REAL(name)                                                         \
	({                                                                 \
		static __typeof__(&name) real;                             \
		if (!real)                                                 \
			real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
		real;                                                      \
	})

static struct weather fine;
static volatile struct weather *weather = &fine;
static char state[PATH_MAX];

__attribute__((constructor)) static void weather_begin(void)
{
	const char *file = getenv(WEATHER_FILE), *dir = getenv(WEATHER_STATE);
	int fd;

	/* Programs that the gateway starts are not under the shim. */
	unsetenv("LD_PRELOAD");
	if (!file || !dir || (fd = REAL(open)(file, O_RDWR | O_CLOEXEC)) < 0)
		return;
	void *map = mmap(NULL, sizeof(fine), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return;
	snprintf(state, sizeof(state), "%s", dir);
	weather = map;
}

static bool below_state(const char *path)
{
	size_t len = strlen(state);

	return len > 0 && strncmp(path, state, len) == 0;
}

/* Is it the database, or its log? */
static bool is_database(int fd)
{
	char link[64], path[PATH_MAX];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	if (len < 0)
		return false;
	path[len] = '\0';
	return below_state(path) && strstr(path, "/myna.db");
}

static void hang_in_sync(int fd)
{
	const struct timespec pause = {0, 10000000};

	while (weather->sync_hangs && is_database(fd))
		REAL(nanosleep)(&pause, NULL);
}

int statvfs(const char *path, struct statvfs *out)
{
	int rc = REAL(statvfs)(path, out);

	if (rc == 0 && weather->disk_free_mib && below_state(path))
		out->f_bavail = out->f_bfree = (fsblkcnt_t)weather->disk_free_mib * 1048576 / out->f_frsize;
	return rc;
}

static bool fails(int32_t with, int fd)
{
	if (with == 0 || !is_database(fd))
		return false;
	errno = with;
	return true;
}

static void shift(struct timespec *ts, int64_t ms)
{
	int64_t ns = (int64_t)ts->tv_nsec + ms % 1000 * 1000000;

	ts->tv_sec += ms / 1000;
	for (; ns < 0; ns += 1000000000)
		ts->tv_sec--;
	for (; ns >= 1000000000; ns -= 1000000000)
		ts->tv_sec++;
	ts->tv_nsec = ns;
}

int clock_gettime(clockid_t clock, struct timespec *ts)
{
	int rc = REAL(clock_gettime)(clock, ts);

	if (rc == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
		shift(ts, weather->wall_ms);
	else if (rc == 0 &&
	    (clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_MONOTONIC_RAW))
		shift(ts, weather->mono_ms);
	return rc;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
	struct timespec ts;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &ts);
	*tv = (struct timeval){ts.tv_sec, ts.tv_nsec / 1000};
	return 0;
}

time_t time(time_t *out)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	if (out)
		*out = ts.tv_sec;
	return ts.tv_sec;
}

static bool write_fails(int fd)
{
	/* Read once: the test may end it meanwhile. */
	int32_t with = weather->write_errno;

	if (!fails(with, fd))
		return false;
	if (weather->writes_left > 0) {
		weather->writes_left--;
		return false;
	}
	weather->writes_failed++;
	return true;
}

ssize_t pwrite64(int fd, const void *data, size_t len, off64_t at)
{
	return write_fails(fd) ? -1 : REAL(pwrite64)(fd, data, len, at);
}

ssize_t pwrite(int fd, const void *data, size_t len, off_t at)
{
	return write_fails(fd) ? -1 : REAL(pwrite)(fd, data, len, at);
}

ssize_t write(int fd, const void *data, size_t len)
{
	return write_fails(fd) ? -1 : REAL(write)(fd, data, len);
}

int fsync(int fd)
{
	hang_in_sync(fd);
	return fails(weather->sync_errno, fd) ? -1 : REAL(fsync)(fd);
}

int fdatasync(int fd)
{
	hang_in_sync(fd);
	return fails(weather->sync_errno, fd) ? -1 : REAL(fdatasync)(fd);
}

static bool open_fails(const char *path, int flags)
{
	if (weather->open_errno == 0 || (flags & O_ACCMODE) == O_RDONLY || !below_state(path))
		return false;
	errno = weather->open_errno;
	return true;
}

static mode_t mode_of(int flags, va_list ap)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
	va_list ap;

	va_start(ap, flags);
	mode_t mode = mode_of(flags, ap);
	va_end(ap);
	return open_fails(path, flags) ? -1 : REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list ap;

	va_start(ap, flags);
	mode_t mode = mode_of(flags, ap);
	va_end(ap);
	return open_fails(path, flags) ? -1 : REAL(open64)(path, flags, mode);
}

int getaddrinfo(const char *restrict host, const char *restrict service,
    const struct addrinfo *restrict hints, struct addrinfo **restrict out)
{
	__sync_fetch_and_add(&((struct weather *)(uintptr_t)weather)->lookups, 1);
	while (weather->names_hang)
		usleep(10000);
	return REAL(getaddrinfo)(host, service, hints, out);
}

ssize_t send(int fd, const void *data, size_t len, int flags)
{
	char poison[sizeof(fine.poison)];

	memcpy(poison, (const char *)(uintptr_t)weather->poison, sizeof(poison));
	if (poison[0] != '\0' && memmem(data, len, poison, strlen(poison)))
		kill(getpid(), SIGKILL);
	return REAL(send)(fd, data, len, flags);
}
