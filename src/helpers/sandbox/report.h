#ifndef HELPERS_SANDBOX_REPORT_H
#define HELPERS_SANDBOX_REPORT_H
/*
 * What whoever started the helper reads from descriptor 3, a line each:
 *	failed ERRNO WHAT	nothing ran: this could not be done
 *	exit STATUS
 *	signal NUMBER
 */

#define REPORT_FD 3
/* The helper's own exit status when nothing ran. */
#define REPORT_FAILED 125

__attribute__((format(printf, 1, 2))) void report(const char *fmt, ...);
/* Reports errno and ends the process. */
_Noreturn void report_failed(const char *what);

#endif
