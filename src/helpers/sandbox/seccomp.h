#ifndef HELPERS_SANDBOX_SECCOMP_H
#define HELPERS_SANDBOX_SECCOMP_H
/* What of the kernel the program may not call (seccomp). */
#include <stdbool.h>

/* What other parts of the boundary already see to. */
struct seccomp_options {
	bool network;  /* granted */
	bool view;     /* in namespaces of its own: there is nobody else, and no file of others */
	bool scopes;   /* Landlock keeps signals and abstract sockets inside */
	bool truncate; /* Landlock knows truncate(2) */
};

/* Confines this process; no_new_privs must be set. 0, or -1 with errno. */
int seccomp_confine(const struct seccomp_options *given);

#endif
