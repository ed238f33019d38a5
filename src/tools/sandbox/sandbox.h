#ifndef TOOLS_SANDBOX_SANDBOX_H
#define TOOLS_SANDBOX_SANDBOX_H
/*
 * Programs that a tool starts, inside the boundary that the kernel draws (docs/security.md). Each level has
 *all of the ones below it: S0	clean environment, no descriptors, limits, no new privileges, not root, the
 *whole tree ended S1	files: what is not granted cannot be opened (Landlock)
 *	S2	calls: no network unless granted, nothing of other processes, no chmod by path (seccomp)
 *	S3	view: namespaces; only what is granted is there at all, and nobody else's processes
 * A level counts when a canary under it has failed at every act that it forbids, on this machine, since the
 *settings were read. Programs run at the highest level that is proved; below the required one (tools.sandbox)
 *they do not run.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/child/child.h"

struct config_strings;
struct error;
struct sandbox;
struct sandboxed;
struct task;

enum sandbox_level { SANDBOX_NONE = -1, SANDBOX_S0, SANDBOX_S1, SANDBOX_S2, SANDBOX_S3 };

/* All is copied. */
struct sandbox_options {
	const char *workspace;              /* read and written; absolute */
	const struct config_strings *roots; /* likewise; NULL: none */
	const char *const *hidden; /* must not be seen even inside of those; NULL-terminated; NULL: none */
	enum sandbox_level required;
	const char *run_as;               /* whom programs run as when we are root */
	int64_t memory_bytes, file_bytes; /* of one process; of one file */
	int64_t processes, open_files;
	int64_t cpu_s; /* of one process */
};

/* Looks at the folders, so it may block. */
struct sandbox *sandbox_new(const struct sandbox_options *o);
/* Nothing of it may run. NULL is fine. */
void sandbox_free(struct sandbox *s);

/* Proves it unless that was done; waits for whoever is at it. Takes some 20 ms, most of it in other
 * processes. 0: the required level is proved; -1 with the reason (ERROR_REFUSED), or cancelled. */
int sandbox_prove(struct task *t, struct sandbox *s, struct error *err);
/* May tools that need it be offered? True also while nothing is proved yet: a call waits for the verdict. */
bool sandbox_may_run(const struct sandbox *s);
/* Is there a verdict? */
bool sandbox_is_proved(const struct sandbox *s);
/* What is proved; SANDBOX_NONE before, and when nothing is. reason (may be NULL) says why it is not more; ""
 * before. */
enum sandbox_level sandbox_level(const struct sandbox *s, const char **reason);
enum sandbox_level sandbox_required(const struct sandbox *s);
/* "S2"; "none". */
const char *sandbox_level_name(enum sandbox_level level);
/* The acts that the canary tried at the proved level, one a line; "" before. For people. */
const char *sandbox_acts(const struct sandbox *s);

/* One program. */
struct sandbox_run {
	const char *const *argv; /* NULL-terminated; looked up in PATH inside */
	/* "NAME=value", NULL-terminated, besides the clean ones (PATH HOME TMPDIR LANG TZ ...); NULL: none */
	const char *const *env;
	const char *dir; /* absolute, inside the workspace or a root; NULL: the workspace */
	const char *const
	    *readable;     /* absolute paths that may be read besides, NULL-terminated; NULL: none */
	bool network;      /* granted */
	bool input, merge; /* as in struct child_options */
	uint64_t deadline_ms, grace_ms;
	child_sink_fn *sink; /* CHILD_STDOUT and CHILD_STDERR only; NULL: child_read */
	void *sink_arg;
};

struct sandbox_end {
	struct child_end child; /* of the program itself */
	const char *limit;      /* the limit that ended it: "cpu", "file size"; NULL: none */
};

/* Starts it, after the verdict. NULL: the level is not proved (ERROR_REFUSED; the tool answers
 * UNAVAILABLE/SANDBOX), t was cancelled, or there is no process to be had (ERROR_OURS, errno in
 * err->code). */
struct sandboxed *sandbox_start(
    struct task *t, struct sandbox *s, const struct sandbox_run *run, struct error *err);
/* For child_read, child_write, child_close_input, child_stop; its end is asked for here, not there. */
struct child *sandboxed_child(struct sandboxed *p);
/* Waits until it and everything that it started are gone. -1: cancelled (it runs on), or it did not start
 * inside: ERROR_OURS, errno in err->code (ENOENT: no such program). */
int sandboxed_wait(struct task *t, struct sandboxed *p, struct sandbox_end *end, struct error *err);
/* Ends what still runs, whatever happens to t, and frees. NULL is fine. */
void sandboxed_free(struct task *t, struct sandboxed *p);

#endif
