#ifndef HELPERS_SANDBOX_CANARY_H
#define HELPERS_SANDBOX_CANARY_H
/*
 * The canary: what the helper program does inside its own boundary when the daemon wants it proved. It tries
 *every act that a level forbids, in earnest, and a few that must work, and prints a line for each: LEVEL NAME
 *denied|done ERRNO	an act that LEVEL and higher ones forbid
 *	+ NAME denied|done ERRNO	an act that must work
 * and "end COUNT" last. The daemon looks at its own side as well.
 */

#define CANARY_OPTION "--canary"

/* facts: see canary.c. Returns the exit status. */
int canary_run(int count, char **facts);

/* What the acts aim at. */
struct canary_facts {
	const char
	    *dir; /* a folder of the daemon that everybody may use, outside of what is granted; in it: */
	const char *secret, *victim, *listener; /* a file, another, a socket */
	const char *abstract;                   /* the name of an abstract socket */
	int tcp, udp;                           /* ports on 127.0.0.1 */
	int pid;                                /* the daemon */
	const char *workspace;                  /* granted */
};

/* One act: 0 when it worked, else errno. */
struct canary_act {
	int level; /* -1: must work */
	const char *name;
	int (*try)(const struct canary_facts *f);
};

extern const struct canary_act canary_files[], canary_calls[], canary_self[]; /* end with a NULL name */

#endif
