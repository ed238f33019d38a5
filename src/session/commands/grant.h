#ifndef SESSION_COMMANDS_GRANT_H
#define SESSION_COMMANDS_GRANT_H
/* Shared by /allow, /deny, /role, /pair and /budget: who may talk to the agent. */
#include <stdbool.h>

#include "session/access/access.h"

struct buf;
struct command_call;
struct message;
struct sessions;
struct task;

/* The person whom a command concerns. */
struct grant_subject {
	char channel[32];
	char *person;                 /* malloc'd */
	char *name;                   /* malloc'd, as the platform shows it; NULL: unknown */
	enum access_role sender_role; /* the sender's role on that channel */
};
void grant_subject_clear(struct grant_subject *who);
/* Returns whether the command answers a message of somebody else, so that it may omit the person. */
bool grant_answers_person(const struct command_call *call);
/* For "/role admin" in an answer to a message: moves the role from the argument of the person to its own. */
void grant_move_role(const struct command_call *call, char **who, char **role);
/* Returns the authority of the message's sender on the channel: owners have it everywhere, others on their
 * own channel alone. */
enum access_role grant_role(const struct sessions *all, const struct message *m, const char *channel);
/* The same of who gives the command. */
enum access_role grant_sender_role(const struct command_call *call, const char *channel);
/* Parses "ID", "CHANNEL:ID" or a mention; word NULL: who wrote the message that the command answers. Clear
 * who either way. On false, the reply says why. */
bool grant_subject_read(const struct command_call *call, const char *word, struct grant_subject *who);
/* Appends the person as people see them: "Ann (77)", or the id alone. Plain text. */
void grant_subject_add(struct buf *out, const struct grant_subject *who);
/* Returns the person's role on the channel by settings and grants. */
enum access_role grant_subject_role(const struct sessions *all, const char *channel, const char *person);
/* Checks and commits the change; the reply, or the call's answer, reports the result. */
void grant_change_apply(
    struct task *t, struct command_call *call, const struct grant_subject *who, enum access_role role);
/* Appends the people on the channels where the sender has authority: those with a role or, with only_denied,
 * those denied. */
void grant_list(const struct command_call *call, bool only_denied);

#endif
