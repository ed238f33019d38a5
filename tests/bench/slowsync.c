/*
 * A disk that is slower: preloaded, every fsync and fdatasync takes SLOWSYNC_US microseconds
 * (1,000 when unset) longer.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void wait_longer(void)
{
	const char *text = getenv("SLOWSYNC_US");
	long us = text ? strtol(text, NULL, 10) : 1000;
	struct timespec ts = {us / 1000000, us % 1000000 * 1000};

	nanosleep(&ts, NULL);
}

static int sync_as(const char *name, int fd)
{
	int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);

	wait_longer();
	return real(fd);
}

int fsync(int fd)
{
	return sync_as("fsync", fd);
}

int fdatasync(int fd)
{
	return sync_as("fdatasync", fd);
}
