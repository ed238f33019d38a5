#include <stdlib.h>

#include "bus/command_menu.h"
#include "session/commands/command.h"
#include "session/commands/grant.h"

enum { ID };

static void run(struct task *t, struct command_call *call)
{
	struct grant_subject who = {0};

	if (!call->values[ID] && !grant_answers_person(call))
		grant_list(call, true);
	else if (grant_subject_read(call, call->values[ID], &who))
		grant_change_apply(t, call, &who, ACCESS_NONE);
	grant_subject_clear(&who);
}

static const struct channel_argument takes[] = {
    {.name = "id",
	.help = "whom: an id or a mention, or answer a message of theirs; nobody: lists those denied",
	.person = true},
    {.name = NULL},
};

const struct command command_deny = {
    .name = "deny",
    .role = ACCESS_ADMIN,
    .takes = takes,
    .help = "block a person",
    .run = run,
};
