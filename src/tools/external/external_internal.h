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

/* Programs of a folder; further ones are left out. */
#define EXTERNAL_MAX 100

/* What changes when a file does. */
struct external_stamp {
	uint64_t device, inode;
	int64_t size, changed_ns, modified_ns;
	uint32_t mode, owner;
};

/* A program of the folder. */
struct external_program {
	char *file; /* its name in the folder */
	struct external_stamp stamp;
	char *refusal; /* why it is no tool; NULL: none */
	bool asked;    /* then what follows is what it said of itself */
	char *tool, *summary;
	struct json_object *schema;
	bool read_only;
};

/* What a look at the folder found; problem: nothing, because of this. */
struct external_folder {
	char *path; /* without links; NULL with a problem */
	char *problem;
	struct external_program *programs; /* in byte order of file; not asked yet */
	size_t count;
};

void external_program_clear(struct external_program *p);
void external_folder_clear(struct external_folder *f);
/* Looks on a worker thread. -1: cancelled. */
int external_scan(struct task *t, const struct tools *ts, struct external_folder *out);

/* Asks a program what it is; what is wrong becomes its refusal. -1: it could not be asked now (cancelled, or
 * no program can be run), and is to be asked again. */
int external_read_schema(struct task *t, const struct tools *ts, const char *folder,
    struct external_program *p, struct error *err);
/* Takes what a program printed for --schema; what is wrong becomes its refusal. */
void external_take_schema(struct external_program *p, const char *text, size_t len);

/* Runs a program as a call of a tool; its context is the path, malloc'd. */
struct json_object *external_run(struct task *t, const struct tool_call *call, struct json_object *args);
/* What a program printed, as the result of a call, or NULL with why. */
struct json_object *external_result(const char *text, size_t len, struct error *err);

#endif
