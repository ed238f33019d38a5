#ifndef TESTS_TOOLS_SHELL_SHELL_FIXTURE_H
#define TESTS_TOOLS_SHELL_SHELL_FIXTURE_H
/* Tools that run programs, in a conversation and a sandbox that works. */
#include "base/task.h"
#include "tools/tools_fixture.h"

/* Opens a workshop, which was made, with background tasks and a chat. */
void shell_fixture_begin(struct tools_fixture *w, const char *settings);
/* Ends what runs, and the workshop. */
void shell_fixture_end(struct tools_fixture *w);
/* Skips the test where nothing can run in a sandbox. */
void shell_fixture_need(struct tools_fixture *w);
/* Runs fn(task) in a task, for what goes on between calls. */
void shell_fixture_in_task(void (*fn)(struct task *t));
/* {"command": command} with more members, which is "" or begins with a comma: malloc'd. The word NAP in them
 * is a number of seconds by which the processes of this test are known. */
char *shell_fixture_args(const char *command, const char *more);
/* Runs a tool with these. */
struct json_object *shell_fixture_run(
    struct tools_fixture *w, const char *tool, const char *command, const char *more);
struct json_object *shell_fixture_run_in(
    struct task *t, struct tools_fixture *w, const char *tool, const char *command, const char *more);
/* {"task_id": id} with more. */
struct json_object *shell_fixture_task(
    struct task *t, struct tools_fixture *w, const char *tool, const char *id, const char *more);
/* Nothing that a command of this test process made sleep NAP seconds is left. */
void shell_fixture_none(void);
/* Waits until there are as many processes with it in their command line, or more, or none when count is 0;
 * fails when that takes half a minute. */
void shell_fixture_await(struct task *t, unsigned count);

#endif
