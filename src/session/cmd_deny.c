#include <stdlib.h>

#include "bus/menu.h"
#include "session/command.h"
#include "session/granting.h"

enum { ID };

static void run(struct task *t, struct command_call *call)
{
	struct granting_who who = {0};

	if (!call->values[ID])
		granting_list(call, true);
	else if (granting_who_read(call, call->values[ID], &who))
		granting_give(t, call, &who, ACCESS_NONE);
	free(who.person);
}

static const struct channel_argument takes[] = {
    {.name = "id", .help = "whom; nobody: lists those whom I do not listen to"},
    {.name = NULL},
};

const struct command command_deny = {
    .name = "deny",
    .role = ACCESS_ADMIN,
    .takes = takes,
    .help = "listen to somebody no more",
    .run = run,
};
