/* Measures the memory of all processes below us together, which no limit of a single process counts. */
#include "helpers/sandbox/sandbox_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* At least one look in so many counts in full, because others may free memory meanwhile. */
#define LOOKS 10

static struct {
	long long max, counted, free_then; /* bytes */
	int looks;
} memory;

void memory_limit(long long max)
{
	memory.max = max;
	memory.looks = LOOKS;
}

bool memory_is_limited(void)
{
	return memory.max > 0;
}

/* Returns the free memory, including page cache that the kernel can free. */
static long long free_bytes(void)
{
	char text[512];
	const char *at =
	    proc_read("meminfo", text, sizeof(text)) > 0 ? strstr(text, "\nMemAvailable:") : NULL;

	return at ? strtoll(at + strlen("\nMemAvailable:"), NULL, 10) * 1024 : 0;
}

/* Memory that belongs to no file. Quick, but counts pages that processes share after a fork for each of
 * them. */
static void add_pages(pid_t pid, void *arg)
{
	long long *sum = arg, resident, shared;
	char text[128];

	if (process_read(pid, "statm", text, sizeof(text)) > 0 &&
	    sscanf(text, "%*s %lld %lld", &resident, &shared) == 2)
		*sum += (resident - shared) * sysconf(_SC_PAGESIZE);
}

/* The same with such a page divided among its processes. Slow: it walks all pages. */
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

bool memory_is_exceeded(void)
{
	long long now = free_bytes(), sum = 0;

	if (!memory_is_limited() ||
	    (++memory.looks < LOOKS && memory.counted + memory.free_then - now <= memory.max))
		return false;
	descendants_each(add_pages, &sum);
	memory.counted = sum;
	memory.free_then = now;
	memory.looks = 0;
	if (sum <= memory.max)
		return false;
	sum = 0;
	descendants_each(add_parts, &sum);
	memory.counted = sum;
	return sum > memory.max;
}
