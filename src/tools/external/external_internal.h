#ifndef TOOLS_EXTERNAL_EXTERNAL_INTERNAL_H
#define TOOLS_EXTERNAL_EXTERNAL_INTERNAL_H
/* What the sources of external tools share. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/source.h"

struct buf;
struct error;
struct tools;

/* Maximum programs of a folder; further ones are ignored. */
#define EXTERNAL_MAX 100

/* Identifies a version of a file. */
struct external_stamp {
	uint64_t device, inode;
	int64_t size, changed_ns, modified_ns;
	uint32_t mode, owner;
};

/* A program of the folder. */
struct external_program {
	char *file; /* its name in the folder */
	struct external_stamp stamp;
	char *refusal;    /* why it is not a tool; NULL when it is */
	bool schema_read; /* the fields below hold its answer */
	char *tool, *summary;
	struct json_object *schema;
	bool read_only;
};

/* The result of a scan; problem: nothing was found because of this. */
struct external_folder {
	char *path; /* without links; NULL with a problem */
	char *problem;
	struct external_program *programs; /* in byte order of file; not asked yet */
	size_t count;
};

void external_program_clear(struct external_program *p);
void external_folder_clear(struct external_folder *f);
/* Scans on a worker thread. Returns -1 when cancelled. */
int external_scan(struct task *t, const struct tools *ts, struct external_folder *out);

/* Asks a program for its schema; an invalid answer becomes its refusal. Returns -1 when it could not be
 * asked now (cancelled, or no program can be run): ask again later. */
int external_read_schema(struct task *t, const struct tools *ts, const char *folder,
    struct external_program *p, struct error *err);
/* Reads a program's answer to --schema; sets its refusal when invalid. */
void external_take_schema(struct external_program *p, const char *text, size_t len);

/* Runs a program for a tool call; the tool's context is the path, malloc'd. */
struct json_object *external_run(struct task *t, const struct tool_call *call, struct json_object *args);
/* Returns a program's output as the result of a call, or NULL with err set. */
struct json_object *external_result(const char *text, size_t len, struct error *err);

#endif
