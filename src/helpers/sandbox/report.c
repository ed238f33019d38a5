#include "helpers/sandbox/report.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

void report(const char *fmt, ...)
{
	char line[256];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (n >= (int)sizeof(line))
		n = sizeof(line) - 1;
	/* The reader may be gone; then nobody needs the report. */
	if (n > 0 && write(REPORT_FD, line, (size_t)n) < 0)
		return;
}

void report_failed(const char *what)
{
	report("failed %d %s\n", errno, what);
	_exit(REPORT_FAILED);
}
