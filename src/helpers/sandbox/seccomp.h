#ifndef HELPERS_SANDBOX_SECCOMP_H
#define HELPERS_SANDBOX_SECCOMP_H
/* Restricts the program's system calls (seccomp). */
#include <stdbool.h>

/* What other parts of the sandbox already enforce. */
struct seccomp_options {
	bool network;  /* granted */
	bool view;     /* separate namespaces: no other processes and no foreign files */
	bool scopes;   /* Landlock restricts signals and abstract sockets */
	bool truncate; /* Landlock handles truncate(2) */
};

/* Confines this process; no_new_privs must be set. Returns 0, or -1 with errno. */
int seccomp_confine(const struct seccomp_options *given);

#endif
