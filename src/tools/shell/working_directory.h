#ifndef TOOLS_SHELL_WORKING_DIRECTORY_H
#define TOOLS_SHELL_WORKING_DIRECTORY_H
/* The working directory of a program. */
struct json_object;
struct task;
struct tool_call;

/* Resolves the folder of the path, as the model gave it (NULL: the workspace), on a worker thread. Returns
 * its absolute path without links, malloc'd; NULL with the failure to answer. */
char *working_directory_find(
    struct task *t, const struct tool_call *call, const char *path, struct json_object **failure);

#endif
