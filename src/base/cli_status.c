#include "base/cli_status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int cli_status_flush(const char *program, int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	/* EPIPE: the reader has left, and needs no message. */
	if (errno != EPIPE)
		fprintf(stderr, "%s: cannot write the output: %s\n", program, strerror(errno));
	return status == CLI_OK ? CLI_OUTPUT : status;
}
