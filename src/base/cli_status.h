#ifndef BASE_CLI_STATUS_H
#define BASE_CLI_STATUS_H
/* The exit statuses of myna and myna-playground. docs/administration.md and the manual pages have the table.
 */

enum cli_status {
	CLI_OK,
	CLI_FAILED,
	CLI_UNCERTAIN, /* it may have been done */
	CLI_NO_DAEMON,
	CLI_USAGE = 64, /* EX_USAGE */
	CLI_OUTPUT = 74 /* EX_IOERR: stdout failed */
};

/* Flushes stdout. Returns status, or CLI_OUTPUT when it was CLI_OK and the output did not arrive. Then it
 * also prints why to stderr, after the program's name, unless the reader has left (EPIPE). */
int cli_status_flush(const char *program, int status);

#endif
