#ifndef HELPERS_SANDBOX_REPORT_H
#define HELPERS_SANDBOX_REPORT_H
/*
 * The helper's report to the process that started it, in these lines on descriptor 3:
 * - temp PATH: where its temporary files are on a disk, before the others
 * - failed ERRNO WHAT: the program did not run, because WHAT failed
 * - exit STATUS
 * - signal NUMBER
 */

#define REPORT_FD 3
/* The helper's own exit status when the program did not run. */
#define REPORT_FAILED 125

__attribute__((format(printf, 1, 2))) void report(const char *fmt, ...);
/* Reports errno and exits. */
_Noreturn void report_failed(const char *what);
/* The same for a failure at this absolute path: also names the parent folder that this user may not enter. */
_Noreturn void report_failed_at(const char *what, const char *path);

#endif
