#ifndef SANDBOX_PLAN_H
#define SANDBOX_PLAN_H
/* What the helper program was told: one program, and what it may do. Everything is borrowed from the command
 * line. */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PLAN_PATHS 64

enum plan_level { PLAN_S0, PLAN_S1, PLAN_S2, PLAN_S3 };

struct plan {
	int level;          /* enum plan_level */
	const char *run_as; /* for root */
	const char *dir;
	bool network;
	long long memory, file;                            /* bytes */
	long long processes, files, cpu, grace_ms, parent; /* count, count, s, ms, pid */
	const char *write[PLAN_PATHS], *read[PLAN_PATHS], *hide[PLAN_PATHS];
	size_t writes, reads, hides;
	char **argv;
};

/* 0, or -1 after a sentence on stderr. */
int plan_read(struct plan *p, int argc, char **argv);

#endif
