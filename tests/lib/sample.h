#ifndef TESTS_LIB_SAMPLE_H
#define TESTS_LIB_SAMPLE_H
/* How much of a long series a test takes: all of it takes minutes, so that ./check takes a sample. */
#include <stddef.h>
#include <stdlib.h>

/* From one to the next: own, or so many times that in a sample. MYNA_FAULT_STEP=1: no sample. */
static inline size_t sample_step(size_t own, size_t sample)
{
	const char *asked = getenv("MYNA_FAULT_STEP");

	return own * (asked ? strtoul(asked, NULL, 10) : sample);
}

#endif
