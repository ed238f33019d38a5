#ifndef CLI_TIME_H
#define CLI_TIME_H
/* Times as the commands print them. */
#include <stddef.h>
#include <stdint.h>

/* "2026-01-02T03:04:05.678Z" from milliseconds since 1970, "-" for 0. */
#define CLI_TIME_MAX 32
const char *cli_time(int64_t ms, char out[CLI_TIME_MAX]);

#endif
