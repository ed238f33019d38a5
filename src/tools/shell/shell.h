#ifndef TOOLS_SHELL_SHELL_H
#define TOOLS_SHELL_SHELL_H
/* What exec_shell and spawn share: running a program in the sandbox, in the foreground or background. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/tools.h"

struct background_end;
struct background_job;
struct json_object;
struct output;
struct stat;
struct task;

struct shell_request {
	const char *const *argv;  /* NULL-terminated */
	const char *shown;        /* the command for people */
	uint64_t fallback_ms;     /* default time limit */
	struct json_object *args; /* working_directory, timeout, run_in_background, description */
};

/* Maximum time limit of a call in the foreground, in seconds. */
#define SHELL_SECONDS_MAX 300

/* Returns the result or the failure. Suspends. */
struct json_object *shell_run(struct task *t, const struct tool_call *call, const struct shell_request *r);

/* Add a stream's output, and how the program ended unless it runs, to a result. */
void shell_add_output(struct json_object *o, const char *name, const struct output *output, size_t most);
void shell_add_end(struct json_object *o, const struct background_end *end);
/* Reads a number of seconds from the arguments, at most max_s: a larger one is reduced and reported as
 * clamped. Returns milliseconds. */
uint64_t shell_seconds(struct json_object *args, const char *name, uint64_t fallback_ms, uint64_t max_s,
    struct json_object **clamped);

extern const struct tool_alias shell_aliases[];
/* The common parts of both schemas; limit is the default time. */
#define SHELL_SCHEMA(limit)                                                                                  \
	"\"timeout\":{\"type\":\"number\",\"minimum\":0.001,\"description\":\"Seconds until it is killed, "  \
	"at "                                                                                                \
	"most 300; in the background at most 3600 (default: " limit ")\"},"                                  \
	"\"working_directory\":{\"type\":\"string\",\"description\":\"Folder to run in (default: the "       \
	"workspace)\"},"                                                                                     \
	"\"description\":{\"type\":\"string\",\"maxLength\":200,\"description\":\"What it is for, shown to " \
	"the "                                                                                               \
	"people in the chat (default: none)\"},"                                                             \
	"\"run_in_background\":{\"type\":\"boolean\",\"description\":\"Return at once with a task_id for "   \
	"task_output and kill_shell (default: false)\"},"                                                    \
	"\"confirmed\":{\"type\":\"boolean\",\"description\":\"The operator's approval at the terminal; "    \
	"elsewhere a person is asked (default: false)\"}"

/* task_output.c: What task_output and kill_shell share. */

/* Returns the job that the arguments name, held; NULL with the answer. */
struct background_job *task_find(
    const struct tool_call *call, struct json_object *args, struct json_object **answer);

/* measure.c: What an approval of a command is bound to besides its text. Implements struct tool's measure. */
#define SHELL_FOLDER_FACT "folder"
void shell_measure(
    struct task *t, const struct tool_call *call, struct json_object *args, struct json_object *facts);
/* Returns true when the approval was for another folder. real is absolute and without links. */
bool shell_folder_changed(const struct tool_call *call, const char *real, const struct stat *st);

/* working_directory.c: The working directory of a program. */

/* Resolves the folder of the path, as the model gave it (NULL: the workspace), on a worker thread. Returns
 * its absolute path without links, malloc'd; NULL with the failure to answer. */
char *working_directory_find(
    struct task *t, const struct tool_call *call, const char *path, struct json_object **failure);

#endif
