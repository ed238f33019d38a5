#ifndef OPS_SPENDING_H
#define OPS_SPENDING_H
/* What models took and cost, as the status has it: for people, for figures and for the page. */
struct budget;
struct buf;
struct gateway;
struct json_object;
struct task;

/* {"currency", "today", "month"}, each {"tokens", "calls", "unpriced", "cost_millionths"}. */
struct json_object *spending_object(const struct budget *b);
/* Appends a line, if anything was spent this month. */
void spending_describe(struct json_object *spent, struct buf *out);
/* {"today", "month", "total"}, each {"requests", "input", "cached", "output", "cost" in words}; NULL: it
 * cannot be read. */
struct json_object *spending_table(struct task *t, struct gateway *g);

#endif
