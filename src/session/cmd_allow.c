#include <stdlib.h>

#include "bus/menu.h"
#include "session/command.h"
#include "session/granting.h"

enum { ID, ROLE };

static void run(struct task *t, struct command_call *call)
{
	struct granting_who who = {0};
	enum access_role role = ACCESS_USER;

	if (call->values[ROLE])
		access_role_parse(call->values[ROLE], &role);
	if (!call->values[ID])
		granting_list(call, false);
	else if (granting_who_read(call, call->values[ID], &who))
		granting_give(t, call, &who, role);
	free(who.person);
}

static const struct channel_argument takes[] = {
    {.name = "id", .help = "whom, by the id that /whoami shows them; nobody: lists who may talk to me"},
    {.name = "role", .choices = access_roles, .help = "what they may do: user, when left out"},
    {.name = NULL},
};

const struct command command_allow = {
    .name = "allow",
    .role = ACCESS_ADMIN,
    .takes = takes,
    .help = "let somebody talk to me",
    .run = run,
};
