#ifndef TOOLS_EXTERNAL_PROGRAM_H
#define TOOLS_EXTERNAL_PROGRAM_H
/* Runs a program of the external folder once. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "tools/sandbox/sandbox.h"

struct error;
struct task;
struct tools;

struct external_options {
	const char *path, *folder; /* the program may read the folder, which is its HOME */
	const char *option;        /* its only argument; NULL for none */
	const struct buf *input;   /* for its standard input; NULL for none */
	uint64_t deadline_ms;
	size_t most;            /* maximum bytes of standard output; more ends it */
	bool network, no_files; /* no_files: without files of chats and roots */
};

struct external_output {
	struct buf out;              /* within that maximum */
	struct buf err;              /* the end of standard error */
	int status;                  /* 128 + N for a signal; -1 when unknown */
	const char *limit;           /* the sandbox limit that ended it; NULL for none */
	char advice[SANDBOX_ADVICE]; /* as in struct sandbox_end */
	bool timed_out, overflown;
	bool missing;      /* the program or its interpreter does not exist; nothing ran */
	bool input_unread; /* it did not read all of its input */
};

/* Runs it to its end in the sandbox. Clear out in any case. Returns -1 when it did not run (ERROR_REFUSED:
 * no program may) or t was cancelled. Suspends. */
int external_program_run(struct task *t, const struct tools *ts, const struct external_options *start,
    struct external_output *out, struct error *err);
void external_output_clear(struct external_output *out);

#endif
