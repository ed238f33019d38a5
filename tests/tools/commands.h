#ifndef TESTS_TOOLS_COMMANDS_H
#define TESTS_TOOLS_COMMANDS_H
/* Tools that run programs, in a conversation and a sandbox that works. */
#include "base/task.h"
#include "tools/workshop.h"

/* Opens a workshop, which was made, with background tasks and a chat. */
void commands_begin(struct workshop *w, const char *settings);
/* Ends what runs, and the workshop. */
void commands_end(struct workshop *w);
/* Skips the test where nothing can run in a sandbox. */
void commands_need(struct workshop *w);
/* Runs fn(task) in a task, for what goes on between calls. */
void commands_in_task(void (*fn)(struct task *t));
/* {"command": command} with more members, which is "" or begins with a comma: malloc'd. The word NAP in them
 * is a number of seconds by which the processes of this test are known. */
char *commands_args(const char *command, const char *more);
/* Runs a tool with these. */
struct json_object *commands_run(struct workshop *w, const char *tool, const char *command, const char *more);
struct json_object *commands_run_in(
    struct task *t, struct workshop *w, const char *tool, const char *command, const char *more);
/* {"task_id": id} with more. */
struct json_object *commands_task(
    struct task *t, struct workshop *w, const char *tool, const char *id, const char *more);
/* Nothing that a command of this test process made sleep NAP seconds is left. */
void commands_none(void);
/* Waits until there are as many processes with it in their command line, or more, or none when count is 0;
 * fails when that takes half a minute. */
void commands_await(struct task *t, unsigned count);

#endif
