#ifndef SESSION_ACCESS_GRANT_CHANGE_H
#define SESSION_ACCESS_GRANT_CHANGE_H
/*
 * Changing who may talk to the agent: a change is committed together with the answer to who
 * asked for it, and counts from then on.
 */
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

#endif
