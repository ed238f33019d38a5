#include "bus/command_menu.h"
#include "session/approval/approval.h"
#include "session/commands/command.h"

static void run(struct task *t, struct command_call *call)
{
	approval_decision_run(t, call, &approval_choices[1]);
}

static const struct channel_argument takes[] = {
    {.name = "id", .required = true, .help = "what stands under the request"},
    {.name = "reason", .kind = CHANNEL_ARGUMENT_TEXT, .help = "why, for the agent"},
    {.name = NULL},
};

const struct command command_reject = {
    .name = "reject",
    .role = ACCESS_USER,
    .takes = takes,
    .help = "refuse a tool call that waits",
    .run = run,
};
