#ifndef HELPERS_SANDBOX_OPTIONS_H
#define HELPERS_SANDBOX_OPTIONS_H
/* The options of the helper program: one program, and its permissions. Borrowed from the command line. */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum options_level { OPTIONS_S0, OPTIONS_S1, OPTIONS_S2, OPTIONS_S3 };

struct options {
	int level;          /* enum options_level */
	const char *run_as; /* user, when started as root */
	const char *dir;
	bool network, no_names; /* no_names: the first of write gets no new names */
	long long memory, memory_all, address_space, file; /* bytes */
	long long processes, files, cpu, grace_ms, parent; /* count, count, s, ms, pid */
	const char **write, **read, **hide;
	size_t writes, reads, hides;
	char **argv;
};

/* Returns 0, or -1 after a sentence on stderr. */
int options_read(struct options *p, int argc, char **argv);

#endif
