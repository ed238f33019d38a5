#include "bus/command_menu.h"
#include "session/approval/approval.h"
#include "session/commands/command.h"

static void run(struct task *t, struct command_call *call)
{
	approval_decision_run(t, call, &approval_choices[0]);
}

static const struct channel_argument takes[] = {
    {.name = "id", .required = true, .help = "what stands under the request"},
    {.name = NULL},
};

const struct command command_approve = {
    .name = "approve",
    .role = ACCESS_USER,
    .takes = takes,
    .help = "approve a tool call that waits",
    .run = run,
};
