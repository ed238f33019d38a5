#ifndef OPS_SPENDING_H
#define OPS_SPENDING_H
/* Token usage and cost of the models in the status: for people, metrics and the page. */
struct budget;
struct buf;
struct gateway;
struct json_object;
struct task;

/* Returns {"currency", "today", "month"}, each {"tokens", "calls", "unpriced", "cost_millionths"}. */
struct json_object *spending_object(const struct budget *b);
/* Appends a line if this month has any usage. */
void spending_describe(struct json_object *spent, struct buf *out);
/* Returns {"today", "month", "total"}, each {"requests", "input", "cached", "output", "seconds", "estimated",
 * "cost" as text}; NULL when it cannot be read. Suspends. */
struct json_object *spending_table(struct task *t, struct gateway *g);

#endif
