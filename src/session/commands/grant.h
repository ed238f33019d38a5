#ifndef SESSION_COMMANDS_GRANT_H
#define SESSION_COMMANDS_GRANT_H
/* Who may talk to the agent: what /allow, /deny, /role, /pair and /budget share. */
#include <stdbool.h>

#include "session/access/access.h"

struct command_call;
struct sessions;
struct task;

/* Whom a command is about. */
struct grant_subject {
	char channel[32];
	char *person;         /* malloc'd */
	enum access_role own; /* of whoever gave the command, on that channel */
};
/* What whoever gave the command may decide on the channel: owners are owners everywhere, others nothing
 * elsewhere. */
enum access_role grant_own_role(const struct command_call *call, const char *channel);
/* Reads "ID" or "CHANNEL:ID". False: the reply says why not. */
bool grant_subject_read(const struct command_call *call, const char *word, struct grant_subject *who);
/* The role that the person has on the channel, as far as settings and grants name them. */
enum access_role grant_subject_role(const struct sessions *all, const char *channel, const char *person);
/* Checks and commits; the reply, or the call's answer, says what became of it. */
void grant_change_apply(
    struct task *t, struct command_call *call, const struct grant_subject *who, enum access_role role);
/* Appends the people of the channels that the asker decides on, by the settings and by grants: those with a
 * role, or those who are kept out. */
void grant_list(const struct command_call *call, bool only_denied);

#endif
