#ifndef TOOLS_EXTERNAL_PROGRAM_H
#define TOOLS_EXTERNAL_PROGRAM_H
/* One run of a program of the external folder. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct error;
struct task;
struct tools;

struct external_options {
	const char *path, *folder; /* the folder may be read by it */
	const char *option;        /* its only argument; NULL: none */
	const struct buf *input;   /* for its standard input; NULL: nothing */
	uint64_t deadline_ms;
	size_t most; /* bytes of standard output; with more it is stopped */
	bool network;
};

struct external_output {
	struct buf out;    /* at most what was asked for */
	struct buf err;    /* its end */
	int status;        /* 128 + N for a signal; -1: not known */
	const char *limit; /* of the sandbox, that ended it; NULL: none */
	bool timed_out, overflown;
	bool missing; /* the program, or its interpreter, is not there; nothing ran */
	bool unread;  /* it did not take all of its input */
};

/* Runs it to its end in the sandbox. out is to be cleared whatever is returned. -1: it did not run
 * (ERROR_REFUSED: nothing may), or t was cancelled. */
int external_program_run(struct task *t, const struct tools *ts, const struct external_options *start,
    struct external_output *out, struct error *err);
void external_output_clear(struct external_output *out);

#endif
