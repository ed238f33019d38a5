#include <stdlib.h>

#include "base/buf.h"
#include "bus/escape.h"
#include "bus/command_menu.h"
#include "session/commands/command.h"
#include "session/commands/grant.h"

enum { ID, ROLE };

static void tell(const struct command_call *call, const struct grant_subject *who)
{
	enum access_role role = grant_subject_role(call->all, who->channel, who->person);
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s on %s: %s.", who->person, who->channel,
	    role == ACCESS_NONE ? "named nowhere, or kept out" : access_role_name(role));
	escape_markdown(call->reply, text.data);
	buf_clear(&text);
}

static void run(struct task *t, struct command_call *call)
{
	struct grant_subject who = {0};
	enum access_role role;

	if (!call->values[ID])
		grant_list(call, false);
	else if (!grant_subject_read(call, call->values[ID], &who))
		;
	else if (call->values[ROLE] && access_role_parse(call->values[ROLE], &role) == 0)
		grant_change_apply(t, call, &who, role);
	else
		tell(call, &who);
	free(who.person);
}

static const struct channel_argument takes[] = {
    {.name = "id", .help = "of whom; nobody: lists who may talk to me"},
    {.name = "role", .choices = access_roles, .help = "what they may do from now on"},
    {.name = NULL},
};

const struct command command_role = {
    .name = "role",
    .role = ACCESS_ADMIN,
    .takes = takes,
    .help = "show or set a person's role",
    .run = run,
};
