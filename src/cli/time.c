#include "cli/time.h"

#include <stdio.h>
#include <time.h>

const char *cli_time(int64_t ms, char out[CLI_TIME_MAX])
{
	time_t seconds = (time_t)(ms / 1000);
	struct tm tm;
	char day[24];

	if (ms <= 0 || !gmtime_r(&seconds, &tm) || strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		return "-";
	snprintf(out, CLI_TIME_MAX, "%s.%03dZ", day, (int)(ms % 1000));
	return out;
}
