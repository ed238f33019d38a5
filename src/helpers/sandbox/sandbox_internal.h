#ifndef HELPERS_SANDBOX_SANDBOX_INTERNAL_H
#define HELPERS_SANDBOX_SANDBOX_INTERNAL_H
/* The steps of the helper program, each in a file of its own. */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct grant;
struct options;

/* confine.c: The last steps before exec, in the program's own process. */

/* Applies the restrictions of the level in the options and runs the program, with scratch for temporary
 * files (NULL: it has its own /tmp). Reports and exits when a restriction fails. */
_Noreturn void confine_and_run(
    const struct options *p, const struct grant *system, size_t count, const char *scratch);

/* limits.c */

/* Sets the resource limits of the program and its descendants. own_users: the process count is that of a
 * separate user namespace. Exits on failure. */
void limits_set(const struct options *p, bool own_users);
/* Makes the kernel end this process and its descendants before the daemon when memory runs out. Exits on
 * failure. Needs /proc. */
void limits_set_oom_score(void);

/* namespaces.c: Namespaces of the program, and a root folder with only the granted paths. */

/* Enters new namespaces as an unprivileged user; the next fork is their process 1. Exits on failure. */
void namespaces_enter(const struct options *p);
/* Mounts the root folder: the system's programs and their settings, read-only; the granted paths; an empty
 * /proc; its own /tmp and a few devices. Nothing else is visible. Exits on failure. */
void namespaces_mount_root(const struct options *p, const struct grant *system, size_t count);

/* seccomp.c: Restricts the program's system calls (seccomp). */

/* What other parts of the sandbox already enforce. */
struct seccomp_options {
	bool network;  /* granted */
	bool view;     /* separate namespaces: no other processes and no foreign files */
	bool scopes;   /* Landlock restricts signals and abstract sockets */
	bool truncate; /* Landlock handles truncate(2) */
};

/* Confines this process; no_new_privs must be set. Returns 0, or -1 with errno. */
int seccomp_confine(const struct seccomp_options *given);

/* temp_dir.c: A temporary folder for a program without its own /tmp. */

/* Returns its path, which we own. Exits on failure. */
const char *temp_dir_make(void);
/* Removes it with its contents. */
void temp_dir_remove(const char *path);

/* memory.c: A limit for the memory of all processes below us together. */

/* 0: none. */
void memory_limit(long long max);
bool memory_is_limited(void);
/* Is the limit exceeded? Cheap while little memory is used: call it repeatedly. */
bool memory_is_exceeded(void);

/* descendants.c */

/* Keeps /proc open for a process that will not see it any more. Exits on failure. */
void descendants_open(void);
/* Reads a file in /proc, or one of a process there, and ends it with a NUL. Returns its length, or -1. */
ssize_t proc_read(const char *path, char *text, size_t size);
ssize_t process_read(pid_t pid, const char *file, char *text, size_t size);
void descendants_each(void (*fn)(pid_t pid, void *arg), void *arg);
/* Sends a signal to every process below us; signal 0 sends none. Returns how many are neither
 * stopped, dead nor exiting. */
int descendants_signal(int signo);

#endif
