#ifndef SESSION_ACCESS_GRANT_CHANGE_H
#define SESSION_ACCESS_GRANT_CHANGE_H
/*
 * Changes of who may talk to the agent. One transaction commits the change and the answer to the person
 * who asked; the change takes effect after the commit.
 */
struct error;
struct message;
struct sessions;
struct store_grant;
struct store_pairing;
struct task;

/* Loads the grants and pairing requests from the store, which other nodes change too; first before any
 * message is classified. */
int grant_change_load(struct task *t, struct sessions *all, struct error *err);
/* Starts the task that loads them again every few seconds, and when grant_change_reload is called. */
void grant_change_watch(struct sessions *all);
void grant_change_reload(struct sessions *all);

/* Each part may be NULL. */
struct grant_change {
	const struct message *asked; /* ends with the change; reply answers it */
	const char *reply;           /* Markdown */
	const struct store_grant *grant;
	const struct store_pairing *decided; /* the request's chat receives `notice` */
	const char *notice;
};
/* Retries until the store commits. Returns 0 when the change is in effect, 1 when it was refused because
 * another change came first, -1 when the process stops. */
int grant_change_commit(struct task *t, struct sessions *all, const struct grant_change *g);

#endif
