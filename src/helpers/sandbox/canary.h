#ifndef HELPERS_SANDBOX_CANARY_H
#define HELPERS_SANDBOX_CANARY_H
/*
 * The canary: the helper program's self-test inside its own sandbox. It attempts every act that a level
 * forbids, and a few that must work, and prints a line for each:
 * - LEVEL NAME denied|done ERRNO: an act that LEVEL and higher ones forbid
 * - + NAME denied|done ERRNO: an act that must work
 * The last line is "end COUNT". The daemon also checks its own side.
 */

#define CANARY_OPTION "--canary"

/* facts: see canary.c. Returns the exit status. */
int canary_run(int count, char **facts);

/* What the acts target. */
struct canary_facts {
	/* A world-accessible folder of the daemon outside the granted paths; it contains: */
	const char *dir;
	const char *secret, *victim;     /* a file, another file */
	const char *listener, *datagram; /* sockets, stream and datagram */
	const char *abstract;            /* name of an abstract socket */
	int tcp, udp;                    /* ports on 127.0.0.1 */
	int pid;                         /* of the daemon */
	const char *workspace;           /* a chat's folder, granted */
	const char *other;               /* another chat's, beside it; it contains the file secret */
};

/* An act: returns 0 when it worked, else errno. */
struct canary_act {
	int level; /* -1: must work */
	const char *name;
	int (*try)(const struct canary_facts *f);
};

extern const struct canary_act canary_files[], canary_calls[], canary_self[]; /* end with a NULL name */

#endif
