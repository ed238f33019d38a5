#ifndef SESSION_ACCESS_GRANT_CHANGE_H
#define SESSION_ACCESS_GRANT_CHANGE_H
/*
 * Changing who may talk to the agent: what /allow, /deny, /role and /pair share. A change is committed
 * together with the answer to who asked for it, and counts from then on. Private to sessions.
 */
#include <stdbool.h>
#include <stddef.h>

#include "session/access/access.h"

struct command_call;
struct error;
struct message;
struct sessions;
struct store_grant;
struct store_pairing;
struct task;

/* Reads what was granted and who asks to be let in; before any message is judged. */
int grant_change_load(struct task *t, struct sessions *all, struct error *err);

/* Each part may be absent. */
struct grant_change {
	const struct message *asked; /* ends with it, and is answered with reply */
	const char *reply;           /* Markdown */
	const struct store_grant *grant;
	const struct store_pairing *decided; /* whoever asked there is told */
	const char *told;
};
/* Tries until the store has it. 0: it is done and counts. 1: refused, somebody was first. -1: the process
 * stops. */
int grant_change_commit(struct task *t, struct sessions *all, const struct grant_change *g);

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
