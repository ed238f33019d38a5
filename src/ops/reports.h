#ifndef OPS_REPORTS_H
#define OPS_REPORTS_H
/*
 * What became of messages is told to those who would not know: to the agent that sent one and was told that
 * it is queued, with the next turn of its chat, and to the admins when one failed or may not have arrived.
 * The admins also hear what only they can mend of a model's provider.
 */
struct error;
struct gateway;
struct outbound;
struct reports;
struct task;

struct reports *reports_new(struct gateway *g);
void reports_free(struct task *t, struct reports *r); /* NULL is fine */
/* Tells the agent what the process that ran before did not come to. Once, after the start. */
int reports_resume(struct task *t, struct reports *r, struct error *err);
/* Tells the admins, once for the same mistakes, that the last good configuration is in force. */
void reports_safe_mode(struct task *t, struct reports *r, const char *mistakes);
/* bus_handler.delivered. */
void reports_delivered(struct reports *r, const struct outbound *row);

#endif
