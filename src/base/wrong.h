#ifndef BASE_WRONG_H
#define BASE_WRONG_H
/*
 * Mistakes on purpose: tests/crash/wrong-builds.sh shows that the crash tests notice each. A build with
 * --enable-wrong-builds makes the mistake that MYNA_WRONG names; in every other build WRONG() is the constant
 * 0.
 */
#include "config.h"

#ifdef WRONG_BUILDS
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool wrong_is(const char *name)
{
	const char *wrong = getenv("MYNA_WRONG");

	return wrong && strcmp(wrong, name) == 0;
}
#define WRONG(name) wrong_is(name)
#else
#define WRONG(name) 0
#endif

#endif
