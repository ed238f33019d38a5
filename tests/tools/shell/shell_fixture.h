#ifndef TESTS_TOOLS_SHELL_SHELL_FIXTURE_H
#define TESTS_TOOLS_SHELL_SHELL_FIXTURE_H
/* Tools that run programs, in a conversation and a working sandbox. */
#include "base/task.h"
#include "tools/tools_fixture.h"

/* Opens an initialised tools fixture with background tasks and a chat. */
void shell_fixture_begin(struct tools_fixture *w, const char *settings);
/* Ends what runs, and the fixture. */
void shell_fixture_end(struct tools_fixture *w);
/* Skips the test where no sandbox works. */
void shell_fixture_need(struct tools_fixture *w);
/* Runs fn(task) in a task, for work between calls. */
void shell_fixture_in_task(void (*fn)(struct task *t));
/* Returns {"command": command} with more members, malloc'd; more is "" or begins with a comma. The word NAP
 * in them becomes a number of seconds that identifies the processes of this test. */
char *shell_fixture_args(const char *command, const char *more);
/* Runs a tool with these arguments. */
struct json_object *shell_fixture_run(
    struct tools_fixture *w, const char *tool, const char *command, const char *more);
struct json_object *shell_fixture_run_in(
    struct task *t, struct tools_fixture *w, const char *tool, const char *command, const char *more);
/* {"task_id": id} with more. */
struct json_object *shell_fixture_task(
    struct task *t, struct tools_fixture *w, const char *tool, const char *id, const char *more);
/* Asserts that no command started by this test process still sleeps NAP seconds. */
void shell_fixture_none(void);
/* Waits until at least count processes have it in their command line, or none when count is 0; fails after
 * half a minute. */
void shell_fixture_await(struct task *t, unsigned count);

#endif
