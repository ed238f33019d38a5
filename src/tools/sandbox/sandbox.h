#ifndef TOOLS_SANDBOX_SANDBOX_H
#define TOOLS_SANDBOX_SANDBOX_H
/*
 * Runs the programs of tools in a sandbox that the kernel enforces (docs/security.md). Each level
 * includes those below it:
 * - S0: clean environment, no inherited descriptors, limits, no new privileges, not root, the whole
 *   process tree ended;
 * - S1: files: only granted ones can be opened (Landlock);
 * - S2: system calls: no network unless granted, no access to other processes, no chmod by path
 *   (seccomp);
 * - S3: namespaces: only granted files and own processes are visible.
 * A level is proved when a canary under it fails at every forbidden act, on this machine, since the
 * settings were read. Programs run at the highest proved level; below the required one (tools.sandbox)
 * they do not run.
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
	const struct config_strings *roots; /* likewise; NULL for none */
	const char *const *hidden;          /* paths inside those to hide; NULL-terminated; NULL for none */
	enum sandbox_level required;
	const char *run_as;               /* the user of programs when we are root */
	int64_t memory_bytes, file_bytes; /* per process; per file */
	int64_t memory_all_bytes;         /* of all processes together; 0: no limit */
	int64_t processes, open_files;
	int64_t cpu_s;        /* per process */
	int64_t disk_reserve; /* bytes that stay free where programs write: for keep_free; 0: no check */
};

/* May block: opens the folders. */
struct sandbox *sandbox_new(const struct sandbox_options *o);
struct sandbox *sandbox_ref(struct sandbox *s);
/* NULL is allowed. */
void sandbox_unref(struct sandbox *s);
/* Returns true when programs get the same from both: made with equal options. */
bool sandbox_equal(const struct sandbox *a, const struct sandbox *b);

/* Tests the sandbox unless that was done; waits for a test in progress. Takes about 20 ms, mostly in other
 * processes. Returns 0 when the required level is proved, or -1 with the reason (ERROR_REFUSED) or when
 * cancelled. */
int sandbox_prove(struct task *t, struct sandbox *s, struct error *err);
/* Returns true when tools that need it may be offered; also before the first test, since calls wait for its
 * result. */
bool sandbox_may_run(const struct sandbox *s);
/* Returns true when the test is complete. */
bool sandbox_is_proved(const struct sandbox *s);
/* Returns the proved level; SANDBOX_NONE before the test, and when none is proved. reason (may be NULL)
 * says why it is not higher; "" before the test. */
enum sandbox_level sandbox_level(const struct sandbox *s, const char **reason);
enum sandbox_level sandbox_required(const struct sandbox *s);
/* "S2"; "none". */
const char *sandbox_level_name(enum sandbox_level level);
/* Returns the canary's acts at the proved level, one a line, for people; "" before the test. */
const char *sandbox_acts(const struct sandbox *s);
/* The user of programs when we are root. */
const char *sandbox_user(const struct sandbox *s);

#define SANDBOX_ADVICE 400

/* One program. */
struct sandbox_run {
	const char *const *argv; /* NULL-terminated; looked up in PATH inside the sandbox */
	/* "NAME=value", NULL-terminated, added to the clean environment (PATH HOME TMPDIR LANG TZ ...);
	 * NULL for none */
	const char *const *env;
	/* Granted in place of the sandbox's workspace; without links. NULL: that one. */
	const char *workspace;
	const char *home; /* granted, too, and its HOME; absolute. NULL: the workspace is its HOME. */
	const char *dir;  /* absolute, inside what is granted; NULL: the workspace */
	/* More absolute paths to read, and to write as well; NULL-terminated; NULL for none. */
	const char *const *readable, *const *writable;
	bool network;  /* granted */
	bool no_files; /* neither the workspace nor the roots are granted; needs dir */
	/* It may run for weeks: without a limit of processor time, with more address space, and with a check
	 * for keep_free every two seconds only. */
	bool long_running;
	/* Stops it when less than disk_reserve is free, and does not start it then (ERROR_LIMITED). */
	bool keep_free;
	/* Most bytes of the workspace and the home (tools/files/disk_usage.h); 0: no limit. Stops it when it
	 * passes them; one that starts beyond them cannot write to files, only remove. */
	int64_t quota;
	bool input, merge; /* as in struct child_options */
	uint64_t deadline_ms, grace_ms;
	child_sink_fn *sink; /* for CHILD_STDOUT and CHILD_STDERR; NULL: child_read */
	void *sink_arg;
};

struct sandbox_end {
	struct child_end child; /* of the program itself */
	const char *limit; /* what ended it: "cpu", "disk", "file size", "memory", "quota"; NULL for none */
	/* About a quota that it passed, or that was passed before; "" for none. */
	char advice[SANDBOX_ADVICE];
};

/* Starts a program after the test. Returns NULL when the level is not proved (ERROR_REFUSED; the tool
 * answers UNAVAILABLE/SANDBOX), t was cancelled, or no process could be created (ERROR_OURS, errno in
 * err->code). */
struct sandboxed *sandbox_start(
    struct task *t, struct sandbox *s, const struct sandbox_run *run, struct error *err);
/* For child_read, child_write, child_close_input and child_stop; wait with sandboxed_wait. */
struct child *sandboxed_child(struct sandboxed *p);
/* Waits until the program and all its descendants have ended. Returns -1 when cancelled (it keeps running),
 * or when it did not start inside: ERROR_OURS, errno in err->code (ENOENT: no such program). */
int sandboxed_wait(struct task *t, struct sandboxed *p, struct sandbox_end *end, struct error *err);
/* Kills what still runs, even when t is cancelled, and frees. NULL is allowed. */
void sandboxed_free(struct task *t, struct sandboxed *p);

#endif
