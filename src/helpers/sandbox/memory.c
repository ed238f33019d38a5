/* How much memory all processes below us take together: no limit of a process counts that. */
#include "helpers/sandbox/sandbox_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of all looks, at least one in so many counts, since others may free memory meanwhile. */
#define LOOKS 10

static struct {
	long long most, counted, free_then; /* bytes */
	int looks;
} memory;

void memory_limit(long long most)
{
	memory.most = most;
	memory.looks = LOOKS;
}

bool memory_is_limited(void)
{
	return memory.most > 0;
}

/* With what files have in memory, which makes room. */
static long long free_bytes(void)
{
	char text[512];
	const char *at =
	    proc_read("meminfo", text, sizeof(text)) > 0 ? strstr(text, "\nMemAvailable:") : NULL;

	return at ? strtoll(at + strlen("\nMemAvailable:"), NULL, 10) * 1024 : 0;
}

/* What belongs to no file: quick, but pages that processes share after a fork count for each. */
static void add_pages(pid_t pid, void *arg)
{
	long long *sum = arg, resident, shared;
	char text[128];

	if (process_read(pid, "statm", text, sizeof(text)) > 0 &&
	    sscanf(text, "%*s %lld %lld", &resident, &shared) == 2)
		*sum += (resident - shared) * sysconf(_SC_PAGESIZE);
}

/* The same, where such a page is shared out. It takes a walk through all of them. */
static void add_parts(pid_t pid, void *arg)
{
	long long *sum = arg;
	char text[2048];
	const char *at =
	    process_read(pid, "smaps_rollup", text, sizeof(text)) > 0 ? strstr(text, "\nPss_Anon:") : NULL;

	/* One that forbids to look counts as a whole. */
	if (at)
		*sum += strtoll(at + strlen("\nPss_Anon:"), NULL, 10) * 1024;
	else
		add_pages(pid, arg);
}

bool memory_is_passed(void)
{
	long long now = free_bytes(), sum = 0;

	if (!memory_is_limited() ||
	    (++memory.looks < LOOKS && memory.counted + memory.free_then - now <= memory.most))
		return false;
	descendants_each(add_pages, &sum);
	memory.counted = sum;
	memory.free_then = now;
	memory.looks = 0;
	if (sum <= memory.most)
		return false;
	sum = 0;
	descendants_each(add_parts, &sum);
	memory.counted = sum;
	return sum > memory.most;
}
