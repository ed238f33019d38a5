#ifndef CRASH_SHIM_H
#define CRASH_SHIM_H
/*
 * Preloaded (LD_PRELOAD) into the gateway. Counts the points at which a crash can matter: each call that
 * changes a file of the state directory or sends to the platform or the model. At the chosen point it kills
 * the process with SIGKILL. SIDE/events has all earlier events in one order over all threads. Syncs of the
 * state directory are logged but not executed; the effect of a power cut is computed from the events.
 */
#include <stdint.h>

/* Environment of the gateway. */
#define SHIM_STATE "MYNA_CRASH_STATE" /* the state directory, a real path */
#define SHIM_SIDE  "MYNA_CRASH_SIDE"  /* folder of the file events; outside of the state directory */
#define SHIM_AT    "MYNA_CRASH_AT"    /* point at which to die, from 1; absent: never */
#define SHIM_MODE  "MYNA_CRASH_MODE"  /* the name of an enum shim_mode */

/* SHIM_HALF: half of the bytes are written or sent; a call without bytes is skipped. */
enum shim_mode { SHIM_BEFORE, SHIM_HALF, SHIM_AFTER };

#define SHIM_MODE_NAMES                   \
	{                                 \
		"before", "half", "after" \
	}

enum shim_op {
	SHIM_WRITE,    /* path, at, data */
	SHIM_TRUNCATE, /* path, at: the new size */
	SHIM_SYNC,     /* path: of a file, or of a directory */
	SHIM_UNLINK,   /* path */
	SHIM_RENAME,   /* path; data: the new path */
	SHIM_SEND,     /* data */
	/* Not points: needed to model a power cut and to see what tools did. */
	SHIM_CREATE, /* path: a file that was not there */
	SHIM_MKDIR,  /* path */
	SHIM_READ,   /* path: opened for reading by openat2, as file tools do */
	SHIM_DIED    /* path, data: of the call; at: its enum shim_op */
};

#define SHIM_OP_NAMES                                                                                      \
	{                                                                                                  \
		"write", "truncate", "sync", "unlink", "rename", "send", "create", "mkdir", "read", "died" \
	}

/* Followed by path and data without terminators. Paths are relative to the state directory "". */
struct shim_event {
	uint32_t op;
	uint32_t path_len;
	uint64_t point; /* 0: not a point */
	int64_t at;
	uint64_t data_len; /* bytes actually written or sent */
};

#endif
