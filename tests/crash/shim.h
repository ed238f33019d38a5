#ifndef CRASH_SHIM_H
#define CRASH_SHIM_H
/*
 * The shim is preloaded (LD_PRELOAD) into the gateway. It counts the points at which a crash can make a
 * difference: every call that changes a file of the state directory or sends to the platform or the model. At
 * the chosen point it ends the process with SIGKILL. All that happened before stands in SIDE/events, in one
 * order over all threads. A sync of the state directory is only noted, not done: what a power cut would leave
 * is worked out from the events.
 */
#include <stdint.h>

/* Environment of the gateway. */
#define SHIM_STATE "MYNA_CRASH_STATE" /* the state directory, a real path */
#define SHIM_SIDE  "MYNA_CRASH_SIDE"  /* where events goes; not below the state directory */
#define SHIM_AT    "MYNA_CRASH_AT"    /* the point to die at, from 1; absent: none */
#define SHIM_MODE  "MYNA_CRASH_MODE"  /* the name of an enum shim_mode */

/* Half: half of the bytes are written or sent; a call without bytes does not happen. */
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
	/* No points: they are told for what a power cut leaves, and for what tools did. */
	SHIM_CREATE, /* path: a file that was not there */
	SHIM_MKDIR,  /* path */
	SHIM_READ,   /* path: a file opened for reading by openat2, as file tools do */
	SHIM_DIED    /* path, data: of the call; at: its enum shim_op */
};

#define SHIM_OP_NAMES                                                                                      \
	{                                                                                                  \
		"write", "truncate", "sync", "unlink", "rename", "send", "create", "mkdir", "read", "died" \
	}

/* Followed by path and data, which have no terminators. Paths are relative to the state directory, which is
 * "". */
struct shim_event {
	uint32_t op;
	uint32_t path_len;
	uint64_t point; /* 0: it is none */
	int64_t at;
	uint64_t data_len; /* as far as it was written or sent */
};

#endif
