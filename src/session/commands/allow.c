#include <stdlib.h>

#include "bus/command_menu.h"
#include "session/commands/command.h"
#include "session/commands/grant.h"

enum { ID, ROLE };

static void run(struct task *t, struct command_call *call)
{
	struct grant_subject who = {0};
	enum access_role role = ACCESS_USER;

	grant_move_role(call, &call->values[ID], &call->values[ROLE]);
	if (call->values[ROLE])
		access_role_parse(call->values[ROLE], &role);
	if (!call->values[ID] && !grant_answers_person(call))
		grant_list(call, false);
	else if (grant_subject_read(call, call->values[ID], &who))
		grant_change_apply(t, call, &who, role);
	grant_subject_clear(&who);
}

static const struct channel_argument takes[] = {
    {.name = "id",
	.help = "whom: an id as in /whoami or a mention, or answer a message of theirs; nobody: lists all",
	.person = true},
    {.name = "role", .choices = access_roles, .help = "what they may do: user, when left out"},
    {.name = NULL},
};

const struct command command_allow = {
    .name = "allow",
    .role = ACCESS_ADMIN,
    .takes = takes,
    .help = "let a person talk to me",
    .run = run,
};
