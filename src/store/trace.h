#ifndef STORE_TRACE_H
#define STORE_TRACE_H
/* The way of one message through the tables, in slices, so that nobody waits long for the one who asks. */
struct db;
struct error;
struct json_object;
struct trace;

/* As store_trace says. */
struct trace *trace_new(const char *what);
void trace_free(struct trace *tr);
/* 1: there is more to look at. 0: done. */
int trace_slice(struct trace *tr, struct db *db, struct error *err);
/* After 0; the caller's. NULL: there is no such message. */
struct json_object *trace_result(const struct trace *tr);

#endif
