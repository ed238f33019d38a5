#ifndef OPS_REPORTS_H
#define OPS_REPORTS_H
/*
 * Reports of failed and uncertain deliveries: to the agent that was told that its message is queued,
 * with the next turn of its chat, and to the admins. The admins also get provider failures that need
 * them.
 */
struct error;
struct gateway;
struct outbound;
struct reports;
struct task;

struct reports *reports_new(struct gateway *g);
void reports_free(struct task *t, struct reports *r); /* NULL is allowed */
/* Reports to the agent what the previous process left unreported. Once, after startup. Suspends. */
int reports_resume(struct task *t, struct reports *r, struct error *err);
/* Reports to the admins, once for the same errors, that the last good configuration is in use. */
void reports_safe_mode(struct task *t, struct reports *r, const char *mistakes);
/* Implements bus_handler.delivered. */
void reports_delivered(struct reports *r, const struct outbound *row);

#endif
