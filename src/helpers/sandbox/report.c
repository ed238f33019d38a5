#include "helpers/sandbox/report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
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

void report_failed_at(const char *what, const char *path)
{
	int failure = errno;
	char folder[PATH_MAX], text[256];

	snprintf(text, sizeof(text), "%s", what);
	snprintf(folder, sizeof(folder), "%s/", path);
	for (char *slash = folder; failure == EACCES && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		if (faccessat(AT_FDCWD, folder, X_OK, AT_EACCESS) != 0) {
			snprintf(text, sizeof(text), "%s (the user %u may not enter %.160s)", what,
			    (unsigned)geteuid(), folder);
			break;
		}
		*slash = '/';
	}
	errno = failure;
	report_failed(text);
}
