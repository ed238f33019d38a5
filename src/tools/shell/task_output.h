#ifndef TOOLS_SHELL_TASK_OUTPUT_H
#define TOOLS_SHELL_TASK_OUTPUT_H
/* What task_output and kill_shell share. */
struct background_job;
struct json_object;
struct tool_call;

/* Returns the job that the arguments name, held; NULL with the answer. */
struct background_job *task_find(
    const struct tool_call *call, struct json_object *args, struct json_object **answer);

#endif
