#include <stdlib.h>

#include "base/buf.h"
#include "bus/escape.h"
#include "bus/command_menu.h"
#include "session/commands/command.h"
#include "session/commands/grant.h"

enum { ID, ROLE };

static void show_role(const struct command_call *call, const struct grant_subject *who)
{
	enum access_role role = grant_subject_role(call->all, who->channel, who->person);
	struct buf text = BUF_INIT;

	grant_subject_add(&text, who);
	if (role == ACCESS_NONE)
		buf_addf(&text, " has no role on %s, or is denied.", who->channel);
	else
		buf_addf(&text, " on %s: %s.", who->channel, access_role_name(role));
	escape_markdown(call->reply, text.data);
	buf_clear(&text);
}

static void run(struct task *t, struct command_call *call)
{
	struct grant_subject who = {0};
	enum access_role role;

	grant_move_role(call, &call->values[ID], &call->values[ROLE]);
	if (!call->values[ID] && !grant_answers_person(call))
		grant_list(call, false);
	else if (!grant_subject_read(call, call->values[ID], &who))
		;
	else if (call->values[ROLE] && access_role_parse(call->values[ROLE], &role) == 0)
		grant_change_apply(t, call, &who, role);
	else
		show_role(call, &who);
	grant_subject_clear(&who);
}

static const struct channel_argument takes[] = {
    {.name = "id",
	.help = "of whom: an id or a mention, or answer a message of theirs; nobody: lists all",
	.person = true},
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
